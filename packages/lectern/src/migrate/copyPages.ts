/** Copies the tree of the pages of a space, and its reusable contents, without their bodies. */
import { mapReferences } from "@lectern/formats"
import { InsertPage } from "@lectern/model/content"
import { Effect } from "effect"
import { type Item, RequestFailed } from "./ApiClient.ts"
import { type Findings, findCopyIn, type MigrationContext, textOf } from "./Context.ts"
import { flattenPages, readContent, type SourcePage } from "./SourceContent.ts"
import { transferFields } from "./transferFields.ts"

/** The maximum number of changes of a request. */
const maximumChanges = 50

/** The target of a link until the pages that it can lead to exist. */
const placeholder = { kind: "url", url: "https://migration.invalid/" }

const types = new Set(["document", "group", "link", "computed"])

/** The type of a page. Unknown types are documents. */
export const typeOf = ({ type, kind }: Item): string =>
  typeof type === "string" && types.has(type) ? type : kind === "group" || kind === "link" ? kind : "document"

/** Fields of pages that have a place of their own in the change. */
const ownFields = ["operation", "type", "into", "at", "ref", "document", "target"]

/** Fields of pages that refer to pages, so that they are written with the bodies, when all ids of copies are known. */
export const laterFields = ["metaLinks"]

/** Converts the fields of a page, without the ones in `omit`, to the fields of a change, with the ids of copies. */
export const pageFields = (
  context: MigrationContext,
  space: string,
  page: Item,
  findings: Findings | undefined,
  omit: ReadonlyArray<string> = []
) => {
  const resource = describePage(page)
  const { values, problems } = transferFields(InsertPage.fields, { ...page, type: typeOf(page) }, [
    ...ownFields,
    ...omit
  ])
  for (const problem of problems) findings?.changed(problem, resource)
  const { value, unresolved } = mapReferences(values, findCopyIn(context, space))
  findings?.unresolved(unresolved, resource)
  return value as Record<string, unknown>
}

/** Names a page in the report. */
export const describePage = (page: Item): string =>
  `page ${textOf(page.path) || textOf(page.title) || page.id}`

const unexpected = (message: string) => new RequestFailed({ status: 409, reason: "Unexpected", message })

/**
 * Copies the pages to a space that is empty, except for the pages of an earlier run. Pages are inserted in the order of the tree at the end of their
 * parents, so that the pages of an interrupted run are its beginning.
 */
export const copyPages = Effect.fnUntraced(function* (
  context: MigrationContext,
  space: string,
  copy: string,
  pages: ReadonlyArray<SourcePage>
): Effect.fn.Return<void, RequestFailed> {
  const { target, journal } = context
  const keyOf = (id: string) => `page/${space}/${id}`
  const typeByKey = new Map(pages.map(({ page }) => [page.id, typeOf(page)]))
  const targetPath = `/spaces/${copy}/content`

  const adopt = Effect.fnUntraced(function* () {
    const existing = flattenPages((yield* target.get(`${targetPath}/pages?computed=false`)).pages)
    if (existing.length > pages.length)
      return yield* unexpected("The space has pages that the migration has not created.")
    for (const [index, { page }] of existing.entries()) {
      const original = pages[index]!.page
      if (page.type !== typeByKey.get(original.id)) {
        return yield* unexpected(
          `The space has the page ${textOf(page.title)}, which the migration has not created.`
        )
      }
      if (journal.idOf(keyOf(original.id)) !== page.id) yield* journal.finish(keyOf(original.id), page.id)
    }
    return existing.length
  })

  let count = yield* adopt()
  while (count < pages.length) {
    const batch = pages.slice(count, count + maximumChanges)
    const inBatch = new Map(batch.map(({ page }, index) => [page.id, `p${index}`]))
    const changes = batch.map(({ page, parent }, index) => ({
      operation: "insert_page",
      type: typeOf(page),
      ref: `p${index}`,
      ...pageFields(context, space, page, undefined, laterFields),
      ...(typeOf(page) === "link" ? { target: placeholder } : {}),
      ...(parent === undefined ? {} : { into: inBatch.get(parent) ?? journal.idOf(keyOf(parent)) })
    }))
    const result = yield* Effect.result(
      target.send({
        method: "POST",
        path: targetPath,
        body: { changes },
        idempotencyKey: journal.keyOf(`pages/${space}/${count}`)
      })
    )
    const before = count
    count = yield* adopt()
    if (result._tag === "Failure" && count === before) return yield* result.failure
  }
})

/** Copies the reusable contents to a space without reusable contents, except for the copies of an earlier run. Their order is that of their creation. */
export const copyReusableContents = Effect.fnUntraced(function* (
  context: MigrationContext,
  space: string,
  copy: string,
  contents: ReadonlyArray<Item>
): Effect.fn.Return<void, RequestFailed> {
  const { target, journal } = context
  const targetPath = `/spaces/${copy}/content`
  const adopt = Effect.fnUntraced(function* () {
    const { reusableContents } = yield* readContent(target, targetPath)
    for (const [index, { id }] of reusableContents.entries()) {
      const original = contents[index]
      if (original === undefined)
        return yield* unexpected("The space has reusable contents that the migration has not created.")
      yield* journal.finish(`reusable-content/${space}/${original.id}`, id)
    }
    return reusableContents.length
  })
  if (contents.length === 0) return
  let count = yield* adopt()
  while (count < contents.length) {
    // One at a time: contents of one change could have the same time of creation.
    const content = contents[count]!
    const result = yield* Effect.result(
      target.send({
        method: "POST",
        path: targetPath,
        body: {
          changes: [
            {
              operation: "insert_reusable_content",
              title: textOf(content.title).trim().slice(0, 256) || "Untitled"
            }
          ]
        },
        idempotencyKey: journal.keyOf(`reusable-contents/${space}/${count}`)
      })
    )
    const before = count
    count = yield* adopt()
    if (result._tag === "Failure" && count === before) return yield* result.failure
  }
})
