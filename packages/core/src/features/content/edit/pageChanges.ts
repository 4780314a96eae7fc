/** Applies the changes of a batch to pages. */

import {
  checkFields,
  defaultTitle,
  freeSlug,
  hasSlug,
  maximumEditDepth,
  positionAt,
  putPage,
  subtree,
  withFields
} from "@lectern/content"
import type { StorageUnavailable } from "@lectern/kernel"
import type { PageRecord } from "@lectern/kernel/tables"
import { takeHeading } from "@lectern/markdown/frontMatter"
import { slugOf } from "@lectern/markdown/text"
import type { ContentChange, PageId } from "@lectern/model/content"
import { InvalidInput } from "@lectern/model/errors"
import { Effect } from "effect"
import {
  type EditContext,
  putBody,
  readBody,
  readNewBody,
  recordOutcome,
  requirePage,
  type Step
} from "./EditContext.ts"

type Change<O extends ContentChange["operation"]> = Extract<ContentChange, { operation: O }>
type Failure = InvalidInput | StorageUnavailable

/**
 * Fails with `InvalidInput` if a page cannot be placed under a parent: links and computed pages have no children,
 * groups are at the root, and the depth is limited. `height` is the number of levels of the moved subtree.
 */
const checkPlace = Effect.fnUntraced(function* (
  context: EditContext,
  type: PageRecord["type"],
  into: PageId | "",
  height: number,
  path: string
): Effect.fn.Return<void, Failure> {
  if (into === "") return
  const parent = yield* requirePage(context, into, path)
  if (!hasSlug(parent)) {
    return yield* InvalidInput.at(
      path,
      `is the id of a page of the type ${parent.type}, which cannot have child pages`
    )
  }
  if (type === "group") return yield* InvalidInput.at(path, "must be omitted: groups are always at the root")
  const depth = (yield* context.draft.above(parent)).length + 1
  if (depth + height > maximumEditDepth) {
    return yield* InvalidInput.at(path, `would nest pages more than ${maximumEditDepth} levels deep`)
  }
})

/**
 * Adds a page. The title of the change takes precedence over that of its Markdown, and other fields of front matter over
 * the fields of the change.
 */
export const insertPage = Effect.fnUntraced(function* (
  context: EditContext,
  { change, path, ids }: Step<Change<"insert_page">>
): Effect.fn.Return<void, Failure> {
  const { draft, time } = context
  const type = change.type ?? "document"
  const missing = type === "link" ? "target" : type === "computed" ? "computed" : undefined
  if (missing !== undefined && change[missing as "target" | "computed"] === undefined) {
    return yield* InvalidInput.at(`${path}.${missing}`, "is required")
  }
  yield* checkFields(type, change, path)
  const parent = yield* parentOf(context, change.into, `${path}.into`)
  yield* checkPlace(context, type, parent, 1, `${path}.into`)

  const body = yield* readBody(change.document ?? {}, `${path}.document`)
  const isMarkdown = change.document?.markdown !== undefined
  const own = change.title ?? body.fields.title
  const first = isMarkdown ? takeHeading(body.markdown) : { title: undefined, markdown: body.markdown }
  // A heading that differs from the title of the change is text of the page.
  const isTitle = own === undefined || (own === change.title && first.title === own)
  const heading = isTitle ? first : { title: undefined, markdown: body.markdown }
  const changed = { ...change, ...body.fields }
  const title = own ?? heading.title ?? defaultTitle
  const slug = changed.slug === undefined || changed.slug === "" ? slugOf(title, "page") : changed.slug
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
    { ...changed, title }
  )
  const hash = yield* putBody(context, heading.markdown)
  const id = ids[0] as PageId
  putPage(draft, id, undefined, hash === undefined ? page : { ...page, body: hash })
  recordOutcome(context, id, "created", change.ref)
})

/**
 * Returns the parent that a change names: the id of a page, or the ref of a page that an earlier change of the batch adds. Fails
 * with `InvalidInput` at `path` for the ref of another item, or of a later change.
 */
const parentOf = Effect.fnUntraced(function* (
  { draft, references }: EditContext,
  into: string | null | undefined,
  path: string
): Effect.fn.Return<PageId | "", Failure> {
  const id = (into ?? "") as PageId | ""
  if (id === "" || (yield* draft.page(id)) !== undefined) return id
  const target = references.get(id)
  if (target === undefined) return id
  const page = target.startsWith("/pages/") ? (target.slice("/pages/".length) as PageId) : undefined
  if (page === undefined) return yield* InvalidInput.at(path, "is the ref of an item that is not a page")
  if ((yield* draft.page(page)) === undefined) {
    return yield* InvalidInput.at(path, "is the ref of a page that a later change adds; add that page first")
  }
  return page
})

/** Whether a page is `top` or a descendant of it. */
export const isWithin = Effect.fnUntraced(function* (
  context: EditContext,
  id: PageId,
  top: PageId
): Effect.fn.Return<boolean, Failure> {
  if (id === top) return true
  const page = yield* context.draft.page(id)
  return page !== undefined && (yield* context.draft.above(page)).some((ancestor) => ancestor.id === top)
})

/** Returns the parent and the position after an update. */
const placeFor = Effect.fnUntraced(function* (
  context: EditContext,
  page: PageRecord,
  { change, path }: Step<Change<"update_page">>
): Effect.fn.Return<Pick<PageRecord, "parent" | "position">, Failure> {
  const { draft } = context
  const parent =
    change.into === undefined ? page.parent : yield* parentOf(context, change.into, `${path}.into`)
  if (parent === page.parent && change.at === undefined) return page
  if (parent !== page.parent) {
    if (parent !== "" && (yield* isWithin(context, parent, change.page))) {
      return yield* InvalidInput.at(`${path}.into`, "must not be the page itself or a page below it")
    }
    const descendants = yield* subtree(draft, { id: change.page, page })
    const height =
      1 + Math.max(...(yield* Effect.forEach(descendants, (one) => heightIn(context, one.page, page))))
    yield* checkPlace(context, page.type, parent, height, `${path}.into`)
  }
  return { parent, position: yield* positionAt(draft, parent, change.at, change.page) }
})

/** The number of levels of a page below its ancestor `top`. */
const heightIn = (context: EditContext, page: PageRecord, top: PageRecord) =>
  Effect.zipWith(
    context.draft.above(page),
    context.draft.above(top),
    (ancestors, topAncestors) => ancestors.length - topAncestors.length
  )

/** Changes the fields, the body or the place of a page. */
export const updatePage = Effect.fnUntraced(function* (
  context: EditContext,
  step: Step<Change<"update_page">>
): Effect.fn.Return<void, Failure> {
  const { draft, time } = context
  const { change, path } = step
  const before = yield* requirePage(context, change.page, `${path}.page`)
  yield* checkFields(before.type, change, path)
  const place = yield* placeFor(context, before, step)
  const body =
    change.document === undefined
      ? undefined
      : yield* readNewBody(context, change.document, before.body, `${path}.document`)
  const changed = { ...change, ...body?.fields }
  const page = withFields(before, changed)
  const requestedSlug =
    changed.slug === undefined ? before.slug : changed.slug === "" ? slugOf(page.title, "page") : changed.slug
  const hash = body === undefined ? before.body : yield* putBody(context, body.markdown, before.body)
  const { body: _, ...rest } = page
  putPage(draft, change.page, before, {
    ...rest,
    ...(hash === undefined ? {} : { body: hash }),
    parent: place.parent,
    position: place.position,
    slug: hasSlug(before) ? yield* freeSlug(draft, place.parent, requestedSlug, change.page) : "",
    updatedAt: time
  })
  recordOutcome(context, change.page, "updated")
})

/** Removes a page with its descendants from the draft. */
export const removePage = Effect.fnUntraced(function* (
  context: EditContext,
  id: PageId,
  page: PageRecord
): Effect.fn.Return<void, StorageUnavailable> {
  for (const descendant of yield* subtree(context.draft, { id, page })) {
    putPage(context.draft, descendant.id, descendant.page, undefined)
    recordOutcome(context, descendant.id, "deleted")
  }
})

/** Deletes a page with its descendants. Fails with `InvalidInput` if it does not exist. */
export const deletePage = Effect.fnUntraced(function* (
  context: EditContext,
  { change, path }: Step<Change<"delete_page">>
): Effect.fn.Return<void, Failure> {
  yield* removePage(context, change.page, yield* requirePage(context, change.page, `${path}.page`))
})
