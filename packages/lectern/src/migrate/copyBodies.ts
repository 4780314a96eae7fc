/** Copies the documents of pages and of reusable contents, and the targets of links, when all ids of copies are known. */
import { mapMarkdownReferences, mapReferences, readForeignDocument } from "@lectern/formats"
import { UpdatePage } from "@lectern/model/content"
import { Effect } from "effect"
import type { ConfigurationError } from "../settings/Setting.ts"
import type { Fields, Item, RequestFailed } from "./ApiClient.ts"
import { findCopyIn, type MigrationContext, type StepError, step, textOf } from "./Context.ts"
import { describePage, laterFields, typeOf } from "./copyPages.ts"
import { readDocument, readReusableDocument, type SourceContent } from "./SourceContent.ts"
import { transferFields } from "./transferFields.ts"

/** The maximum number of changes of a request, and the size of their documents after which it is sent. */
const maximumChanges = 20
const maximumCharacters = 1_000_000

/** A body to write, with the findings of its conversion. */
interface Body {
  readonly key: string
  readonly resource: string
  readonly change: Fields
  readonly problems: ReadonlyArray<string>
  readonly unresolved: ReadonlyArray<string>
}

/** The place that bodies are copied from and to. */
export interface BodyPlaces {
  readonly space: string
  /** The path of the revision of the source. */
  readonly revision: string
  /** The path of the content of the target. */
  readonly targetPath: string
  /** The title of the space in the report. */
  readonly title: string
  /** The id of the change request of the bodies. Absent for bodies of the space. */
  readonly scope?: string
}

/** The key of a body in the journal. */
const keyOf = ({ space, scope }: BodyPlaces, { id }: Item): string =>
  scope === undefined ? `body/${space}/${id}` : `body/${space}/${scope}/${id}`

/** Converts a document of the source to the body of a change. */
export const convertDocument = (context: MigrationContext, space: string, document: Fields) => {
  const read = readForeignDocument(document)
  if (read === undefined) return undefined
  const { value, unresolved } = mapReferences(
    JSON.parse(JSON.stringify(read.document)),
    findCopyIn(context, space)
  )
  return { body: { document: value }, problems: read.problems, unresolved }
}

/** Reads the Markdown of a page whose document is not valid, or is larger than documents of requests can be. */
const readMarkdown = Effect.fnUntraced(function* (
  context: MigrationContext,
  { space, revision }: BodyPlaces,
  page: Item
) {
  const { markdown } = yield* context.source.get(`${revision}/page/${page.id}?format=markdown&computed=false`)
  const mapped = mapMarkdownReferences(textOf(markdown), findCopyIn(context, space))
  return {
    // The first line must not begin front matter.
    body: { markdown: mapped.markdown.startsWith("---") ? `\n${mapped.markdown}` : mapped.markdown },
    problems: ["The document cannot be represented: the body is the Markdown of the page instead."],
    unresolved: mapped.unresolved
  }
})

const targetOf = (context: MigrationContext, { space }: BodyPlaces, page: Item) => {
  const { value, unresolved } = mapReferences(page.target, findCopyIn(context, space))
  return { value, unresolved }
}

/** Converts the fields of a page that are written with its body. */
const laterFieldsOf = (context: MigrationContext, { space }: BodyPlaces, page: Item) => {
  const given = Object.fromEntries(laterFields.map((name) => [name, page[name]]))
  const { values, problems } = transferFields(UpdatePage.fields, given)
  const { value, unresolved } = mapReferences(values, findCopyIn(context, space))
  return { fields: value as Fields, problems, unresolved }
}

/** Reads the body of a page, and converts it. Returns `undefined` for a page without a body and without other fields to write. */
const readPageBody = Effect.fnUntraced(function* (
  context: MigrationContext,
  places: BodyPlaces,
  page: Item
): Effect.fn.Return<Body | undefined, RequestFailed> {
  const copy = context.journal.idOf(`page/${places.space}/${page.id}`)
  const common = { key: keyOf(places, page), resource: `space ${places.title}, ${describePage(page)}` }
  const change = { operation: "update_page", page: copy }
  if (copy === undefined) return undefined
  if (typeOf(page) === "link") {
    const { value, unresolved } = targetOf(context, places, page)
    return { ...common, change: { ...change, target: value }, problems: [], unresolved }
  }
  if (typeOf(page) !== "document") return undefined
  const later = laterFieldsOf(context, places, page)
  if (page.documentId === undefined) {
    const { fields, ...rest } = later
    const isEmpty = Object.keys(fields).length === 0 && rest.problems.length === 0
    return isEmpty ? undefined : { ...common, change: { ...change, ...fields }, ...rest }
  }
  const document = yield* readDocument(context.source, places.revision, page.id)
  const { body, problems, unresolved } =
    convertDocument(context, places.space, document) ?? (yield* readMarkdown(context, places, page))
  return {
    ...common,
    change: { ...change, ...later.fields, document: body },
    problems: [...later.problems, ...problems],
    unresolved: [...new Set([...later.unresolved, ...unresolved])]
  }
})

const readReusableBody = Effect.fnUntraced(function* (
  context: MigrationContext,
  places: BodyPlaces,
  content: Item
): Effect.fn.Return<Body | undefined, RequestFailed> {
  const copy = context.journal.idOf(`reusable-content/${places.space}/${content.id}`)
  if (copy === undefined || content.document === undefined) return undefined
  const document = yield* readReusableDocument(context.source, places.revision, content.id)
  const resource = `space ${places.title}, reusable content ${textOf(content.title)}`
  const key = keyOf(places, content)
  const converted = convertDocument(context, places.space, document)
  if (converted === undefined) {
    return { key, resource, change: {}, problems: ["The document cannot be represented."], unresolved: [] }
  }
  const { body, ...rest } = converted
  return {
    key,
    resource,
    change: { operation: "update_reusable_content", reusableContent: copy, document: body },
    ...rest
  }
})

/** Writes bodies in one request; if it is rejected, each in one of its own. */
const writeBodies = (
  context: MigrationContext,
  { targetPath }: BodyPlaces,
  bodies: ReadonlyArray<Body>
): Effect.Effect<void, ConfigurationError> => {
  const send = (some: ReadonlyArray<Body>): Effect.Effect<void, RequestFailed> => {
    const changes = some.map(({ change }) => change).filter(({ operation }) => operation !== undefined)
    return changes.length === 0
      ? Effect.void
      : Effect.asVoid(
          context.target.send({ method: "POST", path: targetPath, body: { changes }, isRepeatable: true })
        )
  }
  const finish = (body: Body, failure: RequestFailed | undefined) =>
    step(context, body.key, body.resource, (findings) =>
      Effect.gen(function* (): Effect.gen.Return<void, StepError> {
        for (const problem of body.problems) findings.changed(problem)
        findings.unresolved(body.unresolved)
        if (failure !== undefined) return yield* failure
        yield* context.journal.finish(body.key, "1")
        const before = context.journal.noteOf(`unresolved/${body.key}`)
        const unresolved = body.unresolved.join("\n")
        if (unresolved !== (before ?? "")) yield* context.journal.note(`unresolved/${body.key}`, unresolved)
      })
    )
  return Effect.gen(function* () {
    const whole = yield* Effect.result(send(bodies))
    for (const body of bodies) {
      const own = whole._tag === "Success" || bodies.length === 1 ? whole : yield* Effect.result(send([body]))
      yield* finish(body, own._tag === "Failure" ? own.failure : undefined)
    }
  })
}

const isCopied = ({ journal }: MigrationContext, reference: string): boolean => {
  const [kind, id] = reference.split(" ")
  const prefix = kind === "reusableContent" ? "reusable-content/" : `${kind}/`
  return id !== undefined && journal.entries(prefix).some(([key]) => key.endsWith(`/${id}`))
}

/** Copies the bodies of the content of a space. */
export const copyBodies = Effect.fnUntraced(function* (
  context: MigrationContext,
  places: BodyPlaces,
  { pages, reusableContents }: SourceContent
): Effect.fn.Return<void, ConfigurationError> {
  const { journal } = context
  // A body is written again when a resource that it refers to was copied by a later run.
  const isPending = (item: Item) => {
    const key = keyOf(places, item)
    const unresolved = journal.noteOf(`unresolved/${key}`)?.split("\n") ?? []
    return journal.idOf(key) === undefined || unresolved.some((reference) => isCopied(context, reference))
  }
  const reads = [
    ...reusableContents.filter(isPending).map((content) => ({
      item: content,
      resource: `space ${places.title}, reusable content ${textOf(content.title)}`,
      read: readReusableBody(context, places, content)
    })),
    ...pages
      .map(({ page }) => page)
      .filter(isPending)
      .map((page) => ({
        item: page,
        resource: `space ${places.title}, ${describePage(page)}`,
        read: readPageBody(context, places, page)
      }))
  ]
  const chunkSize = Math.max(context.concurrency, maximumChanges)
  let pending: Array<Body> = []
  let characters = 0
  const flush = Effect.suspend(() => {
    const bodies = pending
    pending = []
    characters = 0
    return bodies.length === 0 ? Effect.void : writeBodies(context, places, bodies)
  })
  for (let at = 0; at < reads.length; at += chunkSize) {
    const bodies = yield* Effect.forEach(
      reads.slice(at, at + chunkSize),
      ({ item, resource, read }) => step(context, keyOf(places, item), resource, () => read),
      { concurrency: context.concurrency }
    )
    for (const body of bodies) {
      if (body === undefined) continue
      const size = JSON.stringify(body.change).length
      if (pending.length >= maximumChanges || characters + size > maximumCharacters) yield* flush
      pending.push(body)
      characters += size
    }
    yield* flush
    yield* context.progress(
      `${places.title}: ${Math.min(at + chunkSize, reads.length)} of ${reads.length} bodies`
    )
  }
})
