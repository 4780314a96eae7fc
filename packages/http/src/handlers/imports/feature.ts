import { importRuns } from "./importRuns.ts"

export const importsHandlers = { importRuns }
