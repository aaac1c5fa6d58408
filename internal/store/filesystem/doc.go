// Package filesystem keeps the mirror and the kept data in a folder of one
// machine, which any number of its processes use at once. It is what a solo
// user gets without setting anything up.
//
//	format                                           the layout's version
//	mirror/watermark.json
//	mirror/runs/<tenant>/<run>.json                  record and events
//	kept/<tenant>/contents/<2 hex>/<sha256>          the bytes
//	kept/<tenant>/answers/<run>/<task>/<call>-<prompt>.json
//	kept/<tenant>/calls/<run>/<task>/<call>/<attempt>.json
//	kept/<tenant>/sources/<digest>.json              which attempt a source began
//	locks/<2 hex>
//
// A name that is not a plain word stands as ~ and its SHA-256, so that nothing
// a caller gives can leave the folder.
//
// # Invariants
//
//   - A file is complete from the moment it has its name, and on disk before a
//     call returns: it is written under another name, synced, and renamed or,
//     where only the first may win, linked.
//   - What reads a file in order to replace it holds the lock of its run. The
//     kernel ends a lock with its process, so a crash leaves none behind.
//   - Lists read every run of a tenant.
package filesystem
