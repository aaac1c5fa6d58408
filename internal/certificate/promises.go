package certificate

// promises are the scenarios of honesty, versions, tenants and cost.
var promises = []Scenario{
	{
		ID: "T1", Quick: true,
		Done:     "runs that end by each rule, inline, by a provider, by a host and mixed",
		Expected: "the status and the reasons of the finalize table; workflow, fold and Temporal's status agree",
		Tests:    []Tests{{"workflows", []string{"TestEveryRowOfTheFinalizeTableOnEveryPath", "TestARunWithoutTasksIsDegraded"}}},
	},
	{
		ID: "T2", Quick: true,
		Done:     "every case of the corpus, over HTTP, through both adapters and the activity",
		Expected: "class, code, retry, wait, usage and text as the case says, and no leak",
		Tests: []Tests{
			{"internal/provider/openai", []string{"TestCorpus", "TestOwnCorpus"}},
			{"internal/provider/anthropic", []string{"TestCorpus", "TestOwnCorpus"}},
			{"activities", []string{"TestEveryCaseThroughTheActivity"}},
		},
	},
	{
		ID: "T3", Quick: true,
		Done:     "runs with a canary key and a canary prompt, good and failing",
		Expected: "neither stands in an error, log line, metric, error column or payload where it does not belong",
		Tests: []Tests{
			{e2e, []string{"TestNoKeyAndNoPromptStandWhereTheyDoNotBelong"}},
			{"activities", []string{"TestEveryCaseThroughTheActivity"}},
		},
	},
	{
		ID: "T4", Quick: true,
		Done:     "an unknown backend, chain, specialist, provider, task, flag, file and configuration key",
		Expected: "exit 2 or 4 in one line with the next step, nothing started",
		Tests:    []Tests{{e2e, []string{"TestWhatCannotBeIsRefusedBeforeTheStart"}}},
	},
	{
		ID: "T5", Quick: true,
		Done:     "requests of 1 MiB, of NULs, of invalid UTF-8 and of spaces, by argument, file and stdin",
		Expected: "taken whole or refused clearly",
		Tests:    []Tests{{e2e, []string{"TestOddRequestsAreTakenWholeOrRefusedClearly"}}},
	},
	{
		ID: "T6", Quick: true,
		Done:     "cancel of a run that is planned, running, parked, awaits a host, is claimed, or has ended",
		Expected: "the call in flight is aborted, tasks are closed, later results get RUN_ALREADY_TERMINAL",
		Tests: []Tests{
			{e2e, []string{"TestCancelInEachState", "TestCancelWhileAHostIsAwaited", "TestALongLimitIsShownAndMayBeWaitedFor"}},
			{"internal/mcp", []string{"TestACancelledRunTakesNoResults"}},
		},
	},
	{
		ID: "T7", Quick: true,
		Done:     "all recorded histories replayed on today's code and by changed workflows; scenarios played and compared; runs under two builds side by side",
		Expected: "they replay; a changed workflow is refused and needs a recording; a waiting run goes on under the new build, a pinned one under its own",
		Tests: []Tests{
			{"workflows", []string{"TestEveryRecordedHistoryReplaysAndTheFoldAgrees", "TestAChangedWorkflowFailsTheReplay", "TestRecordHistories", "TestEveryStatementIsReachedByARecordedHistory"}},
			{e2e, []string{"TestAWaitingRunGoesOnUnderTheBuildThatIsCurrent", "TestAPinnedRunWaitsForItsBuildAndFinishesUnderIt"}},
		},
	},
	{
		ID: "V1", Quick: true,
		Done:     "equal specialist files in two processes; then a byte, tool, model and limit changed",
		Expected: "equal versions; another each; every run stays readable",
		Tests: []Tests{
			{e2e, []string{"TestVersionsFollowTheContentOfASpecialist"}},
			{"internal/specialist", []string{"TestVersionFollowsBehaviourAlone"}},
		},
	},
	{
		ID:       "X1",
		Done:     "beta reads alpha's runs by ID, prefix, list, key and digest, from Temporal, mirror and archive, over CLI, MCP and SQL",
		Expected: "beta sees nothing of alpha's",
		Tests: []Tests{
			{e2e, []string{"TestNoTenantSeesAnythingOfAnother"}},
			{"internal/mcp", []string{"TestAnotherTenantsRunIsAsGoodAsNone"}},
			{"internal/store/postgres", []string{"TestSuite"}},
		},
	},
	{
		ID: "B1", Quick: true,
		Done:     "provider chains, and host runs with updates, signals and timers",
		Expected: "1 + N actions for N provider tasks; events = 5 + 6 per activity + 5 per update + 4 per signal + 1 per timer, + 4 if it fires or 1 if it is stopped",
		Tests: []Tests{
			{"workflows", []string{"TestAChainOfProviderTasksCompletesAtTheDocumentedCost", "TestAHostRunCostsWhatTheFormulaSays"}},
			{e2e, []string{"TestAProviderChainPrintsOnlyItsFinalMessage"}},
		},
	},
}
