// Command tutti is described.
package main
