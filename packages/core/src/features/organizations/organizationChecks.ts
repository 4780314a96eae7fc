/** Organizations, and how people come into them (decision D13). */
import { Effect } from "effect"
import { type Check, type Examination, examination, type Problem } from "../../kernel/doctor/Check.ts"
import { rowsWith } from "../../kernel/doctor/lookups.ts"
import { requireReferences } from "../../kernel/doctor/referenceChecks.ts"
import { Where } from "../../kernel/storage/index.ts"
import { invites } from "../../model/organizations/Invite.ts"
import { members } from "../../model/organizations/Member.ts"
import { emailDomains, organizations } from "../../model/organizations/Organization.ts"
import { sites } from "../../model/sites/Site.ts"
import { users } from "../../model/users/User.ts"
import { administrating } from "./memberships.ts"

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

/** Whether two sets have the same in them. */
const isSameSet = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((value) => other.has(value))

export const organizationExaminations: ReadonlyArray<Examination> = [
  requireReferences(opening, {
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
  requireReferences(inviter, {
    over: invites,
    to: users,
    ids: ({ createdBy }) => [["author", createdBy]],
    select: ["id"]
  })
]

/** A set in a sentence. */
const listed = (values: ReadonlySet<string>): string =>
  values.size === 0 ? "(none)" : [...values].sort().join(", ")
