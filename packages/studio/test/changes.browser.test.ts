/** Change requests in the browser: editing, review, conflicts and merge, with the number of clicks. */
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import {
  createSpace,
  findViolations,
  startApplication,
  type TestApplication,
  withApplication
} from "./support/application.ts"
import { openBrowser } from "./support/browser.ts"

let app: TestApplication
let browser: Browser
beforeAll(async () => {
  app = await startApplication()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await app.close()
})

const text = "# Setup\n\nInstall the tool with npm.\n\nThen start it.\n"

const createGuide = () => createSpace(app, "Guide", [{ title: "Setup", markdown: text }])

const markdownOf = async (spaceId: string): Promise<string> => {
  const { pages } = await app.ada.client.content.listPages({ params: { spaceId } })
  const page = await app.ada.client.content.getPageById({
    params: { spaceId, pageId: pages[0]!.id },
    query: { format: "markdown" }
  })
  return page.type === "document" ? (page.markdown ?? "") : ""
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })

const editor = (page: Page) => page.getByRole("textbox", { name: "Text in Markdown" })

const savedState = (page: Page) => page.getByText(/^Saved in change request #\d+$/)

it("proposes an edit in two clicks and merges it in two, and the merge can be undone", async () => {
  const spaceId = await createGuide()
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}`, async (page) => {
    await button(page, "Edit").click()
    await editor(page).fill(text.replace("npm", "pnpm"))
    await savedState(page).waitFor()
    await page.getByRole("link", { name: "Review changes" }).click()
    await page.locator(".diff del", { hasText: "npm" }).waitFor()
    await page.locator(".diff ins", { hasText: "pnpm" }).waitFor()
    expect(await page.getByText("1 page edited").count()).toBe(1)
    expect(await findViolations(page)).toEqual([])

    await button(page, "Merge").click()
    await page.getByRole("dialog").getByRole("button", { name: "Merge" }).click()
    await page.getByText("Change request merged").waitFor()
    expect(await markdownOf(spaceId)).toContain("pnpm")
    await button(page, "Undo").click()
    await expect.poll(() => markdownOf(spaceId)).not.toContain("pnpm")
  })
})

it("continues the change request that the person has open", async () => {
  const spaceId = await createGuide()
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}`, async (page) => {
    await button(page, "Edit").click()
    await editor(page).waitFor()
    const first = page.url()
    await page.getByRole("link", { name: "Back to the published content" }).click()
    await button(page, "Edit").click()
    await editor(page).waitFor()
    expect(page.url()).toBe(first)
  })
})

it("keeps typed text on the device while the server is away, and saves it when it is back", async () => {
  const spaceId = await createGuide()
  const typed = text.replace("start it", "start it slowly")
  await withApplication(
    browser,
    app,
    app.ada,
    `/spaces/${spaceId}`,
    async (page) => {
      await button(page, "Edit").click()
      await editor(page).waitFor()
      const isWrite = (method: string) => method === "POST"
      await page.route("**/v1/**", (route) =>
        isWrite(route.request().method()) ? route.abort() : route.continue()
      )
      await editor(page).fill(typed)
      await page.getByText("Saved on this device: the server is away").waitFor()
      await page.reload()
      expect(await editor(page).inputValue()).toBe(typed)
      await page.unroute("**/v1/**")
      await savedState(page).waitFor()
    },
    {},
    // The browser reports the requests that the test aborts.
    /net::ERR_FAILED/
  )
  const { items } = await app.ada.client.changeRequests.listChangeRequestsForSpace({
    params: { spaceId },
    query: { status: "draft" }
  })
  const params = { spaceId, changeRequestId: items[0]!.id }
  const { pages } = await app.ada.client.changeRequestContent.listPagesInChangeRequest({ params })
  const saved = await app.ada.client.changeRequestContent.getPageInChangeRequestById({
    params: { ...params, pageId: pages[0]!.id },
    query: { format: "markdown" }
  })
  expect(saved).toMatchObject({ markdown: expect.stringContaining("start it slowly") })
})

it("resolves a conflict by choosing a side, and then merges", async () => {
  const spaceId = await createGuide()
  const { client } = app.ada
  const { pages } = await client.content.listPages({ params: { spaceId } })
  const update = (markdown: string) => ({
    changes: [{ operation: "update_page" as const, page: pages[0]!.id, document: { markdown } }]
  })
  const request = await client.changeRequests.createChangeRequest({
    params: { spaceId },
    payload: { subject: "Ours" }
  })
  const theirs = text.replace("Install the tool with npm.", "Download the archive for your system.")
  const ours = `${text.replace("Install the tool with npm.", "Ask your administrator for a copy.")}\nOur last line.\n`
  await client.content.updateSpaceContent({ params: { spaceId }, payload: update(theirs) })
  await client.changeRequestContent.updateChangeRequestContent({
    params: { spaceId, changeRequestId: request.id },
    payload: update(ours)
  })
  await withApplication(
    browser,
    app,
    app.ada,
    `/spaces/${spaceId}/changes/${request.number}/review`,
    async (page) => {
      await button(page, "Merge").click()
      await page.getByRole("dialog").getByRole("button", { name: "Merge" }).click()
      const conflict = page.getByRole("region", { name: "Conflict in Setup" })
      await conflict.getByText("Download the archive").first().waitFor()
      expect(await button(page, "Apply and update").isEnabled()).toBe(false)
      expect(await findViolations(page)).toEqual([])
      await conflict.getByText("Use this change request").click()
      await button(page, "Apply and update").click()
      await page.getByText("Conflicts resolved").waitFor()
      await button(page, "Merge").click()
      await page.getByRole("dialog").getByRole("button", { name: "Merge" }).click()
      await page.getByText("Change request merged").waitFor()
    }
  )
  const merged = await markdownOf(spaceId)
  expect(merged).toContain("Ask your administrator")
  expect(merged).toContain("Our last line.")
  expect(merged).not.toContain("Download the archive")
})

it("approves in two clicks, and offers no merge to a person who may not merge", async () => {
  const spaceId = await createGuide()
  const reviewer = await app.addUser("grace@example.com", "review")
  const request = await app.ada.client.changeRequests.createChangeRequest({
    params: { spaceId },
    payload: { subject: "Proposal" }
  })
  const params = { spaceId, changeRequestId: request.id }
  await app.ada.client.changeRequestContent.updateChangeRequestContent({
    params,
    payload: { changes: [{ operation: "insert_page", title: "More", document: { markdown: "More." } }] }
  })
  await app.ada.client.changeRequests.updateChangeRequestById({ params, payload: { status: "open" } })
  await withApplication(browser, app, reviewer, "/", async (page) => {
    await page.getByRole("link", { name: "Proposal" }).click()
    await page.getByText("1 page added").waitFor()
    await button(page, "Approve").click()
    await page.getByRole("dialog").getByRole("button", { name: "Approve" }).click()
    await page.getByText("Review submitted").waitFor()
    await page.locator(".review", { hasText: "Approved" }).waitFor()
  })
  const { items } = await app.ada.client.reviews.getReviewsByChangeRequestId({ params })
  expect(items.map(({ status }) => status)).toEqual(["approved"])
})
