package store

import _ "go.temporal.io/api/history/v1" // [want] a Temporal type in a port
