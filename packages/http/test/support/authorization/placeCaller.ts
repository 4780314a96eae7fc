/** Builds a scene with a caller who has the role of a placement. */

import { buildScene, type CallAsOwner, type Scene } from "@lectern/harness/operations"
import { WorkspaceModel } from "@lectern/testkit/model"
import { type SceneServer, startScene } from "../startScene.ts"
import type { PlacedCaller } from "./expectedStatus.ts"
import { operationsOfScopes } from "./operationsOfScopes.ts"
import type { Placement } from "./placements.ts"

/** A scene, and the caller in it. */
export interface PlacedScene {
  readonly scene: Scene
  readonly caller: PlacedCaller
  /** Calls the API as the caller. */
  readonly fetch: (method: string, address: string, body?: string) => Promise<Response>
  readonly callAsOwner: CallAsOwner
  readonly rewind: () => void
}

/** Returns the role of the caller on an item, computed by the model of the harness from the items of the scene. */
const modelOf = (
  scene: Scene,
  caller: string,
  { member, level, grant, siteGrant }: Placement,
  isInTeam: boolean
) => {
  const { organizationId: organization, spaceId, collectionId, siteId } = scene.ids
  const model = new WorkspaceModel(0)
  const add = (kind: "space" | "collection", id: string, parent: string | null, own: Placement["level"]) =>
    model.addItem({
      kind,
      id,
      organization,
      parent,
      title: "",
      level: own,
      editMode: "live",
      deletedAt: undefined
    })
  add("collection", scene.above, null, "inherit")
  add("collection", scene.parent, scene.above, "inherit")
  add("collection", collectionId, scene.parent, level)
  add("space", spaceId, scene.parent, level)
  if (member !== "outsider") model.members.set(organization, new Map([[caller, member]]))
  const items = [spaceId, collectionId]
  const granted = grant?.on === "above" ? [scene.above] : items
  model.grants = [
    ...(grant === undefined ? [] : granted.map((target) => ({ target, role: grant.role, user: caller }))),
    // The scene grants the team the role `read` on the items and on the site.
    ...(siteGrant === undefined ? [] : [{ target: siteId, role: siteGrant.role, user: caller }]),
    ...(isInTeam && grant?.to !== "team"
      ? items.map((target) => ({ target, role: "read" as const, user: caller }))
      : []),
    ...(isInTeam && siteGrant?.to !== "team" ? [{ target: siteId, role: "read" as const, user: caller }] : [])
  ]
  const ids = { space: spaceId, collection: collectionId, parent: scene.parent }
  return (item: keyof typeof ids | "site") =>
    item === "site"
      ? model.roleOnSite(caller, { id: siteId, organization })
      : model.roleOn(caller, model.items.get(ids[item])!)
}

/** Creates a token of the installation of a scene, and selects no content of the scene, or all of it. */
const tokenOfInstallation = async (
  { call }: SceneServer,
  { ids }: Scene,
  limit: NonNullable<Placement["installation"]>
): Promise<string> => {
  const path = `/v1/integrations/${ids.integrationName}/installations/${ids.installationId}`
  if (limit === "of other content") {
    await call("PATCH", path, { space_selection: "selected", site_selection: "selected" })
    await call("DELETE", `${path}/spaces/${ids.spaceId}`)
    await call("DELETE", `${path}/sites/${ids.siteId}`)
  }
  return (await call<{ token: string }>("POST", `${path}/tokens`)).token
}

/** A server with a scene and a caller who has no role in it yet. */
interface Base {
  readonly host: SceneServer
  readonly scene: Scene
  readonly user: string
  readonly token: string
  readonly rewind: () => void
}

/** Builds the common scene of placements with the same publisher and the same scopes of the integration. */
const buildBase = async ({ isPublisher, installation }: Placement): Promise<Base> => {
  const host = await startScene()
  const { core } = host.server
  const user = await core.createUser("caller@example.com")
  const elsewhere = await core.createOrganization("Theirs", user)
  if (isPublisher) await core.setMember(elsewhere, host.owner.id, "admin")
  const scene = await buildScene(
    { ...host, elsewhere },
    {
      ...(isPublisher ? { publisher: elsewhere } : {}),
      ...(installation === undefined ? {} : { scopes: Object.keys(operationsOfScopes) })
    }
  )
  const token = await host.server.tokenOf(user)
  return { host, scene, user, token, rewind: host.save().rewind }
}

/** The scenes that were built, by the properties that distinguish them. */
const bases = new Map<string, Promise<Base>>()

const baseOf = (placement: Placement): Promise<Base> => {
  const key = `${placement.isPublisher === true} ${placement.installation !== undefined}`
  const base = bases.get(key) ?? buildBase(placement)
  bases.set(key, base)
  return base
}

/** Stops the servers of all scenes. */
export const closeScenes = async (): Promise<void> => {
  const built = await Promise.all(bases.values())
  bases.clear()
  await Promise.all(built.map(({ host }) => host.server.close()))
}

/**
 * Returns a scene with a user who has the role of a placement. It is shared with the placement that is placed next, which
 * starts from the same state.
 */
export const placeCaller = async (placement: Placement): Promise<PlacedScene> => {
  const { host, scene, user, token: ownToken, rewind } = await baseOf(placement)
  rewind()
  const { server, call, organization } = host
  const { core } = server
  const { member, level, grant, siteGrant, isPublisher, installation } = placement
  const token = installation === undefined ? ownToken : await tokenOfInstallation(host, scene, installation)
  const { teamId, spaceId, collectionId } = scene.ids

  if (member !== "outsider") await core.setMember(organization, user, member)
  const team = placement.team ?? ((grant ?? siteGrant)?.to === "team" ? "member" : undefined)
  if (team !== undefined) {
    await call("PUT", `/v1/orgs/${organization}/teams/${teamId}/members/${user}`, { role: team })
  }
  for (const item of [`spaces/${spaceId}`, `collections/${collectionId}`]) {
    await call("PATCH", `/v1/${item}`, { defaultLevel: level })
  }
  const targets = grant?.on === "above" ? [scene.above] : [spaceId, collectionId]
  for (const target of grant === undefined ? [] : targets) {
    const kind = target === spaceId ? ("space" as const) : ("collection" as const)
    const to = grant!.to === "user" ? { user } : { team: teamId }
    await core.grant({ organization, kind, target, role: grant!.role, ...to })
  }
  if (siteGrant !== undefined) {
    const to = siteGrant.to === "user" ? { user } : { team: teamId }
    await core.grant({ organization, kind: "site", target: scene.ids.siteId, role: siteGrant.role, ...to })
  }
  const saved = host.save()
  return {
    scene,
    caller: {
      member,
      team: team ?? "none",
      isPublisher: isPublisher === true,
      installation,
      roleOn: modelOf(scene, user, placement, team !== undefined)
    },
    fetch: (method, address, body) =>
      server.fetch(address, { method, token, ...(body === undefined ? {} : { body }) }),
    callAsOwner: call,
    rewind: saved.rewind
  }
}
