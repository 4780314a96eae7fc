/** Flows of people who write with others: a newer page, a change request of another person, no organization, the next action. */
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { createSpace, openApplication, withApplication } from "./support/application.ts"

const { app, browser } = await openApplication()

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })
const inDialog = (page: Page, name: string) =>
  page.getByRole("dialog").getByRole("button", { name, exact: true })

const addPage = (spaceId: string, title: string) =>
  app.ada.client.content.updateSpaceContent({
    params: { spaceId },
    payload: { changes: [{ operation: "insert_page", title, document: { markdown: `Text of ${title}.\n` } }] }
  })

it("edits a page that is newer than the change request, after an update from the space", async () => {
  const spaceId = await createSpace(app, "Newer", [{ title: "First", markdown: "One.\n" }])
  const { number } = await app.ada.client.changeRequests.createChangeRequest({
    params: { spaceId },
    payload: { subject: "Mine" }
  })
  await addPage(spaceId, "Second")
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}/second`, async (page) => {
    await button(page, "Edit").click()
    await page.getByLabel(`Continue #${number} “Mine”`).check()
    await inDialog(page, "Edit").click()
    await page.getByText(`The page is newer than change request #${number}.`).waitFor()
    await inDialog(page, "Edit").click()
    await page.getByRole("textbox", { name: "Second", exact: true }).getByText("Text of Second.").waitFor()
    expect(new URL(page.url()).pathname).toBe(`/app/spaces/${spaceId}/changes/${number}/second`)
    // The tab continues its draft without a question, also for a page that is newer again.
    await addPage(spaceId, "Third")
    await page.goto(`${app.url}/app/spaces/${spaceId}/third`)
    await button(page, "Edit").click()
    await page.getByLabel("In a new change request").check()
    await inDialog(page, "Edit").click()
    await page.getByRole("textbox", { name: "Third", exact: true }).getByText("Text of Third.").waitFor()
    const own = new URL(page.url()).pathname
    expect(own).not.toContain(`/changes/${number}/`)
    // A change request in review is continued only by choice.
    await button(page, "Request review").click()
    await page.getByText("Review requested").first().waitFor()
    await page.goto(`${app.url}/app/spaces/${spaceId}/first`)
    await button(page, "Edit").click()
    await page.getByRole("dialog").getByText("which is in review").waitFor()
    await inDialog(page, "Cancel").click()
    // The list of change requests begins one, too.
    await page.goto(`${app.url}/app/spaces/${spaceId}/changes`)
    await button(page, "New change request").click()
    await page.getByRole("textbox", { name: "First", exact: true }).getByText("One.").waitFor()
  })
})

it("reads a change request that the person may not change", async () => {
  const spaceId = await createSpace(app, "Foreign", [{ title: "Setup", markdown: "Start it.\n" }])
  const { number } = await app.ada.client.changeRequests.createChangeRequest({
    params: { spaceId },
    payload: { subject: "Of Ada" }
  })
  const bob = await app.addUser("bob@example.com", "edit")
  const path = `/spaces/${spaceId}/changes/${number}`
  await withApplication(browser, app, bob, `${path}/setup`, async (page) => {
    await page.getByRole("heading", { level: 1, name: "Setup" }).waitFor()
    await page.getByText("Start it.").waitFor()
    expect(await page.getByRole("textbox").count()).toBe(0)
    expect(await button(page, "Request review").count()).toBe(0)
    await page.goto(`${app.url}/app${path}/review`)
    await page.getByRole("heading", { level: 1, name: "Of Ada" }).waitFor()
    expect(await page.getByRole("textbox", { name: "Subject" }).count()).toBe(0)
    expect(await button(page, "Request review").count()).toBe(0)
  })
})

it("opens a page whose path is the name of a screen", async () => {
  const spaceId = await createSpace(app, "Names", [{ title: "Settings", markdown: "Zebra stripes.\n" }])
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}`, async (page) => {
    await page.getByText("Zebra stripes.").waitFor()
    await page.goto(`${app.url}/app/search?q=zebra`)
    await page.getByRole("main").getByRole("link", { name: "Settings" }).click()
    await page.getByText("Zebra stripes.").waitFor()
    await page.goto(`${app.url}/app/`)
    await page
      .getByRole("main")
      .getByRole("link", { name: /^Settings/ })
      .first()
      .click()
    await page.getByText("Zebra stripes.").waitFor()
    await button(page, "Edit").click()
    await page.getByRole("textbox", { name: "Settings", exact: true }).getByText("Zebra stripes.").waitFor()
  })
})

it("states that a person is in no organization", async () => {
  const outsider = await app.addOutsider("eve@example.com")
  await withApplication(browser, app, outsider, "/", async (page) => {
    for (const path of ["/", "/sites", "/specs", "/notifications", "/organization/members"]) {
      await page.goto(`${app.url}/app${path}`)
      await page.getByRole("heading", { name: "You are in no organization" }).waitFor()
      expect(await page.locator(".skeleton").count()).toBe(0)
    }
  })
})

const focusedName = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement
    return focused?.getAttribute("aria-label") ?? focused?.textContent?.trim() ?? ""
  })

it("keeps the focus in the part of the screen where a button or a field was", async () => {
  const spaceId = await createSpace(app, "Focus", [{ title: "Setup", markdown: "Start it.\n\nStop it.\n" }])
  await withApplication(browser, app, app.ada, "/me", async (page) => {
    await page.getByLabel("Name").fill("Ada King")
    await button(page, "Save").focus()
    await page.keyboard.press("Enter")
    await page.getByText("Profile saved").waitFor()
    await expect.poll(() => button(page, "Save").isDisabled()).toBe(true)
    expect(await focusedName(page)).toBe("Save")

    await page.goto(`${app.url}/app/spaces/${spaceId}?panel=comments`)
    const panel = page.getByRole("complementary", { name: "Comments" })
    const block = page.locator(".commentable-block", { hasText: "Start it." })
    await block.hover()
    await block.getByRole("button", { name: "Comment on this block" }).click()
    await panel.getByText("Start it.").waitFor()
    await panel.getByRole("textbox", { name: "New comment" }).fill("Slowly")
    await page.keyboard.press("Control+Enter")
    await panel.getByRole("article").getByText("Slowly").waitFor()
    await expect.poll(() => panel.evaluate((element) => element.contains(document.activeElement))).toBe(true)
    // Text that is typed on runs no action.
    const before = page.url()
    await page.keyboard.type("seq")
    expect(page.url()).toBe(before)
    expect(await page.getByRole("complementary", { name: "Page settings" }).count()).toBe(0)
    // The palette names the page, and ends with the action that destroys it.
    await page.keyboard.press("Control+k")
    const last = page.getByRole("group", { name: "Actions" }).getByRole("option").last()
    await expect.poll(() => last.textContent()).toBe("DeleteSetup")
  })
})

it("edits the published text after one click, and names who requested changes before a merge", async () => {
  const spaceId = await createSpace(app, "Live", [{ title: "Setup", markdown: "Start it.\n" }])
  const reviewer = await app.addUser("grace@example.com", "review")
  const params = { spaceId }
  const { id, number } = await app.ada.client.changeRequests.createChangeRequest({ params, payload: {} })
  const request = { spaceId, changeRequestId: id }
  const { pages } = await app.ada.client.content.listPages({ params })
  const page0 = pages[0]!.id
  await app.ada.client.changeRequestContent.updateChangeRequestContent({
    params: request,
    payload: {
      changes: [{ operation: "update_page", page: page0, document: { markdown: "Start it now.\n" } }]
    }
  })
  await app.ada.client.changeRequests.updateChangeRequestById({
    params: request,
    payload: { status: "open" }
  })
  await reviewer.client.reviews.submitChangeRequestReview({
    params: request,
    payload: { status: "changes-requested" }
  })
  await withApplication(
    browser,
    app,
    app.ada,
    `/spaces/${spaceId}/changes/${number}/review`,
    async (page) => {
      // The field of a comment is below its block, and quotes it.
      await page.getByRole("button", { name: "Comment on this block" }).first().click()
      const composer = page.locator(".diff-commentable .new-comment")
      await composer.getByText("Start it now.").waitFor()
      await composer.getByRole("button", { name: "Cancel" }).last().click()
      await button(page, "Merge").click()
      await page
        .getByRole("dialog")
        .getByText(/^grace.* requested changes/)
        .waitFor()
      await inDialog(page, "Cancel").click()
      await page.goto(`${app.url}/app/spaces/${spaceId}`)
      await page.getByRole("main").getByRole("button", { name: "More actions" }).click()
      await page.getByRole("menuitem", { name: "Edit the published text" }).click()
      const text = page.getByRole("textbox", { name: "Setup", exact: true })
      await text.getByText("Start it.").waitFor()
      await expect.poll(() => text.evaluate((element) => element.contains(document.activeElement))).toBe(true)
      await page.keyboard.type("First. ")
      await text.getByText("First. Start it.").waitFor()
      expect(await button(page, "Edit the published text").count()).toBe(0)
    }
  )
})

it("continues a page whose session has ended after a sign-in in another tab", async () => {
  const run = async (page: Page): Promise<void> => {
    const signInOn = async (tab: Page) => {
      await tab.goto(`${app.url}${await app.signInPath("ada@example.com")}`)
      await button(tab, "Sign in as ada@example.com").click()
      await tab.getByRole("link", { name: "Home" }).first().waitFor()
    }
    await signInOn(page)
    await page.context().clearCookies()
    await page.reload()
    await page.getByText("Use an API token instead").waitFor()
    const other = await page.context().newPage()
    await signInOn(other)
    await button(page, "Your account").first().waitFor()
    await page.getByRole("link", { name: "Home" }).first().waitFor()
  }
  await withApplication(browser, app, undefined, "/", run, {}, /401/)
})

it("opens the comment of a notification, and filters the audit log by names", async () => {
  const spaceId = await createSpace(app, "Mentions", [{ title: "Setup", markdown: "Start it.\n" }])
  const params = { spaceId }
  const { pages } = await app.ada.client.content.listPages({ params })
  const carol = await app.addUser("carol@example.com", "edit")
  const { id } = await app.ada.client.comments.postCommentInSpace({
    params,
    payload: { body: { markdown: "Please read" }, page: pages[0]!.id }
  })
  await carol.client.comments.postCommentReplyInSpace({
    params: { spaceId, commentId: id },
    payload: { body: { markdown: "I have" } }
  })
  await withApplication(browser, app, app.ada, "/notifications", async (page) => {
    await page.getByRole("link", { name: /carol.*replied/ }).click()
    const panel = page.getByRole("complementary", { name: "Comments" })
    await panel.getByText("I have").waitFor()
    expect(page.url()).toContain(`comment=${id}`)
    await page.goto(`${app.url}/app/organization/audit`)
    await page.getByLabel("Operation").selectOption({ label: "Space created" })
    await page.getByRole("listitem").filter({ hasText: "Mentions" }).first().waitFor()
    expect(page.url()).toContain("operation=Spaces.create")
  })
})
