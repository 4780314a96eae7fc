/** The requests of screens: each resource is loaded once, however the connection for changes and the screen overtake each other. */
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { fillPath } from "../src/router/paths.ts"
import { createSpace, openApplication, withApplication } from "./support/application.ts"
import { patterns } from "./support/routes.ts"
import { seedWorkspace } from "./support/seed.ts"

const { app, browser } = await openApplication()
const params = await seedWorkspace(app)
// Background work of the seed causes changes, which screens display.
await app.workspace.work.drain()

/** The requests that repeat while a screen is displayed, with the reason. */
const repeated: ReadonlyArray<readonly [path: RegExp, reason: string]> = [
  [/\/presence$/, "An announcement is repeated before it expires."],
  [
    /\/change-requests\/\d+$/,
    "The differences are loaded with the revisions that they are between, which can be others than the displayed ones."
  ],
  [/^HEAD /, "The editor asks for the entity tag before it reads."]
]

/** The reads that the editor repeats on the screens that have one: it reads on its own, and conditionally on the version. */
const readsOfEditor = /\/content\/page\/|\/reusable-contents\/|^GET \/v1\/spaces\/[^/]+$/
const hasEditor = (pattern: string): boolean =>
  /\/(?:live|changes\/:number)\/\*page$|\/reusable\/:content$/.test(pattern)

/** Data is loaded again when a part of a screen appears that is older than some seconds, which a slow machine needs to load the part. */
const slowClock = (): void => {
  const now = performance.now.bind(performance)
  performance.now = () => now() / 100
}

/** Counts the reads of a page, and holds the connection for changes back until `release` is called. */
const watchRequests = async (page: Page) => {
  await page.addInitScript(slowClock)
  const counts = new Map<string, number>()
  let isOpen = false
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url())
    const name = `${request.method()} ${pathname}${search}`
    const isRead = /^(?:GET|HEAD) \/v1\//.test(name) && !pathname.endsWith("/stream")
    if (isRead && !repeated.some(([path]) => path.test(name) || path.test(pathname)))
      counts.set(name, (counts.get(name) ?? 0) + 1)
  })
  page.on("response", (response) => {
    if (response.url().includes("/changes/stream")) isOpen = true
  })
  await page.route("**/changes/stream*", async (route) => {
    await released
    await route.continue()
  })
  return { counts, release, isOpen: () => isOpen }
}

/** Waits until a page has displayed its data, and requests nothing anymore. */
const untilLoaded = async (page: Page): Promise<void> => {
  await page.locator("#main h1, #main [contenteditable]").first().waitFor()
  await page.locator("#main .skeleton").first().waitFor({ state: "detached" })
  await page.waitForTimeout(300)
}

/** The time in which changes are collected, and the requests that they cause are sent, in milliseconds. */
const settleMs = 600

it.each(patterns)("loads each resource of %s once", async (pattern) => {
  await withApplication(
    browser,
    app,
    app.ada,
    "/me",
    async (page) => {
      const { counts, release, isOpen } = await watchRequests(page)
      // On a busy machine, the screen on which the application was opened still sends its requests.
      await page.goto("about:blank")
      counts.clear()
      await page.goto(`${app.url}/app${fillPath(pattern, params)}`)
      await untilLoaded(page)
      release()
      await expect.poll(isOpen).toBe(true)
      await page.waitForTimeout(settleMs)
      const isRepeated = ([name, count]: readonly [string, number]): boolean =>
        count > 1 && !(hasEditor(pattern) && readsOfEditor.test(name))
      expect([...counts].filter(isRepeated)).toEqual([])
      expect(counts.size).toBeGreaterThan(0)
    },
    {},
    pattern === "/me/passkeys" ? /~\/passkeys/ : undefined
  )
})

it("displays a change between the first request and the connection, and loads only the changed resources again", async () => {
  const spaceId = await createSpace(app, "Before", [{ title: "Start", markdown: "Start." }])
  await withApplication(browser, app, app.ada, "/me", async (page) => {
    const { counts, release } = await watchRequests(page)
    await page.goto(`${app.url}/app/spaces/${spaceId}`)
    await untilLoaded(page)
    await app.ada.client.content.updateSpaceContent({
      params: { spaceId },
      payload: { changes: [{ operation: "insert_page", title: "Added", document: { markdown: "Text." } }] }
    })
    counts.clear()
    release()
    await page.getByText("Added", { exact: true }).first().waitFor()
    await page.waitForTimeout(settleMs)
    expect([...counts.keys()].filter((name) => /\/v1\/(?:orgs\?|user$)/.test(name))).toEqual([])
    expect([...counts].filter(([, count]) => count > 1)).toEqual([])
  })
})

it("displays in a further tab the changes from before it joined, and the later ones", async () => {
  const spaceId = await createSpace(app, "One", [{ title: "Start", markdown: "Start." }])
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}`, async (first) => {
    await untilLoaded(first)
    const second = await first.context().newPage()
    await second.addInitScript((token) => sessionStorage.setItem("lectern.token", token), app.ada.token)
    const { counts } = await watchRequests(second)
    await second.goto(`${app.url}/app/spaces/${spaceId}`)
    await untilLoaded(second)
    await second.waitForTimeout(settleMs)
    expect([...counts].filter(([, count]) => count > 1)).toEqual([])
    await app.ada.client.spaces.updateSpaceById({ params: { spaceId }, payload: { title: "Two" } })
    await second.getByText("Two", { exact: true }).first().waitFor()
    // The tab without the connection opens one, and misses nothing.
    await second.unroute("**/changes/stream*")
    await first.close()
    await app.ada.client.spaces.updateSpaceById({ params: { spaceId }, payload: { title: "Three" } })
    await second.getByText("Three", { exact: true }).first().waitFor()
    await second.close()
  })
})
