/** The area of specs. Its screens register here: see the README of the package. */
import type { Area } from "../../actions/Area.ts"

/** The area of specs. */
export const specsArea: Area = { id: "specs", screens: [] }
