// Package dbtest holds what every store must do. The test of an engine calls Run; what it tests besides of its own may use the helpers.
package dbtest

import (
	"slices"
	"testing"
	"time"

	"sitegrade/db"
)

// Options are how a test wants a store.
type Options struct {
	Dir          string           // an empty directory, or that of a store which was closed and shall have what it had
	Now          func() time.Time // the clock; nil for time.Now
	KeepReports  int              // how many rated reports of one address a project keeps; 0: all
	KeepFindings int              // of how many generations the whole findings are kept; 0: the default
	Secret       []byte           // what the headers of crawls are encrypted with; nil: such crawls are refused
}

// Open opens a store.
type Open func(Options) (db.Store, error)

// Run tests a store. Each part is a test of its own; without names those that are left out.
func Run(t *testing.T, open Open, without ...string) {
	for _, part := range (suite{open}).parts() {
		if !slices.Contains(without, part.name) {
			t.Run(part.name, part.test)
		}
	}
}

// part is one of the tests of a store.
type part struct {
	name string
	test func(*testing.T)
}

// parts returns all tests.
func (s suite) parts() []part {
	return []part{
		{"PagesAlike", s.testPagesAlike},
		{"DeepPagesOfSearches", s.testDeepPagesOfSearches},
		{"SiftedLists", s.testSiftedLists},
		{"EndedContext", s.testEndedContext},
		{"IdempotencyKeysLastADay", s.testIdempotencyKeysLastADay},
		{"IdempotencyKeysTellCreatesApart", s.testIdempotencyKeysTellCreatesApart}, {"IdempotencyKeysOfMany", s.testIdempotencyKeysOfMany},
		{"APIKeys", s.testAPIKeys},
		{"KeysOfAnAccount", s.testKeysOfAnAccount},
		{"KeysAreComparedWhole", s.testKeysAreComparedWhole},
		{"Model", s.testModel},
		{"NewsComeAfterTheCommit", s.testNewsComeAfterTheCommit},
		{"ProjectNamedLikeTheIDOfAnother", s.testProjectNamedLikeTheIDOfAnother},
		{"ReportFromCreationToDeletion", s.testReportFromCreationToDeletion},
		{"RegenerationKeepsTheResultUntilTheNextOne", s.testRegenerationKeepsTheResultUntilTheNextOne},
		{"ReportQueuedAgainWhileItRunsStaysQueued", s.testReportQueuedAgainWhileItRunsStaysQueued},
		{"PrivacyAndPassword", s.testPrivacyAndPassword},
		{"AccountsDoNotSeeEachOther", s.testAccountsDoNotSeeEachOther},
		{"InvalidCreateNamesEveryField", s.testInvalidCreateNamesEveryField},
		{"WhatItsCheckRefusesStays", s.testWhatItsCheckRefusesStays},
		{"DeleteOlderTakesWhatIsOldAndNothingElse", s.testDeleteOlderTakesWhatIsOldAndNothingElse},
		{"RetentionLeavesWhatWaits", s.testRetentionLeavesWhatWaits},
		{"GenerationsOfAnAddressAreLimited", s.testGenerationsOfAnAddressAreLimited},
		{"Generations", s.testGenerations},
		{"Diff", s.testDiff},
		{"GenerationsOfImports", s.testGenerationsOfImports},
		{"GenerationsMove", s.testGenerationsMove},
		{"GenerationsAreImportedInOrder", s.testGenerationsAreImportedInOrder},
		{"GenerationsGoWithTheirReport", s.testGenerationsGoWithTheirReport},
		{"AuditThatEndsAfterTheDeletion", s.testAuditThatEndsAfterTheDeletion},
		{"SharedPages", s.testSharedPages},
		{"SharedSites", s.testSharedSites}, {"SharedSitesMove", s.testSharedSitesMove},
		{"SharedPagesOfManyAccounts", s.testSharedPagesOfManyAccounts},
		{"ExportMovesEverything", s.testExportMovesEverything},
		{"ImportIntoAnotherAccount", s.testImportIntoAnotherAccount},
		{"ImportFillsInWhatIsMissing", s.testImportFillsInWhatIsMissing},
		{"ImportedSchedulesNeedTheirReports", s.testImportedSchedulesNeedTheirReports},
		{"ImportNamesTheBadLine", s.testImportNamesTheBadLine},
		{"ConcurrentWritersShareCommitsAndLoseNothing", s.testConcurrentWritersShareCommitsAndLoseNothing},
		{"Webhooks", s.testWebhooks},
		{"EventsAreDelivered", s.testEventsAreDelivered},
		{"DeliveriesShareThePlaces", s.testDeliveriesShareThePlaces},
		{"DisabledWebhookIsToldNothing", s.testDisabledWebhookIsToldNothing},
		{"WebhookIsGivenUp", s.testWebhookIsGivenUp},
		{"Schedules", s.testSchedules},
		{"SchedulesTakeTurns", s.testSchedulesTakeTurns},
		{"ChangeLeavesWhatIsDue", s.testChangeLeavesWhatIsDue},
		{"SchedulesOfProjectsRunBitByBit", s.testSchedulesOfProjectsRunBitByBit},
		{"Promises", s.testPromises},
		{"Crawls", s.testCrawls}, {"Issues", s.testIssues},
		{"Accounts", s.testAccounts}, {"Sessions", s.testSessions}, {"Allowances", s.testAllowances}, {"CreatesAreServedOnce", s.testCreatesAreServedOnce},
		{"AccountsMove", s.testAccountsMove}, {"Logos", s.testLogos}, {"Forms", s.testForms}, {"Leads", s.testLeads},
		{"WritesAfterCloseAreRefused", s.testWritesAfterCloseAreRefused},
	}
}

// suite is the tests of one engine.
type suite struct{ engine Open }

// open returns a store, a new one where o has no directory. When the test ends it is checked and closed.
func (s suite) open(t *testing.T, o Options) db.Store {
	t.Helper()
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	d, err := s.engine(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		Check(t, d)
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}
