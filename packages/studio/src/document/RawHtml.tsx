/** HTML of a page that no block represents: listed elements of it, which are built and not copied, as published pages display it. */
import { invisibleHtmlElements, plainHtmlElements } from "@lectern/markdown/text"
import { createElement, type ReactNode, useMemo } from "react"
import { CodeFigure } from "./CodeView.tsx"
import { ImageOf, LinkNode } from "./Inlines.tsx"

/** The maximum length of HTML that is displayed, in characters, and the maximum nesting of its elements. */
const maximum = { length: 100_000, depth: 40 }

const alignOf = (node: Element): string | undefined => {
  const align = node.getAttribute("align")?.toLowerCase()
  return align === "center" || align === "right" ? `text-${align === "right" ? "end" : "center"}` : undefined
}

const renderElement = (node: Element, depth: number): ReactNode => {
  const name = node.localName
  if (invisibleHtmlElements.has(name)) return null
  const content = () => renderNodes(node, depth + 1)
  if (/^h[1-6]$/.test(name)) {
    const level = Math.max(2, Number(name[1]))
    return createElement(`h${level}`, { className: `heading h-${Math.min(Number(name[1]), 4)}` }, content())
  }
  switch (name) {
    case "a":
      return (
        <LinkNode reference={{ kind: "url", url: node.getAttribute("href") ?? "" }}>{content()}</LinkNode>
      )
    case "img": {
      const reference = { kind: "url", url: node.getAttribute("src") ?? "" }
      return <ImageOf reference={reference} alt={node.getAttribute("alt") ?? ""} />
    }
    case "pre":
      return <CodeFigure text={node.textContent ?? ""} />
    case "i":
      return <em>{content()}</em>
    case "center":
      return <div className="text-center">{content()}</div>
    case "details":
      return <details className="expandable">{content()}</details>
    case "summary":
      return <summary>{content()}</summary>
    case "br":
    case "hr":
      return createElement(name)
    default:
      return plainHtmlElements.has(name)
        ? createElement(name, { className: alignOf(node) }, content())
        : content()
  }
}

const renderNodes = (parent: Element, depth: number): ReactNode =>
  depth > maximum.depth
    ? null
    : Array.from(parent.childNodes, (node, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the nodes of parsed HTML never move.
        <HtmlNode key={`${index} ${node.nodeName}`} node={node} depth={depth} />
      ))

const isTablePart = (node: Node): boolean => /^(TABLE|TBODY|THEAD|TR)$/.test(node.parentNode?.nodeName ?? "")

const HtmlNode = ({ node, depth }: { readonly node: Node; readonly depth: number }): ReactNode => {
  if (node instanceof Text) return isTablePart(node) ? null : node.data
  return node instanceof Element ? renderElement(node, depth) : null
}

/** HTML of a page. A comment, and HTML without content, is nothing. */
export const RawHtml = ({ source }: { readonly source: string }) => {
  const body = useMemo(
    () =>
      source.length > maximum.length
        ? undefined
        : // The document of a parser has no window: it runs no script and loads nothing.
          new DOMParser().parseFromString(source, "text/html").body,
    [source]
  )
  if (body === undefined || (body.textContent?.trim() === "" && body.childElementCount === 0)) return null
  return <div className="raw-html">{renderNodes(body, 0)}</div>
}
