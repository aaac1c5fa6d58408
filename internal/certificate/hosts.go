package certificate

// hosts are the scenarios of results that a host hands in.
var hosts = []Scenario{
	{
		ID: "H1", Quick: true,
		Done:     "ten hosts hand in ten results for one task at once, then the same again",
		Expected: "one is accepted, the others are told so; the same is a duplicate, also after the close",
		Tests: []Tests{
			{e2e, []string{"TestOfTenHostsOneIsAccepted"}},
			{"workflows", []string{"TestOfTenHostsOneIsAccepted"}},
		},
	},
	{
		ID:       "H2",
		Done:     "two parallel tasks are handed in at once, a hundred times",
		Expected: "both count, the run is finalised once",
		Tests:    []Tests{{e2e, []string{"TestTwoParallelTasksHandedInAtOnceBothCount"}}},
	},
	{
		ID:       "H7",
		Done:     "the prompt of one task by provider and by host, across kill -9, eviction and a changed specialist file",
		Expected: "the same bytes",
		Tests: []Tests{{e2e, []string{
			"TestProviderAndHostGetTheSamePrompt", "TestProviderAndHostGetTheSameLaterPrompt", "TestARunThatWasEvictedGetsTheSamePrompt",
		}}},
	},
	{
		ID: "H3", Quick: true,
		Done:     "a claim is taken over, or expires and goes to another; then the old holder hands in",
		Expected: "HOST_CLAIM_LOST; where nobody else claimed the task, accepted",
		Tests: []Tests{
			{e2e, []string{"TestATakenOverClaimLoses", "TestAnExpiredClaimGoesToTheNextAndTheOldTokenLoses"}},
			{"workflows", []string{"TestAClaimFencesTheOlderHolderOut"}},
		},
	},
	{
		ID: "H4", Quick: true,
		Done:     "results with every flaw and every pair of flaws, by update, by signal and over MCP",
		Expected: "the code of the first documented check; a refused update adds no event, a refused signal is on the record",
		Tests: []Tests{
			{"internal/run", []string{"TestRejectionsComeInTheDocumentedOrder", "TestTheSameResultIsADuplicateWhateverBecameOfTheRun"}},
			{"workflows", []string{"TestARejectedUpdateSaysWhyAndAddsNoEvent", "TestASignalCountsAndARejectedOneStandsOnTheRecord"}},
			{"internal/mcp", []string{"TestWhatCannotCountIsRefusedWithItsCode"}},
		},
	},
	{
		ID: "H5", Quick: true,
		Done:     "a host dies with a task in hand",
		Expected: "another, in another process, finds the run with orchestration_next or host next and finishes it",
		Tests: []Tests{
			{e2e, []string{"TestAnotherProcessFinishesADeadHostsRun"}},
			{"internal/mcp", []string{"TestADeadHostsRunIsFoundAndFinishedByAnother"}},
		},
	},
	{
		ID: "H6", Quick: true,
		Done:     "a run waits for a host for more than half an hour; and one has a host timeout",
		Expected: "stale in list, doctor and SQL, the run untouched; HOST_RESULT_TIMEOUT",
		Tests: []Tests{
			{"internal/cli", []string{"TestARunThatWaitsForLongIsStaleForReadersAndUntouched"}},
			{e2e, []string{"TestARunThatWaitsForLongIsStaleInSQL", "TestTheHostTimeoutOfTheConfiguration"}},
		},
	},
	{
		ID: "H8", Quick: true,
		Done:     "a chain with the commands of docs/host.md and the Temporal CLI alone",
		Expected: "a task completes by temporal workflow signal --name task-result",
		Tests:    []Tests{{e2e, []string{"TestTheTemporalCLIAloneExecutesAChain"}}},
	},
	{
		ID:       "H9",
		Done:     "a chain of three tasks through MCP Inspector, in both eras of the protocol",
		Expected: "from start to completed",
		Tests:    []Tests{{e2e, []string{"TestMCPInspectorDrivesAChainFromStartToCompleted"}}},
	},
	{
		ID: "H10", Quick: true,
		Done:     "three raw signals of 256 KiB side by side and a reviewer after them",
		Expected: "completed with a history under 4 MiB",
		Tests:    []Tests{{e2e, []string{"TestThreeLargeRawSignalsKeepTheHistorySmall"}}},
	},
	{
		ID: "H11", Quick: true,
		Done:     "a result is handed in while the worker is dead, the client exits, a worker starts",
		Expected: "pending, then counted once",
		Tests:    []Tests{{e2e, []string{"TestAResultHandedInWithoutAWorkerCountsOnce"}}},
	},
}
