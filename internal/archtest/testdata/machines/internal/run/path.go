package run

const data = "/workspace/app" // [want]

const programs = "/usr/lib/postgresql"
