/** Converts pages that Confluence exports as HTML. */
import { decodeHtml, type Readings } from "@lectern/formats/threads"
import type { Element, ElementContent } from "hast"
import { toText } from "hast-util-to-text"
import { attribute, isElement } from "../html/nodes.ts"
import { parseHtml } from "../html/parse.ts"
import {
  codeBlock,
  convertElements,
  details,
  element,
  findElement,
  hasClass,
  hint,
  lineOf,
  rewrite,
  text
} from "./elements.ts"

const hintStyles = { tip: "tip", note: "warning", warning: "danger", information: "note" } as const

const toHint = (node: Element): Element => {
  const style = (Object.keys(hintStyles) as ReadonlyArray<keyof typeof hintStyles>).find((name) =>
    hasClass(node, `confluence-information-macro-${name}`)
  )
  const title = node.children.find((child) => hasClass(child, "title"))
  const body = findElement(node, (one) => hasClass(one, "confluence-information-macro-body"))
  return hint(hintStyles[style ?? "information"], lineOf(title), body?.children ?? node.children)
}

/** Returns the block of code in a panel. Its language is in the settings of the highlighter. */
const toCode = (panel: Element): Element | undefined => {
  const block = findElement(panel, (one) => isElement(one, "pre"))
  if (block === undefined) return undefined
  const settings = attribute(block, "dataSyntaxhighlighterParams") ?? attribute(block, "className") ?? ""
  const language = /\bbrush:\s*([\w#+-]{1,40})/.exec(settings)?.[1]
  const title = lineOf(findElement(panel, (one) => hasClass(one, "panelheader")))
  return codeBlock(toText(block).replace(/\n$/, ""), language === "plain" ? undefined : language, title)
}

/** Returns the function that converts the elements of macros. The losses are added to `problems`. */
const makeToBlock =
  (problems: Set<string>) =>
  (node: Element): ReadonlyArray<ElementContent> | undefined => {
    if (hasClass(node, "toc-macro") || hasClass(node, "expand-control-icon")) return []
    if (hasClass(node, "confluence-information-macro")) return [toHint(node)]
    if (hasClass(node, "panel") && (hasClass(node, "code") || hasClass(node, "preformatted"))) {
      const code = toCode(node)
      return code === undefined ? undefined : [code]
    }
    if (hasClass(node, "panel")) {
      const body = findElement(node, (one) => hasClass(one, "panelcontent"))
      const title = lineOf(node.children.find((child) => hasClass(child, "panelheader")))
      return [hint("note", title, body?.children ?? node.children)]
    }
    if (hasClass(node, "expand-container")) {
      const body = findElement(node, (one) => hasClass(one, "expand-content"))
      const title = lineOf(findElement(node, (one) => hasClass(one, "expand-control-text")))
      return [details(title, body?.children ?? [])]
    }
    if (hasClass(node, "emoticon"))
      return [text(attribute(node, "dataEmojiFallback") ?? attribute(node, "alt") ?? "")]
    if (hasClass(node, "confluence-userlink")) return [text(lineOf(node))]
    if (hasClass(node, "inline-task-list")) {
      return [
        element(
          "ul",
          {},
          node.children.map((item) =>
            isElement(item, "li")
              ? { ...item, children: [text(hasClass(item, "checked") ? "☑ " : "☐ "), ...item.children] }
              : item
          )
        )
      ]
    }
    if (hasClass(node, "jira-issue") || hasClass(node, "jira-table")) {
      problems.add("Issues of Jira are imported as text.")
      return undefined
    }
    if (hasClass(node, "plugin_pagetree") || hasClass(node, "childpages-macro")) {
      problems.add("Lists of pages that Confluence computes are not imported.")
      return []
    }
    return undefined
  }

/** Returns the text of the heading that an anchor of Confluence names, which begins with the title of its page. */
const headingOfAnchor = (fragment: string): string => {
  const at = fragment.indexOf("-")
  return at < 0 ? fragment : fragment.slice(at + 1)
}

/** Converts a page. Throws `NotReadable` if it has too many elements, or they are nested too deep. */
export const readConfluenceHtml = ({
  bytes,
  path,
  mark
}: Readings["sourcePage"]["in"]): Readings["sourcePage"]["out"] => {
  const root = parseHtml(decodeHtml(bytes))
  const problems = new Set<string>()
  const content =
    findElement(root, (one) => attribute(one, "id") === "main-content") ??
    findElement(root, (one) => hasClass(one, "wiki-content")) ??
    findElement(root, (one) => isElement(one, "body"))
  const children = rewrite(content?.children ?? [], makeToBlock(problems))
  const page = convertElements(children, { path, mark, title: undefined }, headingOfAnchor)
  return { ...page, description: undefined, icon: undefined, problems: [...problems] }
}
