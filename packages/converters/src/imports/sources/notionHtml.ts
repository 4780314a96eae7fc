/** Converts pages that Notion exports as HTML. */
import { decodeHtml, type Readings } from "@lectern/formats/threads"
import type { Element, ElementContent } from "hast"
import { attribute, isElement } from "../html/nodes.ts"
import { parseHtml } from "../html/parse.ts"
import { convertElements, element, findElement, hasClass, hint, lineOf, rewrite, text } from "./elements.ts"

const toBlock = (node: Element): ReadonlyArray<ElementContent> | undefined => {
  if (node.tagName === "nav" || hasClass(node, "table_of_contents")) return []
  if (hasClass(node, "callout")) {
    const [, ...body] = node.children.filter((child) => isElement(child))
    return [hint("note", undefined, body.length === 0 ? node.children : body)]
  }
  // A toggle is a list of one item.
  if (hasClass(node, "toggle")) {
    const inner = findElement(node, (one) => isElement(one, "details"))
    return inner === undefined ? undefined : [inner]
  }
  if (hasClass(node, "bookmark")) {
    const title = lineOf(findElement(node, (one) => hasClass(one, "bookmark-title")))
    return [
      element("a", { href: attribute(node, "href") ?? "" }, [text(title || (attribute(node, "href") ?? ""))])
    ]
  }
  if (hasClass(node, "image")) {
    // An image is a link to itself.
    const image = findElement(node, (one) => isElement(one, "img"))
    const caption = node.children.find((child) => isElement(child, "figcaption"))
    if (image !== undefined)
      return [element("figure", {}, [image, ...(caption === undefined ? [] : [caption])])]
  }
  if (hasClass(node, "link-to-page")) return [element("p", {}, node.children)]
  if (hasClass(node, "checkbox")) return [text(hasClass(node, "checkbox-on") ? "☑ " : "☐ ")]
  return isElement(node, "span") && hasClass(node, "icon") ? [] : undefined
}

/** Converts a page. Throws `NotReadable` if it has too many elements, or they are nested too deep. */
export const readNotionHtml = ({
  bytes,
  path,
  mark
}: Readings["sourcePage"]["in"]): Readings["sourcePage"]["out"] => {
  const root = parseHtml(decodeHtml(bytes))
  const article = findElement(root, (one) => isElement(one, "article"))
  const page = article ?? findElement(root, (one) => isElement(one, "body"))
  const title = lineOf(findElement(page ?? root, (one) => hasClass(one, "page-title"))) || undefined
  const properties = findElement(
    page ?? root,
    (one) => isElement(one, "table") && hasClass(one, "properties")
  )
  const body = findElement(page ?? root, (one) => hasClass(one, "page-body"))
  const content: ReadonlyArray<ElementContent> =
    body === undefined
      ? (page?.children ?? [])
      : [...(properties === undefined ? [] : [properties]), ...body.children]
  const isDatabase = findElement(page ?? root, (one) => hasClass(one, "collection-content")) !== undefined
  return {
    ...convertElements(rewrite(content, toBlock), { path, mark, title }),
    description: lineOf(findElement(page ?? root, (one) => hasClass(one, "page-description"))) || undefined,
    icon: undefined,
    problems: isDatabase
      ? ["Views, formulas and relations of the database are not imported: the page has a table of its rows."]
      : []
  }
}
