/** Content as plainly as it can be said: a tree of pages with one line of text each, edited and merged as a whole. */

/** A page. Moves give it a new `place`, a number that no other has: where exactly it stands is said by the order. */
export interface PageState {
  readonly title: string
  /** What it is found by; where others beside it wanted the same, it may have a number behind it. */
  readonly slug: string
  readonly isContested: boolean
  /** Whether a merge brought it to where it is, so that its place among others is not known. */
  readonly isMoved?: boolean
  readonly parent: string
  readonly place: number
  readonly body: string
  readonly updatedAt: number
}

/** The pages of a content, the order of those below each (those at the root are below ""), and the names of its files. */
export interface Content {
  readonly pages: ReadonlyMap<string, PageState>
  readonly order: ReadonlyMap<string, ReadonlyArray<string>>
  readonly files: ReadonlyMap<string, string>
}

/** A change, as the operations take it. */
export type Change =
  | {
      readonly operation: "insert_page"
      readonly title: string
      readonly into?: string | null
      readonly at?: number
      readonly document?: { readonly markdown: string }
    }
  | {
      readonly operation: "update_page"
      readonly page: string
      readonly title?: string
      readonly into?: string | null
      readonly at?: number
      readonly document?: { readonly markdown: string }
    }
  | { readonly operation: "delete_page"; readonly page: string }
  | {
      readonly operation: "insert_files"
      readonly files: ReadonlyArray<{
        readonly name: string
        readonly contentType: string
        readonly base64: string
      }>
    }
  | { readonly operation: "delete_files"; readonly files: ReadonlyArray<string> }

/** What became of a page by a batch. */
export type Outcome = "created_page" | "updated_page" | "deleted_page"

/** What a batch makes of a content, or `undefined` where it cannot be made. What it adds is named `new-1` … */
export interface Edited {
  readonly content: Content
  readonly touched: ReadonlyMap<string, Outcome>
}

export const emptyContent: Content = { pages: new Map(), order: new Map(), files: new Map() }

let places = 0

/** The pages below one, in their order. */
export const childrenOf = (content: Content, parent: string): ReadonlyArray<string> =>
  content.order.get(parent) ?? []

/** A page and all below it. */
export const within = (content: Content, page: string): ReadonlyArray<string> => [
  page,
  ...childrenOf(content, page).flatMap((child) => within(content, child))
]

const without = (content: Content, gone: string): Content["order"] =>
  new Map([...content.order].map(([parent, list]) => [parent, list.filter((id) => id !== gone)]))

const put = (content: Content, id: string, page: PageState, index: number | undefined): Content => {
  const order = new Map(without(content, id))
  const siblings = order.get(page.parent) ?? []
  order.set(page.parent, siblings.toSpliced(index ?? siblings.length, 0, id))
  return { ...content, pages: new Map(content.pages).set(id, page), order }
}

/** Whether another page beside it may have the slug already. */
const isContested = (content: Content, parent: string, slug: string, self?: string): boolean =>
  childrenOf(content, parent).some((id) => {
    const other = content.pages.get(id)!
    return id !== self && (other.isContested || other.slug === slug)
  })

const remove = (content: Content, id: string): Content => {
  const gone = new Set(within(content, id))
  const order = new Map(without(content, id))
  for (const one of gone) order.delete(one)
  return { ...content, pages: new Map([...content.pages].filter(([one]) => !gone.has(one))), order }
}

/** Applies a batch: all of it, or nothing. */
export const edit = (before: Content, changes: ReadonlyArray<Change>, now: number): Edited | undefined => {
  let content = before
  const touched = new Map<string, Outcome>()
  for (const [index, change] of changes.entries()) {
    if (change.operation === "insert_page") {
      const parent = change.into ?? ""
      if (parent !== "" && !content.pages.has(parent)) return undefined
      const slug = change.title.toLowerCase()
      const page: PageState = {
        title: change.title,
        slug,
        isContested: isContested(content, parent, slug),
        parent,
        place: ++places,
        body: change.document?.markdown ?? "",
        updatedAt: now
      }
      content = put(content, `new-${index}`, page, change.at)
      touched.set(`new-${index}`, "created_page")
      continue
    }
    if (change.operation === "insert_files") {
      const files = new Map(content.files)
      for (const [place, { name }] of change.files.entries()) files.set(`new-${index}-${place}`, name)
      content = { ...content, files }
      continue
    }
    if (change.operation === "delete_files") {
      const files = new Map(content.files)
      if (!change.files.every((file) => files.delete(file))) return undefined
      content = { ...content, files }
      continue
    }
    const page = content.pages.get(change.page)
    if (page === undefined) return undefined
    if (change.operation === "delete_page") {
      for (const one of within(content, change.page)) {
        if (touched.get(one) === "created_page") touched.delete(one)
        else touched.set(one, "deleted_page")
      }
      content = remove(content, change.page)
      continue
    }
    const parent = change.into === undefined ? page.parent : (change.into ?? "")
    const isElsewhere = parent !== page.parent
    if (isElsewhere && parent !== "" && !content.pages.has(parent)) return undefined
    if (isElsewhere && within(content, change.page).includes(parent)) return undefined
    const after: PageState = {
      ...page,
      title: change.title ?? page.title,
      parent,
      isContested: page.isContested || (isElsewhere && isContested(content, parent, page.slug, change.page)),
      body: change.document?.markdown ?? page.body,
      updatedAt: now
    }
    if (isElsewhere || change.at !== undefined) {
      content = put(content, change.page, { ...after, place: ++places }, change.at)
    } else content = { ...content, pages: new Map(content.pages).set(change.page, after) }
    if (!touched.has(change.page)) touched.set(change.page, "updated_page")
  }
  return { content, touched }
}

/** The same content with other names for its pages. */
export const rename = (content: Content, names: ReadonlyMap<string, string>): Content => {
  const nameOf = (id: string) => names.get(id) ?? id
  return {
    pages: new Map(
      [...content.pages].map(([id, page]) => [nameOf(id), { ...page, parent: nameOf(page.parent) }])
    ),
    order: new Map([...content.order].map(([parent, list]) => [nameOf(parent), list.map(nameOf)])),
    files: new Map([...content.files].map(([id, name]) => [nameOf(id), name]))
  }
}

/** What a merge comes to. Where there is a conflict there is no content. */
export interface Merged {
  readonly content: Content
  /** What surely is in the way: `deletion`, `move`, `body` or `field`, with the page. */
  readonly certain: ReadonlySet<string>
  /** What may be: both sides moved a page among the same siblings, perhaps to the same place. */
  readonly possible: ReadonlySet<string>
  /** Whether pages would stand below one that is gone, or below each other. */
  readonly isTorn: boolean
}

const fields = ["title", "slug"] as const

/** Whether a side surely, or maybe, changed a page. */
const changed = (was: PageState | undefined, is: PageState | undefined): "no" | "maybe" | "yes" => {
  if (was === undefined || is === undefined) return was === is ? "no" : "yes"
  const isSame =
    was.parent === is.parent &&
    was.body === is.body &&
    was.updatedAt === is.updatedAt &&
    fields.every((field) => was[field] === is[field])
  return !isSame ? "yes" : was.place === is.place ? "no" : "maybe"
}

/** Puts what a change made of a base onto what the primary content made of it. */
export const merge = (base: Content, primary: Content, change: Content): Merged => {
  const certain = new Set<string>()
  const possible = new Set<string>()
  const pages = new Map(primary.pages)
  for (const id of new Set([...base.pages.keys(), ...change.pages.keys()])) {
    const [b, p, c] = [base.pages.get(id), primary.pages.get(id), change.pages.get(id)]
    const [ours, theirs] = [changed(b, p), changed(b, c)]
    if (theirs === "no") continue
    if (ours === "no" || p === c || (p === undefined && c === undefined)) {
      if (c === undefined) pages.delete(id)
      else pages.set(id, c.place === p?.place ? c : { ...c, isMoved: true })
      continue
    }
    if (p === undefined || c === undefined) {
      const isCertain = (p === undefined ? theirs : ours) === "yes"
      if (isCertain) certain.add(`deletion ${id}`)
      else possible.add(`deletion ${id}`)
      if (!isCertain) pages.delete(id)
      else pages.set(id, (p ?? c)!)
      continue
    }
    const { value, conflicting, possiblyConflicting } = mergePage(id, b!, p, c)
    for (const one of conflicting) certain.add(one)
    for (const one of possiblyConflicting) possible.add(one)
    pages.set(id, value)
  }
  // Files never change: they come and go.
  const files = new Map([...primary.files].filter(([id]) => !base.files.has(id) || change.files.has(id)))
  for (const [id, name] of change.files) if (!base.files.has(id)) files.set(id, name)
  return { content: { pages, order: primary.order, files }, certain, possible, isTorn: isTorn(pages) }
}

/** Merges a page that both sides changed. */
const mergePage = (id: string, b: PageState, p: PageState, c: PageState) => {
  const conflicting: Array<string> = []
  const possiblyConflicting: Array<string> = []
  let value: PageState = { ...p, updatedAt: Math.max(p.updatedAt, c.updatedAt) }
  if (c.place !== b.place && c.place !== p.place) {
    // Among the same siblings it may have come to stand where it stood.
    const [ours, theirs] = [p.parent !== b.parent, c.parent !== b.parent]
    if (p.place === b.place || (!ours && theirs))
      value = { ...value, parent: c.parent, place: c.place, isMoved: true }
    if (ours && theirs && p.parent !== c.parent) conflicting.push(`move ${id}`)
    else if (p.place !== b.place && (!ours || !theirs)) {
      possiblyConflicting.push(`move ${id}`)
      // Whichever side it is that moved it: what came of it is at neither's place for sure.
      if (ours === theirs) value = { ...value, place: ++places, isMoved: true }
    }
  }
  for (const field of [...fields, "body"] as const) {
    if (p[field] === c[field] || b[field] === c[field]) continue
    if (b[field] === p[field]) value = { ...value, [field]: c[field] }
    else conflicting.push(field === "body" ? `body ${id}` : `field ${id} ${field}`)
  }
  return { value, conflicting, possiblyConflicting }
}

const isTorn = (pages: ReadonlyMap<string, PageState>): boolean =>
  [...pages.keys()].some((id) => {
    const way = new Set<string>()
    for (let one = id; one !== ""; one = pages.get(one)!.parent) {
      if (way.has(one) || !pages.has(one)) return true
      way.add(one)
    }
    return false
  })
