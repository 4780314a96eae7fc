/** Content that pages include by naming it, as in `{% include "/reusable-contents/{id}" %}`. */
import { Schema } from "effect"
import { idSchema } from "../../kernel/schema/Id.ts"
import { trimmed } from "../../kernel/schema/Text.ts"
import { GitBlob } from "./Page.ts"

export const ReusableContentId = idSchema("The id of a reusable content.").pipe(
  Schema.brand("ReusableContentId")
)
export type ReusableContentId = typeof ReusableContentId.Type

/** The title of a reusable content, 1 to 256 characters. */
export const ReusableContentTitle = trimmed({ min: 1, max: 256 })

/** A reusable content, as the specification shows one. `document` names its body; there is none of an empty one. */
export const ReusableContent = Schema.Struct({
  id: ReusableContentId,
  title: Schema.String,
  document: Schema.optionalKey(Schema.String),
  git: Schema.optionalKey(GitBlob)
}).annotate({ identifier: "ReusableContent" })
export type ReusableContent = typeof ReusableContent.Type
