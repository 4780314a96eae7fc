/** The tests that `npm test` omits. `npm run test:all` runs them: every night, and in `.ci/run` as far as its time permits. */

/** The share of the generated cases of each property. */
export const fastShare = 0.15

/** Test files that only `npm run test:all` runs. */
export interface OmittedGroup {
  readonly name: string
  /** The tests that prove the same rules in `npm test`. */
  readonly provenBy: string
  readonly files: ReadonlyArray<string>
}

/** The groups of test files that only `npm run test:all` runs, the most valuable first: `npm run test:rest` runs them in this order. */
export const omittedGroups: ReadonlyArray<OmittedGroup> = [
  {
    name: "Git",
    provenBy: "Synchronization with repositories in memory, and imports with `git`.",
    files: [
      "packages/http/test/{gitHistory,gitKills,gitSync}.test.ts",
      "packages/converters/test/gitDates.test.ts"
    ]
  },
  {
    name: "Long tables of contents",
    provenBy: "Imports of repositories with short ones.",
    files: ["packages/formats/test/{readSummary,regularSummary}.test.ts"]
  },
  {
    name: "Processes that are killed, full disks, corrupt files",
    provenBy: "The tests of faults, which stop operations at any step, in one process.",
    files: [
      "packages/http/test/{corruptFile,crash,eventLog,idempotencyCrash,jobs,uploadCrash,webhookKills}.test.ts",
      "packages/http/test/{hostKills,postgresDiskFull,postgresFaults,sqliteFaults,translationStores}.test.ts"
    ]
  },
  {
    name: "Earlier versions, and whole backups",
    provenBy: "The tests of migrations.",
    files: [
      "packages/http/test/{backupDrill,backupLaws,backups,previousBackups,rollingUpgrade,upgrades}.test.ts"
    ]
  },
  {
    name: "The command as a process",
    provenBy: "The tests of its services, in one process.",
    files: [
      "packages/http/test/{command,compact,doctorCommand,gitbookCommand,jsonOutput,metrics}.test.ts",
      "packages/http/test/{loginCommand,secrets,seed,signInCommands,siteExportCommand,slugsCommand,stopping,uploadSettings,withoutConverters}.test.ts"
    ]
  },
  {
    name: "Copies of packages, and the shop of the guide",
    provenBy: "Code in the tests of pages, and the tests of transactions, features and authentication.",
    files: ["scripts/grammars/copiedGrammars.test.ts", "examples/shop/shop.test.ts"]
  },
  {
    name: "Migrations from another server",
    provenBy: "The conversion of documents, `gitbookDocuments.test.ts`.",
    files: [
      "packages/http/test/{migrateCommand,migrateGitBook}.test.ts",
      "packages/markdown/test/unsatisfiable.test.ts"
    ]
  },
  {
    name: "Programs of others",
    provenBy: "The flows with a client library and a client of MCP, `programClients.test.ts`.",
    files: ["packages/http/test/{programs,programAccess,programAttacks}.test.ts"]
  },
  {
    name: "Answers of a language model",
    provenBy: "The closing of generated text, and the hostile model, `hostileModel.test.ts`.",
    files: ["packages/http/test/{answers,workspaceMcp}.test.ts", "packages/reader/test/ask.test.ts"]
  },
  {
    name: "Requests that are generated from the API",
    provenBy: "The authorization of every operation, and the contract suite, which call them all.",
    files: ["packages/http/test/{fuzz,installationTokens,integrationReach}.test.ts", "examples/model.test.ts"]
  },
  {
    name: "Threads with limits of memory and CPU time",
    provenBy: "The tests of the conversions, in one thread.",
    files: ["packages/converters/test/{converters,pool}.test.ts"]
  },
  {
    name: "Imports that fail, and imports from other tools",
    provenBy: "The tests of conversions, and of the limits of imports.",
    files: ["packages/http/test/{importFailures,otherSources}.test.ts"]
  },
  {
    name: "Large imports and merges",
    provenBy: "The tests of imports and merges, with few pages.",
    files: ["packages/http/test/largeWork.test.ts"]
  },
  {
    name: "Settings of the search of a site",
    provenBy: "The tests of the ranking, and of the settings as functions.",
    files: ["packages/http/test/searchSettings.test.ts"]
  },
  {
    name: "Variants of adapters",
    provenBy: "The conformance suite, on MemoryStorage, SQLite and PostgreSQL.",
    files: [
      "packages/storage-pg/test/{embedding,failover,pglite,waits}.test.ts",
      "packages/storage-sqlite/test/embedding.test.ts",
      "packages/testkit/test/{adapterExample,simulatedStorage}.test.ts",
      "examples/{journal-storage,storage-adapter}.test.ts"
    ]
  },
  {
    name: "Programs that the compiler rejects",
    provenBy: "`npm run check`, for the programs that it accepts.",
    files: ["packages/core/test/{facadeResults,grantTypes}.test.ts", "scripts/upgrade.test.ts"]
  },
  {
    name: "The documentation",
    provenBy: "`npm run check`, as far as it is generated.",
    files: [
      "packages/reader/test/{documentation,help}.test.ts",
      "scripts/reference/{codeBlocks,commandLines}.test.ts"
    ]
  },
  {
    name: "Attacks on sign-ins",
    provenBy: "The tests of logins, with the responses that each of them rejects.",
    files: ["packages/http/test/{passkeys,samlRelayState}.test.ts"]
  },
  {
    name: "Provisioning by SCIM, over HTTP",
    provenBy: "The evaluations of filters and patches, and the authorization of every operation.",
    files: ["packages/http/test/{scim,scimAttacks,scimConformance,scimIdentityProviders}.test.ts"]
  },
  {
    name: "Chromium",
    provenBy: "The tests of the rendered HTML.",
    files: ["packages/reader/test/{apiReference,browser}.test.ts"]
  },
  {
    name: "Cached and exported pages, and proxies",
    provenBy: "The tests of published sites, and of the names of exported files.",
    files: [
      "packages/reader/test/{cachedPages,edgeCaching,exportHtml,largeSite,proxies,veryLargeSite}.test.ts"
    ]
  },
  {
    name: "Tests of the tests",
    provenBy: "The planted bugs of `npm run test:mutants`.",
    files: [
      "harness/test/{relevance,replay,scenarioCanaries,tutorial}.test.ts",
      "packages/http/test/{contractCanaries,fuzzCanaries}.test.ts",
      "packages/testkit/test/conformanceCanaries.test.ts"
    ]
  }
]

/** The patterns of all files that only `npm run test:all` runs. */
export const testsOfAll: ReadonlyArray<string> = omittedGroups.flatMap(({ files }) => files)
