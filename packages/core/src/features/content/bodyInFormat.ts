/** Presents the Markdown of a page in the format that a caller requests. */

import { type ConvertMarkdown, catchUnreadable } from "@lectern/formats"
import type { StorageUnavailable } from "@lectern/kernel"
import {
  boundedFromMarkdown,
  displayFootnotes,
  isCheapToParse,
  unparsedDocument
} from "@lectern/markdown/document"
import type { DocumentOptions, Page, PageOptions } from "@lectern/model/content"
import type { JsonDocument } from "@lectern/model/document"
import { Effect } from "effect"
import type { ResolvedContent } from "./ContentAccess.ts"

/** The body of a page, in the format that the caller has requested. */
export type PageBody = Pick<Extract<Page, { type: "document" }>, "markdown" | "document">

/** Converts Markdown to a document: by the engine of the host if that is expensive. */
const toDocument = (
  convert: ConvertMarkdown,
  markdown: string
): Effect.Effect<JsonDocument, StorageUnavailable> =>
  isCheapToParse(markdown)
    ? Effect.sync(() => boundedFromMarkdown(markdown))
    : catchUnreadable(convert("document", { bytes: new TextEncoder().encode(markdown) }), () =>
        Effect.sync(() => {
          const document = unparsedDocument(markdown)
          fallbacks.add(document)
          return document
        })
      )

/** Returns the body as the reader displays it: visitors and readers of evaluated documents see footnotes as annotations. */
export const displayedBody = (
  { visitor }: Pick<ResolvedContent, "visitor">,
  { evaluated = false }: DocumentOptions,
  body: PageBody
): PageBody => {
  const { document } = body
  if (document === undefined || (visitor === undefined && evaluated === false)) return body
  const displayed = displayFootnotes(document)
  return displayed === document ? body : { ...body, document: displayed }
}

/** The documents of Markdown whose conversion has exceeded its limits. */
const fallbacks = new WeakSet<object>()

/** Whether a body contains a document only because a conversion has exceeded its limits, so that it must not be cached. */
export const isFallback = ({ document }: { readonly document?: object }): boolean =>
  document !== undefined && fallbacks.has(document)

/** The body of a page in the requested format. */
export const bodyInFormat = (
  convert: ConvertMarkdown,
  markdown: string,
  format: PageOptions["format"]
): Effect.Effect<PageBody, StorageUnavailable> =>
  format === undefined
    ? Effect.succeed({})
    : format === "markdown"
      ? Effect.succeed({ markdown })
      : Effect.map(toDocument(convert, markdown), (document) => ({ document }))
