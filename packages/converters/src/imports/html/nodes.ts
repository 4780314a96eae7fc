/** Small questions to the nodes of a web page. */
import type { Element, ElementContent, Nodes, Root, RootContent } from "hast"

/** Whether a node is an element, of one of these names where any are given. */
export const isElement = (node: Nodes | undefined, ...names: ReadonlyArray<string>): node is Element =>
  node?.type === "element" && (names.length === 0 || names.includes(node.tagName))

/** The nodes in a node. */
export const childrenOf = (node: Nodes): ReadonlyArray<RootContent | ElementContent> =>
  "children" in node ? node.children : []

/** An attribute as text. */
export const attribute = ({ properties }: Element, name: string): string | undefined => {
  const value = properties[name]
  if (Array.isArray(value)) return value.join(" ")
  return value === undefined || value === null || value === false ? undefined : String(value)
}

/** The classes of an element, in lower case. */
export const classesOf = ({ properties }: Element): ReadonlyArray<string> =>
  Array.isArray(properties.className) ? properties.className.map((name) => String(name).toLowerCase()) : []

/** The elements in a node, in their order, those in elements that are skipped left out. */
export const elementsIn = (
  node: Nodes,
  isSkipped: (element: Element) => boolean = () => false
): ReadonlyArray<Element> => {
  const found: Array<Element> = []
  const visit = (inner: Nodes): void => {
    for (const child of childrenOf(inner)) {
      if (!isElement(child) || isSkipped(child)) continue
      found.push(child)
      visit(child)
    }
  }
  visit(node)
  return found
}

/** How deep a page is nested, as far as the limit. */
export const depthOf = (root: Root, limit: number): number => {
  let level: ReadonlyArray<Nodes> = [root]
  let depth = 0
  while (level.length > 0 && depth <= limit) {
    level = level.flatMap((node) => childrenOf(node) as ReadonlyArray<Nodes>)
    depth++
  }
  return depth
}
