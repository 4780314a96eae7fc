/** Parses the documents of a spec: JSON or YAML, OpenAPI 2.0, 3.0 and 3.1. */

import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Lexer, LineCounter, parseDocument as parseYamlDocument } from "yaml"
import { sha256Hex } from "../../kernel/sha256.ts"
import type { SpecProblem } from "../../model/openapi-specs/OpenApiSpec.ts"
import { checkDepth, checkDocument } from "./checkDocument.ts"
import { findJsonError, linePositionAt, type Path } from "./jsonPositions.ts"
import {
  InvalidDocument,
  type LocatePaths,
  locateProblems,
  locatorOfJson,
  locatorOfYaml,
  maximumProblems,
  pointerOf,
  problemOf
} from "./specProblems.ts"

/** Another document that a document references. */
export interface ReferencedFile {
  /** The reference, without its fragment. */
  readonly file: string
  /** The position of its first reference in the document. */
  readonly position: Pick<SpecProblem, "line" | "column" | "pointer">
}

/** A parsed document. */
export interface ParsedDocument {
  /** The document as JSON in UTF-8. */
  readonly json: Uint8Array
  /** The SHA-256 digest of the JSON. */
  readonly hash: string
  /** The other documents that it references. */
  readonly files: ReadonlyArray<ReferencedFile>
  /** Its problems: warnings. */
  readonly problems: ReadonlyArray<SpecProblem>
}

/** The maximum number of aliases in a YAML document, against adversarial input. */
const maximumAliases = 10_000

/** Whether a document is parsed as JSON: it begins with `{` or `[`. The YAML of a spec never does. */
export const isJsonText = (text: string): boolean => /^\s*[[{]/.test(text)

/**
 * Throws `InvalidDocument` if YAML is nested too deep in flow collections, or in block collections that begin on one line. The
 * time of the parser is quadratic in their depth. Other block collections are indented, so that the size of the document
 * bounds their depth.
 */
const checkYamlNesting = (text: string): void => {
  let flowDepth = 0
  let lineDepth = 0
  for (const token of new Lexer().lex(text)) {
    if (token === "[" || token === "{") flowDepth++
    else if (token === "]" || token === "}") flowDepth--
    else if (token === "-" || token === "?") lineDepth++
    else if (token === "\n" || token === "\r\n") lineDepth = 0
    checkDepth(flowDepth + lineDepth)
  }
}

interface ParsedText {
  readonly value: unknown
  readonly locate: LocatePaths
}

const parseJsonText = (text: string): ParsedText => {
  try {
    return { value: JSON.parse(text), locate: locatorOfJson(text) }
  } catch {
    const offset = findJsonError(text) ?? text.length
    const found = text.slice(offset, offset + 1)
    const message =
      found === ""
        ? "The JSON ends before its last value is complete."
        : `The JSON has an unexpected character ${JSON.stringify(found)}.`
    throw new InvalidDocument([{ ...problemOf("SYNTAX_ERROR", message), ...linePositionAt(text, offset) }])
  }
}

const parseYamlText = (text: string): ParsedText => {
  checkYamlNesting(text)
  const lines = new LineCounter()
  // The parser compares each key with all others to find duplicates: 900 kB of keys take it a minute. The last one applies,
  // as in JSON.
  const document = parseYamlDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: "silent",
    uniqueKeys: false
  })
  if (document.errors.length > 0) {
    throw new InvalidDocument(
      document.errors.slice(0, maximumProblems).map(({ message, pos: [offset] }) => {
        const { line, col } = lines.linePos(offset)
        return { ...problemOf("SYNTAX_ERROR", `The YAML is malformed: ${message}`), line, column: col }
      })
    )
  }
  try {
    return {
      value: document.toJS({ maxAliasCount: maximumAliases }),
      locate: locatorOfYaml(document, lines)
    }
  } catch (error) {
    // Aliases without an anchor, and too many aliases.
    const reason = error instanceof Error ? error.message : "its aliases cannot be resolved."
    throw new InvalidDocument([problemOf("SYNTAX_ERROR", `The YAML is malformed: ${reason}`)])
  }
}

const toJson = (value: unknown): string => {
  try {
    const json = JSON.stringify(value)
    if (json !== undefined) return json
  } catch (error) {
    // YAML can have cycles, which JSON cannot represent. Nesting has been bounded except in data.
    const isCycle = error instanceof TypeError
    throw new InvalidDocument([
      isCycle
        ? problemOf("SYNTAX_ERROR", "The YAML is malformed: an alias refers to a value that contains it.")
        : problemOf("NESTED_TOO_DEEP", "The document is nested too deep.")
    ])
  }
  throw new InvalidDocument([problemOf("NOT_OPENAPI", "The document is empty.")])
}

/**
 * Parses a document. The first document of a spec must be a valid OpenAPI document, and every reference within a
 * document must resolve. Throws `InvalidDocument` with at most 100 problems otherwise.
 */
export const parseDocument = (text: string, isFirst: boolean): ParsedDocument => {
  const { value, locate } = isJsonText(text) ? parseJsonText(text) : parseYamlText(text)
  // Before the references are followed, so that there are no cycles.
  const json = toJson(value)
  const checked = checkDocument(value, isFirst)
  const problems = locateProblems(checked.problems, locate)
  if (problems.some(({ severity }) => severity === "error")) throw new InvalidDocument(problems)
  const referenced: ReadonlyArray<readonly [file: string, path: Path]> = [...checked.files]
  const positions = referenced.length === 0 ? [] : locate(referenced.map(([, path]) => path))
  const bytes = utf8ToBytes(json)
  return {
    json: bytes,
    hash: sha256Hex(bytes),
    files: referenced.map(([file, path], index) => ({
      file,
      position: { ...positions[index], pointer: pointerOf(path) }
    })),
    problems
  }
}
