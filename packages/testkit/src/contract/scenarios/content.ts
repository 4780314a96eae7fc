/** Pages and files are written, read, found, imported and linked: in a space, and in a change request. */
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
import type { Stage } from "../Stage.ts"
import { idsOf, pagesOf, titlesOf } from "./reading.ts"

type Params = Readonly<Record<string, string>>
type Links = typeof PageOfLinks.Type
type Imported = typeof ImportedContent.Type

/** The operations that read content where it is. */
interface Reading {
  readonly revision: OperationId
  readonly pages: OperationId
  readonly page: OperationId
  readonly pageLinks: OperationId
  readonly files: OperationId
  readonly file: OperationId
  readonly fileBacklinks: OperationId
}

const inSpace: Reading = {
  revision: "getCurrentRevision",
  pages: "listPages",
  page: "getPageById",
  pageLinks: "listPageLinksInSpace",
  files: "listFiles",
  file: "getFileById",
  fileBacklinks: "listSpaceFileBacklinks"
}

const inChangeRequest: Reading = {
  revision: "getRevisionOfChangeRequestById",
  pages: "listPagesInChangeRequest",
  page: "getPageInChangeRequestById",
  pageLinks: "listPageLinksInChangeRequest",
  files: "listFilesInChangeRequestById",
  file: "getFileInChangeRequestById",
  fileBacklinks: "listChangeRequestFileBacklinks"
}

/** Two pages that show a file, one below the other, and a second file; the first page leads to all kinds of places. */
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

/** The ids of the pages and files of the changes. */
const writtenBy = (edited: EditedContent) => {
  const pages = pagesOf(edited)
  const files = edited.insertedFiles ?? []
  return { deep: pages[0]!, start: pages[1]!, plan: files[0]!.id, other: files[1]!.id }
}

/** All of it is read back, as pages, as files, and as what leads where. */
const read = async (
  does: Reading,
  at: Params,
  written: ReturnType<typeof writtenBy>,
  { rita }: Stage
): Promise<void> => {
  const query = { metadata: false, computed: false }
  const revision = await rita.call<Revision>(does.revision, at, { query })
  expect(titlesOf({ items: revision.pages as ReadonlyArray<ContentPage> })).toEqual(
    expect.arrayContaining(["Deep", "Start"])
  )
  expect(revision.files.map(({ name }) => name).toSorted()).toEqual(["other.txt", "plan.txt"])
  const { pages } = await rita.call<{ pages: ReadonlyArray<ContentPage> }>(does.pages, at, { query })
  expect(pages).toEqual(revision.pages)

  const page = { ...at, pageId: written.start }
  const bare = await rita.call<ContentPage>(does.page, page, { query })
  expect(bare).toMatchObject({ id: written.start, title: "Start", slug: "start", type: "document" })
  const asText = await rita.call<ContentPage & { markdown?: string }>(does.page, page, {
    query: { format: "markdown", ...query }
  })
  expect(asText.markdown).toContain("Welcome to the *xylophone*.")
  expect(asText.markdown).toContain(`(/pages/${written.deep})`)
  const asNodes = await rita.call<ContentPage>(does.page, page, { query: { format: "document" } })
  expect(asNodes).toHaveProperty("document.object", "document")

  const files = await rita.call<Page<File>>(does.files, at, { query })
  expect(idsOf(files).toSorted()).toEqual([written.plan, written.other].toSorted())
  const file = { ...at, fileId: written.plan }
  const shown = await rita.call<File>(does.file, file, { query })
  expect(shown).toMatchObject({ id: written.plan, name: "plan.txt", contentType: "text/plain", size: 2 })
  const backlinks = await rita.call<Page<PageLocation>>(does.fileBacklinks, file)
  expect(backlinks.items.map(({ page }) => page.id).toSorted()).toEqual(
    [written.deep, written.start].toSorted()
  )

  const links = await rita.call<Links>(does.pageLinks, page)
  expect(links.items.map(({ status }) => status).toSorted()).toEqual(["broken", "ok", "ok", "ok"])
  expect(links.stats).toMatchObject({ total: 4, broken: { total: 1 } })
  const broken = await rita.call<Links>(does.pageLinks, page, { query: { status: "broken" } })
  expect(broken.items.map(({ targetReference }) => targetReference)).toEqual([
    { kind: "url", url: "/pages/nowhere" }
  ])
}

/** A website of two pages. */
const openPages = ({ website }: Stage, path: string): string => {
  const page = (title: string, content: string) => ({
    type: "text/html; charset=utf-8",
    body: `<html><head><title>${title}</title></head><body><main><h1>${title}</h1>${content}</main></body></html>`
  })
  website.put(path, page("Abroad", `<p>On to <a href="${path}further">the next</a>.</p>`))
  website.put(`${path}further`, page("Further", "<p>Where the quokka lives.</p>"))
  return `${website.url}${path}`
}

export const content: ContractScenario = {
  title: "A space is written, read, searched, and takes in a website",
  run: async (stage) => {
    const { ada, bob, rita, acme, tag } = stage
    const organization = { organizationId: acme.id }
    const space = await ada.call<Space>("createSpace", organization, { body: { title: `Manual ${tag}` } })
    const at = { spaceId: space.id }
    const edited = await bob.call<EditedContent>("updateSpaceContent", at, { body: { changes } })
    const written = writtenBy(edited)
    await read(inSpace, at, written, stage)

    const links = await rita.call<Links>("listSpaceLinks", at)
    expect(links.stats.total).toBe(links.count)
    const fine = await rita.call<Links>("listSpaceLinks", at, { query: { status: "ok" } })
    expect(fine.items.every(({ status }) => status === "ok")).toBe(true)
    expect(links.count).toBe(fine.count + 1)

    // What is written is found, here and among all spaces.
    const search = (query: string) =>
      stage.until(
        () => rita.call<Page<SearchPageResult>>("searchSpaceContent", at, { query: { query } }),
        ({ count }) => count > 0
      )
    expect(idsOf(await search("xylophone"))).toEqual([written.start])
    expect((await search("plan")).count).toBe(2)

    // A website comes in.
    const url = openPages(stage, "/space/")
    const brought = await ada.call<Imported>("importContent", at, { body: { url, source: "website" } })
    expect(brought).toMatchObject({ importedResources: 2, totalResources: 2 })
    const now = await rita.call<Revision>("getCurrentRevision", at, {
      query: { metadata: true, computed: true }
    })
    expect([now.id, now.parents]).toEqual([brought.revision, [edited.revision ?? now.parents[0]]])
    const found = await search("quokka")
    expect(titlesOf(found)).toEqual(["Further"])

    // A second space with the same words: the organization finds both.
    const copy = await ada.call<Space>("duplicateSpace", at)
    const both = await stage.until(
      () =>
        rita.call<Page<SearchSpaceResult>>("searchOrganizationContent", organization, {
          query: { query: "xylophone" }
        }),
      ({ count }) => count === 2
    )
    expect(idsOf(both).toSorted()).toEqual([space.id, copy.id].toSorted())
    await ada.call("deleteSpaceById", { spaceId: copy.id })

    // A locked space takes no edits.
    await ada.call("updateSpaceById", at, { body: { editMode: "locked" } })
    await ada.refused(409, "importContent", at, { body: { url, source: "website" } })
  }
}

export const changeRequestContent: ContractScenario = {
  title: "A change request has content of its own",
  run: async (stage) => {
    const { ada, bob, rita, acme } = stage
    const space = await ada.call<Space>(
      "createSpace",
      { organizationId: acme.id },
      { body: { title: "Base" } }
    )
    const at = { spaceId: space.id }
    const changeRequest = await bob.call<ChangeRequest>("createChangeRequest", at, {
      body: { subject: "Write" }
    })
    const inIt = { ...at, changeRequestId: changeRequest.id }
    const edited = await bob.call<EditedContent>("updateChangeRequestContent", inIt, {
      query: { compat: false },
      body: { changes }
    })
    await read(inChangeRequest, inIt, writtenBy(edited), stage)
    const url = openPages(stage, "/changes/")
    const brought = await bob.call<Imported>("importContentInChangeRequest", inIt, {
      body: { url, source: "website" }
    })
    expect(brought).toMatchObject({ importedResources: 2, totalResources: 2 })
    const revision = await rita.call<Revision>("getRevisionOfChangeRequestById", inIt)
    expect(revision.id).toBe(brought.revision)
    // By its number it is the same one; and the space has none of it.
    const byNumber = await rita.call<Revision>("getRevisionOfChangeRequestById", {
      ...at,
      changeRequestId: String(changeRequest.number)
    })
    expect(byNumber).toEqual(revision)
    const { pages } = await rita.call<{ pages: ReadonlyArray<ContentPage> }>("listPages", at)
    expect(pages.map(({ title }) => title)).not.toContain("Deep")
  }
}
