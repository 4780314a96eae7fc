/** What `npm test` leaves out. `npm run test:all` runs it: every night, and in `.ci/run` as far as its time permits. */

/** The share of the generated cases of each property. */
export const fastShare = 0.15

/** The files with tests that only `npm run test:all` runs, in groups. A comment states what proves the same rules in `npm test`. */
export const testsOfAll: ReadonlyArray<string> = [
  // Variants of adapters: the conformance suite runs on MemoryStorage, SQLite and PostgreSQL.
  "packages/storage-pg/test/{embedding,failover,pglite,waits}.test.ts",
  "packages/storage-sqlite/test/embedding.test.ts",
  "packages/testkit/test/adapterExample.test.ts",
  "examples/storage-adapter.test.ts",
  // Tests of the tests: the planted bugs of `npm run test:mutants` replace them.
  "harness/test/{relevance,replay,scenarioCanaries,tutorial}.test.ts",
  "packages/http/test/{contractCanaries,fuzzCanaries}.test.ts",
  "packages/testkit/test/conformanceCanaries.test.ts",
  // Requests that are generated from the API: the authorization of every operation and the contract suite call them all.
  "packages/http/test/{fuzz,installationTokens,integrationReach}.test.ts",
  // Processes that are killed, full disks and corrupt files: the tests of faults stop operations at any step, in one process.
  "packages/http/test/{corruptFile,crash,eventLog,idempotencyCrash,jobs,uploadCrash,webhookKills}.test.ts",
  "packages/http/test/{postgresDiskFull,postgresFaults,sqliteFaults}.test.ts",
  // Earlier versions, and whole backups: the tests of laws restore backups of every table.
  "packages/http/test/{backupDrill,backups,previousBackups,rollingUpgrade,upgrades}.test.ts",
  // The command as a process: its services are tested in one process.
  "packages/http/test/{command,compact,doctorCommand,gitbookCommand,jsonOutput,metrics,secrets,seed,stopping,uploadSettings,withoutConverters}.test.ts",
  // Threads with limits of memory and CPU time: the conversions themselves are tested in one thread.
  "packages/converters/test/{converters,pool}.test.ts",
  // Real `git`: synchronization is tested with repositories in memory, and imports with `git`.
  "packages/http/test/gitSync.test.ts",
  // Chromium, and the renderer of the official client.
  "packages/reader/test/{apiReference,browser}.test.ts",
  // The documentation, and compilations of its examples.
  "packages/reader/test/{documentation,help}.test.ts",
  "scripts/reference/{codeBlocks,commandLines}.test.ts"
]
