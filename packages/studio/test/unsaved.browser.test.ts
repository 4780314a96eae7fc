/** Text that was typed just before an action is part of it, and a title is not lost with the window. */
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { createSpace, openApplication, withApplication } from "./support/application.ts"

const { app, browser } = await openApplication()

/** Creates a space with one page, and a change request. */
const createDraft = async () => {
  const spaceId = await createSpace(app, "Guide", [{ title: "Setup", markdown: "Then start it.\n" }])
  const { client } = app.ada
  const { pages } = await client.content.listPages({ params: { spaceId } })
  const request = await client.changeRequests.createChangeRequest({ params: { spaceId }, payload: {} })
  const pageId = pages[0]!.id
  const read = async (isMerged: boolean) => {
    const query = { format: "markdown" } as const
    const page = isMerged
      ? await client.content.getPageById({ params: { spaceId, pageId }, query })
      : await client.changeRequestContent.getPageInChangeRequestById({
          params: { spaceId, changeRequestId: request.id, pageId },
          query
        })
    return page.type === "document" ? { title: page.title, markdown: page.markdown } : undefined
  }
  return { path: `/spaces/${spaceId}/changes/${request.number}`, read }
}

const typeAtEnd = async (page: Page, text: string): Promise<void> => {
  await page.getByRole("textbox", { name: "Setup", exact: true }).getByText("Then start it.").click()
  await page.keyboard.press("End")
  await page.keyboard.type(text)
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click()

it("requests a review with the text that was typed just before", async () => {
  const { path, read } = await createDraft()
  await withApplication(browser, app, app.ada, `${path}/setup`, async (page) => {
    await typeAtEnd(page, " Slowly.")
    await press(page, "Request review")
    await page.getByText("Review requested").first().waitFor()
    expect((await read(false))?.markdown).toBe("Then start it. Slowly.\n")
  })
})

it("merges the text that was typed just before", async () => {
  const { path, read } = await createDraft()
  await withApplication(browser, app, app.ada, `${path}/setup`, async (page) => {
    await typeAtEnd(page, " Slowly.")
    await page.getByRole("link", { name: "Review changes" }).click()
    await press(page, "Merge")
    await page.getByRole("dialog").getByRole("button", { name: "Merge", exact: true }).click()
    await page.getByText("Change request merged").first().waitFor()
    expect((await read(true))?.markdown).toBe("Then start it. Slowly.\n")
  })
})

it("saves the title in the next visit if the window was closed before it was saved", async () => {
  const { path, read } = await createDraft()
  const run = async (page: Page): Promise<void> => {
    const title = page.getByRole("textbox", { name: "Title", exact: true })
    await title.fill("Setup of servers")
    await page.context().route("**/content", (route) => route.abort())
    await page.goto("about:blank")
    await page.context().unroute("**/content")
    expect((await read(false))?.title).toBe("Setup")
    await page.goto(`${app.url}/app${path}/setup`)
    await page.getByRole("textbox", { name: "Title", exact: true }).waitFor()
    await expect.poll(async () => (await read(false))?.title).toBe("Setup of servers")
  }
  // The browser reports the request that did not arrive.
  await withApplication(browser, app, app.ada, `${path}/setup`, run, {}, /ERR_FAILED/)
})
