package certificate

// ids are the numbers of all scenarios, in the order of the certificate. Every one of them has a row
// in crashes.go, hosts.go or promises.go, or is pending.
var ids = []string{
	"C1", "C1b", "C2a", "C2b", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "C10", "C11", "C12", "C13",
	"H1", "H2", "H3", "H4", "H5", "H6", "H7", "H8", "H9", "H10", "H11",
	"T1", "T2", "T3", "T4", "T5", "T6", "T7",
	"V1", "X1", "B1",
	"F1", "F2", "F3", "F4",
}

// pending are scenarios whose tests are not whole yet: they stand in the certificate as not run, and
// keep it from being given. Whoever adds a row takes its number out here.
var pending = []string{}

// measured are benchmarks: they have a figure and no verdict.
var measured = []string{"B2", "B3", "B4"}
