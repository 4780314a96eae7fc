/**
 * Authorization of spaces and collections, for every role, source of the role and action: the operations, the
 * `permissions` of the resource and the policy agree.
 */
import { type DefaultLevel, Policy, type Role, type RoleOrGuest, roles } from "@lectern/core"
import { MemoryStorage } from "@lectern/testkit"
import { makeCoreApi, type Outcome } from "@lectern/testkit/model"
import { describe, expect, it } from "vitest"

/** The sources of a role on content: the role in the organization, the default level, and a grant. */
interface Placement {
  readonly name: string
  readonly member: RoleOrGuest | "outsider"
  readonly level: DefaultLevel
  readonly grant?: { readonly to: "user" | "team"; readonly on: "itself" | "parent" | "above" }
}

const placements = (role: Role): ReadonlyArray<Placement> => [
  { name: "role in the organization", member: role, level: "inherit" },
  // A default level that is lower than the role in the organization lowers it, but `admin` is the highest role.
  ...(role === "admin"
    ? []
    : [{ name: "default level, as a member with the role create", member: "create" as const, level: role }]),
  { name: "default level, as a member with the role read", member: "read", level: role },
  ...(["user", "team"] as const).flatMap((to) =>
    (["itself", "parent", "above"] as const).flatMap((on) => [
      {
        name: `grant to the ${to} on ${on}, as a guest`,
        member: null,
        level: "inherit" as const,
        grant: { to, on }
      },
      {
        name: `grant to the ${to} on ${on}, with the default level null`,
        member: "read" as const,
        level: null,
        grant: { to, on }
      }
    ])
  )
]

const placementsWithoutAccess: ReadonlyArray<Placement> = [
  { name: "guest without a grant", member: null, level: "inherit" },
  { name: "guest without a grant, where the default level is admin", member: null, level: "admin" },
  { name: "member without a grant, where the default level is null", member: "create", level: null },
  { name: "outsider", member: "outsider", level: "inherit" }
]

/** Creates a caller with the role, and returns the outcome of each action on a space and on a collection. */
const performActions = async (placement: Placement, role: Role | null) => {
  const api = makeCoreApi(MemoryStorage.layer())
  try {
    const owner = await api.createUser("owner@example.com")
    const caller = await api.createUser("caller@example.com")
    const organization = await api.createOrganization("Acme", owner)
    const other = await api.createOrganization("Other", caller)
    if (placement.member !== "outsider") await api.setMember(organization, caller, placement.member)
    const team = await api.createTeam(organization, placement.member === "outsider" ? [] : [caller])

    /** Creates separate content for each action, two collections deep, because actions change it. */
    const createContent = async (kind: "space" | "collection") => {
      const create = async (what: "space" | "collection", parent?: string) => {
        const outcome = await api.call(owner, [
          `${what}s`,
          "create",
          [organization, parent === undefined ? {} : { parent }]
        ])
        return (outcome as { value: { id: string } }).value.id
      }
      const above = await create("collection")
      const parent = await create("collection", above)
      const itself = await create(kind, parent)
      await api.call(owner, [`${kind}s`, "update", [itself, { defaultLevel: placement.level }]])
      if (placement.grant !== undefined && role !== null) {
        const { to, on } = placement.grant
        const target = { itself, parent, above }[on]
        await api.grant({
          organization,
          kind: on === "itself" ? kind : "collection",
          target,
          role,
          ...(to === "user" ? { user: caller } : { team })
        })
      }
      return itself
    }

    const outcomes: Record<string, Outcome> = {}
    const attempt = async (
      kind: "space" | "collection",
      action: string,
      method: string,
      ...args: ReadonlyArray<unknown>
    ) => {
      const id = await createContent(kind)
      if (action === "restore") await api.call(owner, ["spaces", "remove", [id]])
      outcomes[`${kind}.${action}`] = await api.call(caller, [`${kind}s`, method, [id, ...args]])
    }
    await attempt("space", "view", "get")
    await attempt("space", "rename", "update", { title: "New" })
    await attempt("space", "move", "move", {})
    await attempt("space", "configure", "update", { editMode: "locked" })
    await attempt("space", "remove", "remove")
    await attempt("space", "restore", "restore")
    await attempt("space", "transfer", "transfer", { organization: other })
    await attempt("collection", "view", "get")
    await attempt("collection", "list", "listSpaces")
    await attempt("collection", "rename", "update", { title: "New" })
    await attempt("collection", "move", "move", {})
    await attempt("collection", "configure", "update", { defaultLevel: "read" })
    await attempt("collection", "remove", "remove")
    await attempt("collection", "transfer", "transfer", { organization: other })
    return outcomes
  } finally {
    await api.close()
  }
}

const needed: Record<string, Role> = Object.fromEntries([
  ...Object.entries(Policy.spaceActions).map(([action, role]) => [`space.${action}`, role]),
  ...Object.entries(Policy.collectionActions).map(([action, role]) => [`collection.${action}`, role])
])

describe("the actions that a role allows", () => {
  for (const role of roles) {
    for (const placement of placements(role)) {
      it(`${role}, by ${placement.name}`, async () => {
        const outcomes = await performActions(placement, role)
        for (const [action, outcome] of Object.entries(outcomes)) {
          const isAllowed = roles.indexOf(role) >= roles.indexOf(needed[action]!)
          // Only administrators can see content in the trash.
          const rejection = action === "space.restore" ? "NotFound" : "Forbidden"
          expect([action, outcome.ok ? "done" : outcome.error]).toEqual([
            action,
            isAllowed ? "done" : rejection
          ])
        }
        const space = outcomes["space.view"]
        const collection = outcomes["collection.view"]
        const memberRole = placement.member === "outsider" ? null : placement.member
        const resourceOf = (outcome: Outcome | undefined) =>
          (outcome?.ok === true ? outcome.value : {}) as { permissions?: unknown }
        expect(resourceOf(space).permissions).toEqual(Policy.spacePermissions(role, memberRole))
        expect(resourceOf(collection).permissions).toEqual(Policy.collectionPermissions(role))
      })
    }
  }
})

describe("content is indistinguishable from missing content for a caller without access", () => {
  for (const placement of placementsWithoutAccess) {
    it(placement.name, async () => {
      for (const [action, outcome] of Object.entries(await performActions(placement, null))) {
        expect([action, outcome.ok ? "done" : outcome.error]).toEqual([action, "NotFound"])
      }
    })
  }
})
