/** The parser of documents. By default it runs in the same thread; hosts can provide one that runs in a worker. */
import { Context, Effect, Schema } from "effect"
import { type ParsedDocument, parseDocument } from "./parseDocument.ts"

/** A document cannot be parsed. */
export class ParseFailed extends Schema.TaggedError<ParseFailed>()("ParseFailed", {
  message: Schema.String
}) {}

/** Parses a document. See `parseDocument`. */
export type ParseSpec = (text: string, isFirst: boolean) => Effect.Effect<ParsedDocument, ParseFailed>

/** The parser of documents of the workspace. */
export const SpecParser = Context.Reference<ParseSpec>("@lectern/core/SpecParser", {
  defaultValue: () => (text, isFirst) =>
    Effect.try({
      try: () => parseDocument(text, isFirst),
      catch: (error) =>
        new ParseFailed({
          message: error instanceof Error ? error.message : "The document cannot be parsed."
        })
    })
})
