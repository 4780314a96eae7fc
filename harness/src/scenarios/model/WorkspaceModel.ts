/**
 * The model of a workspace: a tree of items with lists of children, members with roles, and a clock. It stores nothing
 * that can be derived, and walks the tree for every query. Scenarios compare the product with it, step by step.
 */
import type { DefaultLevel, Role, RoleOrGuest } from "@lectern/core"
import type { Integration } from "./IntegrationModel.ts"
import { type Site, unlink } from "./SiteModel.ts"
import type { Writing } from "./SpaceState.ts"
import { readSpecs, type Spec } from "./SpecModel.ts"

/** How an operation is refused: the tag of its error. */
export type Refusal = "NotFound" | "Forbidden" | "InvalidInput" | "Conflict" | "Gone" | "PreconditionFailed"

/** A collection or a space. */
export interface Item {
  readonly kind: "collection" | "space"
  readonly id: string
  organization: string
  parent: string | null
  title: string
  level: DefaultLevel
  editMode: "live" | "locked"
  deletedAt: number | undefined
}

/** A pointer to a sibling, as moves take it. */
export type Pointer =
  | { readonly type: "space"; readonly space: string }
  | { readonly type: "collection"; readonly collection: string }

/** A move, as the operations take it. */
export interface Move {
  readonly parent?: string | null
  readonly position?: { readonly before?: Pointer; readonly after?: Pointer }
}

const rolesAscending: ReadonlyArray<RoleOrGuest> = [
  null,
  "read",
  "comment",
  "edit",
  "review",
  "create",
  "admin"
]
export const atLeast = (role: RoleOrGuest, needed: Role): boolean =>
  rolesAscending.indexOf(role) >= rolesAscending.indexOf(needed)
const retentionMillis = 7 * 24 * 60 * 60 * 1000
const maximumDepth = 8

/** The workspace. Its `try…` methods return the refusal that an operation must end with; other methods change it. */
export class WorkspaceModel {
  now: number
  readonly items = new Map<string, Item>()
  /** What is in a container, in order, including spaces in the trash: by collection, or by organization for its root. */
  readonly children = new Map<string, Array<string>>()
  readonly members = new Map<string, Map<string, RoleOrGuest>>()
  readonly teams = new Map<
    string,
    { readonly organization: string; readonly users: Map<string, "owner" | "member"> }
  >()
  grants: ReadonlyArray<{
    readonly target: string
    readonly user?: string
    readonly team?: string
    readonly role: Role
  }> = []
  /** Invite links, by their ids. */
  readonly invites = new Map<string, { readonly organization: string; role: RoleOrGuest }>()
  /** The organizations that take nobody by invite links. */
  readonly closedToLinks = new Set<string>()
  readonly sites = new Map<string, Site>()
  readonly translations = new Map<string, { readonly organization: string; title: string }>()
  readonly specs = new Map<string, Spec>()
  /** By their names. */
  readonly integrations = new Map<string, Integration>()
  /** What is written in spaces, and said of it, by space. */
  readonly writings = new Map<string, Writing>()

  constructor(now: number) {
    this.now = now
  }

  roleIn(user: string, organization: string): RoleOrGuest | undefined {
    return this.members.get(organization)?.get(user)
  }

  /** How an action in an organization ends that needs a role in it; null where being a member is enough. */
  tryIn(user: string, organization: string, needed: RoleOrGuest): Refusal | undefined {
    const role = this.roleIn(user, organization)
    if (role === undefined) return "NotFound"
    return needed === null || atLeast(role, needed) ? undefined : "Forbidden"
  }

  /** Whether somebody is the only administrator of an organization. */
  isLastAdministrator(user: string, organization: string): boolean {
    const roles = this.members.get(organization)!
    return roles.get(user) === "admin" && [...roles.values()].filter((role) => role === "admin").length === 1
  }

  /** Makes somebody a member by an invite, or raises the role that they have. */
  join(user: string, organization: string, role: RoleOrGuest): void {
    const before = this.roleIn(user, organization)
    const gains = before === undefined || (role !== null && !atLeast(before, role))
    if (gains) this.members.get(organization)!.set(user, role)
  }

  /** Takes somebody's membership, with their places in teams and what was shared with them. */
  dismiss(user: string, organization: string): void {
    this.members.get(organization)!.delete(user)
    for (const team of this.teams.values()) {
      if (team.organization === organization) team.users.delete(user)
    }
    this.grants = this.grants.filter(
      (grant) => grant.user !== user || this.items.get(grant.target)?.organization !== organization
    )
  }

  /** The items above one, nearest first. */
  above(item: Item): ReadonlyArray<Item> {
    const parent = item.parent === null ? undefined : this.items.get(item.parent)
    return parent === undefined ? [] : [parent, ...this.above(parent)]
  }

  roleOn(user: string, item: Item): RoleOrGuest {
    const member = this.roleIn(user, item.organization)
    if (member === undefined) return null
    if (member === "admin") return "admin"
    const line = [item, ...this.above(item)]
    const set = line.find(({ level }) => level !== "inherit")
    const level = set === undefined ? member : (set.level as RoleOrGuest)
    const granted = this.grants
      .filter(({ target }) => line.some(({ id }) => id === target))
      .filter(
        (grant) =>
          grant.user === user || (grant.team !== undefined && this.teams.get(grant.team)!.users.has(user))
      )
      .map(({ role }) => role)
    return [member === null ? null : level, ...granted].reduce<RoleOrGuest>(
      (best, role) => (rolesAscending.indexOf(role) > rolesAscending.indexOf(best) ? role : best),
      null
    )
  }

  isExpired(item: Item): boolean {
    return item.deletedAt !== undefined && this.now >= item.deletedAt + retentionMillis
  }

  /** How getting at an item for an action ends: `view` is to see the item itself, `read` to see its content. */
  tryReach(
    user: string,
    item: Item | undefined,
    needed: Role,
    action: "view" | "read" | "restore" | "change"
  ): Refusal | undefined {
    if (item === undefined) return "NotFound"
    const role = this.roleOn(user, item)
    if (item.deletedAt === undefined) {
      return atLeast(role, needed) ? undefined : atLeast(role, "read") ? "Forbidden" : "NotFound"
    }
    if (!atLeast(role, "admin") || action === "read") return "NotFound"
    if (this.isExpired(item)) return action === "restore" ? "Gone" : "NotFound"
    return action === "change" ? "Conflict" : undefined
  }

  /** How putting something into a container ends. */
  tryOpen(user: string, organization: string, parent: string | null): Refusal | undefined {
    if (parent === null) {
      const role = this.roleIn(user, organization)
      return role === undefined ? "NotFound" : atLeast(role, "create") ? undefined : "Forbidden"
    }
    const folder = this.items.get(parent)
    const refusal = this.tryReach(
      user,
      folder?.kind === "collection" ? folder : undefined,
      "create",
      "change"
    )
    return refusal ?? (folder!.organization === organization ? undefined : "NotFound")
  }

  /** The depth of what is put into a container: 1 at the root. */
  depthIn(parent: string | null): number {
    const folder = parent === null ? undefined : this.items.get(parent)
    return folder === undefined ? 1 : this.above(folder).length + 2
  }

  heightOf(item: Item): number {
    const inside = this.inside(item).filter(({ kind }) => kind === "collection")
    return 1 + Math.max(0, ...inside.map((child) => this.heightOf(child)))
  }

  inside(item: Item): ReadonlyArray<Item> {
    return (this.children.get(item.id) ?? []).map((id) => this.items.get(id)!)
  }

  /** All that is in a collection, at any depth, as one meets it going through it in order. */
  everythingIn(item: Item): ReadonlyArray<Item> {
    return this.inside(item).flatMap((child) => [child, ...this.everythingIn(child)])
  }

  siblings(organization: string, parent: string | null): Array<string> {
    const key = parent ?? organization
    const list = this.children.get(key) ?? []
    this.children.set(key, list)
    return list
  }

  /** Where a move puts an item, or how it ends. */
  tryMove(
    user: string,
    item: Item,
    move: Move
  ): Refusal | { readonly parent: string | null; readonly index: number } {
    const parent = move.parent === undefined ? item.parent : move.parent
    if (parent !== item.parent) {
      const refusal = this.tryOpen(user, item.organization, parent)
      if (refusal !== undefined) return refusal
    }
    if (item.kind === "collection") {
      const target = parent === null ? undefined : this.items.get(parent)
      const line = target === undefined ? [] : [target, ...this.above(target)]
      if (line.includes(item)) return "InvalidInput"
      if (this.depthIn(parent) + this.heightOf(item) - 1 > maximumDepth) return "InvalidInput"
    }
    const list = this.siblings(item.organization, parent).filter((id) => id !== item.id)
    const place = (pointer: Pointer): number => {
      const sibling = this.items.get(pointer.type === "space" ? pointer.space : pointer.collection)
      const stands =
        sibling !== undefined &&
        sibling.kind === pointer.type &&
        sibling.deletedAt === undefined &&
        atLeast(this.roleOn(user, sibling), "read")
      return stands ? list.indexOf(sibling.id) : -1
    }
    const { before, after } = move.position ?? {}
    const indexBefore = before === undefined ? undefined : place(before)
    const indexAfter = after === undefined ? undefined : place(after)
    if (indexBefore === -1 || indexAfter === -1) return "InvalidInput"
    if (indexAfter !== undefined) {
      if (indexBefore !== undefined && indexBefore <= indexAfter) return "InvalidInput"
      return { parent, index: indexAfter + 1 }
    }
    return { parent, index: indexBefore ?? list.length }
  }

  /** Takes an item out of where it is and puts it somewhere else. */
  place(item: Item, organization: string, parent: string | null, index: number): void {
    const from = this.siblings(item.organization, item.parent)
    if (from.includes(item.id)) from.splice(from.indexOf(item.id), 1)
    item.organization = organization
    item.parent = parent
    this.siblings(organization, parent).splice(index, 0, item.id)
  }

  add(item: Item, index?: number): void {
    this.items.set(item.id, item)
    const list = this.siblings(item.organization, item.parent)
    list.splice(index ?? list.length, 0, item.id)
  }

  drop(item: Item): void {
    const list = this.siblings(item.organization, item.parent)
    if (list.includes(item.id)) list.splice(list.indexOf(item.id), 1)
    this.children.delete(item.id)
    this.items.delete(item.id)
    this.writings.delete(item.id)
    this.grants = this.grants.filter(({ target }) => target !== item.id)
  }

  /** Moves a space to the trash, and removes it from sites. */
  moveToTrash(space: Item): void {
    space.deletedAt = this.now
    unlink(this.sites.values(), new Set([space.id]))
  }

  /** Hands an item with all that is in it to another organization: what it was shared by there goes. */
  handOver(item: Item, organization: string): void {
    const all = [item, ...this.everythingIn(item)]
    this.place(item, organization, null, this.siblings(organization, null).length)
    for (const one of all) one.organization = organization
    const gone = new Set(all.map(({ id }) => id))
    this.grants = this.grants.filter(({ target }) => !gone.has(target))
    unlink(this.sites.values(), gone)
  }

  /** Applies the effects of the background jobs. */
  workIsDone(): void {
    for (const writing of this.writings.values()) writing.isFound = true
    readSpecs(this.specs.values())
  }

  /** The items of a kind that a user finds in an organization's lists. */
  listed(user: string, organization: string, kind: Item["kind"]): ReadonlyArray<Item> {
    return [...this.items.values()].filter(
      (item) =>
        item.organization === organization &&
        item.kind === kind &&
        item.deletedAt === undefined &&
        atLeast(this.roleOn(user, item), "read")
    )
  }
}

/** All spaces, including those in the trash. */
export const spacesOf = (model: WorkspaceModel): ReadonlyArray<Item> =>
  [...model.items.values()].filter(({ kind }) => kind === "space")
