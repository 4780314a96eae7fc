/** The area of administration. Its screens register here: see the README of the package. */
import type { Area } from "../../actions/Area.ts"

/** The area of administration. */
export const administrationArea: Area = { id: "administration", screens: [] }
