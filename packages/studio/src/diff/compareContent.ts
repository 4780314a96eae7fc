/**
 * Compares the pages, files and reusable contents of two revisions. The body of a page is compared by its `documentId`, which depends
 * on the content, so that no bodies are loaded.
 */
import type { File, Page, ReusableContent, SemanticChange } from "@lectern/client/fetch"

/** The content of a revision, without the bodies of pages. */
export interface RevisionContent {
  readonly pages: ReadonlyArray<Page>
  readonly files: ReadonlyArray<File>
  readonly reusableContents: ReadonlyArray<ReusableContent>
}

interface Placed {
  readonly page: Page
  readonly parent: Page | undefined
}

const childrenOf = (page: Page): ReadonlyArray<Page> => ("pages" in page ? page.pages : [])

const placedPages = (pages: ReadonlyArray<Page>, parent?: Page): ReadonlyArray<readonly [string, Placed]> =>
  pages.flatMap((page) => [[page.id, { page, parent }] as const, ...placedPages(childrenOf(page), page)])

type PageSummary = Extract<SemanticChange, { readonly type: "page_created" }>["page"]

const summaryOf = (page: Page): PageSummary => ({
  id: page.id,
  type: page.type,
  title: page.title,
  ...("path" in page ? { path: page.path } : {})
})

/** The fields of pages that a person changes, and the names that they have in changes. */
const pageFields = {
  title: "title",
  description: "description",
  slug: "slug",
  documentId: "document",
  cover: "cover",
  emoji: "emoji",
  icon: "icon",
  layout: "layout",
  target: "target",
  metaLinks: "metaLinks",
  hidden: "hidden",
  condition: "condition",
  noIndex: "noIndex",
  noRobotsIndex: "noRobotsIndex"
} as const

/** Returns the fields that differ. Absent, empty and false fields are equal, because revisions omit defaults differently. */
const changedFields = (
  before: object,
  after: object,
  names: Readonly<Record<string, string>>
): Readonly<Record<string, { readonly before?: unknown; readonly after?: unknown }>> => {
  const textOf = (value: unknown): string =>
    value === undefined || value === null || value === false ? "" : JSON.stringify(value)
  const read = (object: object, name: string) => (object as Readonly<Record<string, unknown>>)[name]
  return Object.fromEntries(
    Object.entries(names).flatMap(([field, name]) => {
      const [one, other] = [read(before, field), read(after, field)]
      if (textOf(one) === textOf(other)) return []
      return [
        [
          name,
          { ...(one === undefined ? {} : { before: one }), ...(other === undefined ? {} : { after: other }) }
        ]
      ]
    })
  )
}

/** Returns the ids whose order among the others that both lists have changed: the fewest that explain the new order. */
const reordered = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): ReadonlySet<string> => {
  const positions = new Map(before.map((id, index) => [id, index]))
  const common = after.filter((id) => positions.has(id))
  // The longest increasing subsequence of the old positions has not moved.
  const lengths = common.map(() => 1)
  const previous = common.map(() => -1)
  let last = -1
  for (let index = 0; index < common.length; index++) {
    for (let other = 0; other < index; other++) {
      const isAfter = positions.get(common[other]!)! < positions.get(common[index]!)!
      if (isAfter && lengths[other]! + 1 > lengths[index]!) {
        lengths[index] = lengths[other]! + 1
        previous[index] = other
      }
    }
    if (last < 0 || lengths[index]! > lengths[last]!) last = index
  }
  const kept = new Set<string>()
  for (let index = last; index >= 0; index = previous[index]!) kept.add(common[index]!)
  return new Set(common.filter((id) => !kept.has(id)))
}

const siblingIds = (pages: ReadonlyArray<Page>, parent: Page | undefined): ReadonlyArray<string> =>
  (parent === undefined ? pages : childrenOf(parent)).map(({ id }) => id)

const comparePages = (
  before: ReadonlyArray<Page>,
  after: ReadonlyArray<Page>
): ReadonlyArray<SemanticChange> => {
  const [old, current] = [new Map(placedPages(before)), new Map(placedPages(after))]
  const orders = new Map<string, ReadonlySet<string>>()
  const isReordered = (from: Placed, to: Placed): boolean => {
    const key = to.parent?.id ?? ""
    const known = orders.get(key) ?? reordered(siblingIds(before, from.parent), siblingIds(after, to.parent))
    orders.set(key, known)
    return known.has(to.page.id)
  }
  const changes: Array<SemanticChange> = []
  for (const [id, to] of current) {
    const from = old.get(id)
    const page = summaryOf(to.page)
    if (from === undefined) {
      changes.push({ type: "page_created", page })
      continue
    }
    const attributes = changedFields(from.page, to.page, pageFields)
    if (Object.keys(attributes).length > 0) changes.push({ type: "page_edited", page, attributes })
    if (from.parent?.id !== to.parent?.id || isReordered(from, to)) {
      const parent = {
        ...(from.parent === undefined ? {} : { before: summaryOf(from.parent) }),
        ...(to.parent === undefined ? {} : { after: summaryOf(to.parent) })
      }
      changes.push({ type: "page_moved", page, parent })
    }
  }
  for (const [id, { page }] of old) {
    if (!current.has(id)) changes.push({ type: "page_deleted", page: summaryOf(page) })
  }
  return changes
}

/** The fields of files that a person changes. URLs depend on the revision: they are compared with the others only. */
const fileFields = { name: "name", size: "size", contentType: "contentType", dimensions: "dimensions" }

const fileSummary = ({ id, name, contentType, downloadURL }: File) => ({ id, name, contentType, downloadURL })

const compareFiles = (
  before: ReadonlyArray<File>,
  after: ReadonlyArray<File>
): ReadonlyArray<SemanticChange> => {
  const [old, current] = [before, after].map((files) => new Map(files.map((file) => [file.id, file])))
  return [
    ...after.flatMap((file): ReadonlyArray<SemanticChange> => {
      const from = old!.get(file.id)
      if (from === undefined) return [{ type: "file_created", file: fileSummary(file) }]
      const attributes = changedFields(from, file, fileFields)
      return Object.keys(attributes).length === 0
        ? []
        : [
            {
              type: "file_edited",
              file: fileSummary(file),
              attributes: {
                ...attributes,
                downloadURL: { before: from.downloadURL, after: file.downloadURL }
              }
            }
          ]
    }),
    ...before.flatMap(
      (file): ReadonlyArray<SemanticChange> =>
        current!.has(file.id) ? [] : [{ type: "file_deleted", file: fileSummary(file) }]
    )
  ]
}

const compareReusable = (
  before: ReadonlyArray<ReusableContent>,
  after: ReadonlyArray<ReusableContent>
): ReadonlyArray<SemanticChange> => {
  const [old, current] = [before, after].map((items) => new Map(items.map((item) => [item.id, item])))
  return [
    ...after.flatMap((item): ReadonlyArray<SemanticChange> => {
      const from = old!.get(item.id)
      if (from === undefined) return [{ type: "reusable_content_created", reusableContent: item }]
      const attributes = changedFields(from, item, { title: "title", document: "document" })
      return Object.keys(attributes).length === 0
        ? []
        : [{ type: "reusable_content_edited", reusableContent: item, attributes }]
    }),
    ...before.flatMap(
      (item): ReadonlyArray<SemanticChange> =>
        current!.has(item.id) ? [] : [{ type: "reusable_content_deleted", reusableContent: item }]
    )
  ]
}

/** Returns the changes from one revision to another. */
export const compareContent = (
  before: RevisionContent,
  after: RevisionContent
): ReadonlyArray<SemanticChange> => [
  ...comparePages(before.pages, after.pages),
  ...compareFiles(before.files, after.files),
  ...compareReusable(before.reusableContents, after.reusableContents)
]
