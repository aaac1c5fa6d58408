package run

func elsewhere() {
	errGone = nil // [want] declared in the other file
	grown = nil   // [want]
}
