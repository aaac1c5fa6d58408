package certificate

// e2e is the package whose tests run the built binary, each process by its own.
const e2e = "cmd/tutti"

// crashes are the scenarios of processes, servers and connections that go away.
var crashes = []Scenario{
	{
		ID:       "C1",
		Done:     "kill -9 of the workflow worker after each workflow task of the control's history, activities in another process",
		Expected: "record, event types and calls are the control's",
		Tests:    []Tests{{e2e, []string{"TestAWorkflowWorkerKilledAfterAnyWorkflowTaskChangesNothing"}}},
	},
	{
		ID:       "C3",
		Done:     "kill -9 of the submitter between each pair of its calls, then submit again with the same key",
		Expected: "one workflow, one row",
		Tests: []Tests{{e2e, []string{
			"TestASubmitterKilledBetweenItsCallsToTemporalSubmitsAgain", "TestASubmitterKilledBetweenItsQuestionsToPostgresSubmitsAgain",
		}}},
	},
	{
		ID:       "C9",
		Done:     "Temporal is stopped or killed during runs and started again on its file",
		Expected: "the runs go on",
		Tests:    []Tests{{e2e, []string{"TestRunsGoOnWhenTemporalIsRestarted"}}},
	},
	{
		ID:       "C11",
		Done:     "projections come late, twice and out of order; a history is corrupted",
		Expected: "no row goes back; only that run's projection stops, and verify names it",
		Tests: []Tests{
			{e2e, []string{"TestALateProjectionChangesNothing", "TestACorruptedHistoryStopsOnlyItself"}},
			{"internal/projector", []string{"TestProjectionsThatAreLateDoubledOrOutOfOrderChangeNothing", "TestARunThatDoesNotDecodeStopsOnlyItsOwnProjection"}},
		},
	},
	{
		ID:       "C12",
		Done:     "temporal workflow reset, after the end, while it runs and between host results",
		Expected: "the row is the new fold",
		Tests: []Tests{
			{e2e, []string{"TestARunThatIsResetIsItsNewFold", "TestAHostsResultOutlivesAReset"}},
			{"internal/projector", []string{"TestAfterAResetTheRowIsTheNewFold"}},
		},
	},
	{
		ID:       "F1",
		Done:     "each gRPC method of a worker and of the commands fails, is lost or never answers",
		Expected: "the run completes and asks once; a command goes on, or says so in one line with exit 5",
		Tests: []Tests{{e2e, []string{
			"TestARunCompletesWhateverCallOfItsWorkerFails", "TestCommandsWhoseCallsFailGoOnOrSaySo",
			"TestAHostsResultCountsOnceWhateverIsLost", "TestAHostsResultThatReachesNobodyIsSaidSo",
		}}},
	},
	{
		ID:       "F2",
		Done:     "the network to Postgres and to Temporal is cut, slow, half-open, or silent for a run's whole life",
		Expected: "no run is lost, no repeated call hidden, rows equal folds; commands work or say so in one line",
		Tests: []Tests{{e2e, []string{
			"TestRunsGetThroughANetworkInTroubleToPostgres", "TestRunsGetThroughANetworkInTroubleToTemporal",
			"TestARunLivesWithoutAWordFromPostgres", "TestCommandsWithoutAWordFromPostgresGoOnOrSaySo",
		}}},
	},
	{
		ID:       "F3",
		Done:     "the disk of the store, SQLite or files, is really full while calls are in flight",
		Expected: "no paid answer is lost or bought again, writing commands say so in one line, with space everything goes on",
		Tests:    []Tests{{e2e, []string{"TestAFullDiskLosesNothing"}}},
	},
	{
		ID: "F4", Quick: true,
		Done:     "a provider's answer breaks off, trickles or never begins; a connection breaks while an answer is awaited",
		Expected: "attempts up to the limit, its code on the task, every attempt counted",
		Tests: []Tests{{e2e, []string{
			"TestAnAnswerThatBreaksOffIsAskedForThreeTimes", "TestACallWhoseConnectionBreaksIsMadeAgain",
		}}},
	},
	{
		ID: "C1b", Quick: true,
		Done:     "kill -9 of the only worker after each workflow task of the control's history, and while a task is at the provider",
		Expected: "finished tasks are called once, the one in flight at most twice, and that is counted",
		Tests: []Tests{{e2e, []string{
			"TestAKilledWorkersRunGoesOnAndNothingFinishedIsCalledAgain", "TestAWorkerKilledAfterAnyWorkflowTaskRepeatsAtMostWhatWasInFlight",
		}}},
	},
	{
		ID: "C2a", Quick: true,
		Done:     "kill -9 after the answer is stored and before Temporal knows of it",
		Expected: "one call at the provider; the run completes",
		Tests:    []Tests{{e2e, []string{"TestAStoredAnswerIsNotBoughtAgain"}}},
	},
	{
		ID: "C2b", Quick: true,
		Done:     "kill -9 with an answer in hand that could not be stored",
		Expected: "two calls, one uncertain in record and SQL; the run completes",
		Tests:    []Tests{{e2e, []string{"TestACallThatMayHaveBeenPaidTwiceIsNotHidden"}}},
	},
	{
		ID: "C4", Quick: true,
		Done:     "submit where no worker polls; later a worker starts",
		Expected: "exit 5 with the run's ID and the queue on stderr, nothing on stdout; then the run ends",
		Tests:    []Tests{{e2e, []string{"TestWithoutAWorkerTheRunWaitsForOne"}}},
	},
	{
		ID:       "C5",
		Done:     "SIGSTOP of a worker during a call, another finishes, SIGCONT; and a worker cut off from Temporal",
		Expected: "no row changes, the attempt is abandoned, the request aborted within 35 s; the cut-off worker stops its call by itself",
		Tests: []Tests{{e2e, []string{
			"TestAWorkerThatStoodStillChangesNothing", "TestAWorkerCutOffFromTemporalStopsItsCallByItself",
		}}},
	},
	{
		ID: "C6", Quick: true,
		Done:     "Postgres is stopped for the whole life of 20 runs",
		Expected: "the runs complete; when it is back every row equals its fold within seconds",
		Tests:    []Tests{{e2e, []string{"TestTwentyRunsWithoutTheirDatabaseAreInItWhenItIsBack"}}},
	},
	{
		ID: "C7", Quick: true,
		Done:     "all hints are lost, and a run is ended by temporal workflow terminate",
		Expected: "one sweep repairs every row; the terminated run reads error, RUN_TERMINATED",
		Tests: []Tests{
			{e2e, []string{"TestOneSweepRepairsWhatNobodyHinted"}},
			{"internal/projector", []string{"TestWithoutAnyHintOneSweepRepairsEveryRow"}},
		},
	},
	{
		ID:       "C8",
		Done:     "the mirror is dropped in mid-run, after the end, and when Temporal has forgotten the runs",
		Expected: "projection rebuild gives equal rows each time",
		Tests:    []Tests{{e2e, []string{"TestADroppedMirrorIsRebuiltEqualAlsoWithoutTemporal"}}},
	},
	{
		ID: "C10", Quick: true,
		Done:     "SIGTERM to a worker with a call in flight",
		Expected: "it finishes the call, takes no more and exits 0",
		Tests:    []Tests{{e2e, []string{"TestAStoppingWorkerFinishesItsCalls"}}},
	},
	{
		ID:       "C13",
		Done:     "ten submits at once with one key; another request under it; the key after retention",
		Expected: "one run; exit 2 and nothing started; the archived run",
		Tests: []Tests{
			{e2e, []string{"TestTenSubmitsWithOneKeyAreOneRun", "TestADroppedMirrorIsRebuiltEqualAlsoWithoutTemporal"}},
			{"internal/mcp", []string{"TestOneKeyIsOneRunHoweverOftenAHostCalls"}},
		},
	},
}
