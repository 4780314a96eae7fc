/**
 * Where on a web page its content is. Pages that say so are believed; on others it is the innermost element that has
 * most of the words that are no links.
 */
import type { Element, Nodes, Root } from "hast"
import { attribute, childrenOf, classesOf, elementsIn, isElement } from "./nodes.ts"
import { isNoise } from "./noise.ts"

/** Names that generators of documentation give the element that a page's text is in. */
const names =
  /^(?:markdown-body|theme-doc-markdown|md-content__inner|rst-content|documentwrapper|documentation|document|post-content|entry-content|article-content|page-content|main-content|content-body|doc-content|docs-content|td-content|book-body|wiki-body|content|main)$/

/** How much of the words an element has to have to be the one that they are in. */
const share = 0.75

/** How many letters of words that are no links are in a node. Each is counted once, for all nodes. */
const counting = (): ((node: Nodes) => number) => {
  const known = new WeakMap<Nodes, number>()
  const count = (node: Nodes): number => {
    const before = known.get(node)
    if (before !== undefined) return before
    let sum = 0
    if (node.type === "text") sum = node.value.trim().length
    else if (node.type !== "element" || !(node.tagName === "a" || isNoise(node))) {
      if (isElement(node, "img")) sum = 20
      for (const child of childrenOf(node)) sum += count(child)
    }
    known.set(node, sum)
    return sum
  }
  return count
}

const isNamed = (element: Element): boolean => {
  const id = attribute(element, "id")?.toLowerCase()
  return (id !== undefined && names.test(id)) || classesOf(element).some((name) => names.test(name))
}

/** The element that has the content of a page. */
export const mainContentOf = (root: Root): Nodes => {
  const elements = elementsIn(root)
  const body = elements.find((element) => isElement(element, "body")) ?? root
  const count = counting()
  const all = count(body)
  const largest = (found: ReadonlyArray<Element>): Element | undefined =>
    found.toSorted((a, b) => count(b) - count(a))[0]

  const main = largest(
    elements.filter((element) => isElement(element, "main") || attribute(element, "role") === "main")
  )
  const said = main !== undefined && count(main) * 4 >= all ? main : undefined
  const within = said === undefined ? elements : elementsIn(said)
  const articles = within.filter((element) => isElement(element, "article"))
  // Several articles are a list of them: none is the page's.
  const article = largest(articles)
  if (article !== undefined && count(article) >= share * count(said ?? body)) return article
  if (said !== undefined) return said
  const named = largest(within.filter((element) => isNamed(element) && !isNoise(element)))
  if (named !== undefined && count(named) * 2 >= all) return named
  let innermost: Nodes = body
  for (;;) {
    const next: Nodes | undefined = (childrenOf(innermost) as ReadonlyArray<Nodes>).find(
      (child) =>
        isElement(
          child,
          "div",
          "section",
          "table",
          "tbody",
          "tr",
          "td",
          "form",
          "center",
          "article",
          "main"
        ) && count(child) >= share * all
    )
    if (next === undefined) return innermost
    innermost = next
  }
}
