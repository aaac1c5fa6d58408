// Package definition reads the files in which users define things, the
// specialists and the chains, and says precisely what is wrong with them.
//
// Vocabulary. A Source is one directory with a label for messages; sources come
// in order of precedence, and the first definition of a name wins. A File is
// one file of a source, already checked to be bounded UTF-8 text. A Node is a
// piece of YAML with its position. A Report collects the problems of one file;
// an InvalidError is a file that was refused, a NotFoundError a name that no
// source defines.
//
// Invariants. Everything is read through fs.FS, so the package knows no
// absolute path and touches no clock. A file is read as a whole or refused, and
// a refusal names file, line and next step. Aliases, tags and further documents
// are never followed, so the work is bounded by the size of the file. Foreign
// text enters a message only quoted and clipped.
package definition
