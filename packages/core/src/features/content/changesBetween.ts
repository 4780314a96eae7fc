/** Computes the semantic changes between two revisions, at a cost proportional to what differs. */

import { pathOf, Trees as Tree } from "@lectern/content"
import type { BlobHash, StorageUnavailable } from "@lectern/kernel"
import {
  type FileRecord,
  type PageRecord,
  type Placed,
  type ReusableContentRecord,
  recordOf
} from "@lectern/kernel/tables"
import type { ChangedPage, SemanticChange } from "@lectern/model/content"
import { Effect } from "effect"
import { documentIdOf, layoutOf } from "../../views/content/PageView.ts"
import type { ContentStore } from "./ContentStore.ts"

type UrlOf = (file: FileRecord) => string

/** Returns the fields that differ, each with its values before and after. */
const attributes = (before: object, after: object): Record<string, unknown> => {
  const was = before as Record<string, unknown>
  const is = after as Record<string, unknown>
  return Object.fromEntries(
    [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((field) =>
      JSON.stringify(was[field]) === JSON.stringify(is[field])
        ? []
        : [
            [
              field,
              {
                ...(was[field] === undefined ? {} : { before: was[field] }),
                ...(is[field] === undefined ? {} : { after: is[field] })
              }
            ]
          ]
    )
  )
}

const pick = <A extends object>(value: A, fields: ReadonlyArray<keyof A>): Partial<A> =>
  Object.fromEntries(
    fields.flatMap((field) => (value[field] === undefined ? [] : [[field, value[field]]]))
  ) as Partial<A>

const pageFields = [
  "title",
  "description",
  "slug",
  "cover",
  "emoji",
  "icon",
  "target",
  "metaLinks",
  "hidden",
  "condition",
  "noIndex",
  "noRobotsIndex"
] as const

const withDocument = <A extends { readonly body?: BlobHash }>(record: A) => {
  const document = documentIdOf(record)
  return document === undefined ? {} : { document }
}

const fieldsOfPage = (page: PageRecord) => ({
  ...pick(
    page,
    page.type === "link" || page.type === "computed" ? pageFields.filter((f) => f !== "slug") : pageFields
  ),
  ...(page.layout === undefined ? {} : { layout: layoutOf(page) }),
  ...withDocument(page)
})

/** Converts a page to its summary in a change, with its path in the given tree. */
const summarize = Effect.fnUntraced(function* (
  tree: Tree.Tree,
  { id, page }: Placed
): Effect.fn.Return<ChangedPage, StorageUnavailable> {
  const common = { id, type: page.type, title: page.title }
  if (page.type === "link" || page.type === "computed") return common
  const above = yield* tree.above(page)
  const path = [...above].reverse().reduce((path, one) => pathOf(path, one.page), "")
  return { ...common, path: pathOf(path, page) }
})

const summarizeById = Effect.fnUntraced(function* (
  tree: Tree.Tree,
  id: PageRecord["parent"]
): Effect.fn.Return<ChangedPage | undefined, StorageUnavailable> {
  const page = id === "" ? undefined : yield* tree.page(id)
  return page === undefined || id === "" ? undefined : yield* summarize(tree, { id, page })
})

/** Returns all changes from one content to another, ordered by record id. */
export const changesBetween = Effect.fnUntraced(function* (
  content: ContentStore["Service"],
  before: BlobHash,
  after: BlobHash,
  urlOf: UrlOf
): Effect.fn.Return<ReadonlyArray<SemanticChange>, StorageUnavailable> {
  const [old, fresh] = [Tree.readTree(content.maps, before), Tree.readTree(content.maps, after)]
  const changes: Array<SemanticChange> = []
  for (const difference of yield* content.maps.diff(before, after)) {
    const record = recordOf(difference.key)
    if (record === undefined) continue
    const { id } = record
    const was = difference.before as unknown
    const is = difference.after as unknown
    switch (record.kind) {
      case "page":
        changes.push(...(yield* pageChanges(old, fresh, id, was as PageRecord, is as PageRecord)))
        break
      case "file":
        changes.push(...fileChanges(id, was as FileRecord, is as FileRecord, urlOf))
        break
      case "source":
        break
      case "reusableContent":
        changes.push(...reusableContentChanges(id, was as ReusableContentRecord, is as ReusableContentRecord))
    }
  }
  return changes
})

const pageChanges = Effect.fnUntraced(function* (
  old: Tree.Tree,
  fresh: Tree.Tree,
  id: string,
  was: PageRecord | undefined,
  is: PageRecord | undefined
): Effect.fn.Return<ReadonlyArray<SemanticChange>, StorageUnavailable> {
  const placed = (page: PageRecord) => ({ id: id as Placed["id"], page })
  if (was === undefined) return [{ type: "page_created", page: yield* summarize(fresh, placed(is!)) }]
  if (is === undefined) return [{ type: "page_deleted", page: yield* summarize(old, placed(was)) }]
  const changes: Array<SemanticChange> = []
  const page = yield* summarize(fresh, placed(is))
  const edited = attributes(fieldsOfPage(was), fieldsOfPage(is))
  if (Object.keys(edited).length > 0) changes.push({ type: "page_edited", page, attributes: edited })
  if (was.parent !== is.parent || was.position !== is.position) {
    const [from, to] = [yield* summarizeById(old, was.parent), yield* summarizeById(fresh, is.parent)]
    changes.push({
      type: "page_moved",
      page,
      parent: { ...(from === undefined ? {} : { before: from }), ...(to === undefined ? {} : { after: to }) }
    })
  }
  return changes
})

const fileChanges = (
  id: string,
  was: FileRecord | undefined,
  is: FileRecord | undefined,
  urlOf: UrlOf
): ReadonlyArray<SemanticChange> => {
  const file = (record: FileRecord) => ({
    id,
    name: record.name,
    contentType: record.contentType,
    downloadURL: urlOf(record)
  })
  if (was === undefined) return [{ type: "file_created", file: file(is!) }]
  if (is === undefined) return [{ type: "file_deleted", file: file(was) }]
  const fields = (record: FileRecord) => ({
    ...pick(record, ["name", "size", "contentType", "dimensions"]),
    downloadURL: urlOf(record)
  })
  return [{ type: "file_edited", file: file(is), attributes: attributes(fields(was), fields(is)) }]
}

const reusableContentChanges = (
  id: string,
  was: ReusableContentRecord | undefined,
  is: ReusableContentRecord | undefined
): ReadonlyArray<SemanticChange> => {
  const fields = (record: ReusableContentRecord) => ({ title: record.title, ...withDocument(record) })
  if (was === undefined)
    return [{ type: "reusable_content_created", reusableContent: { id, ...fields(is!) } }]
  if (is === undefined) return [{ type: "reusable_content_deleted", reusableContent: { id, ...fields(was) } }]
  return [
    {
      type: "reusable_content_edited",
      reusableContent: { id, ...fields(is) },
      attributes: attributes(fields(was), fields(is))
    }
  ]
}
