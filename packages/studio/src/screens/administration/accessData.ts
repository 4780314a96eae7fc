/** The grants on spaces, collections and sites, and the calls that change them. */
import { ApiError, type Collection, type Role, type Site, type Space } from "@lectern/client/fetch"
import { loadAll, pageSize } from "../../data/organization.ts"
import { roles } from "../../data/roles.ts"
import { client } from "../../session.ts"
import type { AccessPerson, AccessPlace } from "./explainAccess.ts"

/** A space or a collection whose access is displayed. */
export type Content =
  | { readonly kind: "space"; readonly value: Space }
  | { readonly kind: "collection"; readonly value: Collection }

/** A space, a collection or a site that can be shared with people and teams. */
export type Shareable =
  | Content
  | { readonly kind: "site"; readonly value: Pick<Site, "id" | "title">; readonly organization: string }

/** The key of the grants on something that is shared. */
export const accessKey = ({ value }: Shareable): string => `access/${value.id}`

const siteParams = ({ value, organization }: Extract<Shareable, { kind: "site" }>) => ({
  organizationId: organization,
  siteId: value.id
})

/** Lists the users with a direct role. */
export const listUsers = (shareable: Shareable, signal?: AbortSignal) =>
  loadAll((cursor) => {
    const query = { limit: pageSize, ...cursor }
    const options = signal === undefined ? {} : { signal }
    const { id } = shareable.value
    switch (shareable.kind) {
      case "space":
        return client.spacePermissions.listUserPermissionsInSpace({ params: { spaceId: id }, query }, options)
      case "collection":
        return client.collectionPermissions.listUserPermissionsInCollection(
          { params: { collectionId: id }, query },
          options
        )
      case "site":
        return client.sitePermissions.listUserPermissionsInSite(
          { params: siteParams(shareable), query },
          options
        )
    }
  })

/** Lists the teams with a direct role. */
export const listTeams = (shareable: Shareable, signal?: AbortSignal) =>
  loadAll((cursor) => {
    const query = { limit: pageSize, ...cursor }
    const options = signal === undefined ? {} : { signal }
    const { id } = shareable.value
    switch (shareable.kind) {
      case "space":
        return client.spacePermissions.listTeamPermissionsInSpace({ params: { spaceId: id }, query }, options)
      case "collection":
        return client.collectionPermissions.listTeamPermissionsInCollection(
          { params: { collectionId: id }, query },
          options
        )
      case "site":
        return client.sitePermissions.listTeamPermissionsInSite(
          { params: siteParams(shareable), query },
          options
        )
    }
  })

/** Who a role is granted to. */
export interface Grantee {
  readonly kind: "user" | "team"
  readonly id: string
}

/** Grants a role to a user or a team; null removes it. */
export const grant = (shareable: Shareable, { kind, id }: Grantee, role: Role | null): Promise<void> => {
  const payload = kind === "user" ? { role, users: [id] } : { role, teams: [id] }
  switch (shareable.kind) {
    case "space":
      return client.spacePermissions.inviteToSpace({ params: { spaceId: shareable.value.id }, payload })
    case "collection":
      return client.collectionPermissions.inviteToCollection({
        params: { collectionId: shareable.value.id },
        payload
      })
    case "site":
      return client.sitePermissions.inviteToSite({ params: siteParams(shareable), payload })
  }
}

/** Changes the role that all members have on content. */
export const setDefaultLevel = (content: Content, defaultLevel: Space["defaultLevel"]): Promise<unknown> =>
  content.kind === "space"
    ? client.spaces.updateSpaceById({ params: { spaceId: content.value.id }, payload: { defaultLevel } })
    : client.collections.updateCollectionById({
        params: { collectionId: content.value.id },
        payload: { defaultLevel }
      })

const isHidden = (error: unknown): boolean =>
  error instanceof ApiError && ["NotFound", "Forbidden"].includes(error._tag)

const loadPlace = async (content: Content, signal: AbortSignal): Promise<AccessPlace> => {
  const { id, title, defaultLevel } = content.value
  try {
    const [users, teams] = await Promise.all([listUsers(content, signal), listTeams(content, signal)])
    return {
      id,
      title,
      defaultLevel,
      users: new Map(users.map(({ user, permission }) => [user.id, permission])),
      teams: new Map(teams.map(({ team, permission }) => [team.id, permission]))
    }
  } catch (error) {
    if (!isHidden(error)) throw error
    return { id, title, defaultLevel, users: undefined, teams: undefined }
  }
}

/** Loads content and its collections, innermost first, with the grants on them. */
export const loadPlaces = async (
  content: Content,
  signal: AbortSignal
): Promise<ReadonlyArray<AccessPlace>> => {
  const places = [await loadPlace(content, signal)]
  let parent = content.value.parent
  while (parent !== undefined) {
    const value: Collection = await client.collections.getCollectionById(
      { params: { collectionId: parent } },
      { signal }
    )
    places.push(await loadPlace({ kind: "collection", value }, signal))
    parent = value.parent
  }
  return places
}

/** Loads a member with their teams. */
export const loadPerson = async (
  organizationId: string,
  userId: string,
  signal: AbortSignal
): Promise<AccessPerson> => {
  const params = { organizationId, userId }
  const [member, teams] = await Promise.all([
    client.members.getMemberInOrganizationById({ params }, { signal }),
    loadAll((cursor) =>
      client.members.listTeamsForOrganizationMember(
        { params, query: { limit: pageSize, ...cursor } },
        { signal }
      )
    )
  ])
  return {
    id: userId,
    role: member.role,
    disabled: member.disabled,
    teams: teams.map(({ team }) => ({ id: team.id, title: team.title }))
  }
}

/** Loads a member with the highest role on a site that was granted to them or to one of their teams; null for none. */
export const loadSiteAccess = async (
  site: Extract<Shareable, { kind: "site" }>,
  userId: string,
  signal: AbortSignal
): Promise<{ readonly person: AccessPerson; readonly granted: Role | null }> => {
  const [person, users, teams] = await Promise.all([
    loadPerson(site.organization, userId, signal),
    listUsers(site, signal),
    listTeams(site, signal)
  ])
  const own = new Set(person.teams.map(({ id }) => id))
  const granted = [
    ...users.flatMap(({ user, permission }) => (user.id === userId ? [permission] : [])),
    ...teams.flatMap(({ team, permission }) => (own.has(team.id) ? [permission] : []))
  ]
  return { person, granted: roles.findLast((role) => granted.includes(role)) ?? null }
}
