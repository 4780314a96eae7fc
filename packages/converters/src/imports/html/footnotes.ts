/** Finds the footnotes of a page: short links to an element that has a link back to them. */
import type { Element, ElementContent, Nodes } from "hast"
import { labelOf } from "./menus.ts"
import { attribute, childrenOf, hasTag, isElement } from "./nodes.ts"

/** A footnote. */
export interface Footnote {
  readonly label: string
  readonly children: ReadonlyArray<ElementContent>
}

/** The footnotes of a page. */
export interface Footnotes {
  /** The footnotes by the links that refer to them. */
  readonly byLink: ReadonlyMap<Nodes, Footnote>
  /** The footnotes in the order of their first links. */
  readonly all: ReadonlyArray<Footnote>
  /** The elements that contain the footnotes, which are not content. */
  readonly removed: ReadonlySet<Nodes>
}

/** The maximum number of footnotes of a page; others stay lists with links. Parsers of Markdown take quadratic time for them. */
const maxFootnotes = 1000

/** The maximum length of the text of a link to a footnote. */
const maxLabel = 8

/** The maximum number of elements of a footnote. */
const maxElements = 500

const idsOf = (element: Element): ReadonlyArray<string> =>
  [attribute(element, "id"), element.tagName === "a" ? attribute(element, "name") : undefined].filter(
    (id): id is string => id !== undefined && id !== ""
  )

const fragmentOf = (link: Element): string | undefined => {
  const href = attribute(link, "href")
  return href?.startsWith("#") === true && href.length > 1 ? decode(href.slice(1)) : undefined
}

const decode = (fragment: string): string => {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

/** Returns the footnotes of the elements of a page. */
export const findFootnotes = (content: Nodes): Footnotes => {
  const parents = new Map<Nodes, Element>()
  /** The next sibling of each element that is an element. */
  const followers = new Map<Element, Element>()
  const byId = new Map<string, Element>()
  const links: Array<Element> = []
  const visit = (node: Nodes): void => {
    let previous: Element | undefined
    for (const child of childrenOf(node)) {
      if (!isElement(child)) continue
      if (previous !== undefined) followers.set(previous, child)
      previous = child
      if (isElement(node)) parents.set(child, node)
      for (const id of idsOf(child)) if (!byId.has(id)) byId.set(id, child)
      if (child.tagName === "a" && fragmentOf(child) !== undefined) links.push(child)
      visit(child)
    }
  }
  visit(content)

  /** Returns the links in an element by their fragments; empty if it is too large for a footnote. */
  const linksInside = new Map<Element, ReadonlyMap<string, Element>>()
  const backLinksOf = (target: Element): ReadonlyMap<string, Element> => {
    const known = linksInside.get(target)
    if (known !== undefined) return known
    const found = new Map<string, Element>()
    let count = 0
    const collect = (node: Element): void => {
      const fragment = node.tagName === "a" ? fragmentOf(node) : undefined
      if (fragment !== undefined) found.set(fragment, node)
      for (const child of node.children) {
        if (count > maxElements) return
        if (isElement(child)) {
          count++
          collect(child)
        }
      }
    }
    collect(target)
    const result = count > maxElements ? new Map<string, Element>() : found
    linksInside.set(target, result)
    return result
  }

  /** The ids that a link back can refer to: the ids of the link, of its parent, and of its children. */
  const idsAround = (link: Element): ReadonlyArray<string> => {
    const around = [link, parents.get(link), ...link.children].filter((node): node is Element =>
      isElement(node)
    )
    return around.flatMap(idsOf)
  }

  /** Returns the block that contains a footnote, if the link refers to an element in its text. */
  const blockOf = (target: Element): ReadonlyArray<Element> => {
    let block = target
    while (hasTag(block, "a", "sup", "span", "b", "strong", "em", "small")) {
      const parent = parents.get(block)
      if (parent === undefined) return [block]
      block = parent
    }
    if (block.tagName === "p" && isElement(parents.get(block), "li", "div") && block !== target) {
      const container = parents.get(block)!
      const isFirst = container.children.find((child) => isElement(child)) === block
      if (isFirst && !followers.has(block)) block = container
    }
    if (block.tagName !== "dt") return [block]
    const next = followers.get(block)
    return isElement(next, "dd") ? [block, next] : [block]
  }

  const byTarget = new Map<Element, Footnote>()
  const byLink = new Map<Nodes, Footnote>()
  const removed = new Set<Nodes>()
  for (const link of links) {
    const target = byId.get(fragmentOf(link)!)
    if (target === undefined || target === link || labelOf(link).length > maxLabel) continue
    const ids = idsAround(link)
    const backLinks = new Map(backLinksOf(target))
    const blocks = blockOf(target)
    for (const block of blocks) for (const [id, back] of backLinksOf(block)) backLinks.set(id, back)
    if (!ids.some((id) => backLinks.has(id)) || backLinks.has(fragmentOf(link)!)) continue
    // A link back is not a link to a footnote, although the text links to it.
    if (isInside(link, (one) => removed.has(one) || blocks.includes(one), parents)) continue
    let footnote = byTarget.get(target)
    if (footnote === undefined && byTarget.size >= maxFootnotes) continue
    if (footnote === undefined) {
      const backs = new Set<Nodes>([...backLinks.values()].filter((back) => isBackLink(back)))
      footnote = {
        label: String(byTarget.size + 1),
        children: blocks
          .filter(({ tagName }) => tagName !== "dt")
          .flatMap(({ children }) => withoutLinks(children, backs))
      }
      byTarget.set(target, footnote)
      for (const block of blocks) removed.add(block)
    }
    byLink.set(link, footnote)
  }
  return { byLink, all: [...byTarget.values()], removed }
}

const isBackLink = (link: Element): boolean => labelOf(link).length <= maxLabel

const isInside = (
  node: Element,
  isContainer: (element: Element) => boolean,
  parents: ReadonlyMap<Nodes, Element>
): boolean => {
  for (let at: Element | undefined = node; at !== undefined; at = parents.get(at)) {
    if (isContainer(at)) return true
  }
  return false
}

/** Returns nodes without links back, and without the brackets around them. */
const withoutLinks = (
  nodes: ReadonlyArray<ElementContent>,
  backs: ReadonlySet<Nodes>
): ReadonlyArray<ElementContent> =>
  nodes.flatMap((node): ReadonlyArray<ElementContent> => {
    if (backs.has(node)) return []
    if (!isElement(node)) return [node]
    const children = withoutLinks(node.children, backs)
    const isChanged = children.length !== node.children.length
    const isBracket = isChanged && /^[\s[\](){}.,:^↑↩]*$/u.test(children.map(labelOf).join(""))
    if (isBracket && isElement(node, "sup", "span", "b", "em", "small", "strong", "p")) return []
    return [{ ...node, children: [...children] }]
  })
