/** Finds positions in JSON text: of its first syntax error, and of the values at paths. */

/** The path to a value in a document: the keys of objects and the indexes of arrays. */
export type Path = ReadonlyArray<string>

const space = /[ \t\r\n]*/y
const escape = /\\(?:[bf"\\/nrt]|u[0-9a-fA-F]{4})/y
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** Returns the end of the match of a sticky pattern at an offset, or -1. */
const endOf = (pattern: RegExp, text: string, offset: number): number => {
  pattern.lastIndex = offset
  return pattern.test(text) ? pattern.lastIndex : -1
}

const skipSpace = (text: string, offset: number): number => endOf(space, text, offset)

/** The offset of a syntax error. */
class SyntaxErrorAt {
  readonly offset: number
  constructor(offset: number) {
    this.offset = offset
  }
}

/** Whether a UTF-16 code unit is literal in a string: no quote, backslash, control character or end of the text. */
const isPlain = (unit: number): boolean => unit >= 0x20 && unit !== 0x22 && unit !== 0x5c

/** Returns the end of the string that begins at an offset. Throws `SyntaxErrorAt` if it is malformed. */
const skipString = (text: string, offset: number): number => {
  if (text[offset] !== '"') throw new SyntaxErrorAt(offset)
  for (let at = offset + 1; ; ) {
    while (isPlain(text.charCodeAt(at))) at++
    if (text[at] === '"') return at + 1
    const end = endOf(escape, text, at)
    if (end === -1) throw new SyntaxErrorAt(at)
    at = end
  }
}

/** Returns the offset of the value of the member that begins at an offset. */
const skipKey = (text: string, offset: number): number => {
  const colon = skipSpace(text, skipString(text, offset))
  if (text[colon] !== ":") throw new SyntaxErrorAt(colon)
  return skipSpace(text, colon + 1)
}

/** Returns the end of the value that begins at an offset, without recursion. Throws `SyntaxErrorAt` if it is malformed. */
const skipValue = (text: string, offset: number): number => {
  const closings: Array<"}" | "]"> = []
  let at = offset
  for (;;) {
    const first = text[at]
    if (first === "{" || first === "[") {
      const closing = first === "{" ? "}" : "]"
      at = skipSpace(text, at + 1)
      if (text[at] !== closing) {
        closings.push(closing)
        if (closing === "}") at = skipKey(text, at)
        continue
      }
      at++
    } else {
      const end = first === '"' ? skipString(text, at) : endOf(scalar, text, at)
      if (end === -1) throw new SyntaxErrorAt(at)
      at = end
    }
    // A value has ended: so have the collections that close here.
    for (;;) {
      const closing = closings.at(-1)
      if (closing === undefined) return at
      at = skipSpace(text, at)
      if (text[at] === closing) {
        closings.pop()
        at++
        continue
      }
      if (text[at] !== ",") throw new SyntaxErrorAt(at)
      at = skipSpace(text, at + 1)
      if (closing === "}") at = skipKey(text, at)
      break
    }
  }
}

/** Returns the offset of the first syntax error of JSON text, or undefined if it is valid. */
export const findJsonError = (text: string): number | undefined => {
  try {
    const end = skipSpace(text, skipValue(text, skipSpace(text, 0)))
    return end === text.length ? undefined : end
  } catch (error) {
    if (error instanceof SyntaxErrorAt) return error.offset
    throw error
  }
}

/**
 * Returns the offsets of the members and items at paths in valid JSON text: of the key, of the item, or of the nearest
 * ancestor that exists. The last of equal keys applies.
 */
export const locateInJson = (text: string, paths: ReadonlyArray<Path>): ReadonlyArray<number> => {
  const found = paths.map(() => 0)

  /** Visits the value at an offset, which all of the selected paths lead to, and returns its end. */
  const visit = (offset: number, selected: ReadonlyArray<number>, depth: number): number => {
    const deeper = selected.filter((index) => paths[index]!.length > depth)
    const first = text[offset]
    if (deeper.length === 0 || (first !== "{" && first !== "[")) return skipValue(text, offset)
    const closing = first === "{" ? "}" : "]"
    let at = skipSpace(text, offset + 1)
    for (let item = 0; text[at] !== closing; item++) {
      const start = at
      const value = closing === "}" ? skipKey(text, at) : at
      const key =
        closing === "}" ? (JSON.parse(text.slice(start, skipString(text, start))) as string) : String(item)
      const matching = deeper.filter((index) => paths[index]![depth] === key)
      for (const index of matching) found[index] = start
      at = skipSpace(text, visit(value, matching, depth + 1))
      if (text[at] === ",") at = skipSpace(text, at + 1)
    }
    return at + 1
  }

  visit(
    skipSpace(text, 0),
    paths.map((_, index) => index),
    0
  )
  return found
}

/** A position in text, from 1. */
export interface LinePosition {
  readonly line: number
  readonly column: number
}

/** Converts an offset in text to its line and column. */
export const linePositionAt = (text: string, offset: number): LinePosition => {
  let line = 1
  let start = 0
  for (let end = text.indexOf("\n"); end !== -1 && end < offset; end = text.indexOf("\n", start)) {
    line++
    start = end + 1
  }
  return { line, column: offset - start + 1 }
}
