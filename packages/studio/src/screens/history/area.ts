/** The area of the history of a space: its revisions, their differences, and its deleted pages. */
import { type Area, screen } from "../../actions/Area.ts"
import { spaceSidebar } from "../space/sidebar.ts"

/** The area of the history of a space. */
export const historyArea: Area = {
  id: "history",
  screens: [
    screen("/spaces/:space/history", () => import("./HistoryScreen.tsx"), spaceSidebar),
    screen("/spaces/:space/history/deleted", () => import("./DeletedScreen.tsx"), spaceSidebar),
    screen("/spaces/:space/history/:revision", () => import("./RevisionScreen.tsx"), spaceSidebar)
  ]
}
