/** Writes to the permissions of users and teams on spaces, collections and sites. */
import type { OperationId } from "@lectern/harness/operations"
import {
  byRow,
  type Fact,
  type Grant,
  isUnlisted,
  itemFact,
  itemSubject,
  pickOne,
  removeWhere,
  roles,
  type WriteKind,
  type WriteKinds,
  type Writer
} from "./writes.ts"

/** The lists of spaces, collections and sites. */
type Kind = "spaces" | "collections" | "sites"

/** The path parameter for the id of the content. */
const contentParameter = { spaces: "spaceId", collections: "collectionId", sites: "siteId" } as const

/** Returns the path of all content of a kind. */
const pathOf = (writer: Writer, kind: Kind): string =>
  kind === "sites" ? `/orgs/${writer.organization}/sites/` : `/${kind}/`

/** The path parameter for the id of a user or a team, and the field with the id in the items of a list. */
const grantee = {
  users: { parameter: "userId", key: "user.id" },
  teams: { parameter: "teamId", key: "team.id" }
} as const

const listOf = ({ content, to }: Pick<Grant, "content" | "to">): string => `${content}/permissions/${to}`

const isGranted = (grant: Grant, role: unknown): Fact =>
  itemFact(listOf(grant), grant.id, "permission", role, grantee[grant.to].key)

const isNotGranted = (grant: Grant): Fact => isUnlisted(listOf(grant), grant.id, grantee[grant.to].key)

/** Returns the subjects of the facts about grants: to one user or team, or to all. */
export const grantSubjects = (writer: Writer, id?: string): ReadonlyArray<string> =>
  (["spaces", "collections", "sites"] as const).flatMap((kind) =>
    writer[kind].flatMap((content) =>
      (["users", "teams"] as const).map((to) => {
        const list = listOf({ content: pathOf(writer, kind) + content, to })
        return id === undefined ? list : itemSubject(list, id)
      })
    )
  )

/** Grants a role on content to a user and a team. */
const share =
  (kind: Kind, operation: OperationId): WriteKind =>
  (writer) => {
    const content = pickOne(writer, writer[kind])
    const [user, team] = [pickOne(writer, writer.users), pickOne(writer, writer.teams)]
    if (content === undefined || user === undefined || team === undefined) return undefined
    const role = pickOne(writer, roles)
    const grants = [
      { content: pathOf(writer, kind) + content, to: "users", id: user },
      { content: pathOf(writer, kind) + content, to: "teams", id: team }
    ] as const
    const ids = { [contentParameter[kind]]: content, otherUser: user, teamId: team }
    return {
      ...byRow(writer, operation, ids, { role }),
      facts: grants.map((grant) => isGranted(grant, role)),
      done: () => void writer.grants.push(...grants)
    }
  }

/** Grants a role on content to a user or a team. */
const grantRole =
  (kind: Kind, to: Grant["to"], operation: OperationId): WriteKind =>
  (writer) => {
    const content = pickOne(writer, writer[kind])
    const id = pickOne(writer, to === "users" ? writer.users : writer.teams)
    if (content === undefined || id === undefined) return undefined
    const role = pickOne(writer, roles)
    const grant: Grant = { content: pathOf(writer, kind) + content, to, id }
    const ids = { [contentParameter[kind]]: content, [grantee[to].parameter]: id }
    return {
      ...byRow(writer, operation, ids, { role }),
      facts: [isGranted(grant, role)],
      done: () => void writer.grants.push(grant)
    }
  }

/** Removes the role on content that was granted to a user or a team. */
const removeGrant =
  (kind: Kind, to: Grant["to"], operation: OperationId): WriteKind =>
  (writer) => {
    const grant = pickOne(
      writer,
      writer.grants.filter((one) => one.to === to && one.content.startsWith(pathOf(writer, kind)))
    )
    if (grant === undefined) return undefined
    const { content, id } = grant
    removeWhere(writer.grants, (other) => other.content === content && other.id === id)
    const ids = {
      [contentParameter[kind]]: content.slice(pathOf(writer, kind).length),
      [grantee[to].parameter]: id
    }
    return { ...byRow(writer, operation, ids), facts: [isNotGranted(grant)] }
  }

/** The kinds of these writes, by operation. */
export const permissionWrites = {
  inviteToSpace: [share("spaces", "inviteToSpace")],
  updateUserPermissionInSpace: [grantRole("spaces", "users", "updateUserPermissionInSpace")],
  updateTeamPermissionInSpace: [grantRole("spaces", "teams", "updateTeamPermissionInSpace")],
  removeUserFromSpace: [removeGrant("spaces", "users", "removeUserFromSpace")],
  removeTeamFromSpace: [removeGrant("spaces", "teams", "removeTeamFromSpace")],
  inviteToCollection: [share("collections", "inviteToCollection")],
  updateUserPermissionInCollection: [grantRole("collections", "users", "updateUserPermissionInCollection")],
  updateTeamPermissionInCollection: [grantRole("collections", "teams", "updateTeamPermissionInCollection")],
  removeUserFromCollection: [removeGrant("collections", "users", "removeUserFromCollection")],
  removeTeamFromCollection: [removeGrant("collections", "teams", "removeTeamFromCollection")],
  inviteToSite: [share("sites", "inviteToSite")],
  updateUserPermissionInSite: [grantRole("sites", "users", "updateUserPermissionInSite")],
  updateTeamPermissionInSite: [grantRole("sites", "teams", "updateTeamPermissionInSite")],
  removeUserFromSite: [removeGrant("sites", "users", "removeUserFromSite")],
  removeTeamFromSite: [removeGrant("sites", "teams", "removeTeamFromSite")]
} satisfies WriteKinds
