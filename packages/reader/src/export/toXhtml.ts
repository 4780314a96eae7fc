/** Converts the content of a rendered page to XHTML, for readers of books. */
import type { DefaultTreeAdapterTypes } from "parse5"
import { escapeText } from "../html/Html.ts"

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

/** The attributes that books have. Others belong to the script or to the style of pages. */
const attributes: ReadonlySet<string> = new Set(
  "alt cite class colspan datetime dir display encoding href id lang open reversed rowspan scope src start title value width height".split(
    " "
  )
)

/** The elements that need a script or a server. */
const omitted: ReadonlySet<string> = new Set([
  "button",
  "dialog",
  "form",
  "input",
  "script",
  "style",
  "svg",
  "template"
])

const voidElements: ReadonlySet<string> = new Set(["br", "col", "hr", "img", "wbr"])

/** Changes the URLs of a page. `undefined` removes the attribute. */
export interface BookLinks {
  readonly link: (url: string) => string | undefined
  readonly image: (url: string) => string | undefined
}

const hasClass = (element: Element, name: string): boolean =>
  element.attrs.some((attribute) => attribute.name === "class" && attribute.value.split(" ").includes(name))

const namespaceOf = (element: Element): string =>
  element.tagName === "math" ? ' xmlns="http://www.w3.org/1998/Math/MathML"' : ""

const attributesOf = (element: Element, links: BookLinks): string =>
  element.attrs
    .flatMap(({ name, value }): ReadonlyArray<readonly [name: string, value: string | undefined]> => {
      if (!attributes.has(name) || (name === "class" && element.tagName === "math")) return []
      if (name === "href" || name === "cite") return [[name, links.link(value)]]
      if (name === "src") return [[name, links.image(value)]]
      return [[name, value]]
    })
    .flatMap(([name, value]) => (value === undefined ? [] : ` ${name}="${escapeText(value)}"`))
    .join("")

/** Writes a node as XHTML. Elements that need a script are omitted; an embedded website is a link. */
export const toXhtml = (node: Node, links: BookLinks): string => {
  if (node.nodeName === "#text" && "value" in node) return escapeText(node.value)
  if (!("childNodes" in node)) return ""
  const children = () => node.childNodes.map((child) => toXhtml(child, links)).join("")
  if (!("tagName" in node)) return children()
  const { tagName } = node
  if (omitted.has(tagName) || hasClass(node, "anchor") || hasClass(node, "js-only")) return ""
  if (tagName === "iframe" || tagName === "video" || tagName === "audio") {
    const url = node.attrs.find(({ name }) => name === "src")?.value
    const href = url === undefined ? undefined : links.link(url)
    return href === undefined ? "" : `<p><a href="${escapeText(href)}">${escapeText(href)}</a></p>`
  }
  const written = attributesOf(node, links)
  // An image that is not part of the book is its description.
  if (tagName === "img" && !/ src="/.test(written)) {
    return escapeText(node.attrs.find(({ name }) => name === "alt")?.value ?? "")
  }
  const start = `<${tagName}${namespaceOf(node)}${written}`
  if (voidElements.has(tagName))
    return `${start}${tagName === "img" && !/ alt="/.test(written) ? ' alt=""' : ""}/>`
  return `${start}>${children()}</${tagName}>`
}
