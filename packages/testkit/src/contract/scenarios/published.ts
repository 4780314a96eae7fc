/** A published site is resolved by URL, searched and redirected, and its documents are read one by one. */
import type {
  ComputedRevision,
  ContentPage,
  EditedContent,
  JsonDocument,
  OpenApiSpec,
  Page,
  PublishedSiteContent,
  ResolvedSiteRedirect,
  Revision,
  SearchSpaceResult,
  Site,
  SiteInsights,
  SiteRedirect,
  SiteSection,
  Space,
  UpsertedSiteRedirects
} from "@lectern/model"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"
import type { ScenarioContext } from "../ScenarioContext.ts"
import type { Json } from "../Schemas.ts"
import { idsOf, pagesOf } from "./helpers.ts"
import { checkRedirectOptions } from "./redirectOptions.ts"

const documentOf = (markdown: string) => ({ document: { markdown } })

/** Creates an OpenAPI spec with one operation, and waits until it is processed. */
const createSpec = async ({ ada, acme, tag, until }: ScenarioContext): Promise<string> => {
  const at = { organizationId: acme.id }
  const slug = `published-${tag}`
  const paths = { "/pets": { get: { tags: ["Pets"], responses: {} } } }
  const text = JSON.stringify({ openapi: "3.1.0", info: { title: "Pets", version: "1" }, paths })
  await ada.call("createOpenAPISpec", at, { body: { slug, source: { text } } })
  await until(
    () => ada.call<OpenApiSpec>("getOpenAPISpecBySlug", { ...at, specSlug: slug }),
    ({ processingState }) => processingState === "complete"
  )
  return slug
}

/** Creates two published spaces, of which the first has pages, a reusable content and a computed page. */
const createSite = async (context: ScenarioContext) => {
  const { ada, acme, tag } = context
  const at = { organizationId: acme.id }
  const [guide, reference] = [
    await ada.call<Space>("createSpace", at, { body: { title: "Guide" } }),
    await ada.call<Space>("createSpace", at, { body: { title: "Reference" } })
  ]
  const computed = {
    type: "builtin:openapi",
    dependencies: { spec: { ref: { kind: "openapi", spec: await createSpec(context) } } },
    props: { models: true }
  }
  const edited = await ada.call<EditedContent>(
    "updateSpaceContent",
    { spaceId: guide.id },
    {
      body: {
        changes: [
          { operation: "insert_page", title: "Install", ref: "install", ...documentOf(`Install ${tag}.`) },
          { operation: "insert_page", type: "computed", title: "API", computed },
          { operation: "insert_reusable_content", title: "Support", ...documentOf("Call us.") }
        ]
      }
    }
  )
  const created = await ada.call<Site>("createSite", at, {
    body: { title: `Published ${tag}`, spaces: [guide.id, reference.id] }
  })
  const site = { ...at, siteId: created.id }
  const { urls } = await ada.call<Site>("publishSite", site)
  const siteSpaces = await ada.call<Page<{ id: string }>>("listSiteSpaces", site)
  return {
    site,
    space: guide.id,
    page: pagesOf(edited)[0]!,
    url: urls.published!,
    siteSpaces: idsOf(siteSpaces)
  }
}

type CreatedSite = Awaited<ReturnType<typeof createSite>>

const checkDocuments = async (
  { ada, rita }: ScenarioContext,
  { space, page }: CreatedSite
): Promise<void> => {
  const at = { spaceId: space }
  const stored = await rita.call<ContentPage>("getPageById", { ...at, pageId: page })
  const documentId = (stored as { documentId?: string }).documentId!
  for (const schema of ["current", "next"]) {
    const found = await rita.call<JsonDocument>(
      "getDocumentById",
      { ...at, documentId },
      { query: { schema } }
    )
    expect(found.object).toBe("document")
  }
  const revision = await ada.call<Revision>("getCurrentRevision", at)
  const reusable = {
    ...at,
    revisionId: revision.id,
    reusableContentId: revision.reusableContents[0]!.id
  }
  const inRevision = { ...at, revisionId: revision.id, pageId: page }
  for (const evaluated of [true, "deterministic-only"]) {
    const query = { evaluated }
    expect(
      await rita.call<JsonDocument>("getReusableContentDocumentInRevisionById", reusable, { query })
    ).toMatchObject({ object: "document" })
    await rita.call<JsonDocument>("getPageDocumentInRevisionById", inRevision, { query })
  }
  const source = revision.pages.flatMap((one) => ("computed" in one ? (one.computed ?? []) : []))[0]
  for (const schema of ["current", "next"]) {
    const body = { source: JSON.parse(JSON.stringify(source)), seed: "1" }
    const found = await rita.call<JsonDocument>("getComputedDocument", at, { query: { schema }, body })
    expect(found.object).toBe("document")
  }
  const whole = { type: source!.type, dependencies: source!.dependencies, props: { models: true } }
  const generated = await rita.call<ComputedRevision>("getComputedRevision", at, {
    body: { source: JSON.parse(JSON.stringify(whole)), seed: "1" }
  })
  const expected = revision.pages.filter((one) => "computed" in one && one.computed !== undefined)
  expect(generated.pages.map(({ title }) => title)).toEqual(expected.map(({ title }) => title))

  // A page can be computed from a single page of the spec.
  const part = JSON.parse(JSON.stringify(source))
  await ada.call("updateSpaceContent", at, {
    body: { changes: [{ operation: "insert_page", type: "computed", title: "Part", computed: part }] }
  })
  const single = await rita.call<ComputedRevision>("getComputedRevision", at, {
    body: { source: part, seed: "1" }
  })
  expect(single.pages).toHaveLength(1)
  for (const [url, type] of [
    ["https://www.youtube.com/watch?v=abc", "rich"],
    ["https://example.com/a", "link"]
  ] as const) {
    expect(await rita.call("getEmbedByUrlInSpace", at, { query: { url } })).toMatchObject({ type })
  }
}

/** Counts are stored within minutes, so that the visits of this scenario may be missing. */
const checkInsights = async ({ ada }: ScenarioContext, { site }: CreatedSite): Promise<void> => {
  const insights = await ada.call<SiteInsights>("getSiteInsights", site, { query: { days: 7 } })
  expect(insights.days).toHaveLength(7)
  expect(insights.days.at(-1)?.day).toMatch(/^\d{4}-\d{2}-\d{2}$/)
}

const checkRedirects = async ({ ada, rita }: ScenarioContext, created: CreatedSite): Promise<void> => {
  const { site, space, page, url, siteSpaces } = created
  const [siteSpaceId] = siteSpaces
  const destination = { kind: "site-page", siteSpaceId, pageId: page }
  const set = await ada.call<SiteRedirect>("createSiteRedirect", site, {
    body: { source: "/old", destination }
  })
  const other = await ada.call<SiteRedirect>("createSiteRedirect", site, {
    body: { source: "/other", destination: { kind: "site-space", siteSpaceId } }
  })
  await ada.expectError(409, "createSiteRedirect", site, { body: { source: "/old", destination } })
  const listed = await ada.call<Page<SiteRedirect>>("listSiteRedirects", site, { query: { search: "ol" } })
  expect(listed.items).toEqual([set])
  expect(idsOf(await ada.call<Page<SiteRedirect>>("listSiteRedirects", site))).toEqual([other.id, set.id])
  expect(
    await rita.call<ResolvedSiteRedirect>("getSiteRedirectBySource", site, { query: { source: "/old" } })
  ).toEqual({ redirect: set, target: `${url}install` })
  const changed = await ada.call<SiteRedirect>(
    "updateSiteRedirectById",
    { ...site, siteRedirectId: set.id },
    { body: { source: "/older", destination: { kind: "site-space", siteSpaceId } } }
  )
  expect(changed.source).toBe("/older")
  const redirect = { ...site, siteRedirectId: other.id }
  await ada.call("deleteSiteRedirectById", redirect)
  await ada.expectError(404, "deleteSiteRedirectById", redirect)

  // A redirect can point to a section.
  const more = await ada.call<Space>(
    "createSpace",
    { organizationId: site.organizationId },
    {
      body: { title: "More" }
    }
  )
  const section = await ada.call<SiteSection>("addSectionToSite", site, { body: { spaceId: more.id } })
  const toSection = { kind: "site-section", siteSectionId: section.id }
  const third = await ada.call<SiteRedirect>("createSiteRedirect", site, {
    body: { source: "/more-of-it", destination: toSection }
  })
  const updated = { ...site, siteRedirectId: third.id }
  await ada.call("updateSiteRedirectById", updated, { body: { destination: toSection } })
  await ada.call("updateSiteRedirectById", updated, { body: { destination } })

  // Many redirects are changed in one request, each on its own.
  const upsert = async (redirects: ReadonlyArray<Json>) =>
    (await ada.call<UpsertedSiteRedirects>("bulkUpsertSiteRedirects", site, { body: { redirects } })).results
  const onSite = { kind: "site-space", siteSpaceId }
  const results = await upsert([
    { source: "/bulk", destination: onSite, intent: "live" },
    { source: "/bulk", destination: toSection },
    { source: "/bulk-page", destination },
    { source: "/bulk-page", destination: null },
    { source: "/missing", destination: null },
    { source: "/elsewhere", destination: { kind: "site-space", siteSpaceId: "missing" } }
  ])
  expect(results.map(({ status }) => status)).toEqual([
    // A repeated request updates it.
    expect.stringMatching(/^(?:created|updated)$/),
    "updated",
    "created",
    "deleted",
    "error",
    "error"
  ])
  await upsert([{ source: "/bulk", destination: null }])

  // A page that is renamed is found by its former path.
  await ada.call(
    "updateSpaceContent",
    { spaceId: space },
    {
      body: { changes: [{ operation: "update_page", page, slug: "setup" }] }
    }
  )
  const moved = await rita.call<ResolvedSiteRedirect>("getSiteRedirectBySource", site, {
    query: { source: "/install", shareKey: "none", visitorAuthToken: "none" }
  })
  expect(moved.target).toBe(`${url}setup`)
  await ada.expectError(404, "getSiteRedirectBySource", site, { query: { source: "/setup" } })
}

const checkSearch = async (
  context: ScenarioContext,
  { site, page, siteSpaces }: CreatedSite
): Promise<void> => {
  const { rita, tag, until } = context
  const [first, second] = siteSpaces
  const search = (scope: object) =>
    rita.call<Page<SearchSpaceResult>>("searchSiteContent", site, {
      query: { limit: 10 },
      body: { query: tag, ...scope }
    })
  const hasPage = ({ items }: Page<SearchSpaceResult>) => items.some(({ pages }) => pages[0]?.id === page)
  await until(() => search({}), hasPage)
  const suggestions = await rita.call<Page<SearchSpaceResult>>("searchSiteContent", site, {
    query: { prefix: true },
    body: { query: "Inst" }
  })
  expect(hasPage(suggestions)).toBe(true)
  for (const scope of [
    { scope: { mode: "all" } },
    { scope: { mode: "default", currentSiteSpace: second, includedSiteSpaces: [first] } },
    { scope: { mode: "default", currentSiteSpace: first, restrictTo: "currentSiteSpace" } },
    { scope: { mode: "default", currentSiteSpace: second, restrictTo: "otherSiteSpaces" } },
    { scope: { mode: "specific", siteSpaceIds: [first] } },
    { mode: "current", siteSpaceId: second },
    { mode: "specific", siteSpaceIds: [first] }
  ]) {
    expect(hasPage(await search(scope))).toBe(true)
  }
  for (const scope of [
    { mode: "specific", siteSpaceIds: [second] },
    { mode: "default", currentSiteSpace: second, restrictTo: "currentSiteSpace" },
    { mode: "default", currentSiteSpace: first, restrictTo: "otherSiteSpaces" }
  ]) {
    expect(hasPage(await search({ scope }))).toBe(false)
  }
}

export const published: ContractScenario = {
  title: "A published site is resolved by URL, searched and redirected",
  requires: ["publishedContent", "search", "siteRedirects", "content", "revisions"],
  run: async (context) => {
    const { rita } = context
    const created = await createSite(context)
    const { site, space, url } = created
    const lookup = { site: site.siteId, space, pathname: "install" }
    const visitor = { unsignedClaims: { plan: "pro" } }
    const body = { url: `${url}install`, redirectOnError: true, visitor }
    const resolved = await rita.call<PublishedSiteContent>("resolvePublishedContentByUrl", {}, { body })
    expect(resolved).toMatchObject(lookup)
    await rita.call(
      "resolvePublishedContentByUrl",
      {},
      { body: { url, visitor: { jwtToken: "no.token.here" } } }
    )
    const query = { url: `${url}install`, visitorAuthToken: "no.token.here", redirectOnError: false }
    expect(await rita.call("getPublishedContentByUrl", {}, { query })).toMatchObject(lookup)
    await rita.expectError(404, "getPublishedContentByUrl", {}, { query: { url: "https://example.com/" } })
    await rita.call("trackEventsInSiteById", site, { body: { events: [{ type: "page_view" }] } })
    await checkInsights(context, created)

    await checkDocuments(context, created)
    await checkSearch(context, created)
    await checkRedirects(context, created)
    await checkRedirectOptions(context, created)
  }
}
