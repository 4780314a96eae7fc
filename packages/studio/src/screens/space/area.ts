/** The area of a space: its pages. */
import type { Area } from "../../actions/Area.ts"

/** The area of a space. */
export const spaceArea: Area = { id: "space", screens: [] }
