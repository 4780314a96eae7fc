/** The area of a space: its pages. */
import { type Area, screen } from "../../actions/Area.ts"
import { spaceSidebar } from "./sidebar.ts"

/** The area of a space. */
export const spaceArea: Area = {
  id: "space",
  screens: [screen("/spaces/:space/*page", () => import("./PageScreen.tsx"), spaceSidebar)],
  invalidatedBy: ({ type, data }) => {
    if (/^comment(Reply)?\./.test(type)) {
      // A reply names its comment, but not the space of it.
      return [typeof data.space === "string" ? `comments/${data.space}` : "comments"]
    }
    if (type.startsWith("space.") && typeof data.id === "string") return [`spaces/${data.id}/space`]
    if (!type.startsWith("revision.") || typeof data.space !== "string") return []
    // A change of the space also changes the differences of its change requests.
    return data.changeRequest === undefined ? [`spaces/${data.space}`] : [`spaces/${data.space}/changes`]
  }
}
