/** The area of notifications. */
import { type Area, screen } from "../../actions/Area.ts"
import { refreshAfter } from "../../data/notifications.ts"
import { navigate } from "../../router/location.ts"
import { notificationStrings } from "../../strings/notifications.ts"
import { translate } from "../../strings/strings.ts"
import { administrationSidebar } from "../administration/sidebar.ts"
import { homeSidebar } from "../home/area.ts"

/** The area of notifications: the list, and how the person receives them. */
export const notificationsArea: Area = {
  id: "notifications",
  screens: [
    screen("/notifications", () => import("./NotificationsScreen.tsx"), homeSidebar),
    screen("/me/notifications", () => import("./NotificationSettingsScreen.tsx"), administrationSidebar)
  ],
  actions: [
    {
      id: "notifications.open",
      label: () => translate(notificationStrings, "open"),
      shortcut: "g n",
      run: () => navigate("/notifications")
    }
  ],
  invalidatedBy: (change) => {
    refreshAfter(change)
    return []
  }
}
