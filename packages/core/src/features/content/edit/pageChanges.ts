/** The operations of a batch on pages. */

import { Effect } from "effect"
import { InvalidInput } from "../../../kernel/errors.ts"
import { slugOf } from "../../../kernel/schema/Slug.ts"
import type { StorageUnavailable } from "../../../kernel/storage/index.ts"
import type { PageRecord } from "../../../model/content/ContentRecord.ts"
import type { ContentChange } from "../../../model/content/EditContent.ts"
import type { PageId } from "../../../model/content/Page.ts"
import { type Editing, pageOf, putBody, readBody, type Step, touch } from "./Editing.ts"
import { checkFields, defaultTitle, withFields } from "./fields.ts"
import { takeHeading } from "./frontMatter.ts"
import { freeSlug, hasSlug, maximumEditDepth, positionAt, putPage, subtree } from "./pagePlacement.ts"

type Change<O extends ContentChange["operation"]> = Extract<ContentChange, { operation: O }>
type Failure = InvalidInput | StorageUnavailable

/** Refuses a place that a page of this type cannot have: under one that takes none, too deep, a group not at the root. */
const checkPlace = Effect.fnUntraced(function* (
  editing: Editing,
  type: PageRecord["type"],
  into: PageId | "",
  height: number,
  path: string
): Effect.fn.Return<void, Failure> {
  if (into === "") return
  const parent = yield* pageOf(editing, into, path)
  if (!hasSlug(parent)) {
    return yield* InvalidInput.at(
      path,
      `names a page of the type ${parent.type}, which has no pages below it`
    )
  }
  if (type === "group") return yield* InvalidInput.at(path, "must be left out: groups stand at the root")
  const depth = (yield* editing.draft.above(parent)).length + 1
  if (depth + height > maximumEditDepth) {
    return yield* InvalidInput.at(path, `would nest pages deeper than ${maximumEditDepth}`)
  }
})

/** `insert_page`. */
export const insertPage = Effect.fnUntraced(function* (
  editing: Editing,
  { change, path, ids }: Step<Change<"insert_page">>
): Effect.fn.Return<void, Failure> {
  const { draft, time } = editing
  const type = change.type ?? "document"
  const missing = type === "link" ? "target" : type === "computed" ? "computed" : undefined
  if (missing !== undefined && change[missing as "target" | "computed"] === undefined) {
    return yield* InvalidInput.at(`${path}.${missing}`, "is required")
  }
  yield* checkFields(type, change, path)
  const parent = change.into ?? ""
  yield* checkPlace(editing, type, parent, 1, `${path}.into`)

  const body = yield* readBody(change.document ?? {}, `${path}.document`)
  const isMarkdown = change.document?.markdown !== undefined
  const heading =
    isMarkdown && body.fields.title === undefined
      ? takeHeading(body.markdown)
      : { title: undefined, markdown: body.markdown }
  const given = { ...change, ...body.fields }
  const title = body.fields.title ?? heading.title ?? change.title ?? defaultTitle
  const slug = given.slug === undefined || given.slug === "" ? slugOf(title, "page") : given.slug
  const page = withFields(
    {
      type,
      title,
      slug: hasSlug({ type }) ? yield* freeSlug(draft, parent, slug) : "",
      parent,
      position: yield* positionAt(draft, parent, change.at),
      createdAt: time,
      updatedAt: time
    },
    { ...given, title }
  )
  const hash = yield* putBody(editing, heading.markdown)
  const id = ids[0] as PageId
  putPage(draft, id, undefined, hash === undefined ? page : { ...page, body: hash })
  touch(editing, id, "created", change.ref)
})

/** Whether a page stands below another, or is it. */
export const isWithin = Effect.fnUntraced(function* (
  editing: Editing,
  id: PageId,
  top: PageId
): Effect.fn.Return<boolean, Failure> {
  if (id === top) return true
  const page = yield* editing.draft.page(id)
  return page !== undefined && (yield* editing.draft.above(page)).some((above) => above.id === top)
})

/** The parent and the position that an update asks for. */
const placeFor = Effect.fnUntraced(function* (
  editing: Editing,
  page: PageRecord,
  { change, path }: Step<Change<"update_page">>
): Effect.fn.Return<Pick<PageRecord, "parent" | "position">, Failure> {
  const { draft } = editing
  const parent = change.into === undefined ? page.parent : (change.into ?? "")
  if (parent === page.parent && change.at === undefined) return page
  if (parent !== page.parent) {
    if (parent !== "" && (yield* isWithin(editing, parent, change.page))) {
      return yield* InvalidInput.at(`${path}.into`, "must not be the page itself or a page below it")
    }
    const below = yield* subtree(draft, { id: change.page, page })
    const height = 1 + Math.max(...(yield* Effect.forEach(below, (one) => heightIn(editing, one.page, page))))
    yield* checkPlace(editing, page.type, parent, height, `${path}.into`)
  }
  return { parent, position: yield* positionAt(draft, parent, change.at, change.page) }
})

/** How far a page is below one above it. */
const heightIn = (editing: Editing, page: PageRecord, top: PageRecord) =>
  Effect.zipWith(editing.draft.above(page), editing.draft.above(top), (mine, its) => mine.length - its.length)

/** `update_page`. */
export const updatePage = Effect.fnUntraced(function* (
  editing: Editing,
  step: Step<Change<"update_page">>
): Effect.fn.Return<void, Failure> {
  const { draft, time } = editing
  const { change, path } = step
  const before = yield* pageOf(editing, change.page, `${path}.page`)
  yield* checkFields(before.type, change, path)
  const place = yield* placeFor(editing, before, step)
  const body =
    change.document === undefined ? undefined : yield* readBody(change.document, `${path}.document`)
  const given = { ...change, ...body?.fields }
  const page = withFields(before, given)
  const wanted =
    given.slug === undefined ? before.slug : given.slug === "" ? slugOf(page.title, "page") : given.slug
  const hash = body === undefined ? before.body : yield* putBody(editing, body.markdown)
  const { body: _, ...rest } = page
  putPage(draft, change.page, before, {
    ...rest,
    ...(hash === undefined ? {} : { body: hash }),
    parent: place.parent,
    position: place.position,
    slug: hasSlug(before) ? yield* freeSlug(draft, place.parent, wanted, change.page) : "",
    updatedAt: time
  })
  touch(editing, change.page, "updated")
})

/** Deletes a page with the pages below it. */
export const removePage = Effect.fnUntraced(function* (
  editing: Editing,
  id: PageId,
  page: PageRecord
): Effect.fn.Return<void, StorageUnavailable> {
  for (const below of yield* subtree(editing.draft, { id, page })) {
    putPage(editing.draft, below.id, below.page, undefined)
    touch(editing, below.id, "deleted")
  }
})

/** `delete_page`. */
export const deletePage = Effect.fnUntraced(function* (
  editing: Editing,
  { change, path }: Step<Change<"delete_page">>
): Effect.fn.Return<void, Failure> {
  yield* removePage(editing, change.page, yield* pageOf(editing, change.page, `${path}.page`))
})
