package run

const data = "/work/main" // [want]

const programs = "/usr/lib/postgresql"
