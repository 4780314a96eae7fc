/** The Markdown of a page of a change request, which is a view of the editor: it is saved and merged as the text is. */
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
    draftKey: `lectern.draft.${spaceId}.${request.number}.${pageId}`,
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

const field = (page: Page) => page.getByRole("textbox", { name: "Markdown", exact: true })

it("displays the Markdown of a page once, and merges typed text with the text of another person", async () => {
  const place = await begin()
  await withApplication(
    browser,
    app,
    app.ada,
    place.path,
    async (page) => {
      await field(page).waitFor()
      expect(await page.getByRole("textbox", { name: "Markdown", exact: true }).count()).toBe(1)
      expect(await page.getByRole("button", { name: /Markdown/ }).count()).toBe(1)
      expect(await findViolations(page)).toEqual([])
      await place.write(text.replace("npm", "pnpm"))
      await field(page).fill(text.replace("start it", "start it slowly"))
      await expect.poll(place.read, { timeout: 60_000 }).toContain("slowly")
      expect(await place.read()).toContain("pnpm")
      expect(await field(page).inputValue()).toContain("pnpm")
      // The browser reports the save that another one preceded.
    },
    {},
    /412/
  )
})

it("displays the text that another person saves, without an action of the writer", async () => {
  const place = await begin()
  await withApplication(browser, app, app.ada, place.path.replace("?view=markdown", ""), async (page) => {
    const content = page.locator(".editor-content")
    await content.getByText("npm").first().waitFor()
    await place.write(text.replace("npm", "pnpm"))
    await content.getByText("pnpm").first().waitFor()
    expect(await place.read()).toBe(text.replace("npm", "pnpm"))
  })
})

it("has no horizontal scrollbar in an editor of any width", async () => {
  const place = await begin()
  await withApplication(browser, app, app.ada, place.path.replace("?view=markdown", ""), async (page) => {
    await page.locator(".editor-content").waitFor()
    const tooWide: Array<string> = []
    for (let width = 320; width <= 1_600; width += 32) {
      await page.setViewportSize({ width, height: 700 })
      const [content, space] = await page
        .locator("main")
        .first()
        .evaluate((main) => [main.scrollWidth, main.clientWidth] as const)
      if (content > space) tooWide.push(`${width}: ${content} > ${space}`)
    }
    expect(tooWide).toEqual([])
  })
})

it("offers the text of a resolution of conflicts that was interrupted, and saves it", async () => {
  const place = await begin()
  const resolved = text.replace("npm", "deno")
  await withApplication(browser, app, app.ada, place.path.replace("?view=markdown", ""), async (page) => {
    await page.getByRole("textbox", { name: "Setup", exact: true }).waitFor()
    const draft = { title: "Setup", markdown: resolved, base: text }
    await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
      place.draftKey,
      JSON.stringify(draft)
    ] as const)
    await page.reload()
    await page.getByText("Text on this device was restored").waitFor()
    await page.getByRole("button", { name: "Use it" }).click()
    await expect.poll(place.read, { timeout: 60_000 }).toBe(resolved)
    await page.getByText("Text on this device was restored").waitFor({ state: "hidden" })
    expect(await page.evaluate((key) => localStorage.getItem(key), place.draftKey)).toBeNull()
  })
})
