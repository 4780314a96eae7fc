/** Writes the Markdown of pages that are generated from specs. */
import type { CodeSample } from "@lectern/markdown/openapi"

/** Escapes the text of a table cell. */
const cell = (text: string): string => text.replace(/\s*\n\s*/g, " ").replaceAll("|", "\\|")

export const table = (heads: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [heads, heads.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n")

/** A code block with a fence that is longer than any within. */
export const code = (language: string, text: string): string => {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  const fence = "`".repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

/** Code in a sentence. Backticks and line breaks in it are spaces. */
export const inlineCode = (text: string): string => `\`${text.replace(/[`\s]+/g, " ").trim()}\``

export const json = (value: unknown): string => code("json", JSON.stringify(value, undefined, 2) ?? "null")

export const join = (parts: ReadonlyArray<string>): string => parts.filter((part) => part !== "").join("\n\n")

/** A list of one line per item. */
export const bulletList = (items: ReadonlyArray<string>): string =>
  items.map((item) => `- ${item.replace(/\s*\n\s*/g, " ")}`).join("\n")

export const heading = (level: number, text: string): string =>
  `${"#".repeat(level)} ${text.replace(/\s+/g, " ")}`

/** Code blocks as tabs, with their titles. */
export const codeTabs = (tabs: ReadonlyArray<CodeSample>): string =>
  join([
    "{% tabs %}",
    ...tabs.flatMap(({ title, syntax, text }) => [
      `{% tab title="${title.replace(/["%{}\n]+/g, " ").trim()}" %}`,
      code(syntax.replace(/[^\w+#-]+/g, ""), text),
      "{% endtab %}"
    ]),
    "{% endtabs %}"
  ])
