/** Actions of features of hosts, each permitted by a role like the actions of the policy. */
import {
  type CollectionAction,
  collectionActions,
  type OrganizationAction,
  organizationActions,
  type SiteAction,
  type SpaceAction,
  siteActions,
  spaceActions
} from "./Policy.ts"
import { isAtLeast, type RoleOrGuest } from "./Role.ts"

/** For each kind of resource, the roles that an action of a feature can require, with an action of the policy that requires the same role. */
const equivalents = {
  organization: { guest: "view", read: "listMembers", create: "create", admin: "administrate" },
  collection: { read: "list", create: "create", admin: "configure" },
  space: {
    read: "read",
    comment: "comment",
    edit: "edit",
    review: "review",
    create: "rename",
    admin: "configure"
  },
  site: { read: "view", create: "edit", admin: "configure" }
} as const satisfies {
  readonly organization: Readonly<Record<string, OrganizationAction>>
  readonly collection: Readonly<Record<string, CollectionAction>>
  readonly space: Readonly<Record<string, SpaceAction>>
  readonly site: Readonly<Record<string, SiteAction>>
}

const rolesOfActions = {
  organization: organizationActions,
  collection: collectionActions,
  space: spaceActions,
  site: siteActions
} as const satisfies Readonly<Record<keyof typeof equivalents, Readonly<Record<string, RoleOrGuest>>>>

/** A kind of resource that features declare actions on. */
export type ActionNoun = keyof typeof equivalents

/** The roles that an action on this kind of resource can require. `guest` admits every member of the organization. */
export type ActionRole<Noun extends ActionNoun> = keyof (typeof equivalents)[Noun] & string

/** An action of a feature on a kind of resource. */
export interface FeatureAction<out Noun extends ActionNoun> {
  /** The kind of resource. */
  readonly noun: Noun
  /** The permission that a limited API token requires, as in `space.labels.add`. */
  readonly permission: string
  /** The action of the policy that requires the same role on the same kind of resource. */
  readonly equivalent: string
  /** The role that permits the action; null if every member of the organization is permitted. */
  readonly role: RoleOrGuest
}

/** The role of each action, by the kind of resource. */
export type ActionRoles = { readonly [Noun in ActionNoun]?: Readonly<Record<string, ActionRole<Noun>>> }

/** The actions of a feature, by the kind of resource and by their names. */
export type FeatureActions<Roles extends ActionRoles> = {
  readonly [Noun in keyof Roles & ActionNoun]: {
    readonly [Name in keyof Roles[Noun]]: FeatureAction<Noun>
  }
}

const validName = /^[a-zA-Z][a-zA-Z0-9]*$/

/** Returns the name of a feature, an action or an error. Throws a `TypeError` unless it can be a part of a permission or a reason. */
export const requireFeatureName = (name: string): string => {
  if (!validName.test(name)) {
    throw new TypeError(`The name "${name}" must start with a letter, and have letters and digits only.`)
  }
  return name
}

/**
 * Declares the actions of a feature, with the lowest role that permits each. `allow.action` authorizes operations by them, and a
 * limited API token needs their permissions. Throws a `TypeError` if a name has other characters than letters and digits.
 *
 * @example
 * const labelActions = defineActions("labels", { space: { list: "read", add: "edit", remove: "review" } })
 * labelActions.space.add.permission // "space.labels.add"
 */
export const defineActions = <const Roles extends ActionRoles>(
  feature: string,
  roles: Roles
): FeatureActions<Roles> =>
  Object.fromEntries(
    Object.entries(roles).map(([noun, actions]) => [
      noun,
      Object.fromEntries(
        Object.entries(actions).map(([name, role]) => {
          const equivalent: string = Reflect.get(equivalents[noun as ActionNoun], role)
          return [
            requireFeatureName(name),
            {
              noun,
              permission: `${noun}.${requireFeatureName(feature)}.${name}`,
              equivalent,
              role: Reflect.get(rolesOfActions[noun as ActionNoun], equivalent)
            }
          ]
        })
      )
    ])
  ) as FeatureActions<Roles>

/**
 * Returns which of a feature's actions a role permits, for the `permissions` of its resources.
 *
 * @example
 * { ...label, permissions: featurePermissions(labelActions.space, role) }
 */
export const featurePermissions = <Name extends string>(
  actions: Readonly<Record<Name, FeatureAction<ActionNoun>>>,
  role: RoleOrGuest
): { readonly [K in Name]: boolean } =>
  Object.fromEntries(
    Object.entries<FeatureAction<ActionNoun>>(actions).map(([name, { role: needed }]) => [
      name,
      needed === null || isAtLeast(role, needed)
    ])
  ) as { readonly [K in Name]: boolean }
