/** Visits of members to the sites of their organization. */
import * as Schema from "effect/Schema"
import { resource } from "../schema/resource.ts"
import { text } from "../schema/Text.ts"

/** Where a visit starts. */
export class StartMemberVisit extends resource<StartMemberVisit>()(
  Schema.Struct({
    /** The path below the site, at most 4,096 characters; its first page by default. */
    location: Schema.optionalKey(text({ max: 4_096 }))
  }).annotate({ identifier: "StartMemberVisit" })
) {}

/** A started visit. */
export interface MemberVisit {
  /** The URL of the site, with the visitor token in its query. */
  readonly url: string
}
