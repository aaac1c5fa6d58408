package util // [want]
