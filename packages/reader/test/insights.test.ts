/** Views of pages on published sites, as the insights of a site count them. */
import { SiteEvents } from "@lectern/core"
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
