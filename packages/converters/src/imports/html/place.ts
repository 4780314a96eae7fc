/**
 * Finds the place of a page in its website: its menu, the contents that it lists, its ancestors and the next page. Menus are
 * recognized by their structure, and not by the generator of the website.
 */
import type { PagePlace } from "@lectern/formats/threads"
import type { Element, Nodes, Root } from "hast"
import { toString as textOf } from "hast-util-to-string"
import { type AddressOf, makeMenuReader, urlsOfEntries } from "./menus.ts"
import { attribute, childrenOf, classesOf, elementsIn, hasTag, isElement } from "./nodes.ts"

const navigationName =
  /(?:^|[-_])(?:sidebar|side-?nav|navigation|navbar|nav|menu|toc|toctree|contents|summary)(?:$|[-_])/
const breadcrumbName = /breadcrumbs?/i
const pagerName = /(?:^|[-_ ])(?:pagination|pager|prev-?next|footer-?nav|page-?nav|related)(?:$|[-_ ])/
const contentsName = /^(?:toctree-wrapper|toc)$/

const namesOf = (element: Element): ReadonlyArray<string> => [
  ...classesOf(element),
  attribute(element, "id")?.toLowerCase() ?? "",
  attribute(element, "ariaLabel")?.toLowerCase() ?? ""
]

const hasName = (element: Element, pattern: RegExp): boolean =>
  namesOf(element).some((name) => pattern.test(name))

const isNavigation = (element: Element): boolean =>
  isElement(element, "nav", "aside") ||
  attribute(element, "role") === "navigation" ||
  (isElement(element, "div", "ul", "ol") && hasName(element, navigationName)) ||
  // The id of a section is that of its heading.
  (isElement(element, "section") && classesOf(element).some((name) => navigationName.test(name)))

/** The maximum number of menus of a page that are read. */
const maxMenus = 6

/** Returns whether a space- or comma-separated attribute contains a token. */
export const hasToken = (value: string | undefined, token: string): boolean =>
  value
    ?.toLowerCase()
    .split(/[\s,]+/)
    .includes(token) === true

/** An element that may be a menu, with the number of its links. */
interface Candidate {
  readonly element: Element
  readonly isInHeader: boolean
  /** Whether only a class or an id in the content of the page suggests that it is a menu. */
  readonly isUncertain: boolean
  readonly links: number
}

/** Returns the elements that may be menus, outside of footers and of the contents of the page. */
const findCandidates = (root: Root, content: Nodes): ReadonlyArray<Candidate> => {
  const candidates: Array<Candidate> = []
  /** Returns the number of links in a node, the length of its other text, and whether it contains the content. */
  const visit = (
    node: Nodes,
    isInHeader: boolean,
    isInContent: boolean
  ): { readonly links: number; readonly text: number; readonly hasContent: boolean } => {
    let [links, text, hasContent] = [0, 0, node === content]
    for (const child of childrenOf(node)) {
      if (child.type === "text") text += child.value.trim().length
      if (!isElement(child) || isElement(child, "script", "style", "template", "svg")) continue
      if (isElement(child, "footer") || hasName(child, breadcrumbName)) continue
      if (classesOf(child).includes("toctree-wrapper")) continue
      const inHeader = isInHeader || isElement(child, "header")
      const inner = visit(child, inHeader, isInContent || child === content)
      hasContent ||= inner.hasContent
      const isMenu =
        !inner.hasContent && inner.links > 1 && inner.text <= 500 + 40 * inner.links && isNavigation(child)
      if (isMenu && !hasName(child, pagerName)) {
        const isUncertain = isInContent && !hasTag(child, "nav") && attribute(child, "role") !== "navigation"
        candidates.push({ element: child, isInHeader: inHeader, isUncertain, links: inner.links })
      }
      const isLink = hasTag(child, "a")
      links += inner.links + (isLink ? 1 : 0)
      text += isLink ? 0 : inner.text
    }
    return { links, text, hasContent }
  }
  visit(root, false, root === content)
  return candidates
}

/** Returns the URLs of the links in the breadcrumbs of a page, the outermost first. */
const findAncestors = (elements: ReadonlyArray<Element>, addressOf: AddressOf): ReadonlyArray<string> => {
  const linksOf = (list: ReadonlyArray<Element>): ReadonlyArray<string> =>
    list
      .filter((element) => isElement(element, "a") && (attribute(element, "href") ?? "") !== "")
      .flatMap((link) => addressOf(attribute(link, "href")!) ?? [])
  const trails = elements.filter(
    (element) =>
      isElement(element, "nav", "ul", "ol", "div") &&
      (hasName(element, breadcrumbName) || /BreadcrumbList/.test(attribute(element, "itemType") ?? ""))
  )
  for (const trail of trails.slice(0, 3)) {
    const urls = linksOf(elementsIn(trail))
    if (urls.length > 0) return urls.slice(0, 30)
  }
  // Sphinx lists the ancestors next to the links to the neighbors.
  const items = elements.filter(
    (element) => isElement(element, "li") && classesOf(element).some((name) => /^nav-item-\d/.test(name))
  )
  return linksOf(items.slice(0, 30).flatMap((item) => elementsIn(item)))
}

const nextName = /(?:^|[-_])next$/

/** Returns the URL of the first link with a relation to the page, as `link` declares it or as a link is marked. */
const findRelated = (
  elements: ReadonlyArray<Element>,
  {
    relation,
    accessKey,
    name
  }: { readonly relation: string; readonly accessKey: string; readonly name?: RegExp },
  addressOf: AddressOf
): string | undefined => {
  const links = elements.filter((element) => isElement(element, "link", "a"))
  const found =
    links.find((link) => hasToken(attribute(link, "rel"), relation)) ??
    links.find((link) => attribute(link, "accessKey")?.toLowerCase() === accessKey) ??
    (name === undefined ? undefined : links.find((link) => classesOf(link).some((one) => name.test(one))))
  return found === undefined ? undefined : addressOf(attribute(found, "href") ?? "")
}

/**
 * Returns the URL of the link that a panel labels with a word, as LaTeX2HTML does: `<b>Up:</b> <a href="…">`, or an image of a
 * button in a link.
 */
const findLabeled = (
  elements: ReadonlyArray<Element>,
  label: string,
  addressOf: AddressOf
): string | undefined => {
  const isLabel = (element: Element): boolean =>
    isElement(element, "b", "strong") && textOf(element).trim().toLowerCase() === `${label}:`
  const at = elements.findIndex(isLabel)
  const labeled = at < 0 ? undefined : elements.slice(at + 1, at + 3).find((one) => isElement(one, "a"))
  const button = elements.find(
    (element) =>
      isElement(element, "a") &&
      element.children.some(
        (child) => isElement(child, "img") && attribute(child, "alt")?.trim().toLowerCase() === label
      )
  )
  const link = labeled ?? button
  return link === undefined ? undefined : addressOf(attribute(link, "href") ?? "")
}

/** Returns the URL of a script or a page that contains the menu, which the page loads itself. */
const findMenuUrl = (elements: ReadonlyArray<Element>, addressOf: AddressOf): string | undefined => {
  for (const element of elements) {
    const source = attribute(element, "src") ?? ""
    const isMenu =
      (isElement(element, "script") && /(?:^|\/)assets\/navigation\.js(?:$|\?)/.test(source)) ||
      (isElement(element, "iframe") && /(?:^|\/)toc\.html$/.test(source))
    if (isMenu) return addressOf(source)
  }
  return undefined
}

/** Returns the place of a page with this content. `self` is its URL without fragment. */
export const findPlace = (root: Root, content: Nodes, addressOf: AddressOf, self: string): PagePlace => {
  const elements = elementsIn(root)
  const readMenu = makeMenuReader(addressOf, self)
  const menus = findCandidates(root, content)
    .toSorted((a, b) => Number(a.isUncertain) - Number(b.isUncertain) || b.links - a.links)
    .slice(0, maxMenus)
    .map(({ element, isInHeader, isUncertain }) => {
      const entries = readMenu(element)
      const urls = urlsOfEntries(entries)
      return { entries, isInHeader, isUncertain, hasSelf: urls.has(self), count: urls.size }
    })
    .filter(({ count, hasSelf, isUncertain }) => (isUncertain ? hasSelf && count > 4 : count > 2))
  // A menu with the page itself is that of its part of the website.
  const [best] = menus.toSorted(
    (a, b) =>
      Number(a.isUncertain) - Number(b.isUncertain) ||
      Number(a.isInHeader) - Number(b.isInHeader) ||
      Number(b.hasSelf) - Number(a.hasSelf) ||
      b.count - a.count
  )
  const contents = elementsIn(
    root,
    (element) => isElement(element, "nav", "aside", "footer") || isListed(element)
  )
    .flatMap((element) =>
      element.children
        .filter((child): child is Element => isElement(child))
        .filter((child, index, siblings) => isListed(child) || isChildList(child, siblings[index - 1]))
    )
    .slice(0, 50)
  const up =
    findRelated(elements, { relation: "up", accessKey: "u" }, addressOf) ??
    findLabeled(elements, "up", addressOf)
  // Some themes repeat the breadcrumbs below the content.
  const ancestors = [...new Set(findAncestors(elements, addressOf))].filter((url) => url !== self)
  return {
    navigation: best?.entries ?? [],
    contents: contents.flatMap(readMenu),
    ancestors: ancestors.length > 0 || up === undefined ? ancestors : [up],
    next:
      findRelated(elements, { relation: "next", accessKey: "n", name: nextName }, addressOf) ??
      findLabeled(elements, "next", addressOf),
    menuUrl: findMenuUrl(elements, addressOf)
  }
}

/** Whether an element lists the pages below a page. */
const isListed = (element: Element): boolean =>
  isElement(element, "div", "dl") && classesOf(element).some((name) => contentsName.test(name))

/** Whether an element is the list of sections that LaTeX2HTML writes below a heading. */
const isChildList = (element: Element, before: Element | undefined): boolean =>
  isElement(element, "ul") &&
  (classesOf(element).includes("childlinks") ||
    (isElement(before, "a") && [attribute(before, "name"), attribute(before, "id")].includes("CHILD_LINKS")))
