/** The area of change requests: their list, their pages, and their review. */
import { type Area, screen } from "../../actions/Area.ts"
import { spaceSidebar } from "../space/sidebar.ts"

/** The area of change requests. */
export const changesArea: Area = {
  id: "changes",
  screens: [
    screen("/spaces/:space/changes", () => import("./ChangesScreen.tsx"), spaceSidebar),
    screen("/spaces/:space/live/*page", () => import("./LivePageScreen.tsx"), spaceSidebar),
    screen("/spaces/:space/changes/:number/review", () => import("./ReviewScreen.tsx"), spaceSidebar),
    screen("/spaces/:space/changes/:number/*page", () => import("./ChangePageScreen.tsx"), spaceSidebar)
  ],
  invalidatedBy: ({ type, data, organization }) => {
    if (!/^(changeRequest|review|requestedReviewer)\./.test(type) || organization === undefined) return []
    const lists = [`organizations/${organization}/change-requests`]
    if (typeof data.space !== "string") return lists
    return [...lists, `spaces/${data.space}/changes`, `spaces/${data.space}/space`]
  }
}
