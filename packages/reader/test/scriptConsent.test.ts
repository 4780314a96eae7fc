/** The consent banner in a browser, and the data that a script of others can read there. */
import { request } from "node:http"
import { buffer } from "node:stream/consumers"
import { isFastRun } from "@lectern/harness"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openBrowser } from "./support/browser.ts"
import { createTestSite, type PageServer, startPageServer, type TestSite } from "./support/scene.ts"

const host = "scripts.example.com"

/** Tries to read what belongs to a session. The results are in the page. */
const probe = `
  const read = (url) => fetch(url, { credentials: "include" }).then((r) => r.text().then((t) => r.status + " " + t), () => "blocked")
  window.probed = Promise.all([read("/v1/user"), read("/app"), read(window.workspaceUrl + "/v1/user")])
`

let server: PageServer
let site: TestSite
let browser: Browser

beforeAll(async () => {
  if (isFastRun) return
  server = await startPageServer()
  site = await createTestSite(server)
  browser = await openBrowser()
})
afterAll(async () => {
  if (isFastRun) return
  await browser.close()
  await server.close()
})

/** Requests a URL of the host of the site from the server. */
const load = (url: URL, headers: Record<string, string>) =>
  new Promise<{ status: number; headers: Record<string, string>; body: Buffer }>((resolve, reject) => {
    const { port } = new URL(server.url)
    request({ port, path: url.pathname + url.search, headers: { ...headers, host } }, async (response) =>
      resolve({
        status: response.statusCode!,
        headers: Object.fromEntries(
          Object.entries(response.headers).flatMap(([name, value]) =>
            value === undefined || name === "transfer-encoding" ? [] : [[name, String(value)]]
          )
        ),
        body: await buffer(response)
      })
    )
      .on("error", reject)
      .end()
  })

/** Opens pages of the host of the site, and counts the requests for scripts of others. */
const open = async () => {
  const context: BrowserContext = await browser.newContext()
  const requested: Array<string> = []
  await context.route(`https://${host}/**`, async (route) => {
    const { "accept-encoding": _, ...headers } = await route.request().allHeaders()
    const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(":")))
    await route.fulfill(await load(new URL(route.request().url()), sent))
  })
  await context.route("https://*.example.net/**", async (route) => {
    requested.push(route.request().url())
    await route.fulfill({ status: 200, contentType: "text/javascript", body: probe })
  })
  const page = await context.newPage()
  const visit = () => page.goto(`https://${host}/`)
  return { context, page, requested, visit }
}

const storage = (page: Page) => page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))

it.skipIf(isFastRun)(
  "a script runs after the consent of the visitor, reads nothing through a session, and only the choice is stored",
  async () => {
    const as = server.workspace.as(server.user)
    const target = { organization: server.organization, site: site.site }
    await as.sites.update({ ...target, input: { proxy: host } })
    await as.siteScripts.create({
      ...target,
      input: { name: "Probe", source: { type: "url", url: "https://stats.example.net/probe.js" } }
    })
    await as.siteScripts.create({
      ...target,
      input: {
        name: "Configuration",
        source: { type: "text", text: "window.workspaceUrl = {{url}}", values: { url: server.url } },
        categories: []
      }
    })
    const { context, page, requested, visit } = await open()
    try {
      // The visitor is also signed in at the host of the workspace.
      await page.goto(await server.createSignInLink())
      await page.locator("form button").first().click()
      await page.waitForURL((url) => !url.pathname.includes("sign-in-link"))
      expect((await context.cookies()).map(({ domain }) => domain)).toEqual(["127.0.0.1"])

      await visit()
      const banner = page.locator(".consent")
      await banner.waitFor()
      expect(await page.evaluate("window.workspaceUrl")).toBe(server.url)
      expect([requested, await storage(page)]).toEqual([[], "{}"])
      await banner.getByRole("button", { name: "Reject all" }).click()
      expect(await banner.count()).toBe(0)
      await visit()
      expect([await banner.count(), requested]).toEqual([0, []])
      expect(await storage(page)).toBe(JSON.stringify({ "lectern-consent /": '{"analytics":false}' }))

      await page.locator(".consent-settings").click()
      await banner.getByRole("button", { name: "Accept all" }).click()
      await page.waitForFunction("window.probed !== undefined")
      expect(requested).toEqual(["https://stats.example.net/probe.js"])
      const [own, application, workspace] = (await page.evaluate("window.probed")) as ReadonlyArray<string>
      expect([own!.slice(0, 3), application!.slice(0, 3), workspace]).toEqual(["404", "404", "blocked"])
      expect(await page.evaluate("document.cookie")).toBe("")

      // A visitor who withdraws the consent has the page without the script.
      await page.locator(".consent-settings").click()
      await Promise.all([
        page.waitForEvent("load"),
        banner.getByRole("button", { name: "Reject all" }).click()
      ])
      expect([await page.evaluate("window.probed === undefined"), requested.length]).toEqual([true, 1])
    } finally {
      await context.close()
    }
  },
  60_000
)
