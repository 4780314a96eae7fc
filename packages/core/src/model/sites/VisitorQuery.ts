/** What a visitor of a site shows to be let in. */
import { Schema } from "effect"
import { text } from "../../kernel/schema/Text.ts"

/** The most characters of a token: its claims are looked at by every condition. */
const longestToken = 8192

/** The key of a share link, and a token of the visitor: what there is of them. */
export const VisitorQuery = Schema.Struct({
  shareKey: Schema.optionalKey(text({ max: 255 })),
  visitorAuthToken: Schema.optionalKey(text({ max: longestToken }))
})
export type VisitorQuery = typeof VisitorQuery.Type
