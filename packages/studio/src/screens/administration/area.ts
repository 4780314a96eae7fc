/** The area of the administration of an organization: people, access, programs and records. */
import { type Area, screen } from "../../actions/Area.ts"
import { administrationNames } from "../../navigation/administrationNames.ts"
import { navigate } from "../../router/location.ts"
import { translate } from "../../strings/strings.ts"
import { homeSidebar } from "../home/area.ts"
import { spaceSidebar } from "../space/sidebar.ts"
import { administrationSidebar } from "./sidebar.ts"

const sidebar = administrationSidebar

/** The keys below that of the organization, by the resource of an event. */
const affected: Readonly<Record<string, ReadonlyArray<string>>> = {
  member: ["members", "teams", "invitations", "provisioning"],
  team: ["teams", "provisioning"],
  teamMember: ["teams", "members"],
  samlProvider: ["saml"],
  oidcProvider: ["oidc"],
  webhook: ["webhooks"],
  integration: ["integrations"],
  installation: ["integrations"]
}

/** The area of the administration. */
export const administrationArea: Area = {
  id: "administration",
  screens: [
    screen("/organization", () => import("./OrganizationScreen.tsx"), sidebar),
    screen("/organization/members", () => import("./MembersScreen.tsx"), sidebar),
    screen("/organization/teams", () => import("./TeamsScreen.tsx"), sidebar),
    screen("/organization/teams/:team", () => import("./TeamScreen.tsx"), sidebar),
    screen("/organization/invites", () => import("./InvitesScreen.tsx"), sidebar),
    screen("/organization/sign-on", () => import("./SignOnScreen.tsx"), sidebar),
    screen("/organization/provisioning", () => import("./ProvisioningScreen.tsx"), sidebar),
    screen("/organization/tokens", () => import("./OrganizationTokensScreen.tsx"), sidebar),
    screen("/organization/webhooks", () => import("./WebhooksScreen.tsx"), sidebar),
    screen("/organization/webhooks/:webhook", () => import("./WebhookScreen.tsx"), sidebar),
    screen("/organization/integrations", () => import("./IntegrationsScreen.tsx"), sidebar),
    screen("/organization/audit", () => import("./AuditScreen.tsx"), sidebar),
    screen("/join/:organization/:invite", () => import("./JoinScreen.tsx")),
    screen("/me/tokens", () => import("./TokensScreen.tsx"), sidebar),
    screen("/spaces/:space/permissions", () => import("./SpaceAccessScreen.tsx"), spaceSidebar),
    screen("/collections/:collection/permissions", () => import("./CollectionAccessScreen.tsx"), homeSidebar)
  ],
  actions: [
    {
      id: "administration.members",
      label: () => translate(administrationNames, "openMembers"),
      shortcut: "g m",
      run: () => navigate("/organization/members")
    },
    {
      id: "administration.tokens",
      label: () => translate(administrationNames, "openTokens"),
      run: () => navigate("/me/tokens")
    },
    {
      id: "administration.audit",
      label: () => translate(administrationNames, "openAudit"),
      run: () => navigate("/organization/audit")
    }
  ],
  invalidatedBy: ({ type, organization }) => {
    const resource = type.split(".")[0] ?? ""
    const base = `organizations/${organization}`
    const keys = (affected[resource] ?? []).map((key) => `${base}/${key}`)
    if (resource === "organization") return ["organizations"]
    return ["permission", "member", "teamMember"].includes(resource) ? [...keys, "access"] : keys
  }
}
