/** What users do with the content of spaces and of change requests. */
import assert from "node:assert/strict"
import * as fc from "fast-check"
import {
  type ActorChoice,
  type Choice,
  choose,
  chooseNth,
  nth,
  nthOf,
  optional,
  word
} from "../definition/choices.ts"
import { asUserWithRole, defineStep, type Feature, type StepContext } from "../definition/Step.ts"
import { type Change, type Content, edit, rename } from "../model/ContentModel.ts"
import { type ChangeRequest, contentOf, type Writing } from "../model/SpaceState.ts"
import { type Item, type Refusal, spacesOf, type WorkspaceModel } from "../model/WorkspaceModel.ts"
import { compareContents, compareSearch } from "./ContentCompare.ts"
import { type ShownPage, settle } from "./ContentShown.ts"

/** A change of a batch. `page` and `file` select among those that exist before the batch. */
interface ChangeChoice {
  readonly operation: Change["operation"]
  /** `foreign`: a page of another space. */
  readonly page: Choice<"existing" | "foreign">
  readonly file: Choice<"existing" | "missing">
  readonly into: Choice<"currentParent" | "root" | "page" | "foreignPage">
  readonly at: number | undefined
  readonly title: string | undefined
  readonly body: string | undefined
}

/** A change request, by its id or by its number; or one that does not exist. */
export type RequestChoice = Choice<"byId" | "byNumber" | "missing">
export const requestChoice: fc.Arbitrary<RequestChoice> = chooseNth({ byId: 9, byNumber: 9, missing: 2 })

interface Editing {
  readonly content: "space" | "changeRequest"
  readonly space: number
  readonly request: RequestChoice
  readonly changes: ReadonlyArray<ChangeChoice>
}

/** A change request, with its space. */
export interface ResolvedRequest {
  readonly space: Item
  readonly writing: Writing
  readonly request: ChangeRequest | undefined
  /** The reference to the change request: its id or its number. */
  readonly ref: string
}

/** All change requests, each with its space. */
const requestsOf = (model: WorkspaceModel): ReadonlyArray<ResolvedRequest> =>
  spacesOf(model).flatMap((space) => {
    const writing = model.writings.get(space.id)!
    return writing.changeRequests.map((request) => ({ space, writing, request, ref: request.id }))
  })

/** Resolves the choice of a change request; `request` is undefined if it is missing. Undefined if there is no space. */
export const resolveRequest = (
  model: WorkspaceModel,
  { which, nth }: RequestChoice
): ResolvedRequest | undefined => {
  const found = which === "missing" ? undefined : nthOf(requestsOf(model), nth)
  if (found !== undefined) {
    return which === "byId" ? found : { ...found, ref: String(found.request!.number) }
  }
  const space = nthOf(spacesOf(model), nth)
  if (space === undefined) return undefined
  return { space, writing: model.writings.get(space.id)!, request: undefined, ref: "nothing" }
}

/** The refusal of an action on a change request that needs the role `own` for its creator, and `other` for others. */
export const tryRequest = (
  { model, user }: StepContext,
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
const readPages = async (context: StepContext, of: object): Promise<ReadonlyArray<ShownPage>> =>
  (
    (await context.expect(["content", "listPages", [of, {}]], undefined)) as {
      pages: ReadonlyArray<ShownPage>
    }
  ).pages

/** Returns the content with what the model leaves open (slugs, order) taken from the workspace, if that is allowed. */
export const takeOver = async (
  context: StepContext,
  of: object,
  content: Content,
  isMerge: boolean
): Promise<Content> => {
  const settled = settle(content, await readPages(context, of), isMerge)
  assert.ok(typeof settled !== "string", `after a ${isMerge ? "merge" : "batch"}: ${String(settled)}`)
  return settled
}

/** The input of the operation for the choice of a change. `foreign` is the id of a page of another content. */
const toChange = (content: Content, foreign: string, given: ChangeChoice): Change => {
  const { operation } = given
  if (operation === "insert_files") {
    const file = { contentType: "text/plain", base64: "TGVjdGVybg==" }
    const names = given.at === undefined ? ["otter.txt"] : ["otter.txt", "heron.txt"]
    return { operation, files: names.map((name) => ({ name, ...file })) }
  }
  if (operation === "delete_files") {
    const { which, nth } = given.file
    const file = which === "missing" ? undefined : nthOf([...content.files.keys()], nth)
    return { operation, files: [file ?? "nothing"] }
  }
  const pages = [...content.pages.keys()]
  const page = given.page.which === "foreign" ? foreign : nthOf(pages, given.page.nth)
  const parents = {
    currentParent: undefined,
    root: null,
    page: nthOf(pages, given.into.nth) ?? null,
    foreignPage: foreign
  }
  const into = parents[given.into.which]
  const place = {
    ...(into === undefined ? {} : { into }),
    ...(given.at === undefined ? {} : { at: given.at })
  }
  const body = given.body === undefined ? {} : { document: { markdown: given.body } }
  if (page === undefined || operation === "insert_page") {
    return { operation: "insert_page", title: given.title ?? "Otter", ...place, ...body }
  }
  if (operation === "delete_page") return { operation, page }
  const title = given.title === undefined ? {} : { title: given.title }
  return { operation, page, ...title, ...place, ...body }
}

interface EditResult {
  readonly revision?: string
  readonly changeRequest?: { readonly revision: string }
  readonly insertedFiles?: ReadonlyArray<{ readonly id: string; readonly name: string }>
  readonly changes: ReadonlyArray<{
    readonly object: string
    readonly page: string | { readonly id: string }
  }>
}

const editContent = async (from: StepContext, given: Editing & ActorChoice): Promise<void> => {
  const { model } = from
  const space = given.content === "space" ? nthOf(spacesOf(model), given.space) : undefined
  const chosen =
    space === undefined
      ? resolveRequest(model, given.request)
      : { space, writing: model.writings.get(space.id)!, request: undefined, ref: "" }
  if (chosen === undefined) return
  await editOne(asUserWithRole(from, given, "edit", chosen.space), chosen, space !== undefined, given.changes)
}

/** Edits a content: that of a space, or of a change request. */
const editOne = async (
  context: StepContext,
  { space, writing, request, ref }: ResolvedRequest,
  isPrimary: boolean,
  batch: ReadonlyArray<ChangeChoice>
): Promise<void> => {
  const { model, user, expect } = context
  const before = contentOf(writing, isPrimary ? undefined : request)
  const elsewhere = [...model.writings.values()].find((other) => other !== writing)
  const foreign = [...(elsewhere === undefined ? [] : contentOf(elsewhere).pages.keys())].find(
    (id) => !before.pages.has(id)
  )
  const changes = batch.map((change) => toChange(before, foreign ?? "nothing", change))
  const edited = edit(before, changes, model.now)

  const closed = isPrimary ? space.editMode === "locked" : request !== undefined && isClosed(request)
  const refusal =
    (isPrimary
      ? model.tryReach(user, space, "edit", "change")
      : tryRequest(context, space, request, "edit", "review")) ??
    (closed ? "Conflict" : undefined) ??
    (edited === undefined ? "InvalidInput" : undefined)
  const of = isPrimary ? { space: space.id } : { space: space.id, changeRequest: ref }
  const value = (await expect(["content", "edit", [of, { changes }]], refusal)) as EditResult
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
  const content = await takeOver(context, of, rename(edited.content, names), false)
  const revision = (value.revision ?? value.changeRequest?.revision)!
  writing.revisions.set(revision, content)
  if (isPrimary) writing.revision = revision
  else {
    request!.revision = revision
    request!.contributors.add(user)
  }
}

const changeChoice: fc.Arbitrary<ChangeChoice> = fc.record({
  operation: choose({
    insert_page: 5,
    update_page: 8,
    delete_page: 2,
    insert_files: 2,
    delete_files: 1
  }),
  // Half of the changes are about the same page, so that batches and change requests conflict.
  page: fc.oneof(
    fc.constant({ which: "existing", nth: 1 } as const),
    chooseNth({ existing: 30, foreign: 1 })
  ),
  file: chooseNth({ existing: 20, missing: 1 }),
  into: chooseNth({ currentParent: 60, root: 10, page: 20, foreignPage: 1 }),
  at: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat(4) }),
  title: optional(word),
  body: optional(fc.constantFrom("marten", "stoat", "weasel", "polecat"))
})

/** The content of spaces and change requests, and search in it. */
export const content: Feature = {
  steps: {
    edit: defineStep<Editing>({
      weight: 16,
      choices: {
        content: choose({ space: 1, changeRequest: 1 }),
        space: nth,
        request: requestChoice,
        changes: fc.array(changeChoice, { minLength: 1, maxLength: 3 })
      },
      run: editContent
    })
  },
  compare: async (observer) => {
    await compareContents(observer)
    await compareSearch(observer)
  }
}
