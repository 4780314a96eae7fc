/** The navigation of a website: the lists of links beside its content, as a tree. */

import type { Entry } from "@lectern/core/conversion"
import type { Element, Nodes, Root } from "hast"
import { toString as textOf } from "hast-util-to-string"
import { attribute, childrenOf, classesOf, elementsIn, isElement } from "./nodes.ts"

const named = /(?:^|[-_])(?:sidebar|side-?nav|navigation|nav|menu|toc|toctree|contents|summary)(?:$|[-_])/

const isNavigation = (element: Element): boolean =>
  isElement(element, "nav", "aside") ||
  attribute(element, "role") === "navigation" ||
  (isElement(element, "div", "section", "ul") &&
    [...classesOf(element), attribute(element, "id")?.toLowerCase() ?? ""].some((name) => named.test(name)))

const isList = (element: Nodes): element is Element => isElement(element, "ul", "ol")

/** The lists in a node that are in no other of it. */
const topmostLists = (node: Nodes): ReadonlyArray<Element> =>
  (childrenOf(node) as ReadonlyArray<Nodes>).flatMap((child) =>
    isList(child) ? [child] : topmostLists(child)
  )

const hasList = (node: Nodes): boolean => isElement(node) && (isList(node) || topmostLists(node).length > 0)

/** The entry of an item: the first link or words in it, and the lists in it. */
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

const addressesIn = (entries: ReadonlyArray<Entry>): ReadonlyArray<string> =>
  entries.flatMap(({ url, entries: inner }) => [...(url === undefined ? [] : [url]), ...addressesIn(inner)])

/** The topmost lists in a node, with the headings before them as entries that they are under. */
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

/** The navigation of a page: that of its lists which leads to the most addresses in scope. */
export const navigationOf = (
  root: Root,
  addressOf: (href: string) => string | undefined
): ReadonlyArray<Entry> => {
  let best: { readonly entries: ReadonlyArray<Entry>; readonly count: number } = { entries: [], count: 2 }
  for (const element of elementsIn(root).filter(isNavigation).slice(0, 50)) {
    const entries = listsIn(
      element.tagName === "ul" ? { type: "root", children: [element] } : element,
      addressOf
    )
    const count = new Set(addressesIn(entries)).size
    if (count > best.count) best = { entries, count }
  }
  return best.entries
}
