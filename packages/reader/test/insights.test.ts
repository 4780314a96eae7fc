/** Views of pages on published sites, as the insights of a site count them. */
import { createHmac } from "node:crypto"
import { defaultCustomization, SiteEvents } from "@lectern/core"
import { OrganizationId } from "@lectern/model/organizations"
import { SiteEventType, SiteId } from "@lectern/model/sites"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type PageServer, startPageServer } from "./support/scene.ts"

let server: PageServer
let site: { readonly id: string; readonly url: string }

const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

const as = () => server.workspace.as(server.user)

const open = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(url, { headers: { accept: "text/html", "user-agent": browser, ...headers } })

/** Creates a published site with two pages. */
const createSite = async (): Promise<{ readonly id: string; readonly url: string }> => {
  const { organization } = server
  const space = await as().spaces.create({ organization, input: { title: "Guide" } })
  const insert = (title: string) => ({
    operation: "insert_page" as const,
    title,
    document: { markdown: `${title}.\n` }
  })
  await as().content.edit({
    content: { space: space.id },
    input: { changes: [insert("Start"), insert("Second page")] }
  })
  const { id } = await as().sites.create({ organization, input: { title: "Docs", spaces: [space.id] } })
  await as().sites.publish({ organization, site: id })
  const { urls } = await as().sites.get({ organization, site: id })
  return { id, url: urls.published! }
}

const flush = () => server.workspace.runtime.runPromise(Effect.flatMap(SiteEvents, (events) => events.flush))

const insightsOf = async (id: string, days = 7) => {
  await flush()
  return as().siteEvents.insights({ organization: server.organization, site: id, input: { days } })
}

beforeAll(async () => {
  server = await startPageServer()
  site = await createSite()
})
afterAll(() => server.close())

it("counts each page that a person opens, also if the response is cached or has not changed", async () => {
  const first = await open(site.url)
  await first.text()
  const again = await open(site.url, { "if-none-match": first.headers.get("etag")! })
  expect(again.status).toBe(304)
  await (await open(`${site.url}second-page`)).text()
  const { days, pages, events } = await insightsOf(site.id)
  expect(days.map(({ views }) => views)).toEqual([0, 0, 0, 0, 0, 0, 3])
  expect(pages.map(({ path, views }) => [path, views])).toEqual([
    ["", 2],
    ["second-page", 1]
  ])
  expect(events).toEqual([{ type: "page_view", count: 3 }])
})

it("adds to the counts that are stored", async () => {
  const { id, url } = await createSite()
  for (const expected of [1, 2]) {
    await (await open(url)).text()
    expect((await insightsOf(id)).pages).toMatchObject([{ views: expected }])
  }
})

it("counts no crawlers, frames, prefetches, HEAD requests, assets, or pages that do not exist", async () => {
  const { id, url } = await createSite()
  const html = await (await fetch(url, { headers: { "user-agent": "Googlebot/2.1" } })).text()
  const style = /href="([^"]+\.css)"/.exec(html)![1]!
  await open(url, { "sec-fetch-dest": "iframe" })
  await open(url, { "sec-purpose": "prefetch" })
  await fetch(url, { method: "HEAD", headers: { "user-agent": browser } })
  expect((await open(new URL(style, url).href)).status).toBe(200)
  expect((await open(`${url}nowhere`)).status).toBe(404)
  expect(await insightsOf(id)).toMatchObject({ pages: [], events: [] })
})

it("counts the events of a site by type, and none of a site that does not exist", async () => {
  const { id } = await createSite()
  const track = (target: string) =>
    fetch(`${server.url}/v1/orgs/${server.organization}/sites/${target}/insights/events`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        events: [{ type: "link_click" }, { type: "search_open" }, { type: "link_click" }]
      })
    })
  expect((await track(id)).status).toBe(204)
  expect((await track("unknown")).status).not.toBe(500)
  const { events, days } = await insightsOf(id, 1)
  expect(events).toEqual([
    { type: "link_click", count: 2 },
    { type: "search_open", count: 1 }
  ])
  expect(days).toHaveLength(1)
})

it("counts events of a site that requires authentication only with the token of a visitor", async () => {
  const { id, url } = await createSite()
  const target = { organization: server.organization, site: id }
  await as().sites.update({ ...target, input: { visibility: "visitor-auth" } })
  const { privateKey } = await as().siteSettings.getPublishingAuth(target)
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
  const signed = `${part({ alg: "HS256", typ: "JWT" })}.${part({ exp: 4_000_000_000 })}`
  const jwtToken = `${signed}.${createHmac("sha256", privateKey!).update(signed).digest("base64url")}`
  const send = (path: string, body: object, token?: string) =>
    fetch(`${server.url}/v1${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` })
      },
      body: JSON.stringify(body)
    })
  const resolved = await send("/urls/published", { url, visitor: { jwtToken } })
  const { apiToken } = (await resolved.json()) as { readonly apiToken: string }
  const track = (token?: string) =>
    send(
      `/orgs/${server.organization}/sites/${id}/insights/events`,
      { events: [{ type: "link_click" }] },
      token
    )
  // A user of the workspace is not a visitor of the site.
  for (const token of [undefined, server.token]) expect((await track(token)).status).toBe(204)
  expect((await insightsOf(id)).events).toEqual([])
  expect((await track(apiToken)).status).toBe(204)
  await track()
  expect((await insightsOf(id)).events).toEqual([{ type: "link_click", count: 1 }])
})

it("counts views and events also while clients report events of sites that do not exist", async () => {
  const { id, url } = await createSite()
  const types = SiteEventType.literals.map((type) => ({ type }))
  const track = (target: string) =>
    server.workspace.runtime.runPromise(
      Effect.flatMap(SiteEvents, (events) =>
        events.track({
          organization: OrganizationId.make(server.organization),
          site: SiteId.make(target),
          input: { events: types }
        })
      )
    )
  const requests = Math.ceil(10_000 / types.length) + 1
  for (let number = 0; number < requests; number++) {
    await track(`${server.organization.slice(0, -6)}${String(number).padStart(6, "0")}`)
  }
  await (await open(url)).text()
  await track(id)
  const { pages, events } = await insightsOf(id)
  expect(pages).toMatchObject([{ views: 1 }])
  expect(events.length).toBe(types.length)
})

it("counts paths that no page has without their query, and searches without results", async () => {
  const { id, url } = await createSite()
  for (const path of [
    "nowhere?token=secret",
    "nowhere",
    "old/page%20one",
    "ada@example.com",
    "~/assets/x.css"
  ]) {
    await open(`${url}${path}`)
  }
  await fetch(`${url}nowhere`, { headers: { "user-agent": "Googlebot/2.1" } })
  for (const query of [
    "Zebra  crossing",
    "zebra crossing",
    "second",
    "ada@example.com",
    "4111111111111111"
  ]) {
    await open(`${url}~/search?q=${encodeURIComponent(query)}`)
  }
  // The script requests results while a visitor types, and reports the search when the visitor has stopped.
  await open(`${url}~/search?q=zeb&part=results`)
  await open(`${url}~/search?q=zebras&part=settled`)
  const { pathsNotFound, searchesWithoutResults, pages } = await insightsOf(id)
  expect(pathsNotFound).toEqual([
    { path: "nowhere", count: 2 },
    { path: "old/page one", count: 1 }
  ])
  expect(searchesWithoutResults).toEqual([
    { query: "zebra crossing", count: 2 },
    { query: "zebras", count: 1 }
  ])
  expect(pages).toEqual([])
})

it("stores at most 200 different paths of a site per day", async () => {
  const { id } = await createSite()
  await server.workspace.runtime.runPromise(
    Effect.flatMap(SiteEvents, ({ recordMissed }) =>
      Effect.forEach(Array.from({ length: 600 }), (_, index) =>
        recordMissed({
          organization: OrganizationId.make(server.organization),
          site: SiteId.make(id),
          type: "not_found",
          subject: `path-${index % 300}`
        })
      )
    )
  )
  await flush()
  const { pathsNotFound } = await insightsOf(id)
  expect(pathsNotFound).toHaveLength(100)
})

it("counts the ratings of pages, by forms of the site only", async () => {
  const { organization } = server
  const { id, url } = await createSite()
  const rate = async (page: string, rating: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${url}~/feedback`, {
      method: "POST",
      redirect: "manual",
      headers: { "user-agent": browser, ...headers },
      body: new URLSearchParams({ page, rating })
    })
    return { status: response.status, location: response.headers.get("location") }
  }
  expect(await (await open(`${url}second-page`)).text()).not.toContain("~/feedback")
  await as().siteSettings.updateCustomization({
    organization,
    site: id,
    input: { ...defaultCustomization, feedback: { enabled: true } }
  })
  const html = await (await open(`${url}second-page`)).text()
  const [, page] = /name="page" value="([^"]+)"/.exec(html)!
  expect(html).toContain('action="~/feedback"')
  expect(await rate(page!, "bad")).toEqual({ status: 303, location: "../second-page#feedback-thanks" })
  await rate(page!, "good")
  await rate(page!, "good", { "user-agent": "Googlebot/2.1" })
  expect((await rate(page!, "good", { "sec-fetch-site": "cross-site" })).status).toBe(404)
  expect((await rate(page!, "great")).status).toBe(404)
  expect((await rate(organization, "good")).status).toBe(404)
  const { ratings, events } = await insightsOf(id)
  expect(ratings).toEqual([{ page, path: "second-page", good: 1, bad: 1 }])
  expect(events).toContainEqual({ type: "page_post_feedback", count: 2 })
})
