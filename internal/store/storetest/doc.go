// Package storetest is the one suite that every adapter of store.Store passes.
//
// An adapter's test calls Run with a Subject, which makes and opens empty
// places, and with the Capabilities that the adapter claims. What is claimed is
// proved and what is not claimed must not be there, so the table of gaps is
// true. TestMain calls Main, because the suite starts the test binary again as
// other processes.
//
// The suite compares with what was put in, byte by byte as JSON, and never one
// adapter with another: that all of them return the same follows.
package storetest
