/** The area of the resources of a space: files, links, reusable contents, and settings. */
import { type Area, screen } from "../../actions/Area.ts"
import { spaceSidebar } from "../space/sidebar.ts"

/** The area of the resources of a space. */
export const resourcesArea: Area = {
  id: "resources",
  screens: [
    screen("/spaces/:space/files", () => import("./FilesScreen.tsx"), spaceSidebar),
    screen("/spaces/:space/changes/:number/files", () => import("./FilesScreen.tsx"), spaceSidebar),
    screen("/spaces/:space/links", () => import("./LinksScreen.tsx"), spaceSidebar),
    screen("/spaces/:space/changes/:number/links", () => import("./LinksScreen.tsx"), spaceSidebar),
    screen("/spaces/:space/reusable", () => import("./ReusableScreen.tsx"), spaceSidebar),
    screen("/spaces/:space/changes/:number/reusable", () => import("./ReusableScreen.tsx"), spaceSidebar),
    screen("/spaces/:space/reusable/:content", () => import("./ReusableEditorScreen.tsx"), spaceSidebar),
    screen(
      "/spaces/:space/changes/:number/reusable/:content",
      () => import("./ReusableEditorScreen.tsx"),
      spaceSidebar
    ),
    screen("/spaces/:space/settings", () => import("./SettingsScreen.tsx"), spaceSidebar)
  ]
}
