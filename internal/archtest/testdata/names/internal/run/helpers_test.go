package run // [want]
