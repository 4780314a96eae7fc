/** What callers choose about how content is returned. */
import { Schema } from "effect"
import { PageQuery } from "../../kernel/schema/Pagination.ts"

/** How content is shown: with where it is in git, and with what is computed; both by default. */
export const ContentOptions = Schema.Struct({
  metadata: Schema.optionalKey(Schema.Boolean),
  computed: Schema.optionalKey(Schema.Boolean)
})
export type ContentOptions = typeof ContentOptions.Type

/** In which format a page's body is wanted; without one it is left out. */
export const PageOptions = Schema.Struct({
  ...ContentOptions.fields,
  format: Schema.optionalKey(Schema.Literals(["document", "markdown"]))
})
export type PageOptions = typeof PageOptions.Type

/** A page of the list of files. */
export const ListFiles = Schema.Struct({ ...PageQuery.fields, ...ContentOptions.fields })

/** The path of a page: the slugs of the pages above it and its own, with slashes between. */
export const PagePath = Schema.String.check(
  Schema.isPattern(/^[^\0]{1,2000}$/u, { message: "must be the path of a page: 1 to 2000 characters" })
)
