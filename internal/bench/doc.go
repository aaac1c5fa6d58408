// Package bench measures what tutti costs beside a workflow that somebody would write by hand: the
// same chains, on the same server, in turns within one run, because these numbers mean nothing when
// they come from different machines or minutes.
//
// Vocabulary. A side is one way to execute a chain, in a worker process of its own:
//
//   - tutti: the workflow, the activities and the projector, as `tutti worker` runs them;
//   - tutti-no-mirror: the same without the projector;
//   - bare: the shortest workflow that calls the same activities over the same store;
//   - by-hand: a workflow and an activity as a user of the SDK would write them, which looks for a
//     stored answer, makes the prompt, calls and stores. It keeps no record of attempts, no prompts
//     and no usage but the two counts, so it is what durability alone costs.
//
// A measure is one row: a number of each side, once a round. What is compared is the median of the
// rounds' ratios, so that a noisy minute, which hits all sides of a round, cancels out.
//
// This folder's code is pure (numbers to a table and a plot); what measures is in its test files:
// `make bench` runs them.
package bench
