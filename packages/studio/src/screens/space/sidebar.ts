/** The left column of a space: the tree of its pages. Change requests have it too. */
import type { Sidebar } from "../../actions/Area.ts"

/** The tree of pages of a space, or of a change request. */
export const spaceSidebar: Sidebar = { id: "space", load: () => import("./SpaceSidebar.tsx") }
