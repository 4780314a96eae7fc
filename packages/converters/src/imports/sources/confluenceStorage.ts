/** Converts pages in the storage format of Confluence: HTML with macros, links and images as elements of XML. */
import type { Readings } from "@lectern/formats/threads"
import type { Element, ElementContent } from "hast"
import { toString as textOf } from "hast-util-to-string"
import { escapeText } from "../html/escapeText.ts"
import { attribute, isElement } from "../html/nodes.ts"
import { parseHtml } from "../html/parse.ts"
import {
  codeBlock,
  convertElements,
  details,
  element,
  findElement,
  hint,
  lineOf,
  rewrite,
  text
} from "./elements.ts"

/** Returns the path that links use for the page with a title. */
export const pathOfTitle = (title: string): string => `confluence-page/${encodeURIComponent(title)}`

/** Returns the path that links use for a file that is attached to a page. */
export const pathOfFile = (pageId: string, name: string): string =>
  `confluence-file/${pageId}/${encodeURIComponent(name)}`

const hrefOf = (path: string): string => `/${path.split("/").map(encodeURIComponent).join("/")}`

/** Converts XML to HTML: sections of characters to text, and empty elements to pairs of tags. */
export const toHtml = (xml: string): string => {
  let written = ""
  let at = 0
  for (let start = xml.indexOf("<![CDATA["); start >= 0; start = xml.indexOf("<![CDATA[", at)) {
    const end = xml.indexOf("]]>", start)
    written += xml.slice(at, start) + escapeText(xml.slice(start + 9, end < 0 ? xml.length : end))
    at = end < 0 ? xml.length : end + 3
  }
  return (written + xml.slice(at)).replaceAll(
    /<([a-z]{1,10}:[a-z-]{1,40})((?:\s[^<>]{0,5000})?)\/>/gi,
    "<$1$2></$1>"
  )
}

/** Returns the value of a parameter of a macro. */
const parameter = (macro: Element, name: string): string | undefined => {
  const found = macro.children.find(
    (child): child is Element => isElement(child, "ac:parameter") && attribute(child, "ac:name") === name
  )
  return found === undefined ? undefined : lineOf(found) || undefined
}

const childNamed = (node: Element, name: string): Element | undefined =>
  node.children.find((child): child is Element => isElement(child, name))

const richBody = (macro: Element): ReadonlyArray<ElementContent> =>
  childNamed(macro, "ac:rich-text-body")?.children ?? []

const hintMacros: Readonly<Record<string, "note" | "tip" | "warning" | "danger">> = {
  info: "note",
  tip: "tip",
  note: "warning",
  warning: "danger",
  panel: "note"
}

/** Macros whose content remains. */
const transparentMacros = new Set([
  "section",
  "column",
  "div",
  "excerpt",
  "details",
  "span",
  "align",
  "multiexcerpt"
])

/** Macros that show what Confluence computes. */
const computedMacros = new Set(
  "children pagetree contentbylabel recently-updated attachments livesearch pagetreesearch blog-posts gallery detailssummary contributors listlabels".split(
    " "
  )
)

/** Returns the blocks for a macro. */
const toMacro = (macro: Element, pageId: string, problems: Set<string>): ReadonlyArray<ElementContent> => {
  const name = attribute(macro, "ac:name") ?? ""
  const style = Object.hasOwn(hintMacros, name) ? hintMacros[name] : undefined
  if (style !== undefined) return [hint(style, parameter(macro, "title"), richBody(macro))]
  const plain = childNamed(macro, "ac:plain-text-body")
  switch (name) {
    case "code":
    case "noformat":
      return [
        codeBlock(
          plain === undefined ? "" : textOf(plain),
          parameter(macro, "language"),
          parameter(macro, "title")
        )
      ]
    case "expand":
      return [details(parameter(macro, "title") ?? "Details", richBody(macro))]
    case "toc":
      return []
    case "status":
      return [element("strong", {}, [text(parameter(macro, "title") ?? "")])]
    case "anchor":
      return [element("a", { id: parameter(macro, "") ?? "" })]
    case "view-file": {
      const file = findElement(macro, (one) => isElement(one, "ri:attachment"))
      const fileName = (file === undefined ? undefined : attribute(file, "ri:filename")) ?? ""
      return [
        element("p", {}, [element("a", { href: hrefOf(pathOfFile(pageId, fileName)) }, [text(fileName)])])
      ]
    }
    case "jira":
      problems.add("Issues of Jira are imported as text.")
      return [text(parameter(macro, "key") ?? parameter(macro, "jqlQuery") ?? "")]
    case "include":
    case "excerpt-include": {
      problems.add("Text that the page includes from other pages is imported as a link.")
      return [
        element(
          "p",
          {},
          macro.children.flatMap((child) => (isElement(child) ? child.children : []))
        )
      ]
    }
  }
  if (computedMacros.has(name)) {
    problems.add("Lists of pages that Confluence computes are not imported.")
    return []
  }
  if (!transparentMacros.has(name)) {
    problems.add(`The macro ${name.slice(0, 100)} has no equivalent: only its text is imported.`)
  }
  return plain === undefined ? richBody(macro) : [codeBlock(textOf(plain), undefined, undefined)]
}

/** Returns a link to a page, a file or a user. */
const toLink = (link: Element, pageId: string): ReadonlyArray<ElementContent> => {
  const body = childNamed(link, "ac:link-body") ?? childNamed(link, "ac:plain-text-link-body")
  const page = childNamed(link, "ri:page")
  const file = childNamed(link, "ri:attachment")
  const anchor = attribute(link, "ac:anchor")
  const fragment = anchor === undefined ? "" : `#${encodeURIComponent(anchor)}`
  const title = page === undefined ? undefined : attribute(page, "ri:content-title")
  const name = file === undefined ? undefined : attribute(file, "ri:filename")
  const label =
    body === undefined || lineOf(body) === "" ? [text(title ?? name ?? anchor ?? "")] : body.children
  if (title !== undefined) return [element("a", { href: hrefOf(pathOfTitle(title)) + fragment }, label)]
  if (name !== undefined) return [element("a", { href: hrefOf(pathOfFile(pageId, name)) }, label)]
  return fragment === "" ? label : [element("a", { href: fragment }, label)]
}

const toImage = (image: Element, pageId: string): ReadonlyArray<ElementContent> => {
  const file = childNamed(image, "ri:attachment")
  const url = childNamed(image, "ri:url")
  const name = file === undefined ? undefined : attribute(file, "ri:filename")
  const source =
    name === undefined
      ? url === undefined
        ? undefined
        : attribute(url, "ri:value")
      : hrefOf(pathOfFile(pageId, name))
  if (source === undefined) return []
  const picture = element("img", { src: source, alt: attribute(image, "ac:alt") ?? "" })
  const caption = childNamed(image, "ac:caption")
  return caption === undefined
    ? [picture]
    : [element("figure", {}, [picture, element("figcaption", {}, [text(lineOf(caption))])])]
}

const makeToBlock =
  (pageId: string, problems: Set<string>) =>
  (node: Element): ReadonlyArray<ElementContent> | undefined => {
    switch (node.tagName) {
      case "ac:structured-macro":
      case "ac:macro":
        return toMacro(node, pageId, problems)
      case "ac:link":
        return toLink(node, pageId)
      case "ac:image":
        return toImage(node, pageId)
      case "ac:emoticon":
        return [text(attribute(node, "ac:emoji-fallback") ?? attribute(node, "ac:name") ?? "")]
      case "ac:task-list":
        return [element("ul", {}, node.children)]
      case "ac:task": {
        const isDone = lineOf(childNamed(node, "ac:task-status")) === "complete"
        const body = childNamed(node, "ac:task-body")
        return [element("li", {}, [text(isDone ? "☑ " : "☐ "), ...(body?.children ?? [])])]
      }
      case "ac:adf-extension":
        return findElement(node, (one) => isElement(one, "ac:adf-fallback"))?.children ?? []
      case "ac:placeholder":
      case "ac:adf-attribute":
        return []
      case "time":
        return [text(attribute(node, "dateTime") ?? lineOf(node))]
      case "ac:layout":
      case "ac:layout-section":
      case "ac:layout-cell":
        return [element("div", {}, node.children)]
    }
    return undefined
  }

/** Converts a page in the storage format. `path` ends with the id of the page. */
export const readConfluenceStorage = ({
  bytes,
  path,
  mark
}: Readings["sourcePage"]["in"]): Readings["sourcePage"]["out"] => {
  const pageId = path.split("/").at(-1)!
  const problems = new Set<string>()
  const root = parseHtml(`<body>${toHtml(new TextDecoder().decode(bytes))}</body>`)
  const body = findElement(root, (one) => isElement(one, "body"))
  const children = rewrite(body?.children ?? [], makeToBlock(pageId, problems))
  const page = convertElements(children, { path, mark, title: undefined })
  return { ...page, description: undefined, icon: undefined, problems: [...problems] }
}
