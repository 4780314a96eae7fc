/** The spaces that a member of an organization can see. */

import * as Schema from "effect/Schema"
import { Role } from "../roles/Role.ts"
import { ListOrder, PageQuery } from "../schema/Pagination.ts"
import { resource } from "../schema/resource.ts"
import { Space } from "./Space.ts"

/** A space that a member can see, with their role on it. */
export class MemberSpace extends resource<MemberSpace>()(
  Schema.Struct({
    /** The role of the member on the space. */
    permission: Role,
    /** The space. */
    space: Space
  }).annotate({ identifier: "MemberSpace" })
) {}

/** The order and the page of a list of the spaces of a member. */
export class ListMemberSpaces extends resource<ListMemberSpaces>()(
  Schema.Struct({
    ...PageQuery.fields,
    /** The order by time of creation: `asc`, or `desc` (the default), which lists the newest first. */
    order: Schema.optionalKey(ListOrder)
  })
) {}
