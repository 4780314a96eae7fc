/** Doctor checks of SAML providers: their default team and their status. */

import {
  type Check,
  type Examination,
  examination,
  type Problem,
  requireReferences,
  Where
} from "@lectern/kernel"
import { samlProviders, teams } from "@lectern/kernel/tables"
import { Effect } from "effect"
import { isActive } from "./SamlProviders.ts"

const teamCheck: Check = {
  name: "saml-default-team",
  invariant: "The default team of a SAML provider belongs to its organization.",
  source: "docs/decisions/0015-members-teams-and-sign-on.md"
}

const statusCheck: Check = {
  name: "saml-active",
  invariant: "A SAML provider is active exactly if its settings are complete and its certificate is valid.",
  source: "docs/decisions/0015-members-teams-and-sign-on.md",
  repair: "derives the status from the settings"
}

/** The doctor checks of SAML providers. */
export const samlExaminations: ReadonlyArray<Examination> = [
  requireReferences(teamCheck, {
    over: samlProviders,
    to: teams,
    ids: ({ defaultTeam }) => [["default team", defaultTeam]],
    select: ["organization"],
    wrong: ({ organization }, team) =>
      team.organization === organization ? undefined : "which belongs to another organization"
  }),
  examination(
    samlProviders,
    [statusCheck],
    Effect.fnUntraced(function* ({ records }, rows) {
      const problems: Array<Problem> = []
      for (const row of rows) {
        const active = yield* isActive(row)
        if (row.isActive === active) continue
        problems.push({
          check: statusCheck,
          row,
          message: active
            ? "is pending, although its settings are complete"
            : "is active, although its settings are incomplete or its certificate is invalid",
          repair: records.update(samlProviders, Where.eq("id", row.id), { isActive: active })
        })
      }
      return problems
    })
  )
]
