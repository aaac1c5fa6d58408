// Package deploy holds what tutti is deployed with: the development server's configuration, a
// compose file and a Dockerfile. The first is data that programs read, so it is embedded here.
//
// Vocabulary: the development server is `temporal server start-dev` of the official Temporal CLI;
// its configuration ([DevServer]) is what is the same for everyone who starts one; the options
// ([DevServerOptions]) are what one start chooses, such as ports and a database file.
//
// Invariant: whoever starts a development server takes its command line from [Config.Args].
package deploy
