/** The port of the parser of specs. */
import { Context, Effect, Schema } from "effect"
import { isJsonText, type ParsedDocument, parseDocument } from "./parseDocument.ts"

/** The error of a document that cannot be parsed. */
export class ParseFailed extends Schema.TaggedError<ParseFailed>()("ParseFailed", {
  message: Schema.String
}) {}

/**
 * Parses a document to JSON, and lists the documents that it references. `isFirst` marks the main document of a spec, which
 * must be a valid OpenAPI document. Fails with `ParseFailed` if the document is invalid or exceeds a limit.
 */
export type ParseSpec = (text: string, isFirst: boolean) => Effect.Effect<ParsedDocument, ParseFailed>

/**
 * The maximum length of a document that is parsed on the main thread, in characters. The slowest documents of this length
 * block the event loop for about 100 ms: the time of YAML aliases is quadratic.
 */
const mainThreadLimit = { json: 1024 * 1024, yaml: 16 * 1024 }

const parseOnMainThread: ParseSpec = (text, isFirst) => {
  const limit = isJsonText(text) ? mainThreadLimit.json : mainThreadLimit.yaml
  if (text.length > limit) {
    const message = `The document has ${text.length} characters. The maximum is ${limit} without the package @lectern/converters.`
    return Effect.fail(new ParseFailed({ message }))
  }
  return Effect.try({
    try: () => parseDocument(text, isFirst),
    catch: (error) =>
      new ParseFailed({ message: error instanceof Error ? error.message : "The document cannot be parsed." })
  })
}

/**
 * The parser of this workspace: `specParser()` of `@lectern/converters`. By default, documents of up to 1 MiB of JSON or
 * 16 KiB of YAML are parsed on the main thread, and larger documents are rejected.
 */
export const SpecParser = Context.Reference<ParseSpec>("@lectern/core/SpecParser", {
  defaultValue: () => parseOnMainThread
})
