package ledger // [want]
