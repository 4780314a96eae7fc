/** Doctor checks of OpenID Connect providers: their teams. */
import type { Check, Examination } from "../../doctor/Check.ts"
import { requireReferences } from "../../doctor/referenceChecks.ts"
import { oidcProviders } from "../oidc/oidcProviderTable.ts"
import { teams } from "../organizations/teamTables.ts"

const teamCheck: Check = {
  name: "oidc-teams",
  invariant: "The teams of an OpenID Connect provider belong to its organization.",
  source: "docs/decisions/0085-openid-connect-of-organizations.md"
}

/** The doctor checks of OpenID Connect providers. */
export const oidcExaminations: ReadonlyArray<Examination> = [
  requireReferences(teamCheck, {
    over: oidcProviders,
    to: teams,
    ids: ({ defaultTeam, groups }) => [
      ["default team", defaultTeam],
      ...groups.map(({ group, team }) => [`team of the group ${group}`, team] as const)
    ],
    select: ["organization"],
    wrong: ({ organization }, team) =>
      team.organization === organization ? undefined : "which belongs to another organization"
  })
]
