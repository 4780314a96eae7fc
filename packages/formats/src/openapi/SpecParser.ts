/** The port of the parser of specs. */

import { SpecProblem } from "@lectern/model/openapi-specs"
import { Context, Effect, Schema } from "effect"
import { isJsonText, type ParsedDocument, parseDocument } from "./parseDocument.ts"
import type { SpecPage } from "./specPages.ts"
import { InvalidDocument, problemOf } from "./specProblems.ts"

/** The error of a document that cannot be parsed. */
export class ParseFailed extends Schema.TaggedError<ParseFailed>()("ParseFailed", {
  /** The message of the first problem. */
  message: Schema.String,
  /** The problems of the document, at least one of them an error. */
  problems: Schema.Array(SpecProblem),
  /** Whether parsing can succeed when it is repeated: its thread ended. Otherwise the failure depends on the document only. */
  isTransient: Schema.optionalKey(Schema.Boolean)
}) {
  /** Creates the error of a document with these problems. */
  static readonly of = (problems: ReadonlyArray<SpecProblem>): ParseFailed =>
    new ParseFailed({ message: problems[0]?.message ?? "The document is invalid.", problems })
}

/** Parses the documents of specs. */
export interface ParseSpec {
  /**
   * Parses a document in UTF-8, and lists the documents that it references. `isFirst` marks the main document of a spec, which
   * must be a valid OpenAPI document. Fails with `ParseFailed` if the document is invalid or exceeds a limit.
   */
  (document: Uint8Array, isFirst: boolean): Effect.Effect<ParsedDocument, ParseFailed>
  /**
   * Generates the pages of a version from its documents, a JSON object of documents by name. Optional: without it, pages are
   * generated on the main thread.
   */
  readonly generatePages?: (files: Uint8Array) => Effect.Effect<ReadonlyArray<SpecPage>, ParseFailed>
}

/**
 * The maximum size of a document that is parsed on the main thread, in bytes. The slowest documents of this size
 * block the event loop for about 100 ms: the time of YAML aliases is quadratic.
 */
const mainThreadLimit = { json: 1024 * 1024, yaml: 16 * 1024 }

/** The number of bytes that decide whether a document is JSON. */
const prefixBytes = 1024

const parseOnMainThread: ParseSpec = (document, isFirst) => {
  const isJson = isJsonText(new TextDecoder().decode(document.subarray(0, prefixBytes)))
  const limit = isJson ? mainThreadLimit.json : mainThreadLimit.yaml
  if (document.length > limit) {
    const message = `The document has ${document.length} bytes. The maximum is ${limit} without the package @lectern/converters.`
    return Effect.fail(ParseFailed.of([problemOf("TOO_LARGE", message)]))
  }
  return Effect.try({
    try: () => parseDocument(new TextDecoder().decode(document), isFirst),
    catch: (error) =>
      ParseFailed.of(
        error instanceof InvalidDocument
          ? error.problems
          : [problemOf("INTERNAL_ERROR", "The document cannot be parsed.")]
      )
  })
}

/**
 * The parser of this workspace: `specParser()` of `@lectern/converters`. By default, documents of up to 1 MiB of JSON or
 * 16 KiB of YAML are parsed on the main thread, and larger documents are rejected.
 */
export const SpecParser = Context.Reference<ParseSpec>("@lectern/core/SpecParser", {
  defaultValue: () => parseOnMainThread
})
