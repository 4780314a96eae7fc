/**
 * Finds the main content of a web page: the element that the page marks as such, otherwise the innermost element that
 * contains most of the text outside of links.
 */
import type { Element, Nodes, Root } from "hast"
import { attribute, childrenOf, classesOf, elementsIn, isElement } from "./nodes.ts"
import { isNoise } from "./noise.ts"

/** Classes and ids of the main content in pages of documentation generators. */
const contentNames =
  /^(?:markdown-body|theme-doc-markdown|md-content__inner|rst-content|documentwrapper|documentation|document|post-content|entry-content|article-content|page-content|main-content|col-content|content-body|doc-content|docs-content|td-content|book-body|wiki-body|content|main)$/

/** The minimum share of the text that an element must contain to be the main content. */
const minShare = 0.75

/** Returns a function that counts the characters of a node outside of links and noise, with a cache for inner nodes. */
const makeTextCounter = (): ((node: Nodes) => number) => {
  const cache = new WeakMap<Nodes, number>()
  const count = (node: Nodes): number => {
    const cached = cache.get(node)
    if (cached !== undefined) return cached
    let sum = 0
    if (node.type === "text") sum = node.value.trim().length
    else if (node.type !== "element" || !(node.tagName === "a" || isNoise(node))) {
      // An image counts as a few words.
      if (isElement(node, "img")) sum = 20
      for (const child of childrenOf(node)) sum += count(child)
    }
    cache.set(node, sum)
    return sum
  }
  return count
}

const hasContentName = (element: Element): boolean => {
  const id = attribute(element, "id")?.toLowerCase()
  return (
    (id !== undefined && contentNames.test(id)) || classesOf(element).some((name) => contentNames.test(name))
  )
}

/** Returns the node that contains the main content of a page. */
export const findMainContent = (root: Root): Nodes => {
  const elements = elementsIn(root)
  const body = elements.find((element) => isElement(element, "body")) ?? root
  const count = makeTextCounter()
  const total = count(body)
  const largest = (found: ReadonlyArray<Element>): Element | undefined =>
    found.toSorted((a, b) => count(b) - count(a))[0]

  const main = largest(
    elements.filter((element) => isElement(element, "main") || attribute(element, "role") === "main")
  )
  const declared = main !== undefined && count(main) * 4 >= total ? main : undefined
  const within = declared === undefined ? elements : elementsIn(declared)
  const articles = within.filter((element) => isElement(element, "article"))
  // If no article has most of the text, the page lists several.
  const article = largest(articles)
  if (article !== undefined && count(article) >= minShare * count(declared ?? body)) return article
  if (declared !== undefined) return declared
  const named = largest(within.filter((element) => hasContentName(element) && !isNoise(element)))
  if (named !== undefined && count(named) * 2 >= total) return named
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
        ) && count(child) >= minShare * total
    )
    if (next === undefined) return innermost
    innermost = next
  }
}
