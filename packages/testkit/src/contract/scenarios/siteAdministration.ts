/** A site is sorted, previewed, measured and found by its URLs and its host name. */
import type {
  AggregatedSiteEvents,
  CustomHostname,
  Page,
  Site,
  SiteMcpServer,
  SitePermission,
  SitePreview,
  SiteSection,
  SiteSectionGroup,
  SiteSpace,
  SiteStructure,
  Space,
  Subdomain,
  TemplateCondition,
  UrlTarget
} from "@lectern/model"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"
import type { ScenarioContext } from "../ScenarioContext.ts"
import type { Json } from "../Schemas.ts"
import { checkExternalLinks } from "./externalLinks.ts"

type Params = Readonly<Record<string, string>>

const claims = {
  type: "object",
  properties: {
    beta: { type: "boolean", description: "Whether the visitor tests features" },
    plan: { type: "string", description: "The plan of the visitor", enum: ["free", "pro"] }
  },
  additionalProperties: false
}

/** Creates a site with two sections, of which the second is in a group. */
const createSite = async ({ ada, acme }: ScenarioContext) => {
  const at = { organizationId: acme.id }
  const space = async (title: string) => (await ada.call<Space>("createSpace", at, { body: { title } })).id
  const [guide, api, extra] = [await space("Guide"), await space("API"), await space("Extra")]
  const { id } = await ada.call<Site>("createSite", at, { body: { title: "Sorted", spaces: [guide] } })
  const site = { ...at, siteId: id }
  await ada.call("updateSiteAdaptiveSchema", site, { body: { jsonSchema: claims } })
  const second = await ada.call<SiteSection>("addSectionToSite", site, {
    body: { spaceId: api, title: "API" }
  })
  const first = (await ada.call<SiteStructure>("getSiteStructure", site)).structure[0] as SiteSection
  const group = await ada.call<SiteSectionGroup>("addSectionGroupToSite", site, {
    body: { title: "More", sections: [second.id] }
  })
  const other = await ada.call<SiteSpace>("addSpaceToSite", site, {
    body: { spaceId: extra, sectionId: first.id }
  })
  return { site, guide, first, second, group, other }
}

type Created = Awaited<ReturnType<typeof createSite>>

/** Moves items between and within the levels of the structure. */
const checkOrder = async ({ ada, rita }: ScenarioContext, created: Created): Promise<void> => {
  const { site, first, second, group, other } = created
  const pointer = (
    type: "site-space" | "site-section" | "site-section-group",
    { id }: { readonly id: string }
  ) => ({
    type,
    id
  })
  const sort = (body: Json) => ada.call<{ readonly id: string }>("sortSiteStructure", site, { body })
  const topLevel = async () =>
    (await ada.call<SiteStructure>("getSiteStructure", site)).structure.map(({ id }) => id)

  // A section moves from its group to the top level, and back.
  const position = { after: pointer("site-section", first), before: pointer("site-section-group", group) }
  const moved = await sort({ item: pointer("site-section", second), position })
  expect(moved.id).toBe(second.id)
  expect(await topLevel()).toEqual([first.id, second.id, group.id])
  await sort({
    item: pointer("site-section-group", group),
    position: { before: pointer("site-section", first) }
  })
  expect(await topLevel()).toEqual([group.id, first.id, second.id])

  // A site-space moves to another section, where its path is free.
  const [inside] = second.siteSpaces
  const crossed = (await sort({
    item: pointer("site-space", other),
    position: { before: pointer("site-space", inside!) }
  })) as SiteSpace
  expect(crossed.section).toBe(second.id)

  // A copy of the only space of a section is in a section of its own.
  const copied = await ada.call<SiteSpace>("duplicateSiteSpace", {
    ...site,
    siteSpaceId: first.siteSpaces[0]!.id
  })
  expect([first.id, second.id]).not.toContain(copied.section)
  const sibling = await ada.call<SiteSpace>("duplicateSiteSpace", { ...site, siteSpaceId: crossed.id })
  expect(sibling.section).toBe(second.id)

  const missing = { item: { type: "site-section", id: "missing" }, position: { before: position.after } }
  await ada.expectError(400, "sortSiteStructure", site, { body: missing })
  for (const wrong of [
    {},
    { before: pointer("site-space", inside!) },
    { after: pointer("site-section", second) }
  ]) {
    await ada.expectError(400, "sortSiteStructure", site, {
      body: { item: pointer("site-section", second), position: wrong }
    })
  }
  await rita.expectError(403, "sortSiteStructure", site, {
    body: { item: pointer("site-section", second), position }
  })
}

/** Publishes the site, previews it with claims, and aggregates its events. */
const checkPublished = async (
  { ada, rita, bob }: ScenarioContext,
  { site, other }: Created
): Promise<void> => {
  const conditions = await rita.call<{ readonly items: ReadonlyArray<TemplateCondition> }>(
    "listSiteAdaptiveTemplateConditions",
    site
  )
  expect(conditions.items.map(({ condition }) => condition)).toEqual([
    "visitor.claims.beta",
    "!visitor.claims.beta",
    'visitor.claims.plan == "free"',
    'visitor.claims.plan != "free"',
    'visitor.claims.plan == "pro"',
    'visitor.claims.plan != "pro"'
  ])
  await ada.expectError(404, "getSitePublishingPreviewById", site)
  await ada.call("publishSite", site)
  const query = { siteSpace: other.id, claims: "(beta:!t,plan:pro)" }
  const { url } = await ada.call<SitePreview>("getSitePublishingPreviewById", site, { query })
  const token = new URL(url).searchParams.get("jwt_token")!
  expect(JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString())).toMatchObject({
    beta: true,
    plan: "pro"
  })
  await ada.expectError(400, "getSitePublishingPreviewById", site, { query: { claims: "beta" } })
  await bob.expectError(403, "getSitePublishingPreviewById", site, { query })

  const permissions = await rita.call<Page<SitePermission>>("listPermissionsAggregateInSite", site)
  expect(permissions.items.map(({ permission }) => permission)).toEqual(
    expect.arrayContaining(["admin", "edit", "read"])
  )

  await ada.call("trackEventsInSiteById", site, { body: { events: [{ type: "search_open" }] } })
  const aggregate = (body: Json) => rita.call<AggregatedSiteEvents>("aggregateSiteEvents", site, { body })
  const from = "2026-01-01T00:00:00.000Z"
  const to = "2026-12-31T00:00:00.000Z"
  const eventsCount = { column: "eventsCount" }
  const grouped = await aggregate({
    select: [eventsCount, { column: "url" }],
    groupBy: [{ column: "datetime", interval: "week" }, { column: "eventType" }],
    where: [
      { column: "eventType", operator: "in", values: ["search_open"] },
      { column: "url", operator: "notIn", values: ["https://example.com/"] }
    ],
    order: { by: eventsCount, direction: "desc" },
    range: { from, to },
    limit: 10
  })
  expect(grouped.columns.map(({ column }) => column)).toEqual(["eventsCount", "url", "datetime", "eventType"])
  expect(new Set(grouped.columns.map(({ values }) => values.length)).size).toBe(1)
  const day = { column: "datetime", interval: "day" }
  const daily = await aggregate({
    select: [day, eventsCount],
    groupBy: [day],
    order: { by: day, direction: "asc" },
    range: { from, to }
  })
  expect(daily.columns.map(({ column }) => column)).toEqual(["datetime", "eventsCount"])
  const total = await aggregate({ range: "last7Days" })
  expect(total.columns.map(({ column }) => column)).toEqual(["eventsCount"])
  await rita.expectError(400, "aggregateSiteEvents", site, { body: { range: { from: to, to: from } } })
  await rita.expectError(400, "aggregateSiteEvents", site, {
    body: { range: "lastYear", groupBy: [{ column: "visitorOS" }] }
  })
}

/** Assigns a host name to the site, finds it by that name, and removes the name. */
const checkHostnames = async (
  { ada, rita, eve, acme, tag }: ScenarioContext,
  site: Params
): Promise<void> => {
  const hostname = `docs.${tag}.example.com`
  await ada.call("updateSiteById", site, { body: { proxy: hostname } })
  const found = await rita.call<CustomHostname>("getCustomHostname", { hostname })
  expect(found).toMatchObject({ hostname, target: { type: "site", site: site.siteId }, isActive: true })
  await eve.expectError(404, "getCustomHostname", { hostname })
  await rita.expectError(403, "removeCustomHostname", { hostname })
  await ada.call("removeCustomHostname", { hostname })
  await ada.expectError(404, "getCustomHostname", { hostname })
  expect((await ada.call<Site>("getSiteById", site)).urls.published).not.toContain(hostname)

  const subdomain = `docs-${tag}`
  await ada.call("updateOrganizationById", { organizationId: acme.id }, { body: { hostname: subdomain } })
  const owner = await rita.call<Subdomain>("getSubdomain", { subdomain })
  expect(owner.target).toEqual({ type: "organization", organization: acme.id })
  await eve.expectError(404, "getSubdomain", { subdomain })
}

/** Stores an MCP server with its headers, which only administrators read. */
const checkMcpServers = async ({ ada, bob, other, eve }: ScenarioContext, site: Params): Promise<void> => {
  const body = {
    name: "Tickets",
    url: "https://mcp.example.com/",
    transport: "http",
    headers: { authorization: "Bearer a" }
  }
  const created = await ada.call<SiteMcpServer>("createSiteMcpServer", site, { body })
  expect(created).toMatchObject(body)
  const server = { ...site, siteMcpServerId: created.id }
  const changes = {
    name: "Issues",
    url: "https://issues.example.com/",
    transport: "sse",
    headers: { "x-key": "b" }
  }
  const changed = await ada.call<SiteMcpServer>("updateSiteMcpServerById", server, { body: changes })
  expect(changed).toMatchObject(changes)
  expect(await ada.call<SiteMcpServer>("getSiteMcpServerById", server)).toEqual(changed)
  const another = await ada.call<SiteMcpServer>("createSiteMcpServer", site, {
    body: { ...body, name: "Wiki" }
  })
  const servers = await ada.call<Page<SiteMcpServer>>("listSiteMcpServers", site)
  expect(servers.items.toSorted((one, two) => (one.name < two.name ? -1 : 1))).toEqual([changed, another])
  await ada.call("deleteSiteMcpServerById", { ...site, siteMcpServerId: another.id })
  await bob.expectError(403, "listSiteMcpServers", site)
  await eve.expectError(404, "getSiteMcpServerById", { ...server, organizationId: other.id })
  await ada.call("deleteSiteMcpServerById", server)
  await ada.expectError(404, "getSiteMcpServerById", server)
}

/** Resolves the URLs of a space, of a page of it, and of a collection. */
const checkUrls = async ({ ada, eve, acme }: ScenarioContext, created: Created): Promise<void> => {
  const { guide, site } = created
  const collection = await ada.call<{ readonly id: string; readonly urls: { readonly app: string } }>(
    "createCollection",
    { organizationId: acme.id },
    { body: { title: "Found" } }
  )
  await ada.call(
    "updateSpaceContent",
    { spaceId: guide },
    {
      body: { changes: [{ operation: "insert_page", title: "Start", document: { markdown: "Start here." } }] }
    }
  )
  const space = await ada.call<Space>("getSpaceById", { spaceId: guide })
  const proposal = await ada.call<{ readonly id: string; readonly urls: { readonly app: string } }>(
    "createChangeRequest",
    { spaceId: guide },
    { body: {} }
  )
  const resolve = (url: string) => ada.call<UrlTarget>("getContentByUrl", {}, { query: { url } })
  expect(await resolve(collection.urls.app)).toMatchObject({ collection: { id: collection.id } })
  expect(await resolve(space.urls.location)).toMatchObject({ space: { id: guide } })
  expect(await resolve(`${space.urls.app}start`)).toMatchObject({
    space: { id: guide },
    page: { title: "Start" }
  })
  expect(await resolve(`${proposal.urls.app}start`)).toMatchObject({
    changeRequest: { id: proposal.id },
    page: { title: "Start" }
  })
  const published = (await ada.call<Site>("getSiteById", site)).urls.published!
  expect(await resolve(published)).toMatchObject({ space: { id: expect.any(String) } })
  for (const url of ["https://elsewhere.example/", `${space.urls.app}missing`]) {
    await ada.expectError(404, "getContentByUrl", {}, { query: { url } })
  }
  await eve.expectError(404, "getContentByUrl", {}, { query: { url: space.urls.app } })
  const embed = await ada.call<{ readonly type: string }>(
    "getEmbedByUrl",
    {},
    {
      query: { url: "https://youtu.be/dQw4w9WgXcQ" }
    }
  )
  expect(embed.type).toBe("rich")
}

export const siteAdministration: ContractScenario = {
  title: "A site is sorted, previewed, measured, and found by its URLs and its host name",
  requires: ["siteAdministration", "siteMcpServers", "hostnames", "publishedContent"],
  run: async (context) => {
    const created = await createSite(context)
    await checkOrder(context, created)
    await checkExternalLinks(context, created)
    await checkPublished(context, created)
    await checkMcpServers(context, created.site)
    await checkHostnames(context, created.site)
    await checkUrls(context, created)
  }
}
