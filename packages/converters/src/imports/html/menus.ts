/**
 * Reads menus: lists of links, definition lists, and nested elements with headings, as trees. Links to sections of a page are
 * not entries, because sections are not pages.
 */
import type { Entry } from "@lectern/formats/threads"
import type { Element, ElementContent, Nodes, RootContent } from "hast"
import { attribute, childrenOf, classesOf, hasTag, isElement, isVisuallyHidden } from "./nodes.ts"

/** Resolves a `href` to a URL without its fragment. Returns `undefined` for URLs that are not web pages. */
export type AddressOf = (href: string) => string | undefined

/** The maximum number of entries of a menu. */
const maxEntries = 3000

/** The maximum length of the title of an entry, and of a label. */
const [maxTitle, maxLabel] = [200, 120]

const ignoredElements = new Set(
  "script style template svg noscript input select textarea form img iframe object dialog".split(" ")
)

const isIgnored = (node: Nodes): boolean =>
  isElement(node) && (ignoredElements.has(node.tagName) || isVisuallyHidden(node))

/** Returns the visible text of a node, or the label that it has for screen readers. */
export const labelOf = (node: Nodes): string => {
  const texts: Array<string> = []
  const visit = (inner: Nodes): void => {
    if (inner.type === "text") texts.push(inner.value)
    else if (!isIgnored(inner)) for (const child of childrenOf(inner)) visit(child)
  }
  visit(node)
  const text = texts.join("").replaceAll(/\s+/g, " ").trim()
  if (text !== "" || !isElement(node)) return text
  return (attribute(node, "ariaLabel") ?? attribute(node, "title") ?? "").trim()
}

const isList = (node: Nodes): boolean => isElement(node, "ul", "ol", "menu")

const currentName = /(?:^|[-_])(?:current|active|selected)$/

/** Whether an element is marked as the entry of the current page. */
const isCurrent = (element: Element): boolean =>
  attribute(element, "ariaCurrent") === "page" ||
  attribute(element, "ariaCurrent") === "true" ||
  classesOf(element).some((name) => currentName.test(name))

/** An entry while a menu is read. */
interface Draft {
  readonly url: string | undefined
  readonly title: string
  /** Whether the link refers to the top of the page, which can also be the link of a button. */
  readonly isTop?: true
  /** Whether the link has a fragment. It is an entry if no other link refers to its page. */
  readonly isSection: boolean
  readonly entries: ReadonlyArray<Draft>
}

/** The contribution of an element to the menu: a label of the next part, one link, or a block of entries. */
type Part =
  | {
      readonly type: "label"
      readonly text: string
      readonly isHeading: boolean
      readonly isCurrent: boolean
    }
  | { readonly type: "link"; readonly entry: Draft; readonly element: Element }
  | { readonly type: "block"; readonly entries: ReadonlyArray<Draft>; readonly element: Element }

/** Labels of links to the neighbors of a page, which are not entries. */
const neighborLabel = /^(?:previous|prev|next)\b/i

/** Whether a link opens the section below it. */
const isToggle = (link: Element): boolean =>
  attribute(link, "role") === "button" ||
  attribute(link, "ariaHasPopup") !== undefined ||
  attribute(link, "dataToggle") !== undefined ||
  attribute(link, "dataBsToggle") !== undefined

const isNeighbor = (link: Element): boolean =>
  /(?:^|\s)(?:prev|next)(?:\s|$)/i.test(attribute(link, "rel") ?? "") ||
  neighborLabel.test(attribute(link, "title") ?? "")

/** Labels of menus, which are not titles of sections. */
const menuLabel =
  /^(?:(?:table of )?contents|(?:site |main |section |sidebar |page )?navigation|(?:main |side)?menu|sidebar|toc|index|on this page|in this (?:article|section)|related (?:topics|pages|links)|docs|documentation)$/i

/** Whether two elements are siblings of the same kind, by their classes. */
const isSameKind = (a: Element, b: Element): boolean => {
  const [first, second] = [new Set(classesOf(a)), classesOf(b)]
  if (first.size === 0 && second.length === 0) return a.tagName === b.tagName
  return second.some((name) => first.has(name))
}

/** Returns a function that reads the menu in an element. `self` is the URL of the page. */
export const makeMenuReader = (
  addressOf: AddressOf,
  self: string
): ((root: Nodes) => ReadonlyArray<Entry>) => {
  const { origin } = new URL(self)
  const linkCounts = new WeakMap<Nodes, number>()
  const countLinks = (node: Nodes): number => {
    const known = linkCounts.get(node)
    if (known !== undefined) return known
    let count = isElement(node, "a") ? 1 : 0
    if (!isIgnored(node)) for (const child of childrenOf(node)) count += countLinks(child)
    linkCounts.set(node, count)
    return count
  }

  /** Reads a link, as an entry or as a label. */
  const readLink = (link: Element, isInCurrent: boolean): Part | undefined => {
    const title = labelOf(link).slice(0, maxTitle)
    const href = attribute(link, "href")?.trim()
    const label: Part = { type: "label", text: title, isHeading: false, isCurrent: false }
    // The link of a button, if any, is that of the first page of the section.
    if (href === undefined || isToggle(link)) return label
    if (href === "" || href === "#") {
      const entry: Draft = { url: self, title, isSection: false, entries: [] }
      const isSelf = isInCurrent || isCurrent(link)
      return { type: "link", entry: isSelf ? entry : { ...entry, isTop: true }, element: link }
    }
    const url = addressOf(href)
    if (url !== undefined && !url.startsWith(`${origin}/`)) return undefined
    const isSection = href.includes("#") && !href.endsWith("#")
    return {
      type: "link",
      entry: { url: href.startsWith("#") ? undefined : url, title, isSection, entries: [] },
      element: link
    }
  }

  const partOf = (
    child: RootContent | ElementContent,
    parent: Nodes,
    isInCurrent: boolean
  ): Part | undefined => {
    if (child.type === "text") {
      const text = child.value.replaceAll(/\s+/g, " ").trim()
      return text === "" || text.length > maxLabel
        ? undefined
        : { type: "label", text, isHeading: false, isCurrent: false }
    }
    if (!isElement(child) || isIgnored(child)) return undefined
    if (child.tagName === "a") return isNeighbor(child) ? undefined : readLink(child, isInCurrent)
    if (countLinks(child) === 0) {
      const text = labelOf(child)
      return text === "" || text.length > maxLabel
        ? undefined
        : {
            type: "label",
            text,
            isHeading: isElement(child, "h2", "h3", "h4", "h5", "h6", "p"),
            isCurrent: isCurrent(child)
          }
    }
    if (isList(child)) return { type: "block", entries: readList(child), element: child }
    if (hasTag(child, "dl")) return { type: "block", entries: readDefinitions(child), element: child }
    if (hasTag(child, "li")) return { type: "block", entries: readItem(child), element: child }
    const parts = partsOf(child, isInCurrent)
    if (parts.every(({ type }) => type === "label")) return parts[0]
    const entries = combine(parts, isElement(parent))
    const [only] = entries
    if (
      entries.length === 1 &&
      only!.entries.length === 0 &&
      only!.url !== undefined &&
      countLinks(child) === 1
    ) {
      return { type: "link", entry: only!, element: child }
    }
    return entries.length === 0 ? undefined : { type: "block", entries, element: child }
  }

  const partsOf = (node: Nodes, isInCurrent: boolean): ReadonlyArray<Part> =>
    childrenOf(node).flatMap((child) => partOf(child, node, isInCurrent) ?? [])

  /** Combines the parts of an element: a label before a block is the parent of its entries. */
  const combine = (parts: ReadonlyArray<Part>, isNested: boolean): ReadonlyArray<Draft> => {
    const [row, block] = parts
    if (
      isNested &&
      parts.length === 2 &&
      row!.type === "link" &&
      row!.entry.url !== undefined &&
      !menuLabel.test(row!.entry.title) &&
      block!.type === "block" &&
      !isSameKind(row!.element, block!.element)
    ) {
      return [{ ...row!.entry, entries: block!.entries }]
    }
    const entries: Array<Draft> = []
    let label: Extract<Part, { type: "label" }> | undefined
    let group: Array<Draft> | undefined
    const open = (inner: ReadonlyArray<Draft>): Array<Draft> => {
      const own = [...inner]
      entries.push({ url: undefined, title: label!.text, isSection: false, entries: own })
      label = undefined
      return own
    }
    for (const part of parts) {
      if (part.type !== "label" && label !== undefined && neighborLabel.test(label.text)) {
        label = undefined
        group = undefined
      } else if (part.type === "label") {
        label = part
        group = undefined
      } else if (part.type === "block") {
        if (label === undefined || menuLabel.test(label.text)) entries.push(...part.entries)
        else open(part.entries)
        label = undefined
        group = undefined
      } else if (group !== undefined) group.push(part.entry)
      // The links between two headings belong to the first one.
      else if (label?.isHeading === true && !menuLabel.test(label.text)) group = open([part.entry])
      else entries.push(part.entry)
    }
    return entries
  }

  /** Returns the parts of a menu without links outside of its lists that the lists repeat, such as the logo. */
  const withoutLogo = (parts: ReadonlyArray<Part>): ReadonlyArray<Part> => {
    const urls = new Set<string | undefined>()
    const collect = (drafts: ReadonlyArray<Draft>): void => {
      for (const { url, entries } of drafts) {
        urls.add(url)
        collect(entries)
      }
    }
    for (const part of parts) if (part.type === "block") collect(part.entries)
    return parts.filter((part) => part.type !== "link" || !urls.has(part.entry.url))
  }

  /** Reads an item: its first link or label, with the entries of the other parts. */
  const readItem = (item: Element): ReadonlyArray<Draft> => {
    const parts = partsOf(item, isCurrent(item))
    const start = parts.findIndex(({ type }) => type !== "label")
    const own = start < 0 ? undefined : parts[start]
    const label = parts.slice(0, start < 0 ? parts.length : start).find((part) => part.type === "label")
    if (own !== undefined && label?.type === "label" && neighborLabel.test(label.text)) return []
    if (own?.type === "link") {
      const below = unwrap(combine(parts.slice(start + 1), false), own.entry.title)
      if (own.entry.isTop === true && below.length > 0) {
        return [{ url: undefined, title: own.entry.title, isSection: false, entries: below }]
      }
      return [{ ...own.entry, entries: below }]
    }
    const below = start < 0 ? [] : combine(parts.slice(start), false)
    if (label?.type !== "label") return below
    const url = start < 0 && (label.isCurrent || isCurrent(item)) ? self : undefined
    return [{ url, title: label.text, isSection: false, entries: unwrap(below, label.text) }]
  }

  /** Returns the entries of the only section of an item that repeats its title. */
  const unwrap = (entries: ReadonlyArray<Draft>, title: string): ReadonlyArray<Draft> => {
    const [only] = entries
    return entries.length === 1 &&
      only!.url === undefined &&
      (only!.title === title || menuLabel.test(only!.title))
      ? only!.entries
      : entries
  }

  /** Reads a list. An item that is only text is the heading of the items after it. */
  const readList = (list: Element): ReadonlyArray<Draft> => {
    const entries: Array<Draft> = []
    let section: Array<Draft> | undefined
    for (const child of list.children) {
      if (!isElement(child) || isIgnored(child)) continue
      if (!isElement(child, "li")) {
        const part = partOf(child, list, false)
        if (part?.type === "block") (section ?? entries).push(...part.entries)
        else if (part?.type === "link") (section ?? entries).push(part.entry)
        continue
      }
      const read = readItem(child)
      const [first] = read
      if (first === undefined) section = undefined
      else if (first.url === undefined && first.entries.length === 0 && countLinks(child) === 0) {
        section = []
        entries.push({ ...first, entries: section })
      } else if (labelOfItem(child) === "" && entries.length > 0) {
        // Some generators write the list below an item as another item.
        const target = section ?? entries
        const last = target.pop()
        target.push(last === undefined ? first : { ...last, entries: [...last.entries, ...read] })
      } else (section ?? entries).push(...read)
    }
    return entries
  }

  /** Returns the text of an item outside of its lists; empty if it only has a list. */
  const labelOfItem = (item: Element): string =>
    labelOf({ ...item, properties: {}, children: item.children.filter((child) => !isList(child)) })

  /** Reads a definition list: the lists in a definition are below its term. */
  const readDefinitions = (list: Element): ReadonlyArray<Draft> => {
    const entries: Array<Draft> = []
    for (const child of list.children) {
      if (!isElement(child)) continue
      if (child.tagName === "dd") {
        const below = combine(partsOf(child, false), false)
        const last = entries.pop()
        entries.push(...(last === undefined ? below : [{ ...last, entries: [...last.entries, ...below] }]))
      } else entries.push(...readItem(child))
    }
    return entries
  }

  /** Returns the entries that are pages, or contain pages. */
  const toEntries = (drafts: ReadonlyArray<Draft>): ReadonlyArray<Entry> => {
    const pages = new Set<string>([self])
    const collect = (list: ReadonlyArray<Draft>): void => {
      for (const { url, isSection, entries } of list) {
        if (url !== undefined && !isSection) pages.add(url)
        collect(entries)
      }
    }
    collect(drafts)
    let remaining = maxEntries
    const convert = (list: ReadonlyArray<Draft>): ReadonlyArray<Entry> =>
      list.flatMap(({ url, title, isSection, entries }): ReadonlyArray<Entry> => {
        if (url === undefined || (isSection && pages.has(url))) {
          const inner = convert(entries)
          if (isSection || inner.length === 0) return inner
          return remaining-- > 0 ? [{ url: undefined, title, entries: inner }] : []
        }
        pages.add(url)
        return remaining-- > 0 ? [{ url, title, entries: convert(entries) }] : []
      })
    return convert(drafts)
  }

  return (root) => {
    const drafts = !isElement(root)
      ? combine(partsOf(root, false), false)
      : isList(root)
        ? readList(root)
        : hasTag(root, "dl")
          ? readDefinitions(root)
          : combine(withoutLogo(partsOf(root, false)), false)
    return toEntries(drafts)
  }
}

/** Returns the URLs of entries, without duplicates. */
export const urlsOfEntries = (entries: ReadonlyArray<Entry>): ReadonlySet<string> => {
  const urls = new Set<string>()
  const visit = (list: ReadonlyArray<Entry>): void => {
    for (const { url, entries: inner } of list) {
      if (url !== undefined) urls.add(url)
      visit(inner)
    }
  }
  visit(entries)
  return urls
}
