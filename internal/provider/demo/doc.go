// Package demo is a provider inside the binary, for trying tutti without a key and
// without a network. It asks no model and says so in every answer: the text tells
// what was received and that nothing was thought about it. Its answers are
// deterministic, and its usage is counted by a rule of its own, one token for every
// four bytes begun.
//
// Models: echo answers at once, echo-<ms> after that many milliseconds, and stops
// when the caller cancels.
package demo
