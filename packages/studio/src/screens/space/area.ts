/** The area of a space: its pages. */
import type { Area } from "../../shell/Area.ts"

/** The area of a space. */
export const spaceArea: Area = { id: "space", screens: [] }
