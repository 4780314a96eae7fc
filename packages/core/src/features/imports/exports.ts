export { ImportLimits, type ImportLimitsSettings } from "@lectern/formats"
export { ImportRuns } from "./services/ImportRuns.ts"
export { Imports, ImportWait } from "./services/Imports.ts"
export { PageImports } from "./services/PageImports.ts"
