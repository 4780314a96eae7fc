/** The area of imports. Its screens register here: see the README of the package. */
import type { Area } from "../../actions/Area.ts"

/** The area of imports. */
export const importsArea: Area = { id: "imports", screens: [] }
