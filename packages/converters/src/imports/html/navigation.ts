/** Extracts the navigation of a website from a page: nested lists of links, as a tree. */

import type { Entry } from "@lectern/core/conversion"
import type { Element, Nodes, Root } from "hast"
import { toString as textOf } from "hast-util-to-string"
import { attribute, childrenOf, classesOf, elementsIn, isElement } from "./nodes.ts"

const navigationName =
  /(?:^|[-_])(?:sidebar|side-?nav|navigation|nav|menu|toc|toctree|contents|summary)(?:$|[-_])/

const isNavigation = (element: Element): boolean =>
  isElement(element, "nav", "aside") ||
  attribute(element, "role") === "navigation" ||
  (isElement(element, "div", "section", "ul") &&
    [...classesOf(element), attribute(element, "id")?.toLowerCase() ?? ""].some((name) =>
      navigationName.test(name)
    ))

const isList = (element: Nodes): element is Element => isElement(element, "ul", "ol")

/** Returns the lists in a node that are not nested in another list of the node. */
const topmostLists = (node: Nodes): ReadonlyArray<Element> =>
  (childrenOf(node) as ReadonlyArray<Nodes>).flatMap((child) =>
    isList(child) ? [child] : topmostLists(child)
  )

const hasList = (node: Nodes): boolean => isElement(node) && (isList(node) || topmostLists(node).length > 0)

/** Returns the entry of a list item: its first link, or its text, and the entries of nested lists. */
const entryOf = (item: Element, addressOf: (href: string) => string | undefined): Entry => {
  const link = elementsIn(item, isList).find(
    (element) => isElement(element, "a") && attribute(element, "href") !== undefined
  )
  const words: Element = { ...item, children: item.children.filter((child) => !hasList(child)) }
  return {
    url: link === undefined ? undefined : addressOf(attribute(link, "href")!),
    title: textOf(link ?? words)
      .replaceAll(/\s+/g, " ")
      .trim()
      .slice(0, 200),
    entries: topmostLists(item).flatMap((list) => entriesOf(list, addressOf))
  }
}

const entriesOf = (list: Element, addressOf: (href: string) => string | undefined): ReadonlyArray<Entry> =>
  list.children.flatMap((child) => (isElement(child, "li") ? [entryOf(child, addressOf)] : []))

const urlsIn = (entries: ReadonlyArray<Entry>): ReadonlyArray<string> =>
  entries.flatMap(({ url, entries: inner }) => [...(url === undefined ? [] : [url]), ...urlsIn(inner)])

/** Returns the entries of the topmost lists in a node. A heading before a list becomes the parent of its entries. */
const listsIn = (node: Nodes, addressOf: (href: string) => string | undefined): ReadonlyArray<Entry> => {
  let heading: string | undefined
  const entries: Array<Entry> = []
  const visit = (inner: Nodes): void => {
    for (const child of childrenOf(inner) as ReadonlyArray<Nodes>) {
      if (isList(child)) {
        const list = entriesOf(child, addressOf)
        if (heading === undefined) entries.push(...list)
        else entries.push({ url: undefined, title: heading, entries: list })
        heading = undefined
      } else if (isElement(child, "h2", "h3", "h4", "h5", "h6", "p") && !hasList(child)) {
        const words = textOf(child).replaceAll(/\s+/g, " ").trim().slice(0, 200)
        if (words !== "") heading = words
      } else visit(child)
    }
  }
  visit(node)
  return entries
}

/**
 * Returns the navigation of a page: of its navigation elements, the one with the most distinct URLs, if it has more
 * than two. `addressOf` resolves a `href`, and returns `undefined` for URLs out of scope.
 */
export const extractNavigation = (
  root: Root,
  addressOf: (href: string) => string | undefined
): ReadonlyArray<Entry> => {
  let best: { readonly entries: ReadonlyArray<Entry>; readonly count: number } = { entries: [], count: 2 }
  for (const element of elementsIn(root).filter(isNavigation).slice(0, 50)) {
    const entries = listsIn(
      element.tagName === "ul" ? { type: "root", children: [element] } : element,
      addressOf
    )
    const count = new Set(urlsIn(entries)).size
    if (count > best.count) best = { entries, count }
  }
  return best.entries
}
