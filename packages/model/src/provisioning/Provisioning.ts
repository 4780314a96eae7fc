/** Provisioning: the members and the teams of an organization as an identity provider manages them. */
import * as Schema from "effect/Schema"
import type { TeamId } from "../organizations/Team.ts"
import { resource } from "../schema/resource.ts"
import { text, trimmed } from "../schema/Text.ts"
import { Email, UserId } from "../users/User.ts"

/** The path that the endpoints of SCIM are below. */
export const scimPath = "/scim/v2"

/** The maximum number of members of a team in one request. */
export const maximumProvisionedMembers = 10_000

/** The maximum number of values of a lookup. */
const maximumValues = 100

/** The maximum number of users or teams of one query. */
export const maximumProvisioned = 500

const ExternalId = Schema.NullOr(text({ min: 1, max: 300 }))

const UserName = trimmed({ min: 1, max: 320 })

const Name = Schema.optionalKey(text({ max: 200 }))

/** The names of a member at the identity provider. They are stored with the membership, and not in the account. */
const UserProfileSchema = Schema.Struct({
  /** The name that is displayed, at most 200 characters. */
  displayName: Name,
  /** The full name, at most 200 characters. */
  formatted: Name,
  /** The family name, at most 200 characters. */
  familyName: Name,
  /** The given name, at most 200 characters. */
  givenName: Name
})

/** The names of a member at the identity provider. */
export interface UserProfile extends Schema.Schema.Type<typeof UserProfileSchema> {}

const userFields = {
  /** The name that identifies the user at the identity provider, 1 to 320 characters. It is unique in the organization. */
  userName: UserName,
  /** The id that the identity provider has for the user, at most 300 characters; null for none. */
  externalId: ExternalId,
  /** The names of the user. */
  profile: UserProfileSchema,
  /** Whether the membership is enabled. */
  active: Schema.Boolean
}

/** The version that a resource must have, as in its `version`. */
const expected = Schema.optionalKey(text({ max: 100 }))

/** A user to add to an organization. */
export class NewProvisionedUser extends resource<NewProvisionedUser>()(
  Schema.Struct({
    ...userFields,
    /** The e-mail address of the account, which is created if it does not exist. */
    email: Email
  })
) {}

/** The new state of a member. */
export class UpdateProvisionedUser extends resource<UpdateProvisionedUser>()(
  Schema.Struct({ ...userFields, expected })
) {}

/** The conditions of a removal. */
export class RemoveProvisioned extends resource<RemoveProvisioned>()(Schema.Struct({ expected })) {}

const values = Schema.Array(Schema.String).check(
  Schema.isMaxLength(maximumValues, { message: `must be at most ${maximumValues} values` })
)

/** The part of a list to return, in the order in which its entries were created. */
const part = {
  /** The number of entries to skip. */
  offset: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))),
  /** Only entries after this position. */
  after: Schema.optionalKey(text({ max: 100 })),
  /** The maximum number of entries. */
  limit: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: maximumProvisioned }))
}

/** The members to find. */
export class FindProvisionedUsers extends resource<FindProvisionedUsers>()(
  Schema.Struct({
    ...part,
    /** Only members with one of these ids, names, e-mail addresses or external ids. */
    lookup: Schema.optionalKey(Schema.Struct({ ids: values, names: values, externalIds: values }))
  })
) {}

/** A member of an organization, as an identity provider manages it. */
export interface ProvisionedUser {
  /** The type of the resource. */
  readonly object: "user"
  /** The id of the account. */
  readonly id: UserId
  /** The position in lists. */
  readonly position: string
  /** The name at the identity provider; by default, the e-mail address. */
  readonly userName: string
  /** The id at the identity provider; null for none. */
  readonly externalId: string | null
  /** The e-mail address of the account. */
  readonly email: string
  /** The names at the identity provider; by default, that of the account. */
  readonly profile: UserProfile
  /** Whether the membership is enabled. */
  readonly active: boolean
  /** When the user became a member. */
  readonly createdAt: string
  /** When the identity provider last changed the member. */
  readonly updatedAt: string
  /** Changes with the member. */
  readonly version: string
}

/** A part of the members that match. */
export interface ProvisionedUserList {
  /** The number of members that match. */
  readonly total: number
  /** The members of this part. */
  readonly users: ReadonlyArray<ProvisionedUser>
}

const members = Schema.Array(UserId).check(
  Schema.isMaxLength(maximumProvisionedMembers, {
    message: `must be at most ${maximumProvisionedMembers} members`
  })
)

const title = trimmed({ min: 1, max: 64 })

/** A team to create. */
export class NewProvisionedTeam extends resource<NewProvisionedTeam>()(
  Schema.Struct({
    /** The title, 1 to 64 characters. */
    title,
    /** The id that the identity provider has for the group, at most 300 characters; null for none. */
    externalId: ExternalId,
    /** The users in the team, who are members of the organization. */
    members
  })
) {}

/** The changes of a team. */
export class UpdateProvisionedTeam extends resource<UpdateProvisionedTeam>()(
  Schema.Struct({
    title,
    externalId: ExternalId,
    /** The users to add, who are members of the organization. */
    add: members,
    /** The users to remove. */
    remove: members,
    expected
  })
) {}

/** The teams to find. */
export class FindProvisionedTeams extends resource<FindProvisionedTeams>()(
  Schema.Struct({
    ...part,
    /** Only teams with one of these ids, titles, external ids or members. */
    lookup: Schema.optionalKey(
      Schema.Struct({ ids: values, titles: values, externalIds: values, members: values })
    ),
    /** Whether to return the members. */
    withMembers: Schema.Boolean
  })
) {}

/** A team, as an identity provider manages it. */
export interface ProvisionedTeam {
  /** The type of the resource. */
  readonly object: "team"
  /** The id of the team. */
  readonly id: TeamId
  /** The position in lists. */
  readonly position: string
  /** The title of the team. */
  readonly title: string
  /** The id at the identity provider; null for none. */
  readonly externalId: string | null
  /** When the team was created. */
  readonly createdAt: string
  /** When the identity provider last changed the team. */
  readonly updatedAt: string
  /** The ids of the members. Absent if they were not requested. */
  readonly members?: ReadonlyArray<UserId>
  /** Changes with the team and its members. Absent without members. */
  readonly version?: string
}

/** A part of the teams that match. */
export interface ProvisionedTeamList {
  /** The number of teams that match. */
  readonly total: number
  /** The teams of this part. */
  readonly teams: ReadonlyArray<ProvisionedTeam>
}
