/**
 * Elements that represent blocks without an HTML equivalent. Their names contain a space, which no element of a page can have.
 */
import type { Element, ElementContent, Properties } from "hast"

/** The names of the elements. */
export const virtualNames = {
  hint: "virtual hint",
  tabs: "virtual tabs",
  tab: "virtual tab",
  details: "virtual details",
  code: "virtual code",
  figure: "virtual figure",
  formula: "virtual formula",
  footnoteLink: "virtual footnote-link",
  footnote: "virtual footnote",
  mark: "virtual mark"
} as const

/** Creates an inline element without content. Its text, which is not written, preserves the spaces around it. */
export const virtualInline = (name: keyof typeof virtualNames, properties: Properties): Element =>
  virtualElement(name, properties, [{ type: "text", value: "x" }])

/** Creates an element that represents a block or an inline. */
export const virtualElement = (
  name: keyof typeof virtualNames,
  properties: Properties,
  children: ReadonlyArray<ElementContent> = []
): Element => ({ type: "element", tagName: virtualNames[name], properties, children: [...children] })
