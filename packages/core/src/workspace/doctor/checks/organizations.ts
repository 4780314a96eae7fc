/** Organizations, and how people come into them (decision D13). */
import { Effect } from "effect"
import { administrating } from "../../../features/organizations/memberships.ts"
import { isActive } from "../../../features/saml/SamlProviders.ts"
import { Where } from "../../../kernel/storage/index.ts"
import { invites } from "../../../model/organizations/Invite.ts"
import { members } from "../../../model/organizations/Member.ts"
import { emailDomains, organizations } from "../../../model/organizations/Organization.ts"
import { teams } from "../../../model/organizations/Team.ts"
import { samlProviders } from "../../../model/saml/SamlProvider.ts"
import { sites } from "../../../model/sites/Site.ts"
import { users } from "../../../model/users/User.ts"
import { type Check, type Examination, examination, type Problem } from "../Check.ts"
import { rowsWith } from "../lookups.ts"
import { names } from "./references.ts"

export const administrators: Check = {
  name: "organization-administrators",
  says: "An organization has an administrator who can come in.",
  source: "D13"
}

export const domains: Check = {
  name: "organization-email-domains",
  says: "An organization is found by the e-mail domains that it has, and by no others.",
  source: "organizations/Organization.ts",
  repair: "has it found by those that it has"
}

export const opening: Check = {
  name: "organization-default-content",
  says: "What members of an organization are shown first is a site of it.",
  source: "organizations/Organizations.ts"
}

export const inviter: Check = {
  name: "invite-author",
  says: "An invite was made by somebody who has an account.",
  source: "organizations/Invite.ts"
}

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

/** Whether two sets have the same in them. */
const isSameSet = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((value) => other.has(value))

export const all: ReadonlyArray<Examination> = [
  names(opening, {
    over: organizations,
    to: sites,
    ids: ({ defaultContent }) => [["default content", defaultContent?.site]],
    select: ["organization"],
    wrong: ({ id }, site) =>
      site.organization === id ? undefined : "which is a site of another organization"
  }),
  examination(
    organizations,
    [administrators],
    Effect.fnUntraced(function* ({ records }, rows) {
      const problems: Array<Problem> = []
      const there = yield* rowsWith(
        records,
        members,
        "organization",
        rows.map(({ id }) => id),
        ["organization"],
        administrating
      )
      const led = new Set(there.map(({ organization }) => organization))
      for (const row of rows) {
        if (!led.has(row.id))
          problems.push({ check: administrators, row, message: "has no administrator who can come in" })
      }
      return problems
    })
  ),
  examination(
    organizations,
    [domains],
    Effect.fnUntraced(function* ({ records }, rows) {
      const kept = Map.groupBy(
        yield* rowsWith(
          records,
          emailDomains,
          "organization",
          rows.map(({ id }) => id),
          ["organization", "domain"]
        ),
        ({ organization }) => organization
      )
      return rows.flatMap((row): ReadonlyArray<Problem> => {
        const own = new Set(row.emailDomains)
        const foundBy = new Set((kept.get(row.id) ?? []).map(({ domain }) => domain))
        if (isSameSet(own, foundBy)) return []
        return [
          {
            check: domains,
            row,
            message: `has the e-mail domains ${listed(own)}, and is found by ${listed(foundBy)}`,
            mend: Effect.andThen(
              records.remove(emailDomains, Where.eq("organization", row.id)),
              records.insertMany(
                emailDomains,
                [...own].map((domain) => ({ organization: row.id, domain }))
              )
            )
          }
        ]
      })
    })
  ),
  names(inviter, {
    over: invites,
    to: users,
    ids: ({ createdBy }) => [["author", createdBy]],
    select: ["id"]
  }),
  names(samlTeam, {
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

/** A set in a sentence. */
const listed = (values: ReadonlySet<string>): string =>
  values.size === 0 ? "(none)" : [...values].sort().join(", ")
