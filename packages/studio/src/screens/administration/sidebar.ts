/** The left column of the administration, which the screens of the person share. */
import type { Sidebar } from "../../actions/Area.ts"

/** The left column of the administration. */
export const administrationSidebar: Sidebar = {
  id: "administration",
  load: () => import("./AdministrationSidebar.tsx")
}
