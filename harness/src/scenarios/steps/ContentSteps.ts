/** What users do with the content of spaces and of change requests. */
import assert from "node:assert/strict"
import * as fc from "fast-check"
import { at, type By, type Feature, forOneWith, kind, pick, type Stage, spacesOf, word } from "../Feature.ts"
import { type Change, type Content, edit, rename } from "../model/ContentModel.ts"
import type { Item, Refusal, WorkspaceModel } from "../model/WorkspaceModel.ts"
import { type ChangeRequest, contentOf, type Writing } from "../model/Writing.ts"
import { compareContents, compareSearch } from "./ContentCompare.ts"
import { type ShownPage, settle } from "./ContentShown.ts"

/** A change as a step says it: numbers pick among the pages that there are before the batch. */
interface Told {
  readonly operation: Change["operation"]
  readonly page: number
  readonly into: number | "stay"
  readonly at: number | undefined
  readonly title: string | undefined
  readonly body: string | undefined
}

interface Editing {
  /** Which content: that of a space, or of a change request. */
  readonly of: number
  readonly changes: ReadonlyArray<Told>
}

/** A space, and a change request of it. */
export interface Chosen {
  readonly space: Item
  readonly writing: Writing
  readonly request: ChangeRequest | undefined
  /** What names the change request: its id, or its number. */
  readonly ref: string
}

/** All change requests, each with its space. */
const requestsOf = (model: WorkspaceModel): ReadonlyArray<Chosen> =>
  spacesOf(model).flatMap((space) => {
    const writing = model.writings.get(space.id)!
    return writing.changeRequests.map((request) => ({ space, writing, request, ref: request.id }))
  })

/** The change request that a number picks: of one in ten, and where there are none, one that is not there. */
export const chooseRequest = (model: WorkspaceModel, n: number): Chosen | undefined => {
  const found = n % 10 === 0 ? undefined : at(requestsOf(model), n)
  if (found !== undefined) return n % 2 === 0 ? found : { ...found, ref: String(found.request!.number) }
  const space = at(spacesOf(model), n)
  if (space === undefined) return undefined
  return { space, writing: model.writings.get(space.id)!, request: undefined, ref: "nothing" }
}

/** How getting at a change request ends, for what needs one role on one's own and another on that of others. */
export const tryRequest = (
  { model, user }: Stage,
  space: Item,
  request: ChangeRequest | undefined,
  own: "read" | "edit" | "review",
  other: "read" | "review"
): Refusal | undefined =>
  model.tryReach(user, space, "read", "read") ??
  (request === undefined ? "NotFound" : undefined) ??
  model.tryReach(user, space, request!.by === user ? own : other, "read")

export const isClosed = ({ status }: ChangeRequest): boolean => status === "merged" || status === "archived"

/** Reads the pages of a content. */
const readPages = async (stage: Stage, of: object): Promise<ReadonlyArray<ShownPage>> =>
  ((await stage.expect(["content", "pages", [of, {}]], undefined)) as { pages: ReadonlyArray<ShownPage> })
    .pages

/** Takes over what the workspace was free to say of a new content. */
export const takeOver = async (
  stage: Stage,
  of: object,
  content: Content,
  isMerge: boolean
): Promise<Content> => {
  const settled = settle(content, await readPages(stage, of), isMerge)
  assert.ok(typeof settled !== "string", `after a ${isMerge ? "merge" : "batch"}: ${String(settled)}`)
  return settled
}

/** The change as the operation takes it. A page of another content comes up, too. */
const toChange = (content: Content, strange: string, told: Told): Change => {
  if (told.operation === "insert_files") {
    const file = { contentType: "text/plain", base64: "TGVjdGVybg==" }
    const names = told.at === undefined ? ["otter.txt"] : ["otter.txt", "heron.txt"]
    return { operation: told.operation, files: names.map((name) => ({ name, ...file })) }
  }
  if (told.operation === "delete_files") {
    const file = told.page % 11 === 0 ? undefined : at([...content.files.keys()], told.page)
    return { operation: told.operation, files: [file ?? "nothing"] }
  }
  const ids = [...content.pages.keys(), ...(told.page % 11 === 0 ? [strange] : [])]
  const page = at(ids, told.page)
  const into = told.into === "stay" ? undefined : told.into % 3 === 0 ? null : (at(ids, told.into) ?? null)
  const place = {
    ...(into === undefined ? {} : { into }),
    ...(told.at === undefined ? {} : { at: told.at })
  }
  const body = told.body === undefined ? {} : { document: { markdown: told.body } }
  if (page === undefined || told.operation === "insert_page") {
    return { operation: "insert_page", title: told.title ?? "Otter", ...place, ...body }
  }
  if (told.operation === "delete_page") return { operation: told.operation, page }
  const title = told.title === undefined ? {} : { title: told.title }
  return { operation: told.operation, page, ...title, ...place, ...body }
}

interface Answer {
  readonly revision?: string
  readonly changeRequest?: { readonly revision: string }
  readonly insertedFiles?: ReadonlyArray<{ readonly id: string; readonly name: string }>
  readonly changes: ReadonlyArray<{
    readonly object: string
    readonly page: string | { readonly id: string }
  }>
}

const editContent = async (from: Stage, given: Editing & By): Promise<void> => {
  const { model } = from
  const isPrimary = given.of % 2 === 0
  const space = isPrimary ? at(spacesOf(model), given.of >> 1) : undefined
  const chosen =
    space === undefined
      ? chooseRequest(model, given.of)
      : { space, writing: model.writings.get(space.id)!, request: undefined, ref: "" }
  if (chosen === undefined) return
  await editOne(forOneWith(from, given, "edit", chosen.space), chosen, space !== undefined, given.changes)
}

/** Edits a content: that of a space, or of a change request. */
const editOne = async (
  stage: Stage,
  { space, writing, request, ref }: Chosen,
  isPrimary: boolean,
  batch: ReadonlyArray<Told>
): Promise<void> => {
  const { model, user, expect } = stage
  const before = contentOf(writing, isPrimary ? undefined : request)
  const elsewhere = [...model.writings.values()].find((other) => other !== writing)
  const strange = [...(elsewhere === undefined ? [] : contentOf(elsewhere).pages.keys())].find(
    (id) => !before.pages.has(id)
  )
  const changes = batch.map((told) => toChange(before, strange ?? "nothing", told))
  const edited = edit(before, changes, model.now)

  const closed = isPrimary ? space.editMode === "locked" : request !== undefined && isClosed(request)
  const refusal =
    (isPrimary
      ? model.tryReach(user, space, "edit", "change")
      : tryRequest(stage, space, request, "edit", "review")) ??
    (closed ? "Conflict" : undefined) ??
    (edited === undefined ? "InvalidInput" : undefined)
  const of = isPrimary ? { space: space.id } : { space: space.id, changeRequest: ref }
  const value = (await expect(["content", "edit", [of, { changes }]], refusal)) as Answer
  if (refusal !== undefined || edited === undefined) return

  const names = new Map<string, string>()
  const touched = [...edited.touched]
  assert.deepEqual(
    value.changes.map(({ object }) => object),
    touched.map(([, outcome]) => outcome)
  )
  for (const [index, { page }] of value.changes.entries()) {
    const [named, outcome] = touched[index]!
    const id = typeof page === "string" ? page : page.id
    if (outcome === "created_page") names.set(named, id)
    else assert.equal(id, named)
  }
  const added = [...edited.content.files].filter(([id]) => id.startsWith("new-"))
  const { insertedFiles = [] } = value
  assert.deepEqual(
    insertedFiles.map(({ name }) => name),
    added.map(([, name]) => name)
  )
  for (const [index, [id]] of added.entries()) names.set(id, insertedFiles[index]!.id)
  const content = await takeOver(stage, of, rename(edited.content, names), false)
  const revision = (value.revision ?? value.changeRequest?.revision)!
  writing.revisions.set(revision, content)
  if (isPrimary) writing.revision = revision
  else {
    request!.revision = revision
    request!.contributors.add(user)
  }
}

const told: fc.Arbitrary<Told> = fc.record({
  operation: fc.oneof(
    { weight: 5, arbitrary: fc.constant<Change["operation"]>("insert_page") },
    { weight: 8, arbitrary: fc.constant<Change["operation"]>("update_page") },
    { weight: 2, arbitrary: fc.constant<Change["operation"]>("delete_page") },
    { weight: 2, arbitrary: fc.constant<Change["operation"]>("insert_files") },
    { weight: 1, arbitrary: fc.constant<Change["operation"]>("delete_files") }
  ),
  page: fc.oneof(fc.constant(1), pick),
  into: fc.oneof({ weight: 2, arbitrary: fc.constant("stay" as const) }, { weight: 1, arbitrary: pick }),
  at: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat(4) }),
  title: fc.oneof(fc.constant(undefined), word),
  body: fc.oneof(fc.constant(undefined), fc.constantFrom("marten", "stoat", "weasel", "polecat"))
})

/** The content of spaces, and what searches find in it. */
export const content: Feature = {
  kinds: {
    edit: kind<Editing>(
      16,
      { of: pick, changes: fc.array(told, { minLength: 1, maxLength: 3 }) },
      editContent
    )
  },
  compare: async (watch) => {
    await compareContents(watch)
    await compareSearch(watch)
  }
}
