/** What is shared with whom (decision D5). */
import { Effect } from "effect"
import { type Check, type Examination, examination, type Problem } from "../../kernel/doctor/Check.ts"
import { byId, rowsWith } from "../../kernel/doctor/lookups.ts"
import { requireReferences } from "../../kernel/doctor/referenceChecks.ts"
import { collections } from "../../model/collections/Collection.ts"
import { members } from "../../model/organizations/Member.ts"
import { teams } from "../../model/organizations/Team.ts"
import { grants } from "../../model/permissions/Permission.ts"
import { spaces } from "../../model/spaces/Space.ts"

export const target: Check = {
  name: "grant-target",
  says: "What a grant is on is a space or a collection of its organization.",
  source: "D5"
}

export const holder: Check = {
  name: "grant-holder",
  says: "A grant is for a member or for a team of its organization, and not for both.",
  source: "D13"
}

const elsewhere = (
  { organization }: { readonly organization: string },
  named: { readonly organization: string }
) => (named.organization === organization ? undefined : "which is of another organization")

export const permissionExaminations: ReadonlyArray<Examination> = [
  requireReferences(target, {
    over: grants,
    to: spaces,
    ids: (row) => (row.kind === "space" ? [["space", row.target]] : []),
    select: ["organization"],
    wrong: elsewhere
  }),
  requireReferences(target, {
    over: grants,
    to: collections,
    ids: (row) => (row.kind === "collection" ? [["collection", row.target]] : []),
    select: ["organization"],
    wrong: elsewhere
  }),
  examination(
    grants,
    [holder],
    Effect.fnUntraced(function* ({ records }, rows) {
      const there = yield* rowsWith(
        records,
        members,
        "user",
        rows.map(({ user }) => user),
        ["user", "organization"]
      )
      const isMember = new Set(there.map(({ user, organization }) => `${organization}/${user}`))
      const groups = yield* byId(
        records,
        teams,
        rows.map(({ team }) => team),
        ["organization"]
      )
      return rows.flatMap((row): ReadonlyArray<Problem> => {
        if ((row.user === null) === (row.team === null)) {
          return [
            {
              check: holder,
              row,
              message: row.user === null ? "is for nobody" : "is for a user and for a team"
            }
          ]
        }
        if (row.user !== null) {
          return isMember.has(`${row.organization}/${row.user}`)
            ? []
            : [{ check: holder, row, message: `is for ${row.user}, who is no member of ${row.organization}` }]
        }
        const team = groups.get(row.team!)
        return team === undefined || team.organization === row.organization
          ? []
          : [{ check: holder, row, message: `is for the team ${row.team}, which is of another organization` }]
      })
    })
  )
]
