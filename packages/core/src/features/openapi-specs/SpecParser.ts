/** The port to what parses the documents of specs. */
import { Context, Effect, Schema } from "effect"
import { isJsonText, type ParsedDocument, parseDocument } from "./parseDocument.ts"

/** A document cannot be parsed. */
export class ParseFailed extends Schema.TaggedError<ParseFailed>()("ParseFailed", {
  message: Schema.String
}) {}

/** Parses a document. See `parseDocument`. */
export type ParseSpec = (text: string, isFirst: boolean) => Effect.Effect<ParsedDocument, ParseFailed>

/**
 * The most characters of a document that is parsed on the main thread. The worst documents of these sizes hold the event
 * loop for about 100 ms: aliases of YAML take time that grows with their square.
 */
const mainThreadLimit = { json: 1024 * 1024, yaml: 16 * 1024 }

const parseOnMainThread: ParseSpec = (text, isFirst) => {
  const limit = isJsonText(text) ? mainThreadLimit.json : mainThreadLimit.yaml
  if (text.length > limit) {
    const message = `The document has ${text.length} characters. Without the package @lectern/converters it may have ${limit}.`
    return Effect.fail(new ParseFailed({ message }))
  }
  return Effect.try({
    try: () => parseDocument(text, isFirst),
    catch: (error) =>
      new ParseFailed({ message: error instanceof Error ? error.message : "The document cannot be parsed." })
  })
}

/**
 * The parser of this workspace: `specParser()` of `@lectern/converters`. By default, small documents are parsed on the
 * main thread and large ones are refused.
 */
export const SpecParser = Context.Reference<ParseSpec>("@lectern/core/SpecParser", {
  defaultValue: () => parseOnMainThread
})
