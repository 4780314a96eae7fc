/** Spaces as members of an organization see them. */
import { Schema } from "effect"
import { ListOrder, PageQuery } from "../../kernel/schema/Pagination.ts"
import { Role } from "../roles/Role.ts"
import { Space } from "./Space.ts"

/** A space that a member sees, with their role on it. */
export const MemberSpace = Schema.Struct({ permission: Role, space: Space }).annotate({
  identifier: "MemberSpace"
})
export type MemberSpace = typeof MemberSpace.Type

/** What a list of the spaces of a member asks for: by when they were made, the newest first by default. */
export const ListMemberSpaces = Schema.Struct({
  ...PageQuery.fields,
  order: Schema.optionalKey(ListOrder)
})
