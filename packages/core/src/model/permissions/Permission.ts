/** Grants: content shared with one user or one team, beside what its default level gives to everybody. */
import { Schema } from "effect"
import { PageQuery } from "../../kernel/schema/Pagination.ts"
import { Table } from "../../kernel/storage/index.ts"
import { CollectionId } from "../collections/Collection.ts"
import { type OrganizationId, organizations } from "../organizations/Organization.ts"
import { Team, TeamId, teams } from "../organizations/Team.ts"
import { Role, RoleOrGuest } from "../roles/Role.ts"
import { SpaceId } from "../spaces/Space.ts"
import { User, UserId, users } from "../users/User.ts"

/** Names what is shared: a space, or a collection with all that is in it. */
export const SharedContent = Schema.Union([
  Schema.Struct({ space: SpaceId }),
  Schema.Struct({ collection: CollectionId })
])
export type SharedContent = typeof SharedContent.Type

/** What a user may do with content. */
export const UserPermission = Schema.Struct({ permission: Role, user: User }).annotate({
  identifier: "UserPermission"
})
export type UserPermission = typeof UserPermission.Type

/** What a team may do with content. */
export const TeamPermission = Schema.Struct({ permission: Role, team: Team }).annotate({
  identifier: "TeamPermission"
})
export type TeamPermission = typeof TeamPermission.Type

/** The most users, and the most teams, that content is shared with at once. */
const maximumShared = 100

const several = <S extends Schema.Top>(item: S) =>
  Schema.Array(item).check(
    Schema.isMinLength(1, { message: "must be one id at the least" }),
    Schema.isMaxLength(maximumShared, { message: `must be at most ${maximumShared} ids` })
  )

/** With whom content is shared, and the role that they get; null takes what they had. One of them at the least. */
export const Share = Schema.Struct({
  role: RoleOrGuest,
  users: Schema.optionalKey(several(UserId)),
  teams: Schema.optionalKey(several(TeamId))
})
  .check(
    Schema.makeFilter(({ users, teams }: { readonly users?: unknown; readonly teams?: unknown }) =>
      users === undefined && teams === undefined ? "must name users or teams" : undefined
    )
  )
  .annotate({ identifier: "Share" })

/** The role that somebody gets; null takes what they had. */
export const UpdatePermission = Schema.Struct({ role: RoleOrGuest }).annotate({
  identifier: "UpdatePermission"
})

/** What a list of all who see content asks for. */
export const ListPermissions = Schema.Struct({
  ...PageQuery.fields,
  /** Only those whose role on the content is this one. */
  role: Schema.optionalKey(Role)
})

/** Where grants are kept. Each is for a user or for a team, on a space or on a collection with all that is in it. */
export const grants = Table.make("grants", {
  columns: {
    id: Table.text(),
    organization: Table.text<OrganizationId>(),
    kind: Table.text<"space" | "collection">(),
    /** The id of the space or the collection. */
    target: Table.text(),
    user: Table.nullable(Table.text<UserId>()),
    team: Table.nullable(Table.text<TeamId>()),
    role: Table.text<Role>()
  },
  key: ["id"],
  unique: [
    ["target", "user"],
    ["target", "team"]
  ],
  references: {
    organization: { table: () => organizations, onRemove: "cascade" },
    user: { table: () => users, onRemove: "cascade" },
    team: { table: () => teams, onRemove: "cascade" }
  },
  indexes: [["organization", "user"], ["user"], ["team"], ["target", "id"]]
})
export type GrantRow = Table.Row<typeof grants>
