/** Batches that change content: pages of every type with all of their fields, files, and reusable contents. */
import type { ChangeRequest, ContentPage, EditedContent, OpenApiSpec, Revision, Space } from "@lectern/core"
import { expect } from "vitest"
import type { Query } from "../ContractClient.ts"
import type { OperationId } from "../endpoints.ts"
import type { Person } from "../Person.ts"
import type { ContractScenario } from "../Scenario.ts"
import type { Json } from "../Schemas.ts"
import { documentOf, pagesOf, titlesOf } from "./helpers.ts"

type Params = Readonly<Record<string, string>>

const blob = { oid: "2ef7bde6", path: "docs/start.md" }
const image = { kind: "url", url: "https://example.com/cover.png" }
const layout = {
  width: "wide",
  cover: true,
  coverSize: "full",
  title: true,
  description: false,
  tableOfContents: true,
  outline: false,
  pagination: true,
  metadata: true
}

/** All fields of a document page, except its title and its body. */
const fields = {
  slug: "begin",
  emoji: "📖",
  icon: "book",
  description: "Where to begin",
  hidden: false,
  condition: "visitor.claims.beta",
  noIndex: true,
  noRobotsIndex: true,
  layout,
  cover: { ref: image, refDark: image, yPos: 12 },
  metaLinks: {
    canonical: { kind: "page", page: "start", space: "guide" },
    alternates: [
      { kind: "url", url: "https://example.com/fr/begin" },
      { kind: "page", page: "begin", space: "guide" }
    ]
  },
  git: blob
}

/** The source of a computed page that refers to a spec by its id or its slug. */
const computedFrom = (spec: string) => ({
  type: "builtin:openapi",
  dependencies: { spec: { ref: { kind: "openapi", spec } } },
  props: { models: true, doc: "operations", page: "GET /pets" }
})

/** A target of each kind. Links may have targets that do not exist. */
const targets = [
  { kind: "url", url: "https://example.com/" },
  { kind: "file", file: "plan" },
  { kind: "page", page: "start", space: "guide" },
  { kind: "anchor", anchor: "install", page: "start", space: "guide" },
  { kind: "user", user: "ada" },
  { kind: "collection", collection: "products" },
  { kind: "space", space: "guide" },
  { kind: "reusable-content", reusableContent: "note", space: "guide" },
  { kind: "openapi", spec: "pets" }
]

const newFile = { name: "plan.txt", contentType: "text/plain", base64: "aGk=" }

const insertionsOf = (spec: OpenApiSpec): ReadonlyArray<Json> => [
  { operation: "insert_files", files: [{ ref: "plan", ...newFile, git: blob }] },
  {
    operation: "insert_reusable_content",
    title: "Note",
    ref: "note",
    document: { markdown: "Note." },
    git: blob
  },
  {
    operation: "insert_page",
    type: "document",
    title: "Start",
    ...fields,
    into: null,
    at: 0,
    ref: "start",
    document: { markdown: "Read the [plan](./plan)." }
  },
  { operation: "insert_page", type: "group", title: "Reference" },
  { operation: "insert_page", type: "computed", title: "API", computed: computedFrom(spec.slug) },
  ...targets.map((target) => ({ operation: "insert_page", type: "link", title: `To ${target.kind}`, target }))
]

const commit = {
  oid: "9fceb02d",
  message: "Describe the options",
  createdByService: false,
  url: "https://example.com/commit/9fceb02d",
  ref: "refs/heads/main"
}

/** Returns changes to the inserted pages, files and reusable content. */
const updatesOf = (revision: Revision, inserted: EditedContent, spec: OpenApiSpec): ReadonlyArray<Json> => {
  const [start, group, api, link] = pagesOf(inserted) as [string, string, string, string]
  const file = revision.files[0]!.id
  const { cover, ...others } = fields
  return [
    {
      operation: "update_page",
      page: start,
      title: "Beginning",
      ...others,
      condition: null,
      metaLinks: { canonical: { kind: "url", url: "https://example.com/begin" } },
      cover: { ...cover, ref: { kind: "file", file }, refDark: { kind: "file", file } },
      into: group,
      at: 0,
      document: { document: documentOf("Begin here.") }
    },
    { operation: "update_page", page: link, target: targets[0]! },
    { operation: "update_page", page: api, computed: computedFrom(spec.id) },
    {
      operation: "update_reusable_content",
      reusableContent: revision.reusableContents[0]!.id,
      title: "Hint",
      document: { markdown: "Hint." }
    }
  ]
}

/** Inserts, updates, reverts and deletes pages, files and a reusable content. */
const changeContent = async (
  edit: OperationId,
  read: OperationId,
  at: Params,
  writer: Person,
  spec: OpenApiSpec,
  website: string,
  query: Query = {}
): Promise<void> => {
  const send = (changes: ReadonlyArray<Json>, more: Readonly<Record<string, Json>> = {}) =>
    writer.call<EditedContent>(edit, at, { query, body: { changes, ...more } })
  const current = () => writer.call<Revision>(read, at)
  const pagesIn = ({ pages }: Revision) => titlesOf({ items: pages as ReadonlyArray<ContentPage> })

  const inserted = await send(insertionsOf(spec), { message: "Describe the options", git: commit })
  const first = await current()
  const links = targets.map(({ kind }) => `To ${kind}`)
  expect(pagesIn(first)).toEqual(expect.arrayContaining(["Start", "Reference", ...links]))
  const start = first.pages.find(({ title }) => title === "Start")!
  expect(start).toMatchObject({ ...fields, layout })
  expect(first.files).toMatchObject([{ name: "plan.txt", contentType: "text/plain" }])

  await send(updatesOf(first, inserted, spec))
  const second = await current()
  expect(pagesIn(second)).not.toContain("Start")
  expect(second.reusableContents.map(({ title }) => title)).toEqual(["Hint"])
  await send([{ operation: "revert_page", page: start.id, revision: first.id }])
  expect(pagesIn(await current())).toContain("Start")
  const cover = null
  await send([{ operation: "update_page", page: start.id, cover }])

  // An update requires a body that is not missing, and a spec that exists.
  await writer.expectError(400, edit, at, {
    body: { changes: [{ operation: "update_page", page: start.id, document: {} }] }
  })
  const unresolved = { operation: "insert_page", type: "computed", computed: computedFrom(`no-${spec.slug}`) }
  await writer.expectError(400, edit, at, { body: { changes: [unresolved] } })

  // A file with another name, and with the bytes of another file, which is deleted.
  const upload = { name: "upload.md", contentType: "text/markdown", base64: "aGV5" }
  const other = (await send([{ operation: "insert_files", files: [upload] }])).insertedFiles![0]!.id
  const replaced = first.files[0]!.id
  await send([
    { operation: "update_file", file: replaced, name: "new.txt", bytesOf: other },
    { operation: "delete_files", files: [other] }
  ])
  expect((await current()).files).toMatchObject([
    { id: replaced, name: "new.txt", contentType: "text/markdown", size: 3 }
  ])

  // A document with one paragraph more, which is reverted by the key of its block.
  const paragraphs = { markdown: "One.\n\nAdded." }
  await send([{ operation: "update_page", page: start.id, document: { markdown: "One." } }])
  const { id: revision } = await current()
  await send([{ operation: "update_page", page: start.id, document: paragraphs }])
  const revertBlock = { operation: "revert_page", page: start.id, revision }
  await send([{ ...revertBlock, block: ["1"] }])
  await writer.expectError(400, edit, at, { body: { changes: [{ ...revertBlock, block: ["no-key"] }] } })

  // A file is fetched from its URL.
  const fetched = { name: "a.html", contentType: "text/html", url: website }
  const { id: fetchedFile } = (await send([{ operation: "insert_files", files: [fetched] }]))
    .insertedFiles![0]!
  await send([{ operation: "delete_files", files: [fetchedFile] }])

  await send([
    { operation: "delete_page", page: start.id },
    { operation: "delete_files", files: [first.files[0]!.id] },
    { operation: "delete_reusable_content", reusableContent: first.reusableContents[0]!.id }
  ])
  const restored = { revision, file: first.files[0]!.id }
  await send([
    { operation: "revert_file", ...restored },
    { operation: "revert_reusable_content", reusableContent: first.reusableContents[0]!.id, revision }
  ])
  const again = await current()
  expect(again.files.map(({ id, name }) => [id, name])).toEqual([[first.files[0]!.id, "new.txt"]])
  expect(again.reusableContents.map(({ title }) => title)).toEqual(["Hint"])
  await send([
    { operation: "delete_files", files: [first.files[0]!.id] },
    { operation: "delete_reusable_content", reusableContent: first.reusableContents[0]!.id }
  ])
  const last = await current()
  expect([pagesIn(last).includes("Start"), last.files, last.reusableContents]).toEqual([false, [], []])
}

export const contentChanges: ContractScenario = {
  title: "A batch changes pages of every type, files and reusable contents",
  isExhaustive: true,
  run: async ({ ada, bob, acme, tag, website }) => {
    const path = `/files-${tag}/`
    website.put(path, { type: "text/html", body: "<p>A file.</p>" })
    const page = `${website.url}${path}`
    const organization = { organizationId: acme.id }
    const spec = await ada.call<OpenApiSpec>("createOpenAPISpec", organization, {
      body: { slug: `changes-${tag}`, source: { text: JSON.stringify({ openapi: "3.1.0" }) } }
    })
    const space = await ada.call<Space>("createSpace", organization, { body: { title: "Changing" } })
    const at = { spaceId: space.id }
    await changeContent("updateSpaceContent", "getCurrentRevision", at, bob, spec, page)
    const proposed = await bob.call<ChangeRequest>("createChangeRequest", at, {
      body: { subject: "Change the structure" }
    })
    const inIt = { ...at, changeRequestId: proposed.id }
    await changeContent(
      "updateChangeRequestContent",
      "getRevisionOfChangeRequestById",
      inIt,
      bob,
      spec,
      page,
      {
        compat: false
      }
    )
    await ada.call("deleteSpaceById", at)
    await ada.call("deleteOpenAPISpecBySlug", { ...organization, specSlug: spec.slug })
  }
}
