/** Where documents are parsed: in the same thread, unless the host brings another, for large ones take a while. */
import { Context, Effect, Schema } from "effect"
import { type ParsedDocument, parseDocument } from "./parseDocument.ts"

/** A document cannot be read. */
export class ParseFailed extends Schema.TaggedError<ParseFailed>()("ParseFailed", {
  message: Schema.String
}) {}

/** Parses a document. See `parseDocument`. */
export type ParseSpec = (text: string, isFirst: boolean) => Effect.Effect<ParsedDocument, ParseFailed>

/** What parses documents. */
export const SpecParser = Context.Reference<ParseSpec>("@lectern/core/SpecParser", {
  defaultValue: () => (text, isFirst) =>
    Effect.try({
      try: () => parseDocument(text, isFirst),
      catch: (error) =>
        new ParseFailed({ message: error instanceof Error ? error.message : "It cannot be read." })
    })
})
