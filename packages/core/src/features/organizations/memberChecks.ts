/** Accounts, members and teams (decision D13). */
import { Effect } from "effect"
import { type Check, type Examination, examination, type Problem } from "../../kernel/doctor/Check.ts"
import { byId, rowsWith } from "../../kernel/doctor/lookups.ts"
import { folded } from "../../kernel/schema/Text.ts"
import { Where } from "../../kernel/storage/index.ts"
import { members } from "../../model/organizations/Member.ts"
import { type OrganizationId, organizations } from "../../model/organizations/Organization.ts"
import { teamMembers, teams } from "../../model/organizations/Team.ts"
import { users } from "../../model/users/User.ts"
import { membership, searchTextOf } from "./memberships.ts"

export const address: Check = {
  name: "user-email",
  says: "The address of an account is in lower case.",
  source: "organizations/User.ts"
}

export const found: Check = {
  name: "member-search-text",
  says: "A member is found by the name and the address of the account.",
  source: "organizations/Member.ts",
  repair: "takes both from the account"
}

export const missesSso: Check = {
  name: "member-sso",
  says: "A member is kept out for want of single sign-on where the organization asks for it, and the member has not come by it.",
  source: "organizations/Member.ts",
  repair: "keeps out whom the organization asks to come by it"
}

export const teamTitle: Check = {
  name: "team-search-text",
  says: "A team is found by its title.",
  source: "organizations/Team.ts",
  repair: "takes it from the title"
}

export const teamOrganization: Check = {
  name: "team-member-organization",
  says: "A place in a team is of the organization that the team is of.",
  source: "organizations/Team.ts",
  repair: "takes the organization from the team"
}

export const teamMembership: Check = {
  name: "team-member",
  says: "Whoever is in a team is a member of its organization.",
  source: "D13"
}

export const memberExaminations: ReadonlyArray<Examination> = [
  examination(users, [address], (_, rows) =>
    Effect.succeed(
      rows.flatMap((row) =>
        row.email === row.email.toLowerCase()
          ? []
          : [{ check: address, row, message: `has the address ${row.email}` }]
      )
    )
  ),
  examination(
    members,
    [found, missesSso],
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
        ["sso"]
      )
      for (const row of rows) {
        const [account, owner] = [accounts.get(row.user), owners.get(row.organization)]
        // That there is none is another check's.
        if (account === undefined || owner === undefined) continue
        const mine = membership(row.organization, row.user)
        const text = searchTextOf(account)
        if (row.folded !== text) {
          problems.push({
            check: found,
            row,
            message: "is not found by the name and the address of the account",
            mend: records.update(members, mine, { folded: text })
          })
        }
        const ssoMissing = owner.sso && !row.sso
        if (row.ssoMissing !== ssoMissing) {
          problems.push({
            check: missesSso,
            row,
            message: ssoMissing
              ? "can come in, though the organization asks for single sign-on"
              : "is kept out for want of single sign-on, and should not be",
            mend: records.update(members, mine, { ssoMissing })
          })
        }
      }
      return problems
    })
  ),
  examination(teams, [teamTitle], ({ records }, rows) =>
    Effect.succeed(
      rows.flatMap((row) =>
        row.folded === folded(row.title)
          ? []
          : [
              {
                check: teamTitle,
                row,
                message: "is not found by its title",
                mend: records.update(teams, Where.eq("id", row.id), { folded: folded(row.title) })
              }
            ]
      )
    )
  ),
  examination(
    teamMembers,
    [teamOrganization, teamMembership],
    Effect.fnUntraced(function* ({ records }, rows) {
      const problems: Array<Problem> = []
      const owners = yield* byId(
        records,
        teams,
        rows.map(({ team }) => team),
        ["organization"]
      )
      const ownerOf = ({ team }: { readonly team: string }): OrganizationId | undefined =>
        owners.get(team)?.organization
      const there = new Set(
        (yield* rowsWith(
          records,
          members,
          "user",
          rows.map(({ user }) => user),
          ["user", "organization"]
        )).map(({ user, organization }) => `${organization}/${user}`)
      )
      for (const row of rows) {
        const organization = ownerOf(row)
        if (organization === undefined) continue
        if (row.organization !== organization) {
          problems.push({
            check: teamOrganization,
            row,
            message: `is of the organization ${row.organization}; the team is of ${organization}`,
            mend: records.update(
              teamMembers,
              Where.and(Where.eq("team", row.team), Where.eq("user", row.user)),
              { organization }
            )
          })
        }
        if (!there.has(`${organization}/${row.user}`)) {
          problems.push({
            check: teamMembership,
            row,
            message: `is a place of somebody who is no member of ${organization}`
          })
        }
      }
      return problems
    })
  )
]
