/** Doctor checks of users, members and teams. */

import {
  byId,
  type Check,
  type Examination,
  examination,
  type Problem,
  rowsWith,
  Where
} from "@lectern/kernel"
import { isSsoMissing, members, organizations, teamMembers, teams, users } from "@lectern/kernel/tables"
import { folded } from "@lectern/model/schema"
import { Effect } from "effect"
import { membership, searchTextOf } from "./memberships.ts"

const emailCheck: Check = {
  name: "user-email",
  invariant: "The e-mail address of a user is in lower case.",
  source: "model/users/User.ts"
}

const memberTextCheck: Check = {
  name: "member-search-text",
  invariant: "The search text of a member is derived from the name and the e-mail address of the user.",
  source: "model/organizations/Member.ts",
  repair: "derives it from the user"
}

const ssoCheck: Check = {
  name: "member-sso",
  invariant:
    "A member is denied access without a login exactly if the organization requires single sign-on and no administrator has enabled it for the member.",
  source: "model/organizations/Member.ts",
  repair: "derives the denial from the organization and the member"
}

const secondFactorCheck: Check = {
  name: "member-second-factor",
  invariant: "A membership states whether its organization requires a second factor.",
  source: "docs/decisions/0114-passkeys.md",
  repair: "copies the requirement of the organization"
}

const teamTextCheck: Check = {
  name: "team-search-text",
  invariant: "The case-folded title of a team is derived from its title.",
  source: "model/organizations/Team.ts",
  repair: "derives it from the title"
}

const teamMemberCheck: Check = {
  name: "team-member",
  invariant: "The members of a team are members of its organization.",
  source: "docs/decisions/0015-members-teams-and-sign-on.md"
}

/** The doctor checks of users, members and teams. */
export const memberExaminations: ReadonlyArray<Examination> = [
  examination(users, [emailCheck], (_, rows) =>
    Effect.succeed(
      rows.flatMap((row) =>
        row.email === row.email.toLowerCase()
          ? []
          : [
              {
                check: emailCheck,
                row,
                message: `has the e-mail address ${row.email}, which is not in lower case`
              }
            ]
      )
    )
  ),
  examination(
    members,
    [memberTextCheck, ssoCheck, secondFactorCheck],
    Effect.fnUntraced(function* ({ records }, rows) {
      const problems: Array<Problem> = []
      const accounts = yield* byId(
        records,
        users,
        rows.map(({ user }) => user),
        ["displayName", "email"]
      )
      const owners = yield* byId(
        records,
        organizations,
        rows.map(({ organization }) => organization),
        ["sso", "secondFactor"]
      )
      for (const row of rows) {
        const [account, owner] = [accounts.get(row.user), owners.get(row.organization)]
        // The check of declared references reports missing users and organizations.
        if (account === undefined || owner === undefined) continue
        const own = membership(row.organization, row.user)
        const text = searchTextOf(account)
        if (row.folded !== text) {
          problems.push({
            check: memberTextCheck,
            row,
            message: "has a search text that does not match the name and the e-mail address of the user",
            repair: records.update(members, own, { folded: text })
          })
        }
        const { secondFactor } = owner
        if (row.secondFactor !== secondFactor) {
          problems.push({
            check: secondFactorCheck,
            row,
            message: secondFactor
              ? "has access without the second factor that the organization requires"
              : "is denied access without a second factor, which the organization does not require",
            repair: records.update(members, own, { secondFactor })
          })
        }
        const ssoMissing = isSsoMissing(owner, row)
        if (row.ssoMissing !== ssoMissing) {
          problems.push({
            check: ssoCheck,
            row,
            message: ssoMissing
              ? "has access without single sign-on, which the organization requires"
              : "is denied access, although single sign-on is used or not required",
            repair: records.update(members, own, { ssoMissing })
          })
        }
      }
      return problems
    })
  ),
  examination(teams, [teamTextCheck], ({ records }, rows) =>
    Effect.succeed(
      rows.flatMap((row) =>
        row.folded === folded(row.title)
          ? []
          : [
              {
                check: teamTextCheck,
                row,
                message: "has a case-folded title that does not match its title",
                repair: records.update(teams, Where.eq("id", row.id), { folded: folded(row.title) })
              }
            ]
      )
    )
  ),
  examination(
    teamMembers,
    [teamMemberCheck],
    Effect.fnUntraced(function* ({ records }, rows) {
      const problems: Array<Problem> = []
      const owners = yield* byId(
        records,
        teams,
        rows.map(({ team }) => team),
        ["organization"]
      )
      const memberships = new Set(
        (yield* rowsWith(
          records,
          members,
          "user",
          rows.map(({ user }) => user),
          ["user", "organization"]
        )).map(({ user, organization }) => `${organization}/${user}`)
      )
      for (const row of rows) {
        const organization = owners.get(row.team)?.organization
        if (organization === undefined) continue
        if (!memberships.has(`${organization}/${row.user}`)) {
          problems.push({
            check: teamMemberCheck,
            row,
            message: `has the user ${row.user}, who is not a member of ${organization}`
          })
        }
      }
      return problems
    })
  )
]
