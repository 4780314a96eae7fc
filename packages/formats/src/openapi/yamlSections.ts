/**
 * Divides large YAML documents into sections that are parsed one after the other: the nodes of a parsed document take about
 * 50 times its size.
 */
import { Lexer, parse } from "yaml"
import type { LinePosition, Path } from "./jsonPositions.ts"
import { linePositionAt } from "./jsonPositions.ts"
import { YamlNesting } from "./yamlNesting.ts"

/** Consecutive lines of a document, as a document of their own. */
export interface YamlSection {
  /** The YAML: the lines of the keys that contain the lines, and the lines themselves. */
  readonly text: string
  /** The keys that contain the lines, from the root. */
  readonly keys: Path
  /** Converts a position in `text` to the position in the document. */
  readonly positionOf: (position: LinePosition) => LinePosition
}

/** A key of a block mapping that begins a line. */
interface Entry {
  readonly indent: number
  readonly start: number
  /** The end of its line, if its value begins on a later line. */
  lineEnd: number | undefined
  /** The keys that contain it; undefined if the document cannot be divided before it. */
  readonly above: ReadonlyArray<Entry> | undefined
  readonly isKey: boolean
  /** The indentation and the kind of the entries that it contains, once there is one. */
  child: Pick<Entry, "indent" | "isKey"> | undefined
  readonly keys: Set<string>
}

/** The next token of a line: its first, the colon of its key, the value of its key, or another. */
type LineState = "start" | "colon" | "value" | "rest"

/** The maximum number of keys that contain the lines of a section. */
const maximumAbove = 3

/** The tokens of the lexer that are not part of the text. */
const controls = new Set(["\u{2}", "\u{18}", "\u{1F}"])

/** Matches tokens that relate distant parts of a document, or divide it: anchors, aliases, tags, directives and markers. */
const relating = /^(?:[&*!%\uFEFF]|---$|\.\.\.$)/

/** Returns the first entry of each section after the first, or undefined if the document must be parsed as a whole. */
const findStarts = (text: string, size: number): ReadonlyArray<Entry> | undefined => {
  const starts: Array<Entry> = []
  const root: Entry = {
    indent: -1,
    start: 0,
    lineEnd: 0,
    above: [],
    isKey: true,
    child: undefined,
    keys: new Set()
  }
  const open = [root]
  let isWhole = false
  let [offset, lineStart, sectionStart] = [0, 0, 0]
  const nesting = new YamlNesting()
  let [isScalar, isLiteral] = [false, false]
  // The state of the current line: its beginning, the entry that it begins with, or its rest.
  let state = "start" as LineState
  let current: Entry | undefined

  const begin = (isKey: boolean, key: string): void => {
    state = isKey ? "colon" : "rest"
    if (isWhole) return
    const indent = offset - lineStart
    // The items of a list can have the indentation of the key that contains it.
    const isAfter = (entry: Entry) =>
      entry.indent > indent || (entry.indent === indent && (isKey || !entry.isKey))
    while (isAfter(open.at(-1)!)) open.pop()
    const parent = open.at(-1)!
    const isInside = parent.lineEnd !== undefined && parent.above !== undefined
    const above = isKey && isInside && open.length - 1 <= maximumAbove ? open.slice(1) : undefined
    const entry: Entry = {
      indent,
      start: lineStart,
      lineEnd: undefined,
      above,
      isKey,
      child: undefined,
      keys: new Set()
    }
    if (isInside) {
      parent.child ??= entry
      // Malformed, or the last of equal keys, which replaces the others as a whole.
      if (parent.child.indent !== indent || parent.child.isKey !== isKey || (isKey && parent.keys.has(key)))
        isWhole = true
      if (isKey) parent.keys.add(key)
    }
    if (above !== undefined && lineStart - sectionStart >= size) {
      starts.push(entry)
      sectionStart = lineStart
    }
    open.push(entry)
    current = entry
  }

  /** Handles a line that begins like a key and is a scalar, which must be the whole value of its parent. */
  const endScalar = (): void => {
    if (isWhole || state !== "colon" || current?.above === undefined) return
    const parent = current.above.at(-1) ?? root
    if (parent.child !== current) isWhole = true
    parent.child = { indent: -1, isKey: false }
    if (starts.at(-1) === current) starts.pop()
  }

  for (const token of new Lexer().lex(text)) {
    nesting.next(token)
    if (isScalar || /^["']/.test(token)) {
      isScalar = false
      if (isLiteral) isLiteral = false
      else if (state === "start" && !nesting.isFlow) begin(true, token.replace(/^(["'])(.*)\1$/s, "$2"))
      else {
        endScalar()
        state = "rest"
      }
    } else if (controls.has(token)) {
      isScalar = token === "\u{1F}"
      continue
    } else if (token === "\n" || token === "\r\n") {
      endScalar()
      if (state === "value" && current !== undefined) current.lineEnd = offset + token.length
    } else if (!/^(?:[ \t]+|#.*)$/s.test(token)) {
      if (relating.test(token)) isWhole = true
      if (/^[|>]/.test(token)) isLiteral = true
      if (state === "start" && !nesting.isFlow) begin(false, "")
      else if (state === "colon" && token === ":") state = "value"
      else {
        endScalar()
        state = "rest"
      }
    }
    offset += token.length
    if (token.endsWith("\n")) {
      lineStart = offset
      // A literal ends with the end of its last line.
      state = "start"
    }
  }
  endScalar()
  return isWhole ? undefined : starts
}

/**
 * Divides a document into sections of at least `size` characters, if it is a block mapping without anchors, aliases and tags;
 * otherwise it is one section. Merging the values of the sections by their keys results in the value of the document. Throws
 * `InvalidDocument` if a document of more than one section is nested too deep.
 */
export const divideYaml = (text: string, size: number): ReadonlyArray<YamlSection> => {
  const starts = text.length <= size ? [] : (findStarts(text, size) ?? [])
  const first = { start: 0, above: [] as ReadonlyArray<Entry> }
  return [first, ...starts].map(({ start, above = [] }, index) => {
    const lines = above.map((entry) => text.slice(entry.start, entry.lineEnd))
    const prefix = lines.join("")
    return {
      text: prefix + text.slice(start, starts[index]?.start),
      keys: prefix === "" ? [] : keysOf(parse(prefix)),
      positionOf: ({ line, column }) => {
        const entry = above[line - 1]
        const base = linePositionAt(text, entry?.start ?? start).line
        return { line: entry === undefined ? base + line - 1 - above.length : base, column }
      }
    }
  })
}

/** Returns the keys of objects with one key each. */
const keysOf = (value: unknown): Path => {
  const [entry] = Object.entries((value ?? {}) as Record<string, unknown>)
  return entry === undefined ? [] : [entry[0], ...keysOf(entry[1])]
}

type Mapping = Record<string, unknown>

/** Adds the value of a later section, which continues the values of some keys, to the value of the earlier ones. */
export const mergeSections = (earlier: unknown, later: unknown, [key, ...keys]: Path): unknown => {
  if (typeof earlier !== "object" || earlier === null) return later
  for (const [name, value] of Object.entries((later ?? {}) as Mapping)) {
    const merged = name === key ? mergeSections((earlier as Mapping)[name], value, keys) : value
    // An assignment to `__proto__` would change the prototype.
    Object.defineProperty(earlier, name, {
      value: merged,
      enumerable: true,
      writable: true,
      configurable: true
    })
  }
  return earlier
}
