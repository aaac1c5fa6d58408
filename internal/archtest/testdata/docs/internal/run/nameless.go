// This package says what it is without its name.
package run // [want]
