/** Content is read by path, in a revision and in a change request, with its changes and its links. */
import type {
  ChangeRequest,
  ContentPage,
  EditedContent,
  File,
  MergePreview,
  Page,
  PageLocation,
  PageOfLinks,
  ReusableContent,
  Revision,
  SemanticChanges,
  Space
} from "@lectern/core"
import { expect } from "vitest"
import type { OperationId } from "../endpoints.ts"
import type { Person } from "../Person.ts"
import type { ContractScenario } from "../Scenario.ts"
import type { ScenarioContext } from "../ScenarioContext.ts"
import { pagesOf } from "./helpers.ts"

type Params = Readonly<Record<string, string>>
type Links = typeof PageOfLinks.Type

/** Query parameters that exclude metadata and computed pages. */
const withoutMetadata = { metadata: false, computed: false }

const changes = [
  {
    operation: "insert_files",
    files: ["plan.txt", "map.txt"].map((name) => ({
      ref: name.slice(0, -4),
      name,
      contentType: "text/plain",
      base64: "aGk="
    }))
  },
  {
    operation: "insert_reusable_content",
    title: "Support",
    ref: "support",
    document: { markdown: "Call us." }
  },
  {
    operation: "insert_page",
    title: "Install",
    ref: "install",
    document: { markdown: "Run `npm install`." }
  },
  ...["Start", "Overview"].map((title) => ({
    operation: "insert_page",
    title,
    document: {
      markdown: `Read [how to install](./install) and the [plan](./plan), or [more](/nowhere).${
        title === "Install" ? "" : '\n\n{% include "./support" %}'
      }`
    }
  }))
] as const

/** Creates a space with content; returns the ids. */
const createContent = async ({ ada, acme }: ScenarioContext) => {
  const organization = { organizationId: acme.id }
  const space = await ada.call<Space>("createSpace", organization, { body: { title: "Handbook" } })
  const at = { spaceId: space.id }
  const edited = await ada.call<EditedContent>("updateSpaceContent", at, { body: { changes } })
  const [install, start, overview] = pagesOf(edited) as [string, string, string]
  const revision = await ada.call<Revision>("getCurrentRevision", at)
  return {
    at,
    revision,
    install,
    start,
    overview,
    note: revision.reusableContents[0]!.id,
    plan: edited.insertedFiles![0]!.id
  }
}

/** Reads a page by its path, in both formats, and a reusable content. */
const checkReads = async (
  operations: { readonly byPath: OperationId; readonly reusable: OperationId },
  at: Params,
  { install, note }: { readonly install: string; readonly note: string },
  reader: Person
): Promise<void> => {
  const page = { ...at, pagePath: "install" }
  const asText = await reader.call<ContentPage>(operations.byPath, page, {
    query: { format: "markdown", ...withoutMetadata }
  })
  expect(asText).toMatchObject({ id: install, path: "install", markdown: "Run `npm install`." })
  const asNodes = await reader.call<ContentPage>(operations.byPath, page, { query: { format: "document" } })
  expect(asNodes).toHaveProperty("document.object", "document")
  await reader.expectError(404, operations.byPath, { ...at, pagePath: "nowhere" })
  const reusable = { ...at, reusableContentId: note }
  const found = await reader.call<ReusableContent>(operations.reusable, reusable, { query: withoutMetadata })
  expect(found).toMatchObject({ id: note, title: "Support" })
}

export const revisions: ContractScenario = {
  title: "Content is read by path, and in a revision",
  requires: ["content", "links", "pdf", "revisions"],
  run: async (context) => {
    const { ada, rita } = context
    const created = await createContent(context)
    const { at, revision, install, start, plan } = created
    await checkReads({ byPath: "getPageByPath", reusable: "getReusableContentById" }, at, created, rita)
    const backlinks = await rita.call<Page<PageLocation>>("listSpacePageBacklinks", {
      ...at,
      pageId: install
    })
    expect(backlinks.items.map(({ page }) => page.id)).toContain(start)
    expect(backlinks.count).toBe(2)
    const including = await rita.call<Page<PageLocation>>("listSpaceReusableContentBacklinks", {
      ...at,
      reusableContentId: created.note
    })
    expect(including.items.map(({ page }) => page.id).toSorted()).toEqual(
      [start, created.overview].toSorted()
    )
    for (const query of [{ page: install, only: true }, {}]) {
      const { url } = await rita.call<{ url: string }>("getSpacePDF", at, { query })
      expect(URL.canParse(url)).toBe(true)
    }

    // A revision is immutable.
    await ada.call("updateSpaceContent", at, {
      body: { changes: [{ operation: "update_page", page: install, title: "Installation" }] }
    })
    const past = { ...at, revisionId: revision.id }
    const reads = {
      byPath: "getPageInRevisionByPath",
      reusable: "getReusableContentInRevisionById"
    } as const
    await checkReads(reads, past, created, rita)
    const whole = await rita.call<Revision>("getRevisionById", past, { query: withoutMetadata })
    expect([whole.id, whole.parents]).toEqual([revision.id, revision.parents])
    const { pages } = await rita.call<{ pages: ReadonlyArray<ContentPage> }>(
      "listPagesInRevisionById",
      past,
      {
        query: withoutMetadata
      }
    )
    expect(pages.map(({ title }) => title)).toEqual(["Install", "Start", "Overview"])
    const root = await rita.call<{ pages: ReadonlyArray<ContentPage> }>("listPagesInRevisionById", past, {
      query: { ...withoutMetadata, depth: 1 }
    })
    expect(root.pages.map(({ id }) => id)).toEqual(pages.map(({ id }) => id))
    const below = { query: { ...withoutMetadata, parent: install, depth: 1 } }
    expect(await rita.call("listPagesInRevisionById", past, below)).toEqual({ pages: [] })
    const files = await rita.call<Page<File>>("listFilesInRevisionById", past, { query: withoutMetadata })
    expect(files.items.map(({ name }) => name).toSorted()).toEqual(["map.txt", "plan.txt"])
    const file = await rita.call<File>(
      "getFileInRevisionById",
      { ...past, fileId: plan },
      { query: withoutMetadata }
    )
    expect(file).toMatchObject({ id: plan, name: "plan.txt" })
    const page = { ...past, pageId: install }
    const query = { format: "markdown", ...withoutMetadata }
    const shown = await rita.call<ContentPage>("getPageInRevisionById", page, { query })
    expect(shown).toMatchObject({ id: install, title: "Install", markdown: "Run `npm install`." })
    const document = await rita.call<{ object: string }>("getPageDocumentInRevisionById", page)
    expect(document.object).toBe("document")
    const differences = await rita.call<SemanticChanges>("getRevisionSemanticChanges", past, {
      query: { limit: 1, ...withoutMetadata }
    })
    expect([differences.changes.length, differences.more]).toEqual([1, 5])
  }
}

export const changeRequestReading: ContractScenario = {
  title: "The changes and the links of a change request are read",
  requires: ["changeRequests", "changeRequestContent", "links"],
  run: async (context) => {
    const { bob, rita } = context
    const created = await createContent(context)
    const { at, install, start } = created
    const body = { subject: "Explain the options" }
    const proposed = await bob.call<ChangeRequest>("createChangeRequest", at, { body })
    const inIt = { ...at, changeRequestId: proposed.id }
    const update = { operation: "update_page", page: start, title: "Begin" }
    await bob.call("updateChangeRequestContent", inIt, { body: { changes: [update] } })
    const differences = await rita.call<SemanticChanges>("getChangeRequestChanges", inIt, {
      query: { limit: 10 }
    })
    expect(differences.changes).toMatchObject([
      { type: "page_edited", page: { id: start }, attributes: { title: { before: "Start", after: "Begin" } } }
    ])
    const reads = {
      byPath: "getPageInChangeRequestByPath",
      reusable: "getReusableContentInChangeRequestById"
    } as const
    await checkReads(reads, inIt, created, rita)
    const page = { ...inIt, pageId: install }
    const backlinks = await rita.call<Page<PageLocation>>("listChangeRequestPageBacklinks", page)
    expect(backlinks.items.map((one) => one.page.id)).toContain(start)
    const reusable = { ...inIt, reusableContentId: created.note }
    const including = await rita.call<Page<PageLocation>>(
      "listChangeRequestReusableContentBacklinks",
      reusable,
      { query: { limit: 5 } }
    )
    expect(including.items.map((one) => one.page.id).toSorted()).toEqual([start, created.overview].toSorted())
    const preview = await rita.call<MergePreview>("getChangeRequestMergePreview", inIt)
    expect(preview).toMatchObject({ conflicts: [], failingRules: [] })
    const links = await rita.call<Links>("listChangeRequestLinks", inIt)
    const broken = await rita.call<Links>("listChangeRequestLinks", inIt, { query: { status: "broken" } })
    expect([links.count, broken.count]).toEqual([4, 1])
  }
}
