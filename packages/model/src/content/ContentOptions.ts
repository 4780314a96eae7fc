/** Options of operations that return content. */

import * as Schema from "effect/Schema"
import { PageQuery } from "../schema/Pagination.ts"
import { resource } from "../schema/resource.ts"
import { PageId } from "./Page.ts"

/** The parts of content to return. */
export class ContentOptions extends resource<ContentOptions>()(
  Schema.Struct({
    /** Whether to return the locations of pages and files in git (`git`). True by default. */
    metadata: Schema.optionalKey(Schema.Boolean),
    /** Whether to replace computed pages by the pages that are computed from their source. True by default. */
    computed: Schema.optionalKey(Schema.Boolean)
  })
) {}

/** How to evaluate the conditions of a document. */
export class DocumentOptions extends resource<DocumentOptions>()(
  Schema.Struct({
    /**
     * Whether to evaluate conditions: `true` as for a visitor without claims; `false`, the default, and
     * `deterministic-only` do not evaluate them. Conditions are always evaluated for visitors of a site, with their claims.
     * With `true` and `deterministic-only`, and for visitors, footnotes are annotations, as renderers display them: such a
     * document is not the input of an edit.
     */
    evaluated: Schema.optionalKey(Schema.Union([Schema.Boolean, Schema.Literal("deterministic-only")]))
  })
) {}

/** The parts of a page to return. */
export class PageOptions extends resource<PageOptions>()(
  Schema.Struct({
    ...ContentOptions.fields,
    ...DocumentOptions.fields,
    /** The format of the body: a document or Markdown. By default, the body is omitted. */
    format: Schema.optionalKey(Schema.Literals(["document", "markdown"]))
  })
) {}

/** The maximum number of levels of pages that a list returns if it is limited to some. */
export const maximumListedDepth = 100

/** The options of a list of pages, which by default is the whole tree. */
export class ListPages extends resource<ListPages>()(
  Schema.Struct({
    ...ContentOptions.fields,
    /** The id of the page whose subpages to return. The pages of the root by default. */
    parent: Schema.optionalKey(PageId),
    /**
     * How many levels of pages to return, 1 to 100. All levels by default. A page whose subpages are omitted has `hasPages`, and empty
     * `pages`.
     */
    depth: Schema.optionalKey(
      Schema.Int.check(
        Schema.isBetween(
          { minimum: 1, maximum: maximumListedDepth },
          { message: `must be a whole number from 1 to ${maximumListedDepth}` }
        )
      )
    )
  })
) {}

/** The options of a list of files. */
export class ListFiles extends resource<ListFiles>()(
  Schema.Struct({ ...PageQuery.fields, ...ContentOptions.fields })
) {}

/** The path of a page: the slugs from the root, separated by slashes, 1 to 2000 characters. */
export const PagePath = Schema.String.check(
  Schema.isPattern(/^[^\0]{1,2000}$/u, { message: "must be the path of a page: 1 to 2000 characters" })
)
