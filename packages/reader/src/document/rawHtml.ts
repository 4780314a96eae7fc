/**
 * Renders HTML that a page contains and that no block represents. Of it, only listed elements and attributes remain; they
 * are built like all other elements, so that the source is not copied.
 */
import { invisibleHtmlElements, plainHtmlElements } from "@lectern/markdown/text"
import { type DefaultTreeAdapterMap, parseFragment } from "parse5"
import { type Content, type ElementName, element, fragment, type Html, nothing } from "../html/Html.ts"
import { renderCode } from "./code.ts"
import { codeOfPre } from "./codeMarks.ts"
import type { Renderer } from "./Renderer.ts"

type Node = DefaultTreeAdapterMap["childNode"]
type Element = DefaultTreeAdapterMap["element"]

/** The maximum length of HTML that is rendered, in characters. Of longer HTML, nothing is rendered. */
const maximumLength = 100_000

/** The maximum nesting of elements. Deeper ones are omitted. */
const maximumDepth = 40

const attributeOf = ({ attrs }: Element, name: string): string | undefined =>
  attrs.find((attribute) => attribute.name === name)?.value

const numberOf = (value: string | undefined): number | undefined =>
  value !== undefined && /^\d{1,4}(px)?$/.test(value) ? Number.parseInt(value, 10) : undefined

const textOf = (node: Node): string =>
  "value" in node ? node.value : "childNodes" in node ? node.childNodes.map(textOf).join("") : ""

const alignOf = (node: Element): string | undefined => {
  const align = attributeOf(node, "align")?.toLowerCase()
  return align === "center" || align === "right" ? `text-${align === "right" ? "end" : "center"}` : undefined
}

const renderImage = (renderer: Renderer, node: Element): Content => {
  const image = renderer.context.image({ kind: "url", url: attributeOf(node, "src") ?? "" })
  const alt = attributeOf(node, "alt") ?? ""
  if (image === undefined) return alt
  return element("img", {
    src: image.src,
    alt,
    width: numberOf(attributeOf(node, "width")) ?? image.width,
    height: numberOf(attributeOf(node, "height")),
    loading: "lazy",
    decoding: "async"
  })
}

/** Renders an element, and its id, which links can refer to. */
const renderElement = (renderer: Renderer, node: Element, depth: number): Content => {
  if (invisibleHtmlElements.has(node.tagName)) return nothing
  const ids = [attributeOf(node, "id"), node.tagName === "a" ? attributeOf(node, "name") : undefined]
  return [
    renderer.anchorElements(ids.flatMap((id) => (id === undefined || id === "" ? [] : [id]))),
    withoutId(renderer, node, depth)
  ]
}

const withoutId = (renderer: Renderer, node: Element, depth: number): Content => {
  const { tagName } = node
  const content = (): Content => renderNodes(renderer, node.childNodes, depth + 1)
  const heading = /^h([1-6])$/.exec(tagName)?.[1]
  if (heading !== undefined) {
    const text = textOf(node).replace(/\s+/g, " ").trim()
    return text === ""
      ? content()
      : renderer.heading(Number(heading), text.toLowerCase(), text, content(), { className: alignOf(node) })
  }
  switch (tagName) {
    case "a": {
      const link = renderer.context.link({ kind: "url", url: attributeOf(node, "href") ?? "" })
      return link === undefined ? content() : element("a", renderer.linkAttributes(link), content())
    }
    case "img":
      return renderImage(renderer, node)
    case "pre": {
      const code = codeOfPre(node)
      return code === undefined
        ? element("pre", { class: alignOf(node) }, content())
        : renderCode(renderer, code)
    }
    case "i":
      return element("em", {}, content())
    case "center":
      return element("div", { class: "text-center" }, content())
    case "details":
      return element("details", { class: "expandable" }, content())
    case "summary":
      return element("summary", {}, content())
    case "br":
    case "hr":
      return element(tagName, {})
    default:
      return plainHtmlElements.has(tagName)
        ? element(tagName as ElementName, { class: alignOf(node) }, content())
        : content()
  }
}

const renderNodes = (renderer: Renderer, nodes: ReadonlyArray<Node>, depth: number): Content =>
  depth > maximumDepth
    ? nothing
    : nodes.map((node) => {
        if (node.nodeName === "#text") return (node as DefaultTreeAdapterMap["textNode"]).value
        return "tagName" in node ? renderElement(renderer, node, depth) : nothing
      })

/** Renders the listed elements of HTML. */
export const renderRawHtml = (renderer: Renderer, source: string): Html => {
  if (source.length > maximumLength) return nothing
  const content = fragment(renderNodes(renderer, parseFragment(source).childNodes, 0))
  return content.text.trim() === "" ? nothing : element("div", { class: "raw-html" }, content)
}
