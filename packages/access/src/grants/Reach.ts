/** The rows of protected tables that a grant reaches, by organization and by user. */

import type { Scope, Table, Where } from "@lectern/kernel"
import type { OrganizationId } from "@lectern/model/organizations"
import type { UserId } from "@lectern/model/users"
import type { Identity } from "../CurrentUser.ts"
import { canActIn, whereCanActIn } from "../limits/identityLimits.ts"

/**
 * The rows of organizations, and the rows of a user: their own rows, and the rows of organizations that they are a
 * member of. Undefined for every row. Tables without a column for the organization are not limited.
 */
export type Reach =
  | { readonly organizations: ReadonlyArray<OrganizationId>; readonly user: Identity | undefined }
  | undefined

/** Returns the condition that a column names an organization that the user is a member of. */
export type InMemberships = (column: string, user: UserId) => Where.AnyWhere

/** Returns the reach of the rows that either reach includes. */
export const joinReaches = (one: Reach, other: Reach): Reach =>
  one === undefined || other === undefined
    ? undefined
    : {
        organizations: [...new Set([...one.organizations, ...other.organizations])],
        user: one.user ?? other.user
      }

/** Returns the conditions for the rows of organizations. */
const ofOrganizations = (
  column: string,
  organizations: ReadonlyArray<OrganizationId>
): ReadonlyArray<Where.AnyWhere> =>
  organizations.length === 0
    ? []
    : organizations.length === 1
      ? [{ op: "eq", column, value: organizations[0]! }]
      : [{ op: "in", column, values: organizations }]

/** Returns the condition for the rows of a user, within the organizations that the identity can act in. */
const ofUser = (
  { tenant, owner }: Table.RequiresGrant & { readonly tenant: string },
  user: Identity,
  inMemberships: InMemberships
): Where.AnyWhere => {
  const condition: Where.AnyWhere =
    owner === null ? inMemberships(tenant, user.id) : { op: "eq", column: owner, value: user.id }
  const limit = whereCanActIn<Readonly<Record<string, string>>, string>(user, tenant) as Where.AnyWhere
  return limit.op === "all" ? condition : { op: "and", conditions: [condition, limit] }
}

/** Whether a row can have these values of the columns that protect its table. */
const admits = (
  { organizations, user }: NonNullable<Reach>,
  organization: unknown,
  owner: unknown
): boolean =>
  organization === undefined ||
  organizations.includes(organization as OrganizationId) ||
  (user !== undefined && owner === user.id && canActIn(user, organization as OrganizationId))

/** Converts a reach to a scope, which the kernel applies to queries and writes. */
export const scopeOf = (reach: Reach, inMemberships: InMemberships): Scope | undefined => {
  if (reach === undefined) return undefined
  const { organizations, user } = reach
  return {
    conditionOn: ({ protection }) => {
      if (protection === undefined || protection.tenant === null) return undefined
      const { tenant, owner } = protection
      const conditions = [
        ...ofOrganizations(tenant, organizations),
        ...(user === undefined ? [] : [ofUser({ tenant, owner }, user, inMemberships)])
      ]
      return conditions.length === 1 ? conditions[0]! : { op: "or", conditions }
    },
    admits: ({ protection }, values) => {
      if (protection === undefined || protection.tenant === null) return true
      return admits(
        reach,
        Reflect.get(values, protection.tenant),
        protection.owner === null ? undefined : Reflect.get(values, protection.owner)
      )
    }
  }
}
