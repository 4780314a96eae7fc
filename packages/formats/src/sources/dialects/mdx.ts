/** Converts MDX: removes its modules and comments, and replaces its components. */

import { wrapCards } from "../../foreign/blocks.ts"
import { codeLines, outsideCode } from "../../foreign/code.ts"
import { convertComponents } from "./components.ts"

/** Removes the comments of JavaScript between braces. */
const removeComments = (text: string): string => {
  let written = ""
  let at = 0
  for (let start = text.indexOf("{/*"); start >= 0; start = text.indexOf("{/*", at)) {
    const end = text.indexOf("*/", start + 3)
    const close = end < 0 ? -1 : text.indexOf("}", end)
    if (close < 0) break
    written += text.slice(at, start)
    at = close + 1
  }
  return written + text.slice(at)
}

const importPattern = /^import\s+(?:\*\s+as\s+)?(\w+)?[^'"]{0,2000}['"]([^'"]{1,500})['"];?\s*$/

/** Splits a page into its Markdown, and the files of Markdown that it imports as components. */
const splitModules = (
  text: string,
  problems: Set<string>
): { readonly markdown: string; readonly partials: ReadonlyMap<string, string> } => {
  const partials = new Map<string, string>()
  const lines = text.split("\n")
  const isCode = codeLines(lines)
  const kept: Array<string> = []
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!
    const keyword = isCode[index] === true ? undefined : /^(import|export)\s(?=[\w{*])/.exec(line)?.[1]
    const isStatement = keyword === "import" ? /\bfrom\b|['"]|\{\s*$/.test(line) : keyword === "export"
    if (!isStatement) {
      kept.push(line)
      continue
    }
    // A statement of MDX ends at an empty line.
    let end = index
    if (keyword === "export" || !/['"];?\s*$/.test(line)) {
      while (end + 1 < lines.length && lines[end + 1]!.trim() !== "" && !/^import\s/.test(lines[end + 1]!))
        end++
    }
    const statement = lines
      .slice(index, end + 1)
      .join(" ")
      .slice(0, 5000)
    const [, name, path] = importPattern.exec(statement) ?? []
    if (name !== undefined && path !== undefined && /\.mdx?$/i.test(path)) {
      partials.set(name, path.replace(/^@site\//, "/"))
    } else if (keyword === "export") problems.add("Code that the page exports is omitted.")
    index = end
  }
  return { markdown: kept.join("\n"), partials }
}

/** Converts the text of a page in MDX. */
export const convertMdx = (text: string, problems: Set<string>): string => {
  const { markdown, partials } = splitModules(outsideCode(text, removeComments), problems)
  return wrapCards(convertComponents(markdown, partials, problems))
}
