/** Reusable content, which pages include by its id, as in `{% include "/reusable-contents/{id}" %}`. */

import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { idSchema } from "../schema/Id.ts"
import { resource } from "../schema/resource.ts"
import { trimmed } from "../schema/Text.ts"
import { GitBlob } from "./Page.ts"

/** The id of a reusable content. */
export const ReusableContentId = idSchema("The id of a reusable content.").pipe(
  Schema.brand("ReusableContentId")
)
/** The id of a reusable content. */
export type ReusableContentId = string & Brand.Brand<"ReusableContentId">

/** The title of a reusable content, 1 to 256 characters. */
export const ReusableContentTitle = trimmed({ min: 1, max: 256 })

/** A reusable content of a space. */
export class ReusableContent extends resource<ReusableContent>()(
  Schema.Struct({
    /** The id of the reusable content. */
    id: ReusableContentId,
    /** The title, 1 to 256 characters. */
    title: Schema.String,
    /** An identifier of the body, which changes with its text. Absent for an empty body. */
    document: Schema.optionalKey(Schema.String),
    /** The location in a git repository. Absent if it is not set, or if `metadata` is false. */
    git: Schema.optionalKey(GitBlob)
  }).annotate({ identifier: "ReusableContent" })
) {}
