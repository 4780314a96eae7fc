/** Converts the opening lines of blocks of code, where tools write titles and settings after the language. */

import { tagOf } from "@lectern/markdown/document"
import { closesFence, fenceOf } from "../../foreign/code.ts"

/** The settings of a block of code. */
export interface FenceInfo {
  readonly language: string
  readonly title: string | undefined
  readonly hasLineNumbers: boolean
}

const titlePattern = /\b(?:title|filename|file|label)\s*=\s*(?:\{?"([^"]*)"\}?|\{?'([^']*)'\}?|([^\s"'{}]+))/

/**
 * Reads the text after the fence of a block of code. `hasBareTitle` also accepts a title without a name, as in
 * ` ```js index.js `.
 */
export const readFenceInfo = (info: string, hasBareTitle: boolean): FenceInfo => {
  const attributes = /^\{(.*)\}$/.exec(info)?.[1]
  const text = attributes ?? info
  const titled = titlePattern.exec(text)
  const hasLineNumbers = /\b(?:showLineNumbers|linenums|lineNumbers|lines|lineno)\b/i.test(text)
  const language =
    attributes === undefined
      ? (/^[^\s{=:]+(?=[\s{:]|$)/.exec(text)?.[0] ?? "")
      : (/(?:^|\s)\.([\w+#-]+)/.exec(text)?.[1] ?? "")
  const rest = text
    .slice(attributes === undefined ? language.length : 0)
    .replace(titlePattern, "")
    .replaceAll(
      /\{[^{}]*\}|\/[^/\s]*\/|\b[\w-]+\s*=\s*(?:"[^"]*"|'[^']*'|\S+)|\b(?:showLineNumbers|lines|wrap|expandable|icon|theme|live|noInline|copy|focus|highlight)\b/g,
      ""
    )
    .trim()
  const bare =
    hasBareTitle && attributes === undefined && rest !== "" && language !== "mermaid" ? rest : undefined
  return {
    language,
    title: titled === null ? bare : (titled[1] ?? titled[2] ?? titled[3]),
    hasLineNumbers
  }
}

/** Converts the titles and the line numbers of all blocks of code. */
export const convertFences = (text: string, hasBareTitle: boolean): string => {
  const lines = text.split("\n")
  const written: Array<string> = []
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!
    const fence = fenceOf(line)
    if (fence === undefined) {
      written.push(line)
      continue
    }
    const { language, title, hasLineNumbers } = readFenceInfo(fence.info, hasBareTitle)
    let end = index + 1
    while (end < lines.length && !closesFence(lines[end]!, fence)) end++
    const block = [`${fence.indent}${fence.marker}${language}`, ...lines.slice(index + 1, end + 1)]
    const isPlain = title === undefined && !hasLineNumbers
    // A tag is written at the indentation of the block. The first line of a list item is unchanged.
    const isTagged = !isPlain && fence.indent.trim() === "" && end < lines.length
    const settings = {
      ...(title === undefined ? {} : { title }),
      ...(hasLineNumbers ? { lineNumbers: "true" } : {})
    }
    if (isTagged) written.push(fence.indent + tagOf("code", settings))
    written.push(...block)
    if (isTagged) written.push(fence.indent + tagOf("endcode", {}))
    index = end
  }
  return written.join("\n")
}
