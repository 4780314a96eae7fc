/** Doctor checks of grants: their target, and the user or the team that they are granted to. */

import { Effect } from "effect"
import { type Check, type Examination, examination, type Problem } from "../../doctor/Check.ts"
import { byId, rowsWith } from "../../doctor/lookups.ts"
import { requireReferences } from "../../doctor/referenceChecks.ts"
import { collections } from "../collections/collectionTable.ts"
import { members } from "../organizations/memberTable.ts"
import { teams } from "../organizations/teamTables.ts"
import { grants } from "../permissions/permissionTable.ts"
import { sites } from "../sites/siteTable.ts"
import { spaces } from "../spaces/spaceTable.ts"

const targetCheck: Check = {
  name: "grant-target",
  invariant: "The target of a grant is a space, a collection or a site of its organization.",
  source: "docs/decisions/0006-roles.md"
}

const granteeCheck: Check = {
  name: "grant-holder",
  invariant: "A grant is to a member or to a team of its organization, but not to both.",
  source: "docs/decisions/0015-members-teams-and-sign-on.md"
}

/** Returns why the target of a grant is invalid: it belongs to another organization. */
const foreignTarget = (
  { organization }: { readonly organization: string },
  target: { readonly organization: string }
) => (target.organization === organization ? undefined : "which belongs to another organization")

/** The doctor checks of grants. */
export const permissionExaminations: ReadonlyArray<Examination> = [
  requireReferences(targetCheck, {
    over: grants,
    to: spaces,
    ids: (row) => (row.kind === "space" ? [["space", row.target]] : []),
    select: ["organization"],
    wrong: foreignTarget
  }),
  requireReferences(targetCheck, {
    over: grants,
    to: collections,
    ids: (row) => (row.kind === "collection" ? [["collection", row.target]] : []),
    select: ["organization"],
    wrong: foreignTarget
  }),
  requireReferences(targetCheck, {
    over: grants,
    to: sites,
    ids: (row) => (row.kind === "site" ? [["site", row.target]] : []),
    select: ["organization"],
    wrong: foreignTarget
  }),
  examination(
    grants,
    [granteeCheck],
    Effect.fnUntraced(function* ({ records }, rows) {
      const memberships = yield* rowsWith(
        records,
        members,
        "user",
        rows.map(({ user }) => user),
        ["user", "organization"]
      )
      const memberKeys = new Set(memberships.map(({ user, organization }) => `${organization}/${user}`))
      const teamById = yield* byId(
        records,
        teams,
        rows.map(({ team }) => team),
        ["organization"]
      )
      return rows.flatMap((row): ReadonlyArray<Problem> => {
        if ((row.user === null) === (row.team === null)) {
          return [
            {
              check: granteeCheck,
              row,
              message: row.user === null ? "is to no user and no team" : "is to a user and to a team"
            }
          ]
        }
        if (row.user !== null) {
          return memberKeys.has(`${row.organization}/${row.user}`)
            ? []
            : [
                {
                  check: granteeCheck,
                  row,
                  message: `is to the user ${row.user}, who is not a member of ${row.organization}`
                }
              ]
        }
        const team = teamById.get(row.team!)
        return team === undefined || team.organization === row.organization
          ? []
          : [
              {
                check: granteeCheck,
                row,
                message: `is to the team ${row.team}, which belongs to another organization`
              }
            ]
      })
    })
  )
]
