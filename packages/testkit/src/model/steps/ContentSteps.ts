/** Steps on the content of spaces and change requests: batches of changes. */
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
import { applyChanges, type Change, type Content, renamePages } from "../state/ContentModel.ts"
import { type ChangeRequest, contentOf, type SpaceState } from "../state/SpaceState.ts"
import { type ErrorTag, type Item, spacesOf, type WorkspaceModel } from "../state/WorkspaceModel.ts"
import { compareContents, compareSearch } from "./ContentCompare.ts"
import { reconcile, type ShownPage } from "./ContentShown.ts"

/** The choice of a change. `page` and `file` select among the existing ones before the batch. */
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

/** The choice of a change request: by its id, by its number, or one that does not exist. */
export type RequestChoice = Choice<"byId" | "byNumber" | "missing">
/** Generates a choice of a change request. */
export const requestChoice: fc.Arbitrary<RequestChoice> = chooseNth({ byId: 9, byNumber: 9, missing: 2 })

interface Editing {
  readonly content: "space" | "changeRequest"
  readonly space: number
  readonly request: RequestChoice
  readonly changes: ReadonlyArray<ChangeChoice>
}

/** A change request with its space. `request` is undefined if it does not exist. */
export interface ResolvedRequest {
  readonly space: Item
  readonly state: SpaceState
  readonly request: ChangeRequest | undefined
  /** The reference to the change request: its id or its number. */
  readonly ref: string
}

/** Returns all change requests, each with its space. */
const requestsOf = (model: WorkspaceModel): ReadonlyArray<ResolvedRequest> =>
  spacesOf(model).flatMap((space) => {
    const state = model.spaceStates.get(space.id)!
    return state.changeRequests.map((request) => ({ space, state, request, ref: request.id }))
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
  return { space, state: model.spaceStates.get(space.id)!, request: undefined, ref: "nothing" }
}

/**
 * Predicts the error of an action on a change request that requires the role `own` of its creator, and `other` of
 * others.
 */
export const requestError = (
  { model, user }: StepContext,
  space: Item,
  request: ChangeRequest | undefined,
  own: "read" | "edit" | "review",
  other: "read" | "review"
): ErrorTag | undefined =>
  model.accessError(user, space, "read", "read") ??
  (request === undefined ? "NotFound" : undefined) ??
  model.accessError(user, space, request!.by === user ? own : other, "read")

/** Whether the content of a change request is final. */
export const isClosed = ({ status }: ChangeRequest): boolean => status === "merged" || status === "archived"

/** Reads the pages of a content. */
const readPages = async (context: StepContext, of: object): Promise<ReadonlyArray<ShownPage>> =>
  (
    (await context.expect(["content", "listPages", [of, {}]], undefined)) as {
      pages: ReadonlyArray<ShownPage>
    }
  ).pages

/** Returns the content with unspecified details (slugs, order) taken from the workspace. Fails if others deviate. */
export const reconcileContent = async (
  context: StepContext,
  of: object,
  content: Content,
  isMerge: boolean
): Promise<Content> => {
  const reconciled = reconcile(content, await readPages(context, of), isMerge)
  assert.ok(typeof reconciled !== "string", `After a ${isMerge ? "merge" : "batch"}: ${String(reconciled)}`)
  return reconciled
}

/** Converts the choice of a change to the input of the operation. `foreign` is the id of a page of another content. */
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
      : { space, state: model.spaceStates.get(space.id)!, request: undefined, ref: "" }
  if (chosen === undefined) return
  await applyBatch(
    asUserWithRole(from, given, "edit", chosen.space),
    chosen,
    space !== undefined,
    given.changes
  )
}

/** Applies a batch to the content of a space, or of a change request. */
const applyBatch = async (
  context: StepContext,
  { space, state, request, ref }: ResolvedRequest,
  isPrimary: boolean,
  batch: ReadonlyArray<ChangeChoice>
): Promise<void> => {
  const { model, user, expect } = context
  const before = contentOf(state, isPrimary ? undefined : request)
  const elsewhere = [...model.spaceStates.values()].find((other) => other !== state)
  const foreign = [...(elsewhere === undefined ? [] : contentOf(elsewhere).pages.keys())].find(
    (id) => !before.pages.has(id)
  )
  const changes = batch.map((change) => toChange(before, foreign ?? "nothing", change))
  const edited = applyChanges(before, changes, model.now)

  const closed = isPrimary ? space.editMode === "locked" : request !== undefined && isClosed(request)
  const expectedError =
    (isPrimary
      ? model.accessError(user, space, "edit", "change")
      : requestError(context, space, request, "edit", "review")) ??
    (closed ? "Conflict" : undefined) ??
    (edited === undefined ? "InvalidInput" : undefined)
  const of = isPrimary ? { space: space.id } : { space: space.id, changeRequest: ref }
  const value = (await expect(["content", "edit", [of, { changes }]], expectedError)) as EditResult
  if (expectedError !== undefined || edited === undefined) return

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
  const content = await reconcileContent(context, of, renamePages(edited.content, names), false)
  const revision = (value.revision ?? value.changeRequest?.revision)!
  state.revisions.set(revision, content)
  if (isPrimary) state.revision = revision
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
  // Half of the changes target the same page, so that change requests conflict.
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

/** The feature of content, including search. */
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
