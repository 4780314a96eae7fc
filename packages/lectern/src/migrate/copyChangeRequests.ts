/** Copies change requests that are open or drafts: their changes to the content that they are based on. */
import { mapReferences } from "@lectern/formats"
import { UpdateChangeRequest } from "@lectern/model"
import { UpdatePage } from "@lectern/model/content"
import { Effect } from "effect"
import type { ConfigurationError } from "../settings/Setting.ts"
import type { Fields, Item, RequestFailed } from "./ApiClient.ts"
import {
  ensureCopy,
  type Findings,
  findCopyIn,
  type MigrationContext,
  onceComplete,
  step,
  textOf
} from "./Context.ts"
import { convertDocument, copyBodies } from "./copyBodies.ts"
import { copyFiles } from "./copyFiles.ts"
import { describePage, laterFields, pageFields, typeOf } from "./copyPages.ts"
import { mapRules } from "./copySpaces.ts"
import { editPath, flattenPages, readContent, type SourceContent, type SourcePage } from "./SourceContent.ts"
import { transferFields } from "./transferFields.ts"

/** The change request that is copied. */
interface Copied {
  readonly space: string
  readonly request: Item
  /** The path of its content at the target. */
  readonly targetPath: string
  readonly base: SourceContent
  readonly content: SourceContent
  readonly findings: Findings
}

/** The value that removes a field of a page. */
const withoutField: Readonly<Record<string, unknown>> = {
  emoji: "",
  icon: "",
  description: "",
  cover: null,
  metaLinks: null,
  condition: null,
  hidden: false,
  noIndex: false,
  noRobotsIndex: false
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const send = (
  { target }: MigrationContext,
  { targetPath }: Copied,
  changes: ReadonlyArray<Fields>,
  idempotencyKey?: string
) =>
  target.send({
    method: "POST",
    path: editPath(targetPath),
    body: { changes },
    isRepeatable: true,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey })
  })

const byId = (pages: ReadonlyArray<SourcePage>) => new Map(pages.map((one) => [one.page.id, one]))

const siblingsOf = (pages: ReadonlyArray<SourcePage>, parent: string | undefined) =>
  pages.filter((one) => one.parent === parent).map(({ page }) => page.id)

/** Adds the pages that the base does not have, and notes their ids. */
const insertPages = Effect.fnUntraced(function* (context: MigrationContext, copied: Copied) {
  const { space, base, content, targetPath, findings } = copied
  const { journal, target } = context
  const before = byId(base.pages)
  for (const { page, parent } of content.pages) {
    if (before.has(page.id)) continue
    const into = parent === undefined ? undefined : journal.idOf(`page/${space}/${parent}`)
    if (parent !== undefined && into === undefined) {
      findings.missing("Its parent was not copied.", describePage(page))
      continue
    }
    const link = typeOf(page) === "link" ? mapReferences(page.target, findCopyIn(context, space)) : undefined
    const change = {
      operation: "insert_page",
      type: typeOf(page),
      ...pageFields(context, space, page, findings, laterFields),
      ...(link === undefined ? {} : { target: link.value }),
      ...(into === undefined ? {} : { into })
    }
    yield* ensureCopy(context, `page/${space}`, page.id, {
      findCreated: (isUnknown) =>
        Effect.map(
          target.get(`${targetPath}/pages?computed=false`),
          ({ pages }) =>
            flattenPages(pages).find(
              ({ page: one }) => isUnknown(one.id) && one.title === page.title && one.type === typeOf(page)
            )?.page.id
        ),
      create: (idempotencyKey) =>
        Effect.map(send(context, copied, [change], idempotencyKey), ({ changes }) => {
          const [created] = (Array.isArray(changes) ? changes : []) as ReadonlyArray<{
            readonly page?: { readonly id?: unknown }
          }>
          return textOf(created?.page?.id)
        })
    })
  }
})

/** The fields of a page that differ from the page of the base. */
const changedFields = (
  context: MigrationContext,
  { space, findings }: Copied,
  before: Item,
  after: Item
): Fields => {
  const now = pageFields(context, space, after, findings)
  const old = pageFields(context, space, before, findings)
  const changed = Object.entries(now).filter(
    ([name, value]) => Object.hasOwn(UpdatePage.fields, name) && !same(value, old[name])
  )
  const removed = Object.keys(old).filter(
    (name) => now[name] === undefined && Object.hasOwn(withoutField, name)
  )
  const link = typeOf(after) === "link" && !same(before.target, after.target)
  return {
    ...Object.fromEntries(changed),
    ...Object.fromEntries(removed.map((name) => [name, withoutField[name]])),
    ...(link ? { target: mapReferences(after.target, findCopyIn(context, space)).value } : {})
  }
}

/** The longest sequence of pages whose order did not change: all others are moved. */
const findUnmovedPages = (
  before: ReadonlyArray<string>,
  after: ReadonlyArray<string>
): ReadonlySet<string> => {
  const place = new Map(before.map((id, index) => [id, index]))
  const kept = after.filter((id) => place.has(id))
  const best: Array<{ readonly length: number; readonly previous: number }> = []
  let last = -1
  for (const [index, id] of kept.entries()) {
    let [length, previous] = [1, -1]
    for (let earlier = 0; earlier < index; earlier++) {
      const candidate = best[earlier]!.length + 1
      if (place.get(kept[earlier]!)! < place.get(id)! && candidate > length) {
        length = candidate
        previous = earlier
      }
    }
    best.push({ length, previous })
    if (last < 0 || length > best[last]!.length) last = index
  }
  const longest = new Set<string>()
  for (let at = last; at >= 0; at = best[at]!.previous) longest.add(kept[at]!)
  return longest
}

const updatePages = Effect.fnUntraced(function* (context: MigrationContext, copied: Copied) {
  const { space, base, content } = copied
  const before = byId(base.pages)
  for (const { page, parent } of content.pages) {
    const old = before.get(page.id)
    const id = context.journal.idOf(`page/${space}/${page.id}`)
    if (old === undefined || id === undefined) continue
    const into = parent === undefined ? null : context.journal.idOf(`page/${space}/${parent}`)
    const move = old.parent === parent ? {} : { into }
    const fields = { ...changedFields(context, copied, old.page, page), ...move }
    if (Object.keys(fields).length > 0)
      yield* send(context, copied, [{ operation: "update_page", page: id, ...fields }])
  }
})

/** Deletes the pages, files and reusable contents that the base has and the change request does not. */
const deleteItems = Effect.fnUntraced(function* (context: MigrationContext, copied: Copied) {
  const { space, base, content } = copied
  const { journal } = context
  const now = byId(content.pages)
  const pages = base.pages.flatMap(({ page, parent }) => {
    const isWithParent = parent !== undefined && !now.has(parent)
    const id = now.has(page.id) || isWithParent ? undefined : journal.idOf(`page/${space}/${page.id}`)
    return id === undefined ? [] : [{ operation: "delete_page", page: id }]
  })
  const removed = (kind: string, before: ReadonlyArray<Item>, after: ReadonlyArray<Item>) =>
    before.flatMap(({ id }) => {
      const copy = after.some((one) => one.id === id) ? undefined : journal.idOf(`${kind}/${space}/${id}`)
      return copy === undefined ? [] : [copy]
    })
  const changes = [
    ...pages,
    ...removed("reusable-content", base.reusableContents, content.reusableContents).map(
      (reusableContent) => ({
        operation: "delete_reusable_content",
        reusableContent
      })
    ),
    ...removed("file", base.files, content.files).map((file) => ({
      operation: "delete_files",
      files: [file]
    }))
  ]
  for (const change of changes) {
    const result = yield* Effect.result(send(context, copied, [change]))
    // It is deleted already if the response of an earlier request was lost.
    if (result._tag === "Failure" && result.failure.status !== 404 && result.failure.status !== 400)
      return yield* result.failure
  }
})

/** Moves pages to their places among their siblings, after all pages have been inserted, moved to their parents, and deleted. */
const arrangePages = Effect.fnUntraced(function* (context: MigrationContext, copied: Copied) {
  const { space, base, content, targetPath } = copied
  const { pages } = yield* readContent(context.target, targetPath)
  const before = byId(base.pages)
  const copyOf = (id: string) => context.journal.idOf(`page/${space}/${id}`)
  for (const parent of new Set(content.pages.map((one) => one.parent))) {
    const siblings = [...siblingsOf(pages, parent === undefined ? undefined : copyOf(parent))]
    const all = siblingsOf(content.pages, parent).flatMap((id) => {
      const copy = copyOf(id)
      return copy !== undefined && siblings.includes(copy) ? [{ copy, isNew: !before.has(id) }] : []
    })
    const wanted = all.map(({ copy }) => copy)
    // Pages of the base remain in their places, and not pages that the change request adds.
    const added = new Set(all.flatMap(({ copy, isNew }) => (isNew ? [copy] : [])))
    const unmoved = findUnmovedPages(
      siblings,
      wanted.filter((id) => !added.has(id))
    )
    /** The position after the sibling that a page follows. */
    const positionOf = (index: number) => (index === 0 ? 0 : siblings.indexOf(wanted[index - 1]!) + 1)
    for (const [index, id] of wanted.entries()) {
      if (unmoved.has(id) || siblings.indexOf(id) === positionOf(index)) continue
      siblings.splice(siblings.indexOf(id), 1)
      const at = positionOf(index)
      siblings.splice(at, 0, id)
      yield* send(context, copied, [{ operation: "update_page", page: id, at }])
    }
  }
})

const insertReusableContents = Effect.fnUntraced(function* (context: MigrationContext, copied: Copied) {
  const { space, base, content, targetPath } = copied
  for (const added of content.reusableContents) {
    if (base.reusableContents.some(({ id }) => id === added.id)) continue
    const list = Effect.map(
      readContent(context.target, targetPath),
      ({ reusableContents }) => reusableContents
    )
    yield* ensureCopy(context, `reusable-content/${space}`, added.id, {
      findCreated: (isUnknown) =>
        Effect.map(list, (items) => items.find((one) => isUnknown(one.id) && one.title === added.title)?.id),
      create: (idempotencyKey) =>
        Effect.gen(function* () {
          const before = new Set((yield* list).map(({ id }) => id))
          yield* send(
            context,
            copied,
            [{ operation: "insert_reusable_content", title: added.title }],
            idempotencyKey
          )
          return (yield* list).find(({ id }) => !before.has(id))?.id ?? ""
        })
    })
  }
})

/** The content whose documents differ from the documents of the base, and the pages that the base does not have. */
const changedBodies = ({ base, content }: Copied): SourceContent => {
  const before = byId(base.pages)
  const documents = new Map(base.reusableContents.map(({ id, document }) => [id, document]))
  return {
    files: [],
    pages: content.pages.filter(
      ({ page }) =>
        typeOf(page) === "document" &&
        (!before.has(page.id) || before.get(page.id)?.page.documentId !== page.documentId)
    ),
    reusableContents: content.reusableContents.filter(({ id, document }) => documents.get(id) !== document)
  }
}

const settingsOf = (context: MigrationContext, { request, space, findings }: Copied) => {
  const { values, problems } = transferFields(UpdateChangeRequest.fields, request, ["description", "subject"])
  for (const problem of problems) findings.changed(problem)
  const rules = mapRules(context, values)
  findings.unresolved(rules.unresolved)
  const description = request.description as Fields | undefined
  const converted = description === undefined ? undefined : convertDocument(context, space, description)
  return {
    ...(rules.value as Fields),
    ...(converted === undefined ? {} : { description: converted.body.document })
  }
}

const createRequest = (context: MigrationContext, space: string, copy: string, request: Item) => {
  const { target } = context
  const path = `/spaces/${copy}/change-requests`
  const subject = textOf(request.subject).trim().slice(0, 100)
  return ensureCopy(context, "change-request", `${space}/${request.id}`, {
    findCreated: (isUnknown) =>
      Effect.gen(function* () {
        for (const status of ["draft", "open"]) {
          const found = (yield* target.list(`${path}?status=${status}`)).find(
            (one) => isUnknown(one.id) && one.subject === subject
          )
          if (found !== undefined) return found.id
        }
        return undefined
      }),
    create: (idempotencyKey) =>
      Effect.map(target.send({ method: "POST", path, body: { subject }, idempotencyKey }), ({ id }) =>
        textOf(id)
      )
  })
}

const copyRequest = Effect.fnUntraced(function* (
  context: MigrationContext,
  space: Item,
  copy: string,
  request: Item,
  findings: Findings
): Effect.fn.Return<void, RequestFailed | ConfigurationError> {
  const revisionOf = (id: unknown) => `/spaces/${space.id}/revisions/${textOf(id)}`
  const id = yield* createRequest(context, space.id, copy, request)
  const copied: Copied = {
    space: space.id,
    request,
    targetPath: `/spaces/${copy}/change-requests/${id}/content`,
    base: yield* readContent(
      context.source,
      revisionOf(request.revisionMergedAncestor ?? request.revisionInitial)
    ),
    content: yield* readContent(context.source, revisionOf(request.revision)),
    findings
  }
  const added = copied.content.files.filter((file) => !copied.base.files.some((one) => one.id === file.id))
  yield* copyFiles(context, space.id, added, copied.targetPath, findings)
  yield* insertReusableContents(context, copied)
  yield* insertPages(context, copied)
  yield* updatePages(context, copied)
  yield* deleteItems(context, copied)
  yield* arrangePages(context, copied)
  yield* copyBodies(
    context,
    {
      space: space.id,
      revision: revisionOf(request.revision),
      targetPath: copied.targetPath,
      title: `${textOf(space.title)}, change request ${textOf(request.subject)}`,
      scope: request.id
    },
    changedBodies(copied)
  )
  yield* context.target.send({
    method: "PATCH",
    path: `/spaces/${copy}/change-requests/${id}`,
    body: settingsOf(context, copied),
    isRepeatable: true
  })
})

/** Copies the change requests of a space that are open or drafts, oldest first. */
export const copyChangeRequests = Effect.fnUntraced(function* (
  context: MigrationContext,
  space: Item,
  copy: string
): Effect.fn.Return<void, ConfigurationError> {
  const name = `space ${textOf(space.title)}`
  const requests = yield* step(context, `change-requests/${space.id}`, name, () =>
    Effect.forEach(["open", "draft"], (status) =>
      context.source.list(`/spaces/${space.id}/change-requests?status=${status}`)
    )
  )
  const oldestFirst = (requests ?? []).flat().sort((one, other) => Number(one.number) - Number(other.number))
  for (const request of oldestFirst) {
    const resource = `${name}, change request ${textOf(request.subject) || String(request.number)}`
    yield* step(context, `change-request/${space.id}/${request.id}`, resource, (findings) =>
      onceComplete(
        context,
        `change-request-done/${space.id}/${request.id}`,
        findings,
        copyRequest(context, space, copy, request, findings)
      )
    )
  }
})
