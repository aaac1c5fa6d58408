package stray // [want] a package without a place
