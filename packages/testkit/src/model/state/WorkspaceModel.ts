/**
 * The model of a workspace, the oracle of scenarios: a tree of items, members with roles, and a clock. It stores
 * nothing that can be derived, and walks the tree for every query, so that it is simple enough to be obviously correct.
 */
import type { DefaultLevel, Role, RoleOrGuest } from "@lectern/core"
import type { Integration } from "./IntegrationModel.ts"
import { endGitOperations, type GitState, type UploadState, type WebhookState } from "./OutsideModel.ts"
import type { InviteState, ProviderState, TokenState } from "./PeopleModel.ts"
import type { Rules } from "./ReviewModel.ts"
import { hideOnSites, removeFromSites, type Site } from "./SiteModel.ts"
import type { SpaceState } from "./SpaceState.ts"
import { processSpecs, type Spec } from "./SpecModel.ts"

/** The tag of an error with which an operation can fail. */
export type ErrorTag = "NotFound" | "Forbidden" | "InvalidInput" | "Conflict" | "Gone" | "PreconditionFailed"

/** A collection or a space. */
export interface Item {
  /** Whether it is a collection or a space. */
  readonly kind: "collection" | "space"
  /** The id. */
  readonly id: string
  /** The id of its organization. */
  organization: string
  /** The id of the collection that contains it; null at the root. */
  parent: string | null
  /** The title. */
  title: string
  /** The default level of members. */
  level: DefaultLevel
  /** Whether a space can be edited without a change request. */
  editMode: "live" | "locked"
  /** When a space was moved to the trash, in milliseconds since 1970; undefined outside of the trash. */
  deletedAt: number | undefined
}

/** A reference to a sibling in the position of a move. */
export type Pointer =
  | { readonly type: "space"; readonly space: string }
  | { readonly type: "collection"; readonly collection: string }

/** The input of a move, as the operations accept it. */
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
/** Whether a role is `needed` or higher. */
export const hasRole = (role: RoleOrGuest, needed: Role): boolean =>
  rolesAscending.indexOf(role) >= rolesAscending.indexOf(needed)
/** How long a space in the trash can be restored, in milliseconds. */
const retentionMs = 7 * 24 * 60 * 60 * 1000
/** The maximum nesting of collections. */
const maximumDepth = 8

const highestOf = (candidates: ReadonlyArray<RoleOrGuest>): RoleOrGuest =>
  candidates.reduce<RoleOrGuest>(
    (best, role) => (rolesAscending.indexOf(role) > rolesAscending.indexOf(best) ? role : best),
    null
  )

/**
 * The model of a workspace. Its `…Error` methods predict how an operation must end: they return the tag of the error,
 * or undefined for success.
 */
export class WorkspaceModel {
  /** The current time, in milliseconds since 1970. */
  now: number
  /** The collections and spaces by id. */
  readonly items = new Map<string, Item>()
  /**
   * The ids of the items of a collection, or of the root of an organization, in order, including spaces in the trash.
   */
  readonly childIds = new Map<string, Array<string>>()
  /** The roles of the members, by organization and user; null for a guest. */
  readonly members = new Map<string, Map<string, RoleOrGuest>>()
  /** The teams by id. */
  readonly teams = new Map<
    string,
    { readonly organization: string; readonly users: Map<string, "owner" | "member"> }
  >()
  /** The roles that were granted to users or teams on items and sites. */
  grants: ReadonlyArray<{
    readonly target: string
    readonly user?: string
    readonly team?: string
    readonly role: Role
  }> = []
  /** The invite links by id. */
  readonly invites = new Map<string, InviteState>()
  /** The OpenID Connect providers of organizations, by id, in the order of their creation. */
  readonly oidcProviders = new Map<string, ProviderState>()
  /** The SAML providers of organizations, by id, in the order of their creation. */
  readonly samlProviders = new Map<string, ProviderState>()
  /** The webhooks of organizations, by id, in the order of their creation. */
  readonly webhooks = new Map<string, WebhookState>()
  /** The Git synchronizations, by id of the space. */
  readonly gitSyncs = new Map<string, GitState>()
  /** The uploads by key. */
  readonly uploads = new Map<string, UploadState>()
  /** The API tokens that are not revoked, in the order of their creation. */
  readonly tokens = new Map<string, TokenState>()
  /** The organizations that do not accept members by invite links. */
  readonly closedToLinks = new Set<string>()
  /** The merge rules of organizations: none by default. */
  readonly mergeRules = new Map<string, Rules>()
  /** The sites by id. */
  readonly sites = new Map<string, Site>()
  /** The translation settings by id. */
  readonly translations = new Map<string, { readonly organization: string; title: string }>()
  /** The OpenAPI specs by id. */
  readonly specs = new Map<string, Spec>()
  /** The integrations by name. */
  readonly integrations = new Map<string, Integration>()
  /** The contents of the spaces, by id of the space. */
  readonly spaceStates = new Map<string, SpaceState>()

  /** How far the clock of the workspace can be from `now`, in milliseconds: 0 if the scenario sets the clock. */
  readonly toleranceMs: number

  constructor(now: number, toleranceMs = 0) {
    this.now = now
    this.toleranceMs = toleranceMs
  }

  /** Returns how a workspace must show a time: exactly, or as it shows it, if that is within the tolerance. */
  shownTime(time: number | undefined, shown: string | undefined): string | undefined {
    if (time === undefined) return undefined
    const isNear = shown !== undefined && Math.abs(Date.parse(shown) - time) <= this.toleranceMs
    return isNear ? shown : new Date(time).toISOString()
  }

  /** Returns the role of a user in an organization: null for a guest, undefined for a user who is not a member. */
  roleIn(user: string, organization: string): RoleOrGuest | undefined {
    return this.members.get(organization)?.get(user)
  }

  /** Predicts how an action in an organization ends. `needed` is the required role; null if any member may act. */
  membershipError(user: string, organization: string, needed: RoleOrGuest): ErrorTag | undefined {
    const role = this.roleIn(user, organization)
    if (role === undefined) return "NotFound"
    return needed === null || hasRole(role, needed) ? undefined : "Forbidden"
  }

  /** Whether a user is the only administrator of an organization. */
  isLastAdministrator(user: string, organization: string): boolean {
    const roles = this.members.get(organization)!
    return roles.get(user) === "admin" && [...roles.values()].filter((role) => role === "admin").length === 1
  }

  /** Adds a member by an invite. A role of an existing member is only raised. */
  addMember(user: string, organization: string, role: RoleOrGuest): void {
    const before = this.roleIn(user, organization)
    const gainsRole = before === undefined || (role !== null && !hasRole(before, role))
    if (gainsRole) this.members.get(organization)!.set(user, role)
  }

  /** Removes a member, with their memberships in teams and their grants. */
  removeMember(user: string, organization: string): void {
    this.members.get(organization)!.delete(user)
    for (const [id, token] of this.tokens) {
      if (token.user === user && token.organization === organization) this.tokens.delete(id)
    }
    for (const team of this.teams.values()) {
      if (team.organization === organization) team.users.delete(user)
    }
    this.grants = this.grants.filter(
      (grant) => grant.user !== user || this.organizationOf(grant.target) !== organization
    )
  }

  /** Removes a site, with the roles on it. */
  removeSite(id: string): void {
    this.sites.delete(id)
    this.grants = this.grants.filter(({ target }) => target !== id)
  }

  /** Returns the organization of an item or a site. */
  organizationOf(target: string): string | undefined {
    return (this.items.get(target) ?? this.sites.get(target))?.organization
  }

  /** Returns the roles that were granted to a user, or to their teams, on one of the targets. */
  grantedTo(user: string, targets: ReadonlySet<string>): ReadonlyArray<Role> {
    return this.grants
      .filter(({ target }) => targets.has(target))
      .filter(
        (grant) =>
          grant.user === user || (grant.team !== undefined && this.teams.get(grant.team)!.users.has(user))
      )
      .map(({ role }) => role)
  }

  /** Returns the role of a user on a site: the highest of that in the organization and of the grants; null without access. */
  roleOnSite(user: string, { id, organization }: Pick<Site, "id" | "organization">): RoleOrGuest {
    const member = this.roleIn(user, organization)
    return member === undefined ? null : highestOf([member, ...this.grantedTo(user, new Set([id]))])
  }

  /** Returns the ancestors of an item, nearest first. */
  ancestorsOf(item: Item): ReadonlyArray<Item> {
    const parent = item.parent === null ? undefined : this.items.get(item.parent)
    return parent === undefined ? [] : [parent, ...this.ancestorsOf(parent)]
  }

  /** Returns the effective role of a user on an item; null without access. */
  roleOn(user: string, item: Item): RoleOrGuest {
    const member = this.roleIn(user, item.organization)
    if (member === undefined) return null
    if (member === "admin") return "admin"
    const path = [item, ...this.ancestorsOf(item)]
    const set = path.find(({ level }) => level !== "inherit")
    const level = set === undefined ? member : (set.level as RoleOrGuest)
    const granted = this.grantedTo(user, new Set(path.map(({ id }) => id)))
    return highestOf([member === null ? null : level, ...granted])
  }

  /** Whether a space has been in the trash for longer than the retention time. */
  isExpired(item: Item): boolean {
    return item.deletedAt !== undefined && this.now >= item.deletedAt + retentionMs
  }

  /** Predicts how access to an item ends. `view` is access to the item itself, `read` to its content. */
  accessError(
    user: string,
    item: Item | undefined,
    needed: Role,
    action: "view" | "read" | "restore" | "change"
  ): ErrorTag | undefined {
    if (item === undefined) return "NotFound"
    const role = this.roleOn(user, item)
    if (item.deletedAt === undefined) {
      return hasRole(role, needed) ? undefined : hasRole(role, "read") ? "Forbidden" : "NotFound"
    }
    if (!hasRole(role, "admin") || action === "read") return "NotFound"
    if (this.isExpired(item)) return action === "restore" ? "Gone" : "NotFound"
    return action === "change" ? "Conflict" : undefined
  }

  /** Predicts how the insertion of an item into a collection, or into the root of an organization, ends. */
  insertionError(user: string, organization: string, parent: string | null): ErrorTag | undefined {
    if (parent === null) {
      const role = this.roleIn(user, organization)
      return role === undefined ? "NotFound" : hasRole(role, "create") ? undefined : "Forbidden"
    }
    const folder = this.items.get(parent)
    const expectedError = this.accessError(
      user,
      folder?.kind === "collection" ? folder : undefined,
      "create",
      "change"
    )
    return expectedError ?? (folder!.organization === organization ? undefined : "NotFound")
  }

  /** Returns the depth of an item in a parent: 1 at the root. */
  depthIn(parent: string | null): number {
    const folder = parent === null ? undefined : this.items.get(parent)
    return folder === undefined ? 1 : this.ancestorsOf(folder).length + 2
  }

  /** Returns the number of levels of collections in a collection, including itself. */
  heightOf(item: Item): number {
    const inside = this.childrenOf(item).filter(({ kind }) => kind === "collection")
    return 1 + Math.max(0, ...inside.map((child) => this.heightOf(child)))
  }

  /** Returns the items directly in a collection, in order. */
  childrenOf(item: Item): ReadonlyArray<Item> {
    return (this.childIds.get(item.id) ?? []).map((id) => this.items.get(id)!)
  }

  /** Returns the items in a collection at any depth, in depth-first order. */
  descendantsOf(item: Item): ReadonlyArray<Item> {
    return this.childrenOf(item).flatMap((child) => [child, ...this.descendantsOf(child)])
  }

  /** Returns the mutable list of the ids in a parent. */
  childIdsOf(organization: string, parent: string | null): Array<string> {
    const key = parent ?? organization
    const list = this.childIds.get(key) ?? []
    this.childIds.set(key, list)
    return list
  }

  /** Resolves a move to the new parent and index, or returns the tag of the error with which it must fail. */
  resolveMove(
    user: string,
    item: Item,
    move: Move
  ): ErrorTag | { readonly parent: string | null; readonly index: number } {
    const parent = move.parent === undefined ? item.parent : move.parent
    if (parent !== item.parent) {
      const expectedError = this.insertionError(user, item.organization, parent)
      if (expectedError !== undefined) return expectedError
    }
    if (item.kind === "collection") {
      const target = parent === null ? undefined : this.items.get(parent)
      const path = target === undefined ? [] : [target, ...this.ancestorsOf(target)]
      if (path.includes(item)) return "InvalidInput"
      if (this.depthIn(parent) + this.heightOf(item) - 1 > maximumDepth) return "InvalidInput"
    }
    const list = this.childIdsOf(item.organization, parent).filter((id) => id !== item.id)
    const indexOfPointer = (pointer: Pointer): number => {
      const sibling = this.items.get(pointer.type === "space" ? pointer.space : pointer.collection)
      const isVisible =
        sibling !== undefined &&
        sibling.kind === pointer.type &&
        sibling.deletedAt === undefined &&
        hasRole(this.roleOn(user, sibling), "read")
      return isVisible ? list.indexOf(sibling.id) : -1
    }
    const { before, after } = move.position ?? {}
    const indexBefore = before === undefined ? undefined : indexOfPointer(before)
    const indexAfter = after === undefined ? undefined : indexOfPointer(after)
    if (indexBefore === -1 || indexAfter === -1) return "InvalidInput"
    if (indexAfter !== undefined) {
      if (indexBefore !== undefined && indexBefore <= indexAfter) return "InvalidInput"
      return { parent, index: indexAfter + 1 }
    }
    return { parent, index: indexBefore ?? list.length }
  }

  /** Moves an item to an index in a parent, possibly in another organization. */
  moveItem(item: Item, organization: string, parent: string | null, index: number): void {
    const from = this.childIdsOf(item.organization, item.parent)
    if (from.includes(item.id)) from.splice(from.indexOf(item.id), 1)
    item.organization = organization
    item.parent = parent
    this.childIdsOf(organization, parent).splice(index, 0, item.id)
  }

  /** Adds an item to its parent, at the end by default. */
  addItem(item: Item, index?: number): void {
    this.items.set(item.id, item)
    const list = this.childIdsOf(item.organization, item.parent)
    list.splice(index ?? list.length, 0, item.id)
  }

  /** Removes an item permanently. */
  purgeItem(item: Item): void {
    const list = this.childIdsOf(item.organization, item.parent)
    if (list.includes(item.id)) list.splice(list.indexOf(item.id), 1)
    this.childIds.delete(item.id)
    this.items.delete(item.id)
    this.spaceStates.delete(item.id)
    this.gitSyncs.delete(item.id)
    this.grants = this.grants.filter(({ target }) => target !== item.id)
  }

  /** Moves a space to the trash, and hides it on sites. */
  moveToTrash(space: Item): void {
    space.deletedAt = this.now
    hideOnSites(this.sites.values(), space.id)
  }

  /** Transfers an item and its descendants to another organization. Removes their grants, and their places on sites. */
  transferItem(item: Item, organization: string): void {
    const all = [item, ...this.descendantsOf(item)]
    this.moveItem(item, organization, null, this.childIdsOf(organization, null).length)
    for (const one of all) one.organization = organization
    const ids = new Set(all.map(({ id }) => id))
    this.grants = this.grants.filter(({ target }) => !ids.has(target))
    for (const id of ids) this.gitSyncs.delete(id)
    removeFromSites(this.sites.values(), ids)
  }

  /** Applies the effects of the background jobs. */
  applyJobs(): void {
    for (const state of this.spaceStates.values()) state.isIndexed = true
    processSpecs(this.specs.values())
    endGitOperations(this.gitSyncs.values())
  }

  /** Returns the items of a kind that the lists of an organization contain for a user. */
  visibleItems(user: string, organization: string, kind: Item["kind"]): ReadonlyArray<Item> {
    return [...this.items.values()].filter(
      (item) =>
        item.organization === organization &&
        item.kind === kind &&
        item.deletedAt === undefined &&
        hasRole(this.roleOn(user, item), "read")
    )
  }
}

/** Returns all spaces, including spaces in the trash. */
export const spacesOf = (model: WorkspaceModel): ReadonlyArray<Item> =>
  [...model.items.values()].filter(({ kind }) => kind === "space")
