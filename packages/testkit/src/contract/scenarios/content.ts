/** Pages and files are edited, read, searched and imported: in a space, and in a change request. */
import type {
  ChangeRequest,
  ContentPage,
  EditedContent,
  File,
  ImportedContent,
  Page,
  PageLocation,
  PageOfLinks,
  Revision,
  SearchPageResult,
  SearchSpaceResult,
  Space
} from "@lectern/core"
import { expect } from "vitest"
import type { OperationId } from "../endpoints.ts"
import type { ContractScenario } from "../Scenario.ts"
import type { ScenarioContext } from "../ScenarioContext.ts"
import { idsOf, pagesOf, titlesOf } from "./helpers.ts"

type Params = Readonly<Record<string, string>>
type Links = typeof PageOfLinks.Type
type Imported = typeof ImportedContent.Type

/** The operations that read the content of a space or of a change request. */
interface ReadOperations {
  readonly revision: OperationId
  readonly pages: OperationId
  readonly page: OperationId
  readonly pageLinks: OperationId
  readonly files: OperationId
  readonly file: OperationId
  readonly fileBacklinks: OperationId
}

const inSpace: ReadOperations = {
  revision: "getCurrentRevision",
  pages: "listPages",
  page: "getPageById",
  pageLinks: "listPageLinksInSpace",
  files: "listFiles",
  file: "getFileById",
  fileBacklinks: "listSpaceFileBacklinks"
}

const inChangeRequest: ReadOperations = {
  revision: "getRevisionOfChangeRequestById",
  pages: "listPagesInChangeRequest",
  page: "getPageInChangeRequestById",
  pageLinks: "listPageLinksInChangeRequest",
  files: "listFilesInChangeRequestById",
  file: "getFileInChangeRequestById",
  fileBacklinks: "listChangeRequestFileBacklinks"
}

/** Inserts two files and two pages. The second page links to the first one, to a file, to a website, and to no page. */
const changes = [
  {
    operation: "insert_files",
    files: [
      { ref: "plan", name: "plan.txt", contentType: "text/plain", base64: "aGk=" },
      { ref: "other", name: "other.txt", contentType: "text/plain", base64: "b2g=" }
    ]
  },
  {
    operation: "insert_page",
    title: "Deep",
    ref: "deep",
    document: { markdown: "The [plan](./plan)." }
  },
  {
    operation: "insert_page",
    title: "Start",
    document: {
      markdown:
        "Welcome to the *xylophone*.\n\n## Where to go\n\nTo [the deep](./deep), by [plan](./plan), " +
        "[away](https://example.com/) or [nowhere](/pages/nowhere)."
    }
  }
] as const

/** Returns the ids of the inserted pages and files. */
const insertedIds = (edited: EditedContent) => {
  const pages = pagesOf(edited)
  const files = edited.insertedFiles ?? []
  return { deep: pages[0]!, start: pages[1]!, plan: files[0]!.id, other: files[1]!.id }
}

/** Reads the inserted pages, files and links. */
const checkContent = async (
  operations: ReadOperations,
  at: Params,
  written: ReturnType<typeof insertedIds>,
  { rita }: ScenarioContext
): Promise<void> => {
  const query = { metadata: false, computed: false }
  const revision = await rita.call<Revision>(operations.revision, at, { query })
  expect(titlesOf({ items: revision.pages as ReadonlyArray<ContentPage> })).toEqual(
    expect.arrayContaining(["Deep", "Start"])
  )
  expect(revision.files.map(({ name }) => name).toSorted()).toEqual(["other.txt", "plan.txt"])
  const { pages } = await rita.call<{ pages: ReadonlyArray<ContentPage> }>(operations.pages, at, { query })
  expect(pages).toEqual(revision.pages)
  const level = await rita.call<{ pages: ReadonlyArray<ContentPage> }>(operations.pages, at, {
    query: { ...query, depth: 1 }
  })
  expect(level.pages.map(({ id }) => id)).toEqual(pages.map(({ id }) => id))
  const below = { query: { ...query, parent: written.start, depth: 1 } }
  expect(await rita.call(operations.pages, at, below)).toEqual({ pages: [] })
  await rita.expectError(404, operations.pages, at, { query: { ...query, parent: "missing", depth: 1 } })

  const page = { ...at, pageId: written.start }
  const found = await rita.call<ContentPage>(operations.page, page, { query })
  expect(found).toMatchObject({ id: written.start, title: "Start", slug: "start", type: "document" })
  const asText = await rita.call<ContentPage & { markdown?: string }>(operations.page, page, {
    query: { format: "markdown", ...query }
  })
  expect(asText.markdown).toContain("Welcome to the *xylophone*.")
  expect(asText.markdown).toContain(`(/pages/${written.deep})`)
  const asNodes = await rita.call<ContentPage>(operations.page, page, { query: { format: "document" } })
  expect(asNodes).toHaveProperty("document.object", "document")

  const files = await rita.call<Page<File>>(operations.files, at, { query })
  expect(idsOf(files).toSorted()).toEqual([written.plan, written.other].toSorted())
  const file = { ...at, fileId: written.plan }
  const plan = await rita.call<File>(operations.file, file, { query })
  expect(plan).toMatchObject({ id: written.plan, name: "plan.txt", contentType: "text/plain", size: 2 })
  const backlinks = await rita.call<Page<PageLocation>>(operations.fileBacklinks, file)
  expect(backlinks.items.map(({ page }) => page.id).toSorted()).toEqual(
    [written.deep, written.start].toSorted()
  )

  const links = await rita.call<Links>(operations.pageLinks, page)
  expect(links.items.map(({ status }) => status).toSorted()).toEqual(["broken", "ok", "ok", "ok"])
  expect(links.stats).toMatchObject({ total: 4, broken: { total: 1 } })
  const broken = await rita.call<Links>(operations.pageLinks, page, { query: { status: "broken" } })
  expect(broken.items.map(({ targetReference }) => targetReference)).toEqual([
    { kind: "url", url: "/pages/nowhere" }
  ])
}

/** Serves a website of two pages below a path; returns its address. */
const serveWebsite = ({ website }: ScenarioContext, path: string): string => {
  const page = (title: string, content: string) => ({
    type: "text/html; charset=utf-8",
    body: `<html><head><title>${title}</title></head><body><main><h1>${title}</h1>${content}</main></body></html>`
  })
  website.put(path, page("Abroad", `<p>On to <a href="${path}further">the next</a>.</p>`))
  website.put(`${path}further`, page("Further", "<p>Where the quokka lives.</p>"))
  return `${website.url}${path}`
}

export const content: ContractScenario = {
  title: "A space is edited, read and searched, and a website is imported into it",
  run: async (context) => {
    const { ada, bob, rita, acme, tag } = context
    const organization = { organizationId: acme.id }
    const space = await ada.call<Space>("createSpace", organization, { body: { title: `Manual ${tag}` } })
    const at = { spaceId: space.id }
    const edited = await bob.call<EditedContent>("updateSpaceContent", at, {
      body: { changes, automatic: false }
    })
    const written = insertedIds(edited)
    await checkContent(inSpace, at, written, context)

    const links = await rita.call<Links>("listSpaceLinks", at)
    expect(links.stats.total).toBe(links.count)
    const valid = await rita.call<Links>("listSpaceLinks", at, { query: { status: "ok" } })
    expect(valid.items.every(({ status }) => status === "ok")).toBe(true)
    expect(links.count).toBe(valid.count + 1)

    // The search of the space finds the inserted pages.
    const search = (query: string) =>
      context.until(
        () => rita.call<Page<SearchPageResult>>("searchSpaceContent", at, { query: { query } }),
        ({ count }) => count > 0
      )
    expect(idsOf(await search("xylophone"))).toEqual([written.start])
    expect((await search("plan")).count).toBe(2)
    for (const prefix of [true, false]) {
      const suggested = await rita.call<Page<SearchPageResult>>("searchSpaceContent", at, {
        query: { query: "star", prefix }
      })
      expect(titlesOf(suggested)).toContain("Start")
    }

    // A website is imported.
    const url = serveWebsite(context, "/space/")
    const imported = await ada.call<Imported>("importContent", at, { body: { url, source: "website" } })
    expect(imported).toMatchObject({ importedResources: 2, totalResources: 2 })
    const current = await rita.call<Revision>("getCurrentRevision", at, {
      query: { metadata: true, computed: true }
    })
    expect([current.id, current.parents]).toEqual([
      imported.revision,
      [edited.revision ?? current.parents[0]]
    ])
    const found = await search("quokka")
    expect(titlesOf(found)).toEqual(["Further"])

    // The search of the organization finds the space and its copy.
    const copy = await ada.call<Space>("duplicateSpace", at)
    const both = await context.until(
      () =>
        rita.call<Page<SearchSpaceResult>>("searchOrganizationContent", organization, {
          query: { query: "xylophone", prefix: false }
        }),
      ({ count }) => count === 2
    )
    expect(idsOf(both).toSorted()).toEqual([space.id, copy.id].toSorted())
    await ada.call("deleteSpaceById", { spaceId: copy.id })

    // A locked space rejects edits.
    await ada.call("updateSpaceById", at, { body: { editMode: "locked" } })
    await ada.expectError(409, "importContent", at, { body: { url, source: "website" } })
  }
}

export const changeRequestContent: ContractScenario = {
  title: "The content of a change request is separate from the content of its space",
  run: async (context) => {
    const { ada, bob, rita, acme } = context
    const space = await ada.call<Space>(
      "createSpace",
      { organizationId: acme.id },
      { body: { title: "Base" } }
    )
    const at = { spaceId: space.id }
    const changeRequest = await bob.call<ChangeRequest>("createChangeRequest", at, {
      body: { subject: "Write the guide" }
    })
    const inIt = { ...at, changeRequestId: changeRequest.id }
    const edited = await bob.call<EditedContent>("updateChangeRequestContent", inIt, {
      query: { compat: false },
      body: { changes, automatic: true }
    })
    await checkContent(inChangeRequest, inIt, insertedIds(edited), context)
    const url = serveWebsite(context, "/changes/")
    const imported = await bob.call<Imported>("importContentInChangeRequest", inIt, {
      body: { url, source: "website" }
    })
    expect(imported).toMatchObject({ importedResources: 2, totalResources: 2 })
    const revision = await rita.call<Revision>("getRevisionOfChangeRequestById", inIt)
    expect(revision.id).toBe(imported.revision)
    // The number identifies the same change request. The content of the space is unchanged.
    const byNumber = await rita.call<Revision>("getRevisionOfChangeRequestById", {
      ...at,
      changeRequestId: String(changeRequest.number)
    })
    expect(byNumber).toEqual(revision)
    const { pages } = await rita.call<{ pages: ReadonlyArray<ContentPage> }>("listPages", at)
    expect(pages.map(({ title }) => title)).not.toContain("Deep")
  }
}
