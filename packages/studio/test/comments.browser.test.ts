/** Comments on a page: on blocks and words, with replies and mentions. */
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { createSpace, findViolations, openApplication, withApplication } from "./support/application.ts"

const { app, browser } = await openApplication()

const text = "The first paragraph.\n\nThe second paragraph has words.\n"

const panel = (page: Page) => page.getByRole("complementary", { name: "Comments" })

const field = (page: Page) => panel(page).getByRole("textbox", { name: "New comment" })

const post = (page: Page) => panel(page).getByRole("button", { name: "Comment", exact: true }).click()

it("comments on a block and on words, and finds both after the page was edited", async () => {
  const spaceId = await createSpace(app, "Talk", [{ title: "Page", markdown: text }])
  const { client } = app.ada
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}`, async (page) => {
    const block = page.locator(".commentable-block", { hasText: "The first paragraph." })
    await block.hover()
    await block.getByRole("button", { name: "Comment on this block" }).click()
    await field(page).fill("About the block")
    await post(page)
    await panel(page).getByRole("article").getByText("About the block").waitFor()
    await block.getByRole("button", { name: "1 comment on this block" }).waitFor()

    await page.getByText("The second paragraph has words.").dblclick({ position: { x: 40, y: 12 } })
    await page.getByRole("button", { name: "Comment on the selection" }).click()
    await field(page).fill("About a word")
    await post(page)
    await panel(page).getByRole("article").getByText("About a word").waitFor()
    expect(await findViolations(page)).toEqual([])
  })
  const { items } = await client.comments.listCommentsInSpace({
    params: { spaceId },
    query: { order: "asc" }
  })
  expect(items[0]?.target.node?.preview).toBe("The first paragraph.")
  expect("The second paragraph has words.").toContain(items[1]?.target.quote?.text)

  const { pages } = await client.content.listPages({ params: { spaceId } })
  await client.content.updateSpaceContent({
    params: { spaceId },
    payload: {
      changes: [
        {
          operation: "update_page",
          page: pages[0]!.id,
          document: { markdown: `A new beginning.\n\n${text}` }
        }
      ]
    }
  })
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}?panel=comments`, async (page) => {
    await page
      .locator(".commentable-block", { hasText: "The first paragraph." })
      .getByRole("button", { name: "1 comment on this block" })
      .waitFor()
    await page
      .locator(".commentable-block", { hasText: "The second paragraph" })
      .getByRole("button", { name: "1 comment on this block" })
      .waitFor()
    expect(await panel(page).getByText("The commented text was changed or removed").count()).toBe(0)
  })
})

it("mentions a person, replies, edits, resolves and reopens", async () => {
  const spaceId = await createSpace(app, "Mentions", [{ title: "Page", markdown: text }])
  await app.addUser("grace@example.com", "edit")
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}?panel=comments`, async (page) => {
    await field(page).pressSequentially("Hi @gra")
    await panel(page).getByRole("option", { name: /grace/i }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press("Enter")
    await field(page).pressSequentially("please read")
    await page.keyboard.press("Control+Enter")
    const thread = panel(page).getByRole("article")
    await thread.locator(".mention").waitFor()
    await thread.getByRole("button", { name: /^More actions for/ }).click()
    await page.getByRole("menuitem", { name: "Edit" }).click()
    await thread.getByRole("textbox", { name: "Edit" }).fill("Changed words")
    await thread.getByRole("button", { name: "Save" }).click()
    await thread.getByText("Changed words").waitFor()
    await thread.getByText(/edited/).waitFor()
    await thread.getByRole("button", { name: "Reply" }).click()
    await thread.getByRole("textbox", { name: /^Reply to/ }).fill("An answer")
    await page.keyboard.press("Control+Enter")
    await thread.getByText("An answer").waitFor()
    await thread.getByRole("button", { name: "Resolve" }).click()
    await page.getByText("Comment resolved").waitFor()
    await panel(page).getByText("No comments here").waitFor()
    await panel(page).getByText("Resolved", { exact: true }).click()
    await thread.getByRole("button", { name: "Reopen" }).click()
    await page.getByText("Comment reopened").waitFor()
  })
})

it("keeps an unsent comment on the device, and offers a reader no field", async () => {
  const spaceId = await createSpace(app, "Drafts", [{ title: "Page", markdown: text }])
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}?panel=comments`, async (page) => {
    await field(page).fill("Not sent yet")
    await page.reload()
    await expect.poll(() => field(page).inputValue()).toBe("Not sent yet")
  })
  const reader = await app.addUser("comment-reader@example.com", "read")
  await withApplication(browser, app, reader, `/spaces/${spaceId}?panel=comments`, async (page) => {
    await panel(page).getByText("You have no permission to comment.").waitFor()
    expect(await field(page).count()).toBe(0)
    expect(await page.getByRole("button", { name: "Comment on this block" }).count()).toBe(0)
  })
})

it("has one panel for the comments of a page that is being written", async () => {
  const spaceId = await createSpace(app, "Writing", [{ title: "Page", markdown: text }])
  const { client } = app.ada
  const request = await client.changeRequests.createChangeRequest({
    params: { spaceId },
    payload: { subject: "Words" }
  })
  const { pages } = await client.content.listPages({ params: { spaceId } })
  const path = `/spaces/${spaceId}/changes/${request.number}/~page/${pages[0]!.id}`
  await withApplication(browser, app, app.ada, path, async (page) => {
    const content = page.getByRole("textbox", { name: "Page", exact: true })
    await content.getByText("The second paragraph has words.").click()
    await page.keyboard.press("End")
    await page.keyboard.type(" Unsaved")
    await page.keyboard.press("Control+Shift+ArrowLeft")
    await page
      .locator(".editor-toolbar")
      .getByRole("button", { name: /^Comment/ })
      .click()
    await panel(page).locator(".thread-place", { hasText: "Unsaved" }).waitFor()
    await field(page).fill("About new words")
    await post(page)
    await content.locator("[data-comment]", { hasText: "Unsaved" }).waitFor()
    expect(await page.locator(".editor-comments").count()).toBe(0)
    const thread = panel(page).getByRole("article")
    await thread.getByText("About new words").waitFor()
    await thread.locator("button.thread-place").click()
    await content.locator(".editor-comment-shown").waitFor()
    await thread.getByRole("button", { name: "Resolve" }).click()
    await content.locator("[data-comment]").waitFor({ state: "detached" })
    expect(await findViolations(page)).toEqual([])
  })
  const { items } = await client.changeRequestComments.listCommentsInChangeRequest({
    params: { spaceId, changeRequestId: request.id },
    query: { status: "all" }
  })
  expect(items[0]?.target.quote?.text).toBe("Unsaved")
})
