/** The model of content: a tree of pages with one line each, and the rules of editing and merging. */

/** A page. Its position among its siblings is in `Content.order`. */
export interface PageState {
  readonly title: string
  /** The slug, without a numeric suffix. */
  readonly slug: string
  /** Whether the slug conflicted with that of a sibling, so that the workspace may have added a numeric suffix. */
  readonly mayHaveSuffix: boolean
  /** Whether a merge moved the page, so that its position among its siblings is not specified. */
  readonly isMoved?: boolean
  /** The id of the parent page, or an empty text at the root. */
  readonly parent: string
  /** A unique number that changes with each move, to detect moves. */
  readonly place: number
  readonly body: string
  readonly updatedAt: number
}

/** The content of a revision. */
export interface Content {
  /** The pages by id. */
  readonly pages: ReadonlyMap<string, PageState>
  /** The ids of the children of each page, in order. The parent of pages at the root is an empty text. */
  readonly order: ReadonlyMap<string, ReadonlyArray<string>>
  /** The names of the files by id. */
  readonly files: ReadonlyMap<string, string>
}

/** A change of a batch, as the operation accepts it. */
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

/** The effect of a batch on a page. */
export type Outcome = "created_page" | "updated_page" | "deleted_page"

/** The result of a batch. Created pages and files have temporary ids: `new-0`, `new-1`, … */
export interface EditedContent {
  readonly content: Content
  /** The affected pages, in order of their first change. */
  readonly touched: ReadonlyMap<string, Outcome>
}

/** Content without pages and files. */
export const emptyContent: Content = { pages: new Map(), order: new Map(), files: new Map() }

let lastPlace = 0

/** Returns the ids of the children of a page, in order. */
export const childrenOf = (content: Content, parent: string): ReadonlyArray<string> =>
  content.order.get(parent) ?? []

/** Returns the ids of a page and all of its descendants. */
export const subtreeOf = (content: Content, page: string): ReadonlyArray<string> => [
  page,
  ...childrenOf(content, page).flatMap((child) => subtreeOf(content, child))
]

const withoutPage = (content: Content, gone: string): Content["order"] =>
  new Map([...content.order].map(([parent, list]) => [parent, list.filter((id) => id !== gone)]))

const putPage = (content: Content, id: string, page: PageState, index: number | undefined): Content => {
  const order = new Map(withoutPage(content, id))
  const siblings = order.get(page.parent) ?? []
  order.set(page.parent, siblings.toSpliced(index ?? siblings.length, 0, id))
  return { ...content, pages: new Map(content.pages).set(id, page), order }
}

/** Whether a sibling may have the slug already. */
const isContested = (content: Content, parent: string, slug: string, self?: string): boolean =>
  childrenOf(content, parent).some((id) => {
    const other = content.pages.get(id)!
    return id !== self && (other.mayHaveSuffix || other.slug === slug)
  })

const removePage = (content: Content, id: string): Content => {
  const removedIds = new Set(subtreeOf(content, id))
  const order = new Map(withoutPage(content, id))
  for (const one of removedIds) order.delete(one)
  return { ...content, pages: new Map([...content.pages].filter(([one]) => !removedIds.has(one))), order }
}

/** Applies a batch of changes. Returns undefined if one of them is invalid, in which case none takes effect. */
export const applyChanges = (
  before: Content,
  changes: ReadonlyArray<Change>,
  now: number
): EditedContent | undefined => {
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
        mayHaveSuffix: isContested(content, parent, slug),
        parent,
        place: ++lastPlace,
        body: change.document?.markdown ?? "",
        updatedAt: now
      }
      content = putPage(content, `new-${index}`, page, change.at)
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
      for (const one of subtreeOf(content, change.page)) {
        if (touched.get(one) === "created_page") touched.delete(one)
        else touched.set(one, "deleted_page")
      }
      content = removePage(content, change.page)
      continue
    }
    const parent = change.into === undefined ? page.parent : (change.into ?? "")
    const changesParent = parent !== page.parent
    if (changesParent && parent !== "" && !content.pages.has(parent)) return undefined
    if (changesParent && subtreeOf(content, change.page).includes(parent)) return undefined
    const after: PageState = {
      ...page,
      title: change.title ?? page.title,
      parent,
      mayHaveSuffix:
        page.mayHaveSuffix || (changesParent && isContested(content, parent, page.slug, change.page)),
      body: change.document?.markdown ?? page.body,
      updatedAt: now
    }
    if (changesParent || change.at !== undefined) {
      content = putPage(content, change.page, { ...after, place: ++lastPlace }, change.at)
    } else content = { ...content, pages: new Map(content.pages).set(change.page, after) }
    if (!touched.has(change.page)) touched.set(change.page, "updated_page")
  }
  return { content, touched }
}

/** Returns the content with other ids for some pages and files. */
export const renamePages = (content: Content, ids: ReadonlyMap<string, string>): Content => {
  const idOf = (id: string) => ids.get(id) ?? id
  return {
    pages: new Map(
      [...content.pages].map(([id, page]) => [idOf(id), { ...page, parent: idOf(page.parent) }])
    ),
    order: new Map([...content.order].map(([parent, list]) => [idOf(parent), list.map(idOf)])),
    files: new Map([...content.files].map(([id, name]) => [idOf(id), name]))
  }
}

/** The result of a merge. `content` is meaningful only if there is no conflict. */
export interface MergedContent {
  readonly content: Content
  /** The conflicts that a merge must report: `deletion`, `move`, `body` or `field`, with the id of the page. */
  readonly certainConflicts: ReadonlySet<string>
  /** The conflicts that a merge may report: both sides moved a page among the same siblings. */
  readonly possibleConflicts: ReadonlySet<string>
  /** Whether pages would have a deleted parent, or form a cycle. */
  readonly isInvalidTree: boolean
}

const fields = ["title", "slug"] as const

/** Whether a side changed a page. `maybe`: a move may have put it back at the same position. */
const hasChanged = (was: PageState | undefined, is: PageState | undefined): "no" | "maybe" | "yes" => {
  if (was === undefined || is === undefined) return was === is ? "no" : "yes"
  const isSame =
    was.parent === is.parent &&
    was.body === is.body &&
    was.updatedAt === is.updatedAt &&
    fields.every((field) => was[field] === is[field])
  return !isSame ? "yes" : was.place === is.place ? "no" : "maybe"
}

/** Merges the changes of a change request since `base` into the primary content. */
export const mergeContents = (base: Content, primary: Content, change: Content): MergedContent => {
  const certainConflicts = new Set<string>()
  const possibleConflicts = new Set<string>()
  const pages = new Map(primary.pages)
  for (const id of new Set([...base.pages.keys(), ...change.pages.keys()])) {
    const [b, p, c] = [base.pages.get(id), primary.pages.get(id), change.pages.get(id)]
    const [ours, theirs] = [hasChanged(b, p), hasChanged(b, c)]
    if (theirs === "no") continue
    if (ours === "no" || p === c || (p === undefined && c === undefined)) {
      if (c === undefined) pages.delete(id)
      else pages.set(id, c.place === p?.place ? c : { ...c, isMoved: true })
      continue
    }
    if (p === undefined || c === undefined) {
      const isCertain = (p === undefined ? theirs : ours) === "yes"
      if (isCertain) certainConflicts.add(`deletion ${id}`)
      else possibleConflicts.add(`deletion ${id}`)
      if (!isCertain) pages.delete(id)
      else pages.set(id, (p ?? c)!)
      continue
    }
    const { value, conflicting, possiblyConflicting } = mergePage(id, b!, p, c)
    for (const one of conflicting) certainConflicts.add(one)
    for (const one of possiblyConflicting) possibleConflicts.add(one)
    pages.set(id, value)
  }
  // Files are immutable: they are only added and deleted.
  const files = new Map([...primary.files].filter(([id]) => !base.files.has(id) || change.files.has(id)))
  for (const [id, name] of change.files) if (!base.files.has(id)) files.set(id, name)
  return {
    content: { pages, order: primary.order, files },
    certainConflicts,
    possibleConflicts,
    isInvalidTree: isTorn(pages)
  }
}

/** Merges a page that both sides changed. */
const mergePage = (id: string, b: PageState, p: PageState, c: PageState) => {
  const conflicting: Array<string> = []
  const possiblyConflicting: Array<string> = []
  let value: PageState = { ...p, updatedAt: Math.max(p.updatedAt, c.updatedAt) }
  if (c.place !== b.place && c.place !== p.place) {
    // A move among the same siblings may not have changed the position.
    const [ours, theirs] = [p.parent !== b.parent, c.parent !== b.parent]
    if (p.place === b.place || (!ours && theirs))
      value = { ...value, parent: c.parent, place: c.place, isMoved: true }
    if (ours && theirs && p.parent !== c.parent) conflicting.push(`move ${id}`)
    else if (p.place !== b.place && (!ours || !theirs)) {
      possiblyConflicting.push(`move ${id}`)
      // The result may be at the position of either side.
      if (ours === theirs) value = { ...value, place: ++lastPlace, isMoved: true }
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
    const visited = new Set<string>()
    for (let one = id; one !== ""; one = pages.get(one)!.parent) {
      if (visited.has(one) || !pages.has(one)) return true
      visited.add(one)
    }
    return false
  })
