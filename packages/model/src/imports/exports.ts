export { ImportContent, ImportedContent, ImportPageContent, ImportSource } from "./Import.ts"
export { ImportRun, ImportRunId, ListImportRuns, StartImportRun } from "./ImportRun.ts"
