/** The left columns that several areas display. */
import type { Sidebar } from "./actions/Area.ts"

/** The tree of collections and spaces. */
export const homeSidebar: Sidebar = { id: "home", load: () => import("./screens/home/HomeSidebar.tsx") }

/** The tree of pages of a space, or of a change request. */
export const spaceSidebar: Sidebar = { id: "space", load: () => import("./screens/space/SpaceSidebar.tsx") }
