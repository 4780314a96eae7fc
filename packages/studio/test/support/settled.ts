/** Waits until a screen is complete. */
import type { Page, Request } from "playwright-core"

/** How long nothing has to happen on a complete screen, in milliseconds. */
const quietMs = 250

/** Streams do not end, and no code reads the bodies of the pages of the server, of which only the status matters. */
const isIgnored = (request: Request): boolean => /\/stream(?:\?|$)|\/~\//.test(request.url())

/** Whether the screen and the pages in its frames are loaded. */
const isDisplayed = async (page: Page): Promise<boolean> => {
  if ((await page.locator("#main h1").count()) === 0 || (await page.locator(".skeleton").count()) > 0)
    return false
  const frames = page.frames().filter((frame) => frame !== page.mainFrame())
  const states = await Promise.all(
    frames.map((frame) =>
      frame.evaluate(() => document.readyState === "complete" && document.body.innerText !== "")
    )
  )
  return states.every((isComplete) => isComplete)
}

/** Follows the requests of a page. Returns a function that waits until none is open, and no part of the screen is loading. */
export const followRequests = (page: Page): (() => Promise<void>) => {
  const open = new Set<Request>()
  page.on("request", (request) => {
    if (!isIgnored(request)) open.add(request)
  })
  page.on("requestfinished", (request) => open.delete(request))
  page.on("requestfailed", (request) => open.delete(request))
  page.on("framenavigated", (frame) => {
    if (frame === page.mainFrame()) open.clear()
  })
  return async () => {
    const deadline = Date.now() + 90_000
    let quietSince = Date.now()
    while (Date.now() - quietSince < quietMs) {
      if (Date.now() > deadline) {
        const urls = [...open].map((request) => request.url()).join(", ")
        throw new Error(`The screen ${page.url()} is not complete. Open requests: ${urls}`)
      }
      const isLoading = open.size > 0 || !(await isDisplayed(page))
      if (isLoading) quietSince = Date.now()
      await page.waitForTimeout(25)
    }
  }
}
