/** The area of content that comes from elsewhere, or goes there: imports, Git synchronization and exports. */
import { type Area, screen } from "../../actions/Area.ts"
import { spaceSidebar } from "../../sidebars.ts"

/** The area of imports. */
export const importsArea: Area = {
  id: "imports",
  screens: [
    screen("/spaces/:space/import", () => import("./ImportScreen.tsx"), spaceSidebar),
    screen("/spaces/:space/import/:run", () => import("./RunScreen.tsx"), spaceSidebar),
    screen("/spaces/:space/sync", () => import("./SyncScreen.tsx"), spaceSidebar),
    screen("/spaces/:space/export", () => import("./ExportScreen.tsx"), spaceSidebar)
  ],
  invalidatedBy: ({ type, data }) => {
    if (type.startsWith("gitSync.") && typeof data.space === "string") return [`spaces/${data.space}/git`]
    return type.startsWith("importRun.") && typeof data.id === "string" ? [`imports/${data.id}`] : []
  }
}
