/** SAML providers: their team, and whether they are active. */
import { Effect } from "effect"
import { type Check, type Examination, examination, type Problem } from "../../kernel/doctor/Check.ts"
import { requireReferences } from "../../kernel/doctor/referenceChecks.ts"
import { Where } from "../../kernel/storage/index.ts"
import { teams } from "../../model/organizations/Team.ts"
import { samlProviders } from "../../model/saml/SamlProvider.ts"
import { isActive } from "./SamlProviders.ts"

export const samlTeam: Check = {
  name: "saml-default-team",
  says: "The team that people come into by single sign-on is one of the organization.",
  source: "D13"
}

export const samlActive: Check = {
  name: "saml-active",
  says: "A SAML provider is active once its settings are complete and its certificate can be read.",
  source: "D13",
  repair: "makes it what its settings come to"
}

export const samlExaminations: ReadonlyArray<Examination> = [
  requireReferences(samlTeam, {
    over: samlProviders,
    to: teams,
    ids: ({ defaultTeam }) => [["default team", defaultTeam]],
    select: ["organization"],
    wrong: ({ organization }, team) =>
      team.organization === organization ? undefined : "which is a team of another organization"
  }),
  examination(
    samlProviders,
    [samlActive],
    Effect.fnUntraced(function* ({ records }, rows) {
      const problems: Array<Problem> = []
      for (const row of rows) {
        const active = yield* isActive(row)
        if (row.isActive === active) continue
        problems.push({
          check: samlActive,
          row,
          message: active
            ? "is pending, though its settings are complete"
            : "is active, though its settings are not complete",
          mend: records.update(samlProviders, Where.eq("id", row.id), { isActive: active })
        })
      }
      return problems
    })
  )
]
