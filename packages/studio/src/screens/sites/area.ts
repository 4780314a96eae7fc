/** The area of sites. Its screens register here: see the README of the package. */
import type { Area } from "../../actions/Area.ts"

/** The area of sites. */
export const sitesArea: Area = { id: "sites", screens: [] }
