/** The Markdown view of a page of a change request: saves are conditional, and typed text is never lost. */
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { createSpace, findViolations, openApplication, withApplication } from "./support/application.ts"

const { app, browser } = await openApplication()

const text = "Install the tool with npm.\n\nThen start it.\n"

/** Creates a change request, and returns its place with functions that read and write the first page. */
const begin = async () => {
  const spaceId = await createSpace(app, "Guide", [{ title: "Setup", markdown: text }])
  const { client } = app.ada
  const request = await client.changeRequests.createChangeRequest({ params: { spaceId }, payload: {} })
  const params = { spaceId, changeRequestId: request.id }
  const { pages } = await client.changeRequestContent.listPagesInChangeRequest({ params })
  const pageId = pages[0]!.id
  return {
    path: `/spaces/${spaceId}/changes/${request.number}?view=markdown`,
    read: async () => {
      const page = await client.changeRequestContent.getPageInChangeRequestById({
        params: { ...params, pageId },
        query: { format: "markdown" }
      })
      return page.type === "document" ? page.markdown : undefined
    },
    write: async (markdown: string) => {
      await client.changeRequestContent.updateChangeRequestContent({
        params,
        payload: { changes: [{ operation: "update_page", page: pageId, document: { markdown } }] }
      })
    }
  }
}

const field = (page: Page) => page.getByRole("textbox", { name: "Text in Markdown" })

const saved = (page: Page) => page.getByText(/^Saved in change request #\d+$/)

it("keeps typed text on the device while the server is away, and saves it when it is back", async () => {
  const place = await begin()
  const typed = text.replace("start it", "start it slowly")
  await withApplication(
    browser,
    app,
    app.ada,
    place.path,
    async (page) => {
      await field(page).waitFor()
      await page.route("**/v1/**", (route) =>
        route.request().method() === "POST" ? route.abort() : route.continue()
      )
      await field(page).fill(typed)
      await page.getByText("Saved on this device: the server is away").waitFor()
      await page.reload()
      expect(await field(page).inputValue()).toBe(typed)
      expect(await findViolations(page)).toEqual([])
      await page.unroute("**/v1/**")
      await saved(page).waitFor()
    },
    {},
    // The browser reports the requests that the test aborts.
    /net::ERR_FAILED/
  )
  expect(await place.read()).toContain("start it slowly")
})

it("merges the text of another person into the typed text, and saves both", async () => {
  const place = await begin()
  await withApplication(browser, app, app.ada, place.path, async (page) => {
    await field(page).waitFor()
    await place.write(text.replace("npm", "pnpm"))
    await field(page).fill(text.replace("start it", "start it slowly"))
    await expect.poll(place.read, { timeout: 60_000 }).toContain("slowly")
    expect(await place.read()).toContain("pnpm")
    await saved(page).waitFor()
    expect(await field(page).inputValue()).toContain("pnpm")
  })
})

it("offers both versions if another person has changed the same lines", async () => {
  const place = await begin()
  await withApplication(browser, app, app.ada, place.path, async (page) => {
    await field(page).waitFor()
    await place.write(text.replace("npm", "yarn"))
    await field(page).fill(text.replace("npm", "pnpm"))
    await page.getByText("Another person has changed the same lines.").waitFor()
    expect(await place.read()).toContain("yarn")
    expect(await findViolations(page)).toEqual([])
    await page.getByRole("button", { name: "Keep my text" }).click()
    await expect.poll(place.read, { timeout: 60_000 }).toContain("pnpm")
    await saved(page).waitFor()

    await place.write(text.replace("npm", "brew"))
    await field(page).fill(text.replace("npm", "deno"))
    await page.getByRole("button", { name: "Use the other text" }).click()
    await expect.poll(() => field(page).inputValue()).toContain("brew")
    expect(await place.read()).toContain("brew")
  })
})
