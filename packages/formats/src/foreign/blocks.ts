/** Writes the blocks that Markdown of other tools is converted to. */

import { tagOf } from "@lectern/markdown/document"

/** The styles of hints by the names of admonitions in other tools. */
const styles: Readonly<Record<string, "info" | "success" | "warning" | "danger">> = {
  tip: "success",
  hint: "success",
  check: "success",
  success: "success",
  done: "success",
  warning: "warning",
  caution: "warning",
  attention: "warning",
  important: "warning",
  danger: "danger",
  error: "danger",
  failure: "danger",
  fail: "danger",
  missing: "danger",
  bug: "danger"
}

const body = (content: string): string => content.replace(/^(?:[ \t]*\n)+/, "").trimEnd()

const enclosed = (open: string, content: string, close: string): string =>
  `${open}\n${body(content)}\n${close}`

/** Returns a hint for an admonition. */
export const hintBlock = (name: string, title: string | undefined, content: string): string => {
  const style = Object.hasOwn(styles, name.toLowerCase()) ? styles[name.toLowerCase()]! : "info"
  const heading = title === undefined || title.trim() === "" ? "" : `**${title.trim()}**\n\n`
  return enclosed(tagOf("hint", { style }), heading + body(content), tagOf("endhint", {}))
}

/** Returns a tab. */
export const tabBlock = (title: string, content: string): string =>
  enclosed(tagOf("tab", { title }), content, tagOf("endtab", {}))

/** Returns tabs, whose content is written by `tabBlock`. */
export const tabsBlock = (content: string): string =>
  enclosed(tagOf("tabs", {}), content, tagOf("endtabs", {}))

/** Returns steps, whose content is written by `stepBlock`. */
export const stepsBlock = (content: string): string =>
  enclosed(tagOf("stepper", {}), content, tagOf("endstepper", {}))

/** Returns a step. */
export const stepBlock = (title: string | undefined, content: string): string =>
  enclosed(
    tagOf("step", {}),
    `${title === undefined ? "" : `### ${title}\n\n`}${body(content)}`,
    tagOf("endstep", {})
  )

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

/** Returns an expandable block. */
export const detailsBlock = (title: string, content: string, isOpen = false): string =>
  `<details${isOpen ? " open" : ""}>\n\n<summary>${escapeHtml(title)}</summary>\n\n${body(content)}\n\n</details>`

/** Returns the text of Markdown without the most frequent marks. */
const plainOf = (markdown: string): string =>
  markdown
    .replaceAll(/!?\[([^[\]\n]{0,500})\]\([^()\n]{0,1000}\)/g, "$1")
    .replaceAll(/[*`]+/g, "")
    .replaceAll(/\s+/g, " ")
    .trim()

/** Returns the row of a card, which `wrapCards` places in a table. */
export const cardRow = (title: string, content: string, href: string | undefined): string => {
  const link = href === undefined ? "" : `<a href="${escapeHtml(href)}">${escapeHtml(title)}</a>`
  return `<tr><td><strong>${escapeHtml(title)}</strong></td><td>${escapeHtml(plainOf(content))}</td><td>${link}</td></tr>`
}

const cardHead =
  '<table data-view="cards"><thead><tr><th></th><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody>'

/** Places consecutive rows of cards in a table. */
export const wrapCards = (text: string): string => {
  if (!text.includes("<tr><td><strong>")) return text
  const written: Array<string> = []
  let rows: Array<string> = []
  const close = (): void => {
    if (rows.length > 0) written.push(`${cardHead}${rows.join("")}</tbody></table>`, "")
    rows = []
  }
  for (const line of text.split("\n")) {
    const row = line.trim()
    if (row.startsWith("<tr><td><strong>") && row.endsWith("</td></tr>")) rows.push(row)
    else if (row !== "" || rows.length === 0) {
      close()
      written.push(line)
    }
  }
  close()
  return written.join("\n")
}

/** Returns the inclusion of a file. */
export const includeBlock = (path: string): string => `{% include "${path.replaceAll('"', "%22")}" %}`
