/** Helpers for the nodes of hast trees, which represent HTML. */
import type { Element, ElementContent, Nodes, Root, RootContent } from "hast"

/** Returns whether a node is an element and, if tag names are given, has one of them. */
export const isElement = (node: Nodes | undefined, ...names: ReadonlyArray<string>): node is Element =>
  node?.type === "element" && (names.length === 0 || names.includes(node.tagName))

/** Returns whether an element has one of these tag names. */
export const hasTag = ({ tagName }: Element, ...names: ReadonlyArray<string>): boolean =>
  names.includes(tagName)

/** Returns the children of a node. */
export const childrenOf = (node: Nodes): ReadonlyArray<RootContent | ElementContent> =>
  "children" in node ? node.children : []

/** Returns an attribute as text. */
export const attribute = ({ properties }: Element, name: string): string | undefined => {
  const value = properties[name]
  if (Array.isArray(value)) return value.join(" ")
  return value === undefined || value === null || value === false ? undefined : String(value)
}

/** Returns the classes of an element, in lower case. */
export const classesOf = ({ properties }: Element): ReadonlyArray<string> =>
  Array.isArray(properties.className) ? properties.className.map((name) => String(name).toLowerCase()) : []

/**
 * Returns the descendants of a node that are elements, in document order, without elements for which `isSkipped` is true
 * and their descendants.
 */
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

/** Returns the depth of a tree, or `limit + 1` if it is deeper than `limit`. */
export const depthOf = (root: Root, limit: number): number => {
  let level: ReadonlyArray<Nodes> = [root]
  let depth = 0
  while (level.length > 0 && depth <= limit) {
    level = level.flatMap((node) => childrenOf(node) as ReadonlyArray<Nodes>)
    depth++
  }
  return depth
}

const visuallyHiddenName = /^(?:sr-only|visually-?hidden|screen-reader-text)$/

/** Returns whether only screen readers present an element. */
export const isVisuallyHidden = (element: Element): boolean =>
  classesOf(element).some((name) => visuallyHiddenName.test(name))
