/** The handlers of the endpoints of imports. */
import { importRuns } from "./importRuns.ts"

/** The handlers of each group of endpoints of imports, by the name of the group. */
export const importsHandlers = { importRuns }
