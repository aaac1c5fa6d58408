// Package columns is the mirror's SQL schema as data: which columns the tables
// of runs, tasks and attempts have, and which field of the record each holds.
//
// The SQL adapters share these tables and differ only in how a value of a Kind
// is written. A column is named as its field is in JSON, in snake_case; a field
// of a nested object that would not say by itself what it is about is preceded
// by the object's name (chain_name, error_code). Columns are for filters and
// dashboards: what a reader of the mirror gets comes whole from the row's
// record, so a column may be a cleaned copy of a text.
//
// The tests of each adapter compare these tables with the database's catalogue.
package columns
