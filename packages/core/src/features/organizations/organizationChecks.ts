/** Doctor checks of organizations and of their invites. */

import {
  type Check,
  type Examination,
  examination,
  type Problem,
  requireReferences,
  rowsWith,
  Where
} from "@lectern/kernel"
import { emailDomains, invites, isInUse, members, organizations, sites, users } from "@lectern/kernel/tables"
import { Effect } from "effect"
import { isAdministratorWithAccess } from "./memberships.ts"

const administratorCheck: Check = {
  name: "organization-administrators",
  invariant: "Every organization outside of the trash has an administrator with access to it.",
  source: "docs/decisions/0015-members-teams-and-sign-on.md"
}

const domainCheck: Check = {
  name: "organization-email-domains",
  invariant: "The index of e-mail domains has exactly the e-mail domains of each organization.",
  source: "model/organizations/Organization.ts",
  repair: "rebuilds the index entries of the organization"
}

const defaultContentCheck: Check = {
  name: "organization-default-content",
  invariant: "The default content of an organization is one of its sites.",
  source: "features/organizations/Organizations.ts"
}

const inviteAuthorCheck: Check = {
  name: "invite-author",
  invariant: "The author of an invite exists.",
  source: "model/organizations/Invite.ts"
}

const areEqualSets = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((value) => other.has(value))

/** Formats a set for a message. */
const formatSet = (values: ReadonlySet<string>): string =>
  values.size === 0 ? "(none)" : [...values].sort().join(", ")

/** The doctor checks of organizations and of their invites. */
export const organizationExaminations: ReadonlyArray<Examination> = [
  requireReferences(defaultContentCheck, {
    over: organizations,
    to: sites,
    ids: ({ defaultContent }) => [["default content", defaultContent?.site]],
    select: ["organization"],
    wrong: ({ id }, site) =>
      site.organization === id ? undefined : "which is a site of another organization"
  }),
  examination(
    organizations,
    [administratorCheck],
    Effect.fnUntraced(function* ({ records }, rows) {
      const problems: Array<Problem> = []
      const administrators = yield* rowsWith(
        records,
        members,
        "organization",
        rows.map(({ id }) => id),
        ["organization"],
        isAdministratorWithAccess
      )
      const administrated = new Set(administrators.map(({ organization }) => organization))
      for (const row of rows) {
        if (isInUse(row) && !administrated.has(row.id))
          problems.push({ check: administratorCheck, row, message: "has no administrator with access to it" })
      }
      return problems
    })
  ),
  examination(
    organizations,
    [domainCheck],
    Effect.fnUntraced(function* ({ records }, rows) {
      const entriesById = Map.groupBy(
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
        const indexed = new Set((entriesById.get(row.id) ?? []).map(({ domain }) => domain))
        if (areEqualSets(own, indexed)) return []
        return [
          {
            check: domainCheck,
            row,
            message: `has the e-mail domains ${formatSet(own)}; the index has ${formatSet(indexed)}`,
            repair: Effect.andThen(
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
  requireReferences(inviteAuthorCheck, {
    over: invites,
    to: users,
    ids: ({ createdBy }) => [["author", createdBy]],
    select: ["id"]
  })
]
