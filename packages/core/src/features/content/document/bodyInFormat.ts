/** Presents the Markdown of a page in the format that a caller requests. */
import { Effect } from "effect"
import type { StorageUnavailable } from "../../../kernel/storage/index.ts"
import type { PageOptions } from "../../../model/content/ContentOptions.ts"
import type { JsonDocument } from "../../../model/content/document/Document.ts"
import type { Page } from "../../../model/content/Page.ts"
import { isCheapToParse } from "../../../model/content/parseCost.ts"
import { catchUnreadable } from "../../conversion/catchUnreadable.ts"
import type { Read } from "../../conversion/ImportReader.ts"
import { boundedFromMarkdown, unparsedDocument } from "./boundedDocument.ts"

/** Converts Markdown to a document: in a worker thread if that is expensive and the host has one. */
const toDocument = (
  read: Read | undefined,
  markdown: string
): Effect.Effect<JsonDocument, StorageUnavailable> =>
  read === undefined || isCheapToParse(markdown)
    ? Effect.sync(() => boundedFromMarkdown(markdown))
    : catchUnreadable(read("document", { bytes: new TextEncoder().encode(markdown) }), () =>
        Effect.sync(() => {
          const document = unparsedDocument(markdown)
          fallbacks.add(document)
          return document
        })
      )

/** The documents of Markdown whose conversion has exceeded its limits. */
const fallbacks = new WeakSet<object>()

/** Whether a body contains a document only because a conversion has exceeded its limits, so that it must not be cached. */
export const isFallback = ({ document }: { readonly document?: object }): boolean =>
  document !== undefined && fallbacks.has(document)

/** The body of a page in the requested format. */
export const bodyInFormat = (
  read: Read | undefined,
  markdown: string,
  format: PageOptions["format"]
): Effect.Effect<Pick<Extract<Page, { type: "document" }>, "markdown" | "document">, StorageUnavailable> =>
  format === undefined
    ? Effect.succeed({})
    : format === "markdown"
      ? Effect.succeed({ markdown })
      : Effect.map(toDocument(read, markdown), (document) => ({ document }))
