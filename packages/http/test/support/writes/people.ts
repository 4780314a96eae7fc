/** Writes to members, teams and permissions. */
import {
  type Created,
  fact,
  isMissing,
  organizationPath,
  pickOne,
  uniqueName,
  type WriteKind,
  type WriteKinds
} from "./writes.ts"

const roles = ["read", "comment", "edit", "review", "create"]

const inviteUser: WriteKind = (writer) => ({
  method: "POST",
  path: `${organizationPath(writer)}/invites`,
  body: { emails: [`${uniqueName(writer)}@example.com`], role: "read" },
  done: ({ users }: { readonly users: ReadonlyArray<string> }) => {
    writer.users.push(...users)
    return users.map((user) => fact(`${organizationPath(writer)}/members/${user}`, "role", "read"))
  }
})

const changeRole: WriteKind = (writer) => {
  const user = pickOne(writer, writer.users)
  if (user === undefined) return undefined
  const [path, role] = [`${organizationPath(writer)}/members/${user}`, pickOne(writer, roles)]
  return { method: "PATCH", path, body: { role }, facts: [fact(path, "role", role)] }
}

const removeMember: WriteKind = (writer) => {
  const user = writer.users.length < 3 ? undefined : writer.users.shift()
  if (user === undefined) return undefined
  const path = `${organizationPath(writer)}/members/${user}`
  return { method: "DELETE", path, facts: [isMissing(path)] }
}

const createTeam: WriteKind = (writer) => {
  const title = uniqueName(writer)
  return {
    method: "PUT",
    path: `${organizationPath(writer)}/teams`,
    body: { title, members: writer.users.slice(0, 2) },
    done: ({ id }: Created) => {
      writer.teams.push(`${organizationPath(writer)}/teams/${id}`)
      return [fact(`${organizationPath(writer)}/teams/${id}`, "title", title)]
    }
  }
}

const addToTeam: WriteKind = (writer) => {
  const [team, user] = [pickOne(writer, writer.teams), pickOne(writer, writer.users)]
  if (team === undefined || user === undefined) return undefined
  return { method: "PUT", path: `${team}/members`, body: { add: [user] } }
}

const grantRole: WriteKind = (writer) => {
  const [space, user] = [pickOne(writer, writer.spaces), pickOne(writer, writer.users)]
  if (space === undefined || user === undefined) return undefined
  return {
    method: "PATCH",
    path: `/spaces/${space}/permissions/users/${user}`,
    body: { role: pickOne(writer, roles) }
  }
}

const pingOrganization: WriteKind = (writer) => ({ method: "POST", path: `${organizationPath(writer)}/ping` })

/** The kinds of writes to members, teams and permissions, by operation. */
export const peopleWrites = {
  inviteUsersToOrganization: [inviteUser],
  updateMemberInOrganizationById: [changeRole],
  removeMemberFromOrganizationById: [removeMember],
  createOrganizationTeam: [createTeam],
  updateMembersInOrganizationTeam: [addToTeam],
  updateUserPermissionInSpace: [grantRole],
  updateOrganizationMemberLastSeenAt: [pingOrganization]
} satisfies WriteKinds
