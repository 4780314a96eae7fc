/** The area of the person: the profile, and the devices that are signed in. */
import { type Area, screen } from "../../actions/Area.ts"
import { personNames } from "../../navigation/personNames.ts"
import { navigate } from "../../router/location.ts"
import { translate } from "../../strings/strings.ts"
import { administrationSidebar } from "../administration/sidebar.ts"

/** The area of the person. */
export const personArea: Area = {
  id: "person",
  screens: [
    screen("/me", () => import("./ProfileScreen.tsx"), administrationSidebar),
    screen("/me/sessions", () => import("./SessionsScreen.tsx"), administrationSidebar),
    screen("/me/passkeys", () => import("./PasskeysScreen.tsx"), administrationSidebar),
    screen("/me/programs", () => import("./ProgramsScreen.tsx"), administrationSidebar)
  ],
  actions: [
    {
      id: "person.profile",
      label: () => translate(personNames, "openProfile"),
      run: () => navigate("/me")
    },
    {
      id: "person.sessions",
      label: () => translate(personNames, "openSessions"),
      run: () => navigate("/me/sessions")
    },
    {
      id: "person.passkeys",
      label: () => translate(personNames, "openPasskeys"),
      run: () => navigate("/me/passkeys")
    },
    {
      id: "person.programs",
      label: () => translate(personNames, "openPrograms"),
      run: () => navigate("/me/programs")
    }
  ]
}
