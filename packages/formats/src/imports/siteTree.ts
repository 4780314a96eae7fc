/**
 * Merges the menus, contents and breadcrumbs of all pages of a website into one tree. Each page shows a part of it: generators
 * omit collapsed sections, and have a menu for each part of the website.
 */
import type { Entry, PagePlace } from "../conversion/Readings.ts"
import { Sequence } from "./Sequence.ts"

/** The maximum number of entries of a tree. */
const maximumEntries = 20_000

/** The maximum depth of the entries of a menu. */
const maximumDepth = 30

/** The maximum number of pages above a page. */
const maximumAncestors = 100

/** The id of the root, as the parent of the topmost entries. */
const root = ""

/** The parents that pages declare for an entry, with the number of pages. */
type Votes = Map<string, Map<string, number>>

/** A page, with the links that order the pages below it. */
export interface SitePage {
  readonly resource: string
  /** The URLs that its text refers to, in order. */
  readonly links: ReadonlyArray<string>
}

const addVote = (votes: Votes, child: string, parent: string): void => {
  let parents = votes.get(child)
  if (parents === undefined) {
    if (votes.size >= maximumEntries) return
    parents = new Map()
    votes.set(child, parents)
  }
  if (parents.size < 20 || parents.has(parent)) parents.set(parent, (parents.get(parent) ?? 0) + 1)
}

/** Returns the parent that most pages declare, without parents for which `isSkipped` is true. */
const electParent = (
  votes: Votes,
  child: string,
  isSkipped: (parent: string) => boolean
): string | undefined => {
  let [elected, most]: [string | undefined, number] = [undefined, 0]
  for (const [parent, count] of votes.get(child) ?? []) {
    if (count > most && !isSkipped(parent)) [elected, most] = [parent, count]
  }
  return elected
}

/** The tree of a website, which pages are added to one after the other. */
export class SiteTree {
  private readonly menuVotes: Votes = new Map()
  private readonly contentVotes: Votes = new Map()
  private readonly ancestorVotes: Votes = new Map()
  private readonly menuOrders = new Map<string, Sequence>()
  private readonly contentOrders = new Map<string, Sequence>()
  private readonly nextPages = new Map<string, string>()
  /** The titles of entries without a page, by their ids. */
  private readonly titles = new Map<string, string>()

  private readonly keys = new Map<string, string>()
  private readonly computeKey: (url: string) => string

  /** `computeKey` returns the key of a URL, which is equal for equivalent URLs. */
  constructor(computeKey: (url: string) => string) {
    this.computeKey = computeKey
  }

  private readonly keyOf = (url: string): string => {
    const known = this.keys.get(url)
    if (known !== undefined) return known
    const key = this.computeKey(url)
    if (this.keys.size < 2 * maximumEntries) this.keys.set(url, key)
    return key
  }

  /** Adds the part of the tree that a page shows. */
  add(url: string, { navigation, contents, ancestors, next }: PagePlace): void {
    const page = this.keyOf(url)
    this.addEntries(navigation, root, this.menuVotes, this.menuOrders, 0)
    this.addEntries(contents, page, this.contentVotes, this.contentOrders, 0)
    const trail = [...ancestors.map(this.keyOf).filter((ancestor) => ancestor !== page), page]
    for (let index = 1; index < trail.length; index++) {
      if (trail[index] !== trail[index - 1]) addVote(this.ancestorVotes, trail[index]!, trail[index - 1]!)
    }
    if (next !== undefined && this.nextPages.size < maximumEntries) this.nextPages.set(page, this.keyOf(next))
  }

  /** Adds a menu that is not part of a page. */
  addMenu(menu: ReadonlyArray<Entry>): void {
    this.addEntries(menu, root, this.menuVotes, this.menuOrders, 0)
  }

  private addEntries(
    entries: ReadonlyArray<Entry>,
    parent: string,
    votes: Votes,
    orders: Map<string, Sequence>,
    depth: number
  ): void {
    if (depth > maximumDepth || entries.length === 0) return
    const siblings: Array<string> = []
    for (const { url, title, entries: inner } of entries) {
      // Groups are identified by their titles. The separator is not a character of a URL.
      const id = url === undefined ? `${parent}\n${title}` : this.keyOf(url)
      if (url === undefined && id.length > 2000) continue
      if (id !== parent) {
        addVote(votes, id, parent)
        if (url === undefined && votes.has(id)) this.titles.set(id, title)
        if (votes.has(id)) siblings.push(id)
      }
      this.addEntries(inner, id, votes, orders, depth + 1)
    }
    const sequence = orders.get(parent) ?? new Sequence()
    orders.set(parent, sequence)
    sequence.merge(siblings)
  }

  /**
   * Returns the entries of all pages whose parent is known. The first page is a sibling of the topmost pages, and precedes them
   * unless a menu states otherwise. `resourceOf` returns the resource of a page by the key of any of its URLs.
   */
  toEntries(
    pages: ReadonlyArray<SitePage>,
    home: string | undefined,
    resourceOf: (key: string) => string | undefined
  ): ReadonlyArray<Entry> {
    const byResource = new Map(pages.map((page) => [page.resource, page]))
    const canonical = (key: string): string =>
      this.titles.has(key) || key === root ? key : (resourceOf(key) ?? key)
    const parents = this.electParents(canonical, home)
    const exists = (id: string): boolean => byResource.has(id) || this.titles.has(id)

    /** Returns the closest ancestor that is imported. Parents that contain each other are at the root. */
    const parentOf = (id: string): string => {
      const seen = new Set([id])
      for (let at = parents.get(id); at !== undefined && at !== root; at = parents.get(at)) {
        if (seen.has(at) || seen.size > maximumAncestors) return root
        if (exists(at)) return this.isCyclic(at, id, parents) ? root : at
        seen.add(at)
      }
      return root
    }

    const children = new Map<string, Array<string>>()
    // A page above others that no page lists itself is at the root.
    for (const id of [...(home === undefined ? [] : [home]), ...parents.values()]) {
      if (id !== root && exists(id) && !parents.has(id)) parents.set(id, root)
    }
    for (const id of [...parents.keys()].filter(exists)) {
      const parent = parentOf(id)
      const siblings = children.get(parent)
      if (siblings === undefined) children.set(parent, [id])
      else siblings.push(id)
    }
    const ranks = this.readingOrder(canonical, home)
    const crawlRanks = new Map(pages.map(({ resource }, index) => [resource, index]))

    const ordered = (parent: string): ReadonlyArray<string> => {
      const ids = children.get(parent) ?? []
      if (ids.length < 2) return ids
      const own = new Set(ids)
      const sequence = new Sequence()
      const merge = (list: () => Iterable<string>): void => {
        if (sequence.size === own.size) return
        sequence.merge([...new Set([...list()].map(canonical))].filter((id) => own.has(id)))
      }
      const sources = parent === root && home !== undefined ? [root, home] : [parent]
      if (parent === root && home !== undefined && !this.menuVotes.has(home)) merge(() => [home])
      for (const orders of [this.menuOrders, this.contentOrders]) {
        for (const source of sources) merge(() => this.orderOf(orders, source, canonical) ?? [])
      }
      for (const source of sources) merge(() => byResource.get(source)?.links.map(this.keyOf) ?? [])
      const rest = ids.filter((id) => !sequence.has(id))
      const rankOf = (id: string): number =>
        ranks.get(id) ?? ranks.size + (crawlRanks.get(id) ?? crawlRanks.size)
      merge(() => rest.toSorted((a, b) => rankOf(a) - rankOf(b)))
      return [...sequence]
    }
    const placed = new Set<string>()
    const toEntry = (id: string): ReadonlyArray<Entry> => {
      if (placed.has(id)) return []
      placed.add(id)
      const isPage = byResource.has(id)
      const entries = ordered(id).flatMap(toEntry)
      if (!isPage && entries.length === 0) return []
      return [{ url: isPage ? id : undefined, title: this.titles.get(id) ?? "", entries }]
    }
    return ordered(root).flatMap(toEntry)
  }

  /** Returns the order of the children of a page, by the resource of the page. */
  private orderOf(
    orders: ReadonlyMap<string, Sequence>,
    parent: string,
    canonical: (key: string) => string
  ): Iterable<string> | undefined {
    const own = orders.get(parent)
    if (own !== undefined) return own
    this.aliases ??= new Map(
      [...this.menuOrders.keys(), ...this.contentOrders.keys()].map((key) => [canonical(key), key])
    )
    const alias = this.aliases.get(parent)
    return alias === undefined ? undefined : orders.get(alias)
  }
  private aliases: Map<string, string> | undefined

  /** Whether a page is above its own ancestor, or too many pages are above it. */
  private isCyclic(ancestor: string, id: string, parents: ReadonlyMap<string, string>): boolean {
    const seen = new Set<string>()
    for (let at: string | undefined = ancestor; at !== undefined && at !== root; at = parents.get(at)) {
      if (at === id || seen.has(at) || seen.size > maximumAncestors) return true
      seen.add(at)
    }
    return false
  }

  /** Returns the parent of each entry: from menus, then breadcrumbs, then the contents of pages. */
  private electParents(canonical: (key: string) => string, home: string | undefined): Map<string, string> {
    const parents = new Map<string, string>()
    const isTop = (parent: string): boolean => parent === root || canonical(parent) === home
    const elect = (votes: Votes, isSkipped: (parent: string) => boolean, isFinal: boolean): void => {
      for (const key of votes.keys()) {
        const id = canonical(key)
        if (parents.has(id)) continue
        const parent = electParent(
          votes,
          key,
          // The first page can be in a group, but not below another page.
          (one) =>
            isSkipped(one) || canonical(one) === id || (id === home && !isTop(one) && !this.titles.has(one))
        )
        if (parent !== undefined) parents.set(id, isFinal && isTop(parent) ? root : canonical(parent))
      }
    }
    elect(this.menuVotes, isTop, false)
    elect(this.ancestorVotes, () => false, true)
    elect(this.contentVotes, isTop, false)
    elect(this.menuVotes, () => false, true)
    elect(this.contentVotes, () => false, true)
    return parents
  }

  /** Returns the position of each page in the order of the links to the next page. */
  private readingOrder(
    canonical: (key: string) => string,
    home: string | undefined
  ): ReadonlyMap<string, number> {
    const next = new Map([...this.nextPages].map(([page, other]) => [canonical(page), canonical(other)]))
    const targets = new Set(next.values())
    const ranks = new Map<string, number>()
    const starts = [
      ...(home === undefined ? [] : [home]),
      ...[...next.keys()].filter((page) => !targets.has(page))
    ]
    for (const start of starts) {
      for (let at: string | undefined = start; at !== undefined && !ranks.has(at); at = next.get(at)) {
        ranks.set(at, ranks.size)
      }
    }
    return ranks
  }
}
