/**
 * The test files that `npm run test:quick` skips: they start processes, PostgreSQL servers or browsers, render PDFs, or
 * take more than 4 s with a tenth of the cases.
 */
export const slowTests: ReadonlyArray<string> = [
  "packages/converters/test/{converters,pdfBlocks,pdfProperties,pdfTrees,pool}.test.ts",
  "packages/core/test/{access,imports,operations,pdfs}.test.ts",
  "packages/formats/test/specParser.test.ts",
  "packages/markdown/test/{boundedDocument,document,parseCost}.test.ts",
  "packages/http/test/{backup,corrupt,crash,event,fault,fuzz,hostile,idempotencyCrash,pdf,postgres,sqliteFaults}*.test.ts",
  "packages/http/test/{command,compact,doctor,doctorCommand,jobs,jsonOutput,loginCommand,metrics,secrets,seed,signInCommands,stopping}.test.ts",
  "packages/http/test/{auditLog,computedPages,idempotentOperations,installationTokens,openapiCompleteness}.test.ts",
  "packages/http/test/{everyHost,links,peopleClient,revisionRetention,revocation,siteUpdates}.test.ts",
  "packages/http/test/{authorization,client,clientOperations,content,contract,contractCanaries,scenarios}.test.ts",
  "packages/http/test/{commenters,comments,compression,expensiveMarkdown,git*,hostFeature,limits,previousBackups,rollingUpgrade}.test.ts",
  "packages/http/test/{import*,integrations,integrationLists,openApiSpecs,people,purge,repositories}.test.ts",
  "packages/http/test/{searchResults,sites*,tokens,upgrades,upload*,visitors,webhookKills}.test.ts",
  "packages/http/test/{withoutConverters,writes}.test.ts",
  "packages/reader/test/{apiReference,browser,documentation}.test.ts",
  "packages/studio/test/{changes,contrast,home,server,space}.test.ts",
  "packages/storage-pg/test/*.test.ts",
  "packages/storage-sqlite/test/{embedding,migrations,salvage}.test.ts",
  "packages/testkit/test/{adapterExample,conformanceCanaries}.test.ts",
  "harness/test/{relevance,replay,scenarioCanaries,scenarios.sql}.test.ts",
  "scripts/reference/codeBlocks.test.ts"
]
