/** The area of change requests. */
import type { Area } from "../../actions/Area.ts"

/** The area of change requests. */
export const changesArea: Area = { id: "changes", screens: [] }
