/** The start page: organizations, collections and spaces, recent pages and the trash. */

import { type Area, type Sidebar, screen } from "../../actions/Area.ts"
import { navigate } from "../../router/location.ts"
import { translate } from "../../strings/strings.ts"
import { homeLabels } from "./labels.ts"

/** The tree of collections and spaces. */
export const homeSidebar: Sidebar = { id: "home", load: () => import("./HomeSidebar.tsx") }

/** The area of the start page. */
export const homeArea: Area = {
  id: "home",
  screens: [
    screen("/", () => import("./HomeScreen.tsx"), homeSidebar),
    screen("/collections/:collection", () => import("./CollectionScreen.tsx"), homeSidebar),
    screen("/trash", () => import("./TrashScreen.tsx"), homeSidebar),
    screen("/search", () => import("./SearchScreen.tsx"), homeSidebar)
  ],
  actions: [
    {
      id: "home.open",
      label: () => translate(homeLabels, "openHome"),
      shortcut: "g h",
      run: () => navigate("/")
    },
    {
      id: "home.search",
      label: () => translate(homeLabels, "openSearch"),
      shortcut: "/",
      run: () => navigate("/search")
    },
    {
      id: "home.trash",
      label: () => translate(homeLabels, "openTrash"),
      shortcut: "g t",
      run: () => navigate("/trash")
    }
  ],
  invalidatedBy: ({ type, organization }) => {
    const base = `organizations/${organization}`
    if (type.startsWith("space.")) return [`${base}/spaces`, `${base}/trash`]
    return type.startsWith("collection.") ? [`${base}/collections`] : []
  }
}
