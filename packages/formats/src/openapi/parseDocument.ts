/** Parses the documents of a spec: JSON or YAML, OpenAPI 2.0, 3.0 and 3.1. */

import { sha256Hex } from "@lectern/kernel/sha256"
import { findCollectionKey } from "@lectern/markdown/frontMatter"
import type { SpecProblem } from "@lectern/model/openapi-specs"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Composer, LineCounter } from "yaml"
import { checkDocument } from "./checkDocument.ts"
import { findJsonError, linePositionAt, type Path } from "./jsonPositions.ts"
import {
  findInYaml,
  InvalidDocument,
  type LocatePaths,
  locateProblems,
  locatorOfJson,
  maximumProblems,
  pointerOf,
  problemOf
} from "./specProblems.ts"
import { BoundedParser } from "./yamlNesting.ts"
import { divideYaml, mergeSections, type YamlSection } from "./yamlSections.ts"

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

/** The minimum size of the sections that YAML is parsed in, in characters. */
const sectionSize = 1024 * 1024

/** Whether a document is parsed as JSON: it begins with `{` or `[`. The YAML of a spec never does. */
export const isJsonText = (text: string): boolean => /^\s*[[{]/.test(text)

/** The value of a document, with the positions of its parts. */
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

/** A section of YAML with its nodes, which take a multiple of the memory of its value. */
type ParsedSection = ReturnType<typeof parseSection>

const parseSection = ({ text, positionOf }: YamlSection) => {
  const lines = new LineCounter()
  // The parser compares each key with all others to find duplicates: 900 kB of keys take it a minute. The last one applies,
  // as in JSON.
  const composer = new Composer({ logLevel: "silent", uniqueKeys: false })
  const tokens = new BoundedParser(lines.addNewLine).parse(text)
  // The composer always yields a document; of several ones, the first applies.
  const [first] = composer.compose(tokens, true, text.length)
  const document = first!
  const problemAt = (offset: number, message: string): SpecProblem => {
    const { line, col } = lines.linePos(offset)
    return { ...problemOf("SYNTAX_ERROR", message), ...positionOf({ line, column: col }) }
  }
  const problems = document.errors
    .slice(0, maximumProblems)
    .map(({ message, pos: [offset] }) => problemAt(offset, `The YAML is malformed: ${message}`))
  const collectionKey = problems.length === 0 ? findCollectionKey(document) : undefined
  if (collectionKey !== undefined)
    problems.push(problemAt(collectionKey, "A key is a list or a mapping. The keys of a spec are text."))
  return { document, lines, problems }
}

/**
 * Parses YAML section by section. If there is more than one, they are parsed again for the positions of values. `size` is the minimum size of a section, in
 * characters.
 */
export const parseYamlText = (
  text: string,
  size: number = sectionSize
): ParsedText & { readonly count: number } => {
  const sections = divideYaml(text, size)
  const problems: Array<SpecProblem> = []
  let value: unknown
  let whole: ParsedSection | undefined
  for (const [index, section] of sections.entries()) {
    const parsed = parseSection(section)
    if (sections.length === 1) whole = parsed
    problems.push(...parsed.problems)
    if (problems.length > 0) continue
    try {
      const own: unknown = parsed.document.toJS({ maxAliasCount: maximumAliases })
      value = index === 0 ? own : mergeSections(value, own, section.keys)
    } catch (error) {
      // Aliases without an anchor, and too many aliases.
      const reason = error instanceof Error ? error.message : "its aliases cannot be resolved."
      throw new InvalidDocument([problemOf("SYNTAX_ERROR", `The YAML is malformed: ${reason}`)])
    }
  }
  if (problems.length > 0) throw new InvalidDocument(problems.slice(0, maximumProblems))
  return { value, count: sections.length, locate: (paths) => locateInSections(sections, paths, whole) }
}

/** Returns the positions of the values at paths: of each, in the section that has most of its path. */
const locateInSections = (
  sections: ReadonlyArray<YamlSection>,
  paths: ReadonlyArray<Path>,
  whole: ParsedSection | undefined
) => {
  const found = paths.map(() => ({ depth: -1, position: { line: 1, column: 1 } }))
  for (const section of sections) {
    const { document, lines } = whole ?? parseSection(section)
    for (const [index, path] of paths.entries()) {
      const { depth, offset } = findInYaml(document, path)
      if (depth <= found[index]!.depth) continue
      const { line, col } = lines.linePos(offset)
      found[index] = { depth, position: section.positionOf({ line, column: col }) }
    }
  }
  return found.map(({ position }) => position)
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
