/**
 * Cleans HTML of other programs before it is pasted: lists of Word, which are paragraphs; tasks of Notion; panels of Confluence;
 * and the styles that these programs add.
 */

/** HTML that a policy of trusted types accepts. It is parsed into a document without scripts, and never inserted. */
const trusted = (html: string): string => {
  const factory = (globalThis as { readonly trustedTypes?: TrustedTypes }).trustedTypes
  if (factory === undefined) return html
  policy ??= factory.createPolicy("lectern-paste", { createHTML: (text) => text })
  return policy.createHTML(html)
}

interface Policy {
  createHTML(text: string): string
}
interface TrustedTypes {
  createPolicy(name: string, rules: Policy): Policy
}
let policy: Policy | undefined

const maximumHtml = 5_000_000

/** The attribute that contains the style of an element of another program. */
const styleAttribute = "data-style"

const textOf = (node: Node): string => (node.textContent ?? "").replace(/\u00a0/g, " ").trim()

/** An item of a list of Word. */
interface WordItem {
  readonly element: HTMLElement
  readonly level: number
  readonly isOrdered: boolean
  readonly start: number
}

const wordItem = (element: Element): WordItem | undefined => {
  const match = /mso-list:\s*l\d+\s+level(\d)/i.exec(element.getAttribute(styleAttribute) ?? "")
  if (match === null) return undefined
  const marker = Array.from(element.querySelectorAll("span")).find((span) =>
    /mso-list:\s*Ignore/i.test(span.getAttribute(styleAttribute) ?? "")
  )
  const text = marker === undefined ? "" : textOf(marker)
  marker?.remove()
  const ordered = /^\(?(\d+|[a-z]{1,4})[.)]/i.exec(text)
  return {
    element: element as HTMLElement,
    level: Number(match[1]),
    isOrdered: ordered !== null && !/^o$/i.test(text),
    start: ordered !== null && /^\d/.test(ordered[1]!) ? Number(ordered[1]) : 1
  }
}

/** Returns the lists of consecutive items, nested by their levels. */
const buildLists = (document: Document, items: ReadonlyArray<WordItem>): DocumentFragment => {
  const result = document.createDocumentFragment()
  const open: Array<{ readonly list: HTMLElement; readonly level: number }> = []
  for (const { element, level, isOrdered, start } of items) {
    while (open.length > 0 && open.at(-1)!.level > level) open.pop()
    const tag = isOrdered ? "ol" : "ul"
    const current = open.at(-1)
    if (current === undefined || current.level < level || current.list.localName !== tag) {
      if (current !== undefined && current.level === level) open.pop()
      const list = document.createElement(tag)
      if (isOrdered && start > 1) list.setAttribute("start", String(start))
      const parent = open.at(-1)?.list.lastElementChild ?? undefined
      if (parent === undefined) result.append(list)
      else parent.append(list)
      open.push({ list, level })
    }
    const item = document.createElement("li")
    const paragraph = document.createElement("p")
    paragraph.append(...element.childNodes)
    item.append(paragraph)
    open.at(-1)!.list.append(item)
  }
  return result
}

/** Rebuilds the lists of Word, which are paragraphs with markers. */
const rebuildWordLists = (document: Document): void => {
  for (const paragraph of Array.from(
    document.querySelectorAll(
      "p[data-style*='mso-list'], h1[data-style*='mso-list'], h2[data-style*='mso-list']"
    )
  )) {
    if (!paragraph.isConnected) continue
    const items: Array<WordItem> = []
    let next: Element | null = paragraph
    while (next !== null) {
      const item = wordItem(next)
      if (item === undefined) break
      items.push(item)
      next = next.nextElementSibling
    }
    if (items.length === 0) continue
    const lists = buildLists(document, items)
    paragraph.before(lists)
    for (const { element } of items) element.remove()
  }
}

const wordClasses: Readonly<Record<string, string>> = {
  MsoTitle: "h1",
  MsoSubtitle: "h2",
  MsoHeading1: "h1",
  MsoHeading2: "h2",
  MsoHeading3: "h3",
  MsoQuote: "blockquote"
}

const replaceTag = (element: Element, tag: string): HTMLElement => {
  const replacement = element.ownerDocument.createElement(tag)
  replacement.append(...element.childNodes)
  element.replaceWith(replacement)
  return replacement
}

const renameWordStyles = (document: Document): void => {
  for (const [name, tag] of Object.entries(wordClasses)) {
    for (const element of Array.from(document.querySelectorAll(`p.${name}`))) {
      const replacement = replaceTag(element, tag)
      if (tag !== "blockquote") continue
      const paragraph = document.createElement("p")
      paragraph.append(...replacement.childNodes)
      replacement.append(paragraph)
    }
  }
}

/** Tasks of Notion have an element in place of a checkbox. */
const convertNotionTasks = (document: Document): void => {
  for (const list of document.querySelectorAll("ul.to-do-list")) {
    for (const item of list.children) {
      const box = item.querySelector(":scope > .checkbox")
      item.setAttribute("data-checked", String(box?.classList.contains("checkbox-on") === true))
      box?.remove()
    }
  }
}

const panelStyles: Readonly<Record<string, string>> = {
  info: "info",
  note: "info",
  information: "info",
  tip: "success",
  success: "success",
  warning: "warning",
  error: "danger",
  danger: "danger"
}

/** Panels of Confluence, and callouts of Notion and of other programs, are hints. */
const convertPanels = (document: Document): void => {
  const panels = document.querySelectorAll(
    "[data-panel-type], .confluence-information-macro, figure.callout, .admonition"
  )
  for (const panel of Array.from(panels)) {
    const name = `${panel.getAttribute("data-panel-type") ?? ""} ${panel.className}`
    const kind = Object.keys(panelStyles).find((one) =>
      new RegExp(`\\b(?:confluence-information-macro-)?${one}\\b`).test(name)
    )
    for (const icon of panel.querySelectorAll(".confluence-information-macro-icon, .aui-icon, .icon"))
      icon.remove()
    const hint = replaceTag(panel, "div")
    hint.setAttribute("data-lectern-node", "hint")
    const attributes = { data: { style: panelStyles[kind ?? "info"] } }
    hint.setAttribute("data-lectern-attributes", JSON.stringify(attributes))
  }
}

const removeJunk = (document: Document): void => {
  const junk = "script, style, meta, link, title, xml, iframe, object, embed, form, o\\:p, [hidden]"
  for (const element of Array.from(document.querySelectorAll(junk))) {
    if (element.localName === "o:p") element.replaceWith(...element.childNodes)
    else element.remove()
  }
  const walker = document.createTreeWalker(document, NodeFilter.SHOW_COMMENT)
  const comments: Array<Node> = []
  while (walker.nextNode()) comments.push(walker.currentNode)
  for (const comment of comments) comment.parentNode?.removeChild(comment)
}

/** The declarations of the style of an element, by their names. */
const declarationsOf = (element: Element): ReadonlyMap<string, string> =>
  new Map(
    (element.getAttribute(styleAttribute) ?? "")
      .split(";")
      .flatMap((declaration): Array<[string, string]> => {
        const [name, ...value] = declaration.split(":")
        return value.length === 0 ? [] : [[name!.trim().toLowerCase(), value.join(":").trim().toLowerCase()]]
      })
  )

const isBold = (weight: string | undefined): boolean => /^(?:bold(?:er)?|[6-9]\d{2})$/.test(weight ?? "")

/** The elements of the marks that a style represents. */
const markTags = (style: ReadonlyMap<string, string>, isHeading: boolean): ReadonlyArray<string> => {
  const decoration = `${style.get("text-decoration") ?? ""} ${style.get("text-decoration-line") ?? ""}`
  const alignment = style.get("vertical-align")
  return [
    // The weight of a heading is its style, not a mark.
    ...(isBold(style.get("font-weight")) && !isHeading ? ["strong"] : []),
    ...(/^(?:italic|oblique)/.test(style.get("font-style") ?? "") ? ["em"] : []),
    ...(decoration.includes("line-through") ? ["s"] : []),
    ...(alignment === "super" ? ["sup"] : alignment === "sub" ? ["sub"] : [])
  ]
}

/** Google Docs encloses everything that is copied in an element of bold text with the normal weight. */
const isReset = (element: Element, style: ReadonlyMap<string, string>): boolean => {
  const [weight, slant] = [style.get("font-weight"), style.get("font-style")]
  const isNormal = weight !== undefined && !isBold(weight)
  return (
    (/^(?:b|strong)$/.test(element.localName) && isNormal) ||
    (/^(?:i|em)$/.test(element.localName) && slant === "normal")
  )
}

/** Replaces styles by the elements of their marks, and removes them. */
const convertStyles = (document: Document): void => {
  for (const element of Array.from(document.querySelectorAll(`[${styleAttribute}]`))) {
    const style = declarationsOf(element)
    element.removeAttribute(styleAttribute)
    if (isReset(element, style)) {
      element.replaceWith(...element.childNodes)
      continue
    }
    if (element.querySelector("p, div, ul, ol, table, h1, h2, h3, h4, h5, h6, blockquote, pre") !== null)
      continue
    const isHeading = element.closest("h1, h2, h3, h4, h5, h6, th") !== null
    for (const tag of markTags(style, isHeading)) {
      const mark = document.createElement(tag)
      mark.append(...element.childNodes)
      element.append(mark)
    }
  }
}

/** Notion writes each item as a list of its own. */
const joinLists = (document: Document): void => {
  for (const list of Array.from(
    document.querySelectorAll("ul.to-do-list, ul.bulleted-list, ol.numbered-list")
  )) {
    const before = list.previousElementSibling
    if (before === null || before.className !== list.className || before.localName !== list.localName)
      continue
    before.append(...list.childNodes)
    list.remove()
  }
}

/** Cells of Excel and of Google Sheets are text, without the column group and the frames. */
const cleanTables = (document: Document): void => {
  for (const element of Array.from(document.querySelectorAll("colgroup, caption"))) element.remove()
  for (const table of Array.from(document.querySelectorAll("table table")))
    table.replaceWith(...Array.from(table.querySelectorAll("td, th"), (cell) => replaceTag(cell, "p")))
}

/**
 * Removes style sheets, and renames the style of elements: a strict policy reports both even in a document that is not
 * displayed.
 */
const protect = (html: string): string =>
  html
    .replace(/<style\b[\s\S]*?<\/style\s*>/gi, "")
    .replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(/(\s)style(\s*=)/gi, `$1${styleAttribute}$2`))

/** Cleans HTML from the clipboard. HTML that the editor itself copied is not changed. */
export const cleanHtml = (html: string): string => {
  if (html.includes("data-pm-slice") || html.length > maximumHtml) return html
  // Word writes text after the end of the document, and its lists into conditional comments.
  const whole = html.replace(/<!\[(?:if|endif)[^>]*>/gi, "").replace(/<\/html>[\s\S]*$/i, "</html>")
  const document = new DOMParser().parseFromString(trusted(protect(whole)), "text/html")
  rebuildWordLists(document)
  removeJunk(document)
  renameWordStyles(document)
  joinLists(document)
  convertNotionTasks(document)
  convertPanels(document)
  cleanTables(document)
  convertStyles(document)
  return document.body.innerHTML
}
