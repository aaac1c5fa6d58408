package run

var seen int

func count() { seen++ }
