/** Recognizes tabs: lists of tabs with panels, and radio buttons with labels. */
import type { Element, ElementContent, Nodes } from "hast"
import type { Measure } from "./measures.ts"
import { labelOf } from "./menus.ts"
import { attribute, elementsIn, hasTag, isElement } from "./nodes.ts"

/** A tab: its title and its content. */
export interface Tab {
  readonly title: string
  readonly content: Element
}

const elementChildren = ({ children }: Element): ReadonlyArray<Element> =>
  children.filter((child): child is Element => isElement(child))

const isPanel = (element: Element): boolean => attribute(element, "role") === "tabpanel"

/** Returns the tabs of an element that has a list of tabs, and the panels of that list. */
const fromRoles = (element: Element, measure: (node: Nodes) => Measure): ReadonlyArray<Tab> | undefined => {
  const { tabLists, tabPanels } = measure(element)
  if (tabLists === 0 || tabPanels === 0) return undefined
  // An element that contains the list and the panels is the tabs, if no part of it contains both.
  const isOuter = elementChildren(element).some((child) => {
    const inner = measure(child)
    return inner.tabLists > 0 && inner.tabPanels > 0
  })
  if (isOuter) return undefined
  const outside: Array<Element> = []
  const panels: Array<Element> = []
  const visit = (node: Element): void => {
    for (const child of elementChildren(node)) {
      if (isPanel(child)) panels.push(child)
      else {
        outside.push(child)
        visit(child)
      }
    }
  }
  visit(element)
  const titles = outside.filter((one) => attribute(one, "role") === "tab")
  const byId = new Map(panels.map((panel) => [attribute(panel, "id"), panel]))
  const tabs = titles.flatMap((title, index): ReadonlyArray<Tab> => {
    const id = attribute(title, "ariaControls") ?? attribute(title, "href")?.slice(1)
    const panel =
      (id === undefined ? undefined : byId.get(id)) ??
      (panels.length === titles.length ? panels[index] : undefined)
    return panel === undefined ? [] : [{ title: labelOf(title), content: panel }]
  })
  return tabs.length > 0 ? tabs : undefined
}

const isRadio = (element: Element): boolean =>
  hasTag(element, "input") && attribute(element, "type") === "radio"

/** The maximum number of tabs. */
const maxTabs = 50

/** Returns the tabs of an element with radio buttons: their labels, and as many blocks. */
const fromRadios = (element: Element): ReadonlyArray<Tab> | undefined => {
  const children = elementChildren(element)
  const rows = children.slice(0, 3 * maxTabs)
  const radios = [...rows, ...rows.slice(0, 3).flatMap(elementChildren)].filter(isRadio)
  if (radios.length === 0 || radios.length > maxTabs) return undefined
  const ids = new Set(radios.map((radio) => attribute(radio, "id")))
  const isLabel = (one: Element): boolean =>
    hasTag(one, "label") && (ids.has(attribute(one, "htmlFor")) || attribute(one, "dataTitle") !== undefined)
  const labels = [...rows, ...rows.flatMap((row) => elementChildren(row).slice(0, maxTabs * 2))].filter(
    isLabel
  )
  if (labels.length !== radios.length) return undefined
  const own = rows.filter(
    (one) =>
      isElement(one, "div", "section") &&
      !elementChildren(one).some((inner) => isLabel(inner) || isRadio(inner))
  )
  const blocks = own.length === labels.length ? own : own.length === 1 ? elementChildren(own[0]!) : []
  if (blocks.length !== labels.length) return undefined
  return labels.map((label, index) => ({ title: labelOf(label), content: blocks[index]! }))
}

/** Returns the tabs of a list of links to the elements that follow it. */
const fromLinks = (element: Element): ReadonlyArray<Tab> | undefined => {
  const [list, container] = elementChildren(element)
  if (!isElement(list, "ul") || container === undefined) return undefined
  const links = elementsIn(list).filter(
    (one) => isElement(one, "a") && attribute(one, "href")?.startsWith("#") === true
  )
  const panels = elementChildren(container)
  if (links.length < 2 || links.length > maxTabs || panels.length !== links.length) return undefined
  const tabs = links.map((link, index) => ({ title: labelOf(link), content: panels[index]! }))
  return links.every((link, index) => attribute(link, "href") === `#${attribute(panels[index]!, "id")}`)
    ? tabs
    : undefined
}

/** Returns the tabs that an element consists of, or `undefined` for other elements. */
export const findTabs = (
  element: Element,
  measure: (node: Nodes) => Measure
): ReadonlyArray<Tab> | undefined => {
  if (hasTag(element, "ul", "ol", "table", "p", "li", "a", "span")) return undefined
  return fromRoles(element, measure) ?? fromRadios(element) ?? fromLinks(element)
}

/** Returns the content of a tab as an element that is not hidden. */
export const shownContent = ({ content }: Tab): ReadonlyArray<ElementContent> => [
  hasTag(content, "pre")
    ? content
    : { ...content, properties: { className: content.properties.className ?? [] } }
]
