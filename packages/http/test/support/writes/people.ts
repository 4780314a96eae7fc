/** Writes to organizations, members, invites and users. */
import { grantSubjects } from "./permissions.ts"
import { teamMemberSubjects } from "./teams.ts"
import {
  byRow,
  type Created,
  exists,
  fact,
  isMissing,
  organizationPath,
  pathOf,
  pickOne,
  removeWhere,
  rename,
  roles,
  uniqueName,
  type WriteKind,
  type WriteKinds,
  type Writer
} from "./writes.ts"

const memberPath = (writer: Writer, user: string): string => `${organizationPath(writer)}/members/${user}`

/** Renames the other organization of the writer; the first one is shared with other writers. */
const renameOrganization: WriteKind = (writer) => rename(writer, pathOf("/orgs/", writer.elsewhere))

const inviteUser: WriteKind = (writer) => ({
  method: "POST",
  path: `${organizationPath(writer)}/invites`,
  body: { emails: [`${uniqueName(writer)}@example.com`], role: "read" },
  done: ({ users }: { readonly users: ReadonlyArray<string> }) => {
    writer.users.push(...users)
    return users.map((user) => fact(memberPath(writer, user), "role", "read"))
  }
})

const changeRole: WriteKind = (writer) => {
  const user = pickOne(writer, writer.users)
  if (user === undefined) return undefined
  const role = pickOne(writer, roles)
  return {
    ...byRow(writer, "updateMemberInOrganizationById", { userId: user }, { role }),
    facts: [fact(memberPath(writer, user), "role", role)]
  }
}

const enableSso: WriteKind = (writer) => {
  const user = pickOne(writer, writer.users)
  if (user === undefined) return undefined
  return {
    ...byRow(writer, "setUserAsSSOMemberForOrganization", { userId: user }),
    facts: [fact(memberPath(writer, user), "sso", true)]
  }
}

/** Removes a member, which also removes their team memberships and grants. */
const removeMember: WriteKind = (writer) => {
  const user = writer.users.length < 3 ? undefined : pickOne(writer, writer.users)
  if (user === undefined) return undefined
  removeWhere(writer.users, (id) => id === user)
  const newcomer = writer.joined.find(({ id }) => id === user)
  removeWhere(writer.joined, ({ id }) => id === user)
  return {
    ...byRow(writer, "removeMemberFromOrganizationById", { userId: user }),
    // Users who are not members are not visible to the client.
    makesUncertain: [`/users/${user}`, ...teamMemberSubjects(writer, user), ...grantSubjects(writer, user)],
    facts: [isMissing(memberPath(writer, user))],
    // A newcomer can join again.
    done: () => {
      if (newcomer !== undefined) writer.newcomers.push(newcomer)
      return undefined
    }
  }
}

/** An invited user who has not joined by a link, and whose invitation is therefore open. */
const invitedUser = (writer: Writer): string | undefined =>
  pickOne(
    writer,
    writer.users.filter((user) => writer.joined.every(({ id }) => id !== user))
  )

const renewInvitation: WriteKind = (writer) => {
  const user = invitedUser(writer)
  return user === undefined ? undefined : byRow(writer, "renewInvitation", { userId: user })
}

const revokeInvitation: WriteKind = (writer) => {
  const user = writer.users.length < 3 ? undefined : invitedUser(writer)
  if (user === undefined) return undefined
  removeWhere(writer.users, (id) => id === user)
  return {
    ...byRow(writer, "revokeInvitation", { userId: user }),
    makesUncertain: [`/users/${user}`, ...teamMemberSubjects(writer, user), ...grantSubjects(writer, user)],
    facts: [isMissing(memberPath(writer, user))]
  }
}

const invitePath = (writer: Writer, invite: string): string =>
  `${organizationPath(writer)}/link-invites/${invite}`

const createInvite: WriteKind = (writer) => {
  const role = pickOne(writer, roles)
  return {
    ...byRow(writer, "createOrganizationInvite", {}, { role }),
    done: ({ id }: Created) => {
      writer.invites.push(id)
      return [fact(invitePath(writer, id), "role", role)]
    }
  }
}

const updateInvite: WriteKind = (writer) => {
  const invite = pickOne(writer, writer.invites)
  if (invite === undefined) return undefined
  const role = pickOne(writer, roles)
  return {
    ...byRow(writer, "updateOrganizationInviteById", { inviteId: invite }, { role }),
    facts: [fact(invitePath(writer, invite), "role", role)]
  }
}

const deleteInvite: WriteKind = (writer) => {
  const invite = writer.invites.length < 2 ? undefined : pickOne(writer, writer.invites)
  if (invite === undefined) return undefined
  removeWhere(writer.invites, (id) => id === invite)
  return {
    ...byRow(writer, "deleteOrganizationInviteById", { inviteId: invite }),
    facts: [isMissing(invitePath(writer, invite))]
  }
}

/** Adds a newcomer to the organization by an invite link, with their own token. */
const join: WriteKind = (writer) => {
  const invite = pickOne(writer, writer.invites)
  const newcomer = invite === undefined ? undefined : writer.newcomers.pop()
  if (invite === undefined || newcomer === undefined) return undefined
  return {
    ...byRow(writer, "joinOrganizationWithInvite", { inviteId: invite }),
    token: newcomer.token,
    done: () => {
      writer.joined.push(newcomer)
      writer.users.push(newcomer.id)
      return [exists(memberPath(writer, newcomer.id))]
    }
  }
}

/** Changes the name of a newcomer, who must have joined to be visible to the client. */
const renameUser: WriteKind = (writer) => {
  const user = pickOne(writer, writer.joined)
  if (user === undefined) return undefined
  const displayName = uniqueName(writer)
  return {
    ...byRow(writer, "updateUserById", { userId: user.id }, { displayName }),
    token: user.token,
    facts: [fact(`/users/${user.id}`, "displayName", displayName)]
  }
}

/** The kinds of these writes, by operation. */
export const peopleWrites = {
  updateOrganizationById: [renameOrganization],
  inviteUsersToOrganization: [inviteUser],
  renewInvitation: [renewInvitation],
  revokeInvitation: [revokeInvitation],
  updateMemberInOrganizationById: [changeRole],
  setUserAsSSOMemberForOrganization: [enableSso],
  removeMemberFromOrganizationById: [removeMember],
  createOrganizationInvite: [createInvite],
  updateOrganizationInviteById: [updateInvite],
  deleteOrganizationInviteById: [deleteInvite],
  joinOrganizationWithInvite: [join],
  updateUserById: [renameUser]
} satisfies WriteKinds
