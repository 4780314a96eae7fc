/** Converts alerts of GitHub and callouts of Obsidian, which are quotes that begin with a kind such as `[!NOTE]`. */

import { hintBlock } from "./blocks.ts"
import { codeLines } from "./code.ts"

const opening = /^ {0,3}>[ \t]?\[!([A-Za-z]{1,40})\][+-]?[ \t]*([^\n]{0,500})$/
const quoted = /^ {0,3}>[ \t]?/

/** Converts alerts to hints. Quotes in other blocks, and in code, remain. */
export const convertAlerts = (text: string): string => {
  if (!text.includes("[!")) return text
  const lines = text.split("\n")
  const isCode = codeLines(lines)
  const written: Array<string> = []
  for (let index = 0; index < lines.length; index++) {
    const found = isCode[index] === true ? null : opening.exec(lines[index]!)
    // A quote that begins earlier is one quote.
    if (found === null || quoted.test(lines[index - 1] ?? "")) {
      written.push(lines[index]!)
      continue
    }
    const content: Array<string> = []
    while (quoted.test(lines[index + 1] ?? "")) content.push(lines[++index]!.replace(quoted, ""))
    if (written.length > 0 && written.at(-1) !== "") written.push("")
    // The most severe of GitHub's kinds. In other tools it is a warning.
    const kind = found[1]!.toLowerCase() === "caution" ? "danger" : found[1]!
    written.push(hintBlock(kind, found[2], content.join("\n")))
    if (index + 1 < lines.length && lines[index + 1] !== "") written.push("")
  }
  return written.join("\n")
}
