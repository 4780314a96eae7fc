export { ImportContent, ImportedContent, ImportSource } from "./Import.ts"
export { ImportRun, ImportRunId, StartImportRun } from "./ImportRun.ts"
