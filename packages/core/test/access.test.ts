/**
 * Every role, in every way that somebody can come by it, with every action: who is let through by the operations is
 * who the `permissions` of the resource say may do it, and both are what the policy says.
 */
import { type DefaultLevel, Policy, type Role, type RoleOrGuest, roles } from "@lectern/core"
import { makeCoreApi, type Outcome } from "@lectern/harness"
import { MemoryStorage } from "@lectern/testkit"
import { describe, expect, it } from "vitest"

/** How somebody comes by a role on content: their role in the organization, its level, and a grant. */
interface Placement {
  readonly name: string
  readonly member: RoleOrGuest | "outsider"
  readonly level: DefaultLevel
  readonly grant?: { readonly to: "user" | "team"; readonly on: "itself" | "parent" | "above" }
}

const placements = (role: Role): ReadonlyArray<Placement> => [
  { name: "role in the organization", member: role, level: "inherit" },
  // Whom the level does not reach is an administrator of the organization: they have every role anyway.
  ...(role === "admin"
    ? []
    : [{ name: "level under a higher role", member: "create" as const, level: role }]),
  { name: "level over a lower role", member: "read", level: role },
  ...(["user", "team"] as const).flatMap((to) =>
    (["itself", "parent", "above"] as const).flatMap((on) => [
      {
        name: `grant to the ${to} on ${on}, as a guest`,
        member: null,
        level: "inherit" as const,
        grant: { to, on }
      },
      {
        name: `grant to the ${to} on ${on}, closed to others`,
        member: "read" as const,
        level: null,
        grant: { to, on }
      }
    ])
  )
]

const hidden: ReadonlyArray<Placement> = [
  { name: "guest without a grant", member: null, level: "inherit" },
  { name: "guest, where everybody else may do everything", member: null, level: "admin" },
  { name: "member, where the content is closed", member: "create", level: null },
  { name: "outsider", member: "outsider", level: "inherit" }
]

/** Places somebody, and answers the outcome of each action on a space and on a collection of their own. */
const act = async (placement: Placement, role: Role | null) => {
  const api = makeCoreApi(MemoryStorage.layer())
  try {
    const owner = await api.createUser("owner@example.com")
    const caller = await api.createUser("caller@example.com")
    const organization = await api.createOrganization("Acme", owner)
    const other = await api.createOrganization("Other", caller)
    if (placement.member !== "outsider") await api.setMember(organization, caller, placement.member)
    const team = await api.createTeam(organization, placement.member === "outsider" ? [] : [caller])

    /** Content of its own for each action, two collections deep, so that none stands in the way of another. */
    const content = async (kind: "space" | "collection") => {
      const make = async (what: "space" | "collection", parent?: string) => {
        const outcome = await api.call(owner, [
          `${what}s`,
          "create",
          [organization, parent === undefined ? {} : { parent }]
        ])
        return (outcome as { value: { id: string } }).value.id
      }
      const above = await make("collection")
      const parent = await make("collection", above)
      const itself = await make(kind, parent)
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
      const id = await content(kind)
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

describe("what each role may do", () => {
  for (const role of roles) {
    for (const placement of placements(role)) {
      it(`${role}, by ${placement.name}`, async () => {
        const outcomes = await act(placement, role)
        for (const [action, outcome] of Object.entries(outcomes)) {
          const may = roles.indexOf(role) >= roles.indexOf(needed[action]!)
          // In the bin, content is hidden from all but its administrators.
          const refusal = action === "space.restore" ? "NotFound" : "Forbidden"
          expect([action, outcome.ok ? "done" : outcome.error]).toEqual([action, may ? "done" : refusal])
        }
        const space = outcomes["space.view"]
        const collection = outcomes["collection.view"]
        const shown = (outcome: Outcome | undefined) =>
          (outcome?.ok === true ? outcome.value : {}) as { permissions?: unknown }
        expect(shown(space).permissions).toEqual(Policy.spacePermissions(role))
        expect(shown(collection).permissions).toEqual(Policy.collectionPermissions(role))
      })
    }
  }
})

describe("who may not see content does not learn that it is there", () => {
  for (const placement of hidden) {
    it(placement.name, async () => {
      for (const [action, outcome] of Object.entries(await act(placement, null))) {
        expect([action, outcome.ok ? "done" : outcome.error]).toEqual([action, "NotFound"])
      }
    })
  }
})
