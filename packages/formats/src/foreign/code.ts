/** Finds the code in the Markdown of other tools, whose text is not converted. */

/** The opening line of a block of code. */
export interface Fence {
  readonly indent: string
  readonly marker: string
  readonly info: string
}

/** Returns the fence that a line opens. A block of code can be the content of a list item or a quote. */
export const fenceOf = (line: string): Fence | undefined => {
  const found = /^((?:[ \t]|>|[-*+][ \t]|\d{1,9}[.)][ \t]){0,40})(`{3,}|~{3,})([^\n]*)$/.exec(line)
  if (found === null || (found[2]!.startsWith("`") && found[3]!.includes("`"))) return undefined
  return { indent: found[1]!, marker: found[2]!, info: found[3]!.trim() }
}

/** Whether a line closes a block of code. */
export const closesFence = (line: string, { marker }: Fence): boolean => {
  const text = line.replace(/^[ \t>]*/, "").trimEnd()
  return text.length >= marker.length && text === marker[0]!.repeat(text.length)
}

/** Returns for each line whether it belongs to a block of code, including its fences. */
export const codeLines = (lines: ReadonlyArray<string>): ReadonlyArray<boolean> => {
  let fence: Fence | undefined
  return lines.map((line) => {
    if (fence === undefined) {
      fence = fenceOf(line)
      return fence !== undefined
    }
    if (closesFence(line, fence)) fence = undefined
    return true
  })
}

/** A part of Markdown, which is code or not. */
interface Part {
  readonly text: string
  readonly isCode: boolean
}

/** Finds the spans of code in a line. */
export const codeSpans = (line: string): Iterable<RegExpExecArray> =>
  line.matchAll(/(?<!`)(`{1,20})(?!`)[^\n]*?[^`]\1(?!`)/g)

/** Divides a line at its spans of code. */
const divideLine = (line: string): ReadonlyArray<Part> => {
  if (!line.includes("`")) return [{ text: line, isCode: false }]
  const parts: Array<Part> = []
  let from = 0
  for (const { 0: span, index } of codeSpans(line)) {
    parts.push({ text: line.slice(from, index), isCode: false }, { text: span, isCode: true })
    from = index + span.length
  }
  return [...parts, { text: line.slice(from), isCode: false }]
}

/** Replaces text outside of code. Each call of `convert` gets the text between two spans or blocks of code. */
export const outsideCode = (text: string, convert: (part: string) => string): string => {
  const lines = text.split("\n")
  const isCode = codeLines(lines)
  const parts: Array<{ text: string; isCode: boolean }> = []
  for (const [index, line] of lines.entries()) {
    const ended = index < lines.length - 1 ? `${line}\n` : line
    for (const part of isCode[index] === true ? [{ text: ended, isCode: true }] : divideLine(ended)) {
      const last = parts.at(-1)
      if (last?.isCode === part.isCode) last.text += part.text
      else parts.push({ ...part })
    }
  }
  return parts.map((part) => (part.isCode ? part.text : convert(part.text))).join("")
}

/** Removes the indentation that all lines share, except of lines in code that have less. */
export const dedent = (text: string): string => {
  const lines = text.split("\n")
  const isCode = codeLines(lines)
  let shared = Number.POSITIVE_INFINITY
  for (const [index, line] of lines.entries()) {
    const isInside = isCode[index] === true && isCode[index - 1] === true
    if (line.trim() !== "" && !isInside) shared = Math.min(shared, /^[ \t]*/.exec(line)![0].length)
  }
  if (shared === 0 || shared === Number.POSITIVE_INFINITY) return text
  return lines.map((line) => line.slice(Math.min(shared, /^[ \t]*/.exec(line)![0].length))).join("\n")
}

/** Adds an indentation to the lines that are not blank. */
export const indentBy = (text: string, indent: string): string =>
  indent === "" ? text : text.replaceAll(/^(?=[^\n])/gm, indent)
