/** Change requests in the browser: editing, review, conflicts and merge, with the number of clicks. */
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { createSpace, findViolations, openApplication, withApplication } from "./support/application.ts"
import { countClicks } from "./support/clicks.ts"

const { app, browser } = await openApplication()

const text = "Install the tool with npm.\n\nThen start it.\n"

const createGuide = () => createSpace(app, "Guide", [{ title: "Setup", markdown: text }])

const firstPage = async (spaceId: string): Promise<string> => {
  const { pages } = await app.ada.client.content.listPages({ params: { spaceId } })
  return pages[0]!.id
}

const markdownOf = async (spaceId: string): Promise<string> => {
  const page = await app.ada.client.content.getPageById({
    params: { spaceId, pageId: await firstPage(spaceId) },
    query: { format: "markdown" }
  })
  return page.type === "document" ? (page.markdown ?? "") : ""
}

const update = (page: string, markdown: string) => ({
  changes: [{ operation: "update_page" as const, page, document: { markdown } }]
})

/** Creates a change request that changes the first page. */
const propose = async (spaceId: string, subject: string, markdown: string) => {
  const { client } = app.ada
  const request = await client.changeRequests.createChangeRequest({
    params: { spaceId },
    payload: { subject }
  })
  const params = { spaceId, changeRequestId: request.id }
  await client.changeRequestContent.updateChangeRequestContent({
    params,
    payload: update(await firstPage(spaceId), markdown)
  })
  return { ...request, params, path: `/spaces/${spaceId}/changes/${request.number}/review` }
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })

const inDialog = (page: Page, name: string) =>
  page.getByRole("dialog").getByRole("button", { name, exact: true })

const writing = (page: Page) => page.getByRole("textbox", { name: "Setup", exact: true })

it("proposes an edit in three clicks, and merges it in two", async () => {
  const spaceId = await createGuide()
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}`, async (page) => {
    await button(page, "Edit").waitFor()
    const proposing = await countClicks(page)
    await button(page, "Edit").click()
    await writing(page).getByText("Then start it.").click()
    await page.keyboard.press("End")
    await page.keyboard.type(" Slowly.")
    await page.getByText(/^Saved in change request #\d+$/).waitFor()
    await button(page, "Request review").click()
    await page.getByText("Review requested").waitFor()
    expect(await proposing()).toBeLessThanOrEqual(3)

    await page.getByRole("link", { name: "Review changes" }).click()
    await page.locator(".diff ins", { hasText: "Slowly" }).waitFor()
    expect(await page.getByText("1 page edited").count()).toBe(1)
    expect(await findViolations(page)).toEqual([])
    const merging = await countClicks(page)
    await button(page, "Merge").click()
    await inDialog(page, "Merge").waitFor()
    await page.keyboard.press("Enter")
    await page.getByText("Change request merged").waitFor()
    expect(await merging()).toBe(1)
    expect(await markdownOf(spaceId)).toContain("Slowly")
    await button(page, "Undo").last().click()
    await expect.poll(() => markdownOf(spaceId)).not.toContain("Slowly")
  })
})

it("restores the drafts of a page and of the pages below it, by undoing their deletion", async () => {
  const spaceId = await createGuide()
  const request = await propose(spaceId, "Drafts", `${text}\nOnly drafted.\n`)
  const { client } = app.ada
  const parent = await firstPage(spaceId)
  await client.changeRequestContent.updateChangeRequestContent({
    params: request.params,
    payload: {
      changes: [
        { operation: "update_page", page: parent, title: "Drafted", emoji: "📖" },
        { operation: "insert_page", title: "New", into: parent, document: { markdown: "Text of New." } }
      ]
    }
  })
  const read = async () => {
    const { pages } = await client.changeRequestContent.listPagesInChangeRequest({ params: request.params })
    const page = await client.changeRequestContent.getPageInChangeRequestById({
      params: { ...request.params, pageId: parent },
      query: { format: "markdown" }
    })
    const outline = JSON.stringify(pages, (key, value) => (key === "updatedAt" ? undefined : value))
    return [outline, page.type === "document" ? page.markdown : undefined]
  }
  const before = await read()
  await withApplication(
    browser,
    app,
    app.ada,
    `/spaces/${spaceId}/changes/${request.number}`,
    async (page) => {
      const tree = page.getByRole("treegrid", { name: "Pages" })
      for (const title of ["New", "Drafted"]) {
        await tree.getByRole("button", { name: `More actions for ${title}` }).click()
        await page.getByRole("menuitem", { name: "Delete" }).click()
        // A page with pages below it asks.
        if (title === "Drafted")
          await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
        await page.getByText(`“${title}” deleted`).waitFor()
        await button(page, "Undo").last().click()
        await expect.poll(() => read().catch(() => [])).toEqual(before)
      }
    }
  )
})

it("undoes an earlier merge by a new revision, and reports that later changes are undone, too", async () => {
  const spaceId = await createGuide()
  const request = await propose(spaceId, "Earlier", text.replace("npm", "pnpm"))
  await app.ada.client.changeRequests.mergeChangeRequest({ params: request.params })
  await app.ada.client.content.updateSpaceContent({
    params: { spaceId },
    payload: update(await firstPage(spaceId), `${text}\nLater.\n`)
  })
  await withApplication(browser, app, app.ada, request.path, async (page) => {
    await page.getByText("Merged. The space has changed since.").waitFor()
    await button(page, "More actions").click()
    await page.getByRole("menuitem", { name: "Undo the merge" }).click()
    await page.getByRole("dialog").getByText("the later changes are undone, too").waitFor()
    await inDialog(page, "Undo the merge").click()
    await page.getByText("Merge undone").waitFor()
    expect(await markdownOf(spaceId)).toBe(text)
    expect(await findViolations(page)).toEqual([])
  })
  const { items } = await app.ada.client.history.listRevisions({ params: { spaceId } })
  expect(items[0]?.type).toBe("rollback")
})

it("asks before an edit continues a draft that this tab did not begin", async () => {
  const spaceId = await createGuide()
  const draft = await propose(spaceId, "Import from tool.zip", text.replace("npm", "pnpm"))
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}`, async (page) => {
    await button(page, "Edit").click()
    await page.getByRole("dialog", { name: "Where do you want to edit?" }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await inDialog(page, "Cancel").click()
    expect(page.url()).not.toContain("/changes/")
    await button(page, "Edit").click()
    await inDialog(page, "Edit").click()
    await writing(page).waitFor()
    expect(page.url()).toMatch(new RegExp(`/changes/${draft.number + 1}(/|$)`))
  })
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}`, async (page) => {
    await button(page, "Edit").click()
    await page.getByLabel("Import from tool.zip").click()
    await inDialog(page, "Edit").click()
    await writing(page).waitFor()
    expect(page.url()).toMatch(new RegExp(`/changes/${draft.number}(/|$)`))
  })
})

it("finds the pages of the open change request by their titles", async () => {
  const spaceId = await createGuide()
  const { params, number } = await propose(spaceId, "More", text)
  await app.ada.client.changeRequestContent.updateChangeRequestContent({
    params,
    payload: {
      changes: [{ operation: "insert_page", title: "Installation", document: { markdown: "Run it." } }]
    }
  })
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}/changes/${number}`, async (page) => {
    await writing(page).waitFor()
    await page.keyboard.press("Control+k")
    await page.keyboard.type("inst")
    await page.getByRole("option", { name: `Installation #${number}` }).click()
    await page.waitForURL(new RegExp(`/changes/${number}/installation$`))
  })
})

it("continues the change request that the person has open", async () => {
  const spaceId = await createGuide()
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}`, async (page) => {
    await button(page, "Edit").click()
    await writing(page).waitFor()
    const first = page.url()
    await page.getByRole("link", { name: "Back to the published content" }).click()
    await button(page, "Edit").click()
    await writing(page).waitFor()
    expect(page.url()).toBe(first)
  })
})

it("displays conflicts before a merge, resolves one in two clicks, and then merges in two", async () => {
  const spaceId = await createGuide()
  const ours = `${text.replace("Install the tool with npm.", "Ask your administrator for a copy.")}\nOur last line.\n`
  const request = await propose(spaceId, "Ours", ours)
  const theirs = text.replace("Install the tool with npm.", "Download the archive for your system.")
  await app.ada.client.content.updateSpaceContent({
    params: { spaceId },
    payload: update(await firstPage(spaceId), theirs)
  })
  await withApplication(browser, app, app.ada, request.path, async (page) => {
    const conflict = page.getByRole("region", { name: "Conflict in Setup" })
    await conflict.waitFor()
    expect(await button(page, "Merge").isDisabled()).toBe(true)
    await page.getByText("Resolve 1 conflict before the merge.").waitFor()
    const resolving = await countClicks(page)
    await conflict.locator(".is-inserted", { hasText: "archive" }).first().waitFor()
    await conflict.locator(".is-inserted", { hasText: "administrator" }).first().waitFor()
    expect(await button(page, "Apply and update").isEnabled()).toBe(false)
    expect(await findViolations(page)).toEqual([])
    await conflict.getByText("Use this change request").click()
    await button(page, "Apply and update").click()
    await page.getByText("Conflicts resolved").waitFor()
    expect(await resolving()).toBe(2)
    await expect.poll(() => button(page, "Merge").isDisabled()).toBe(false)
    const merging = await countClicks(page)
    await button(page, "Merge").click()
    await inDialog(page, "Merge").click()
    await page.getByText("Change request merged").waitFor()
    expect(await merging()).toBe(2)
  })
  const merged = await markdownOf(spaceId)
  expect(merged).toContain("Ask your administrator")
  expect(merged).toContain("Our last line.")
  expect(merged).not.toContain("Download the archive")
})

it("displays the result of the side that is clicked, and retains an edited result as a choice", async () => {
  const spaceId = await createGuide()
  const request = await propose(spaceId, "Ours", "Install it with pnpm.\n\nThen start it.\n")
  await app.ada.client.content.updateSpaceContent({
    params: { spaceId },
    payload: update(await firstPage(spaceId), "Install it with yarn.\n\nThen start it.\n")
  })
  await withApplication(browser, app, app.ada, request.path, async (page) => {
    const conflict = page.getByRole("region", { name: "Conflict in Setup" })
    const result = conflict.getByRole("textbox", { name: "Result" })
    const choice = (name: string) => conflict.getByRole("radio", { name, exact: true })
    await conflict.getByText("Use the space").click()
    expect(await result.inputValue()).toBe("Install it with yarn.")
    await conflict.getByText("Use this change request").click()
    expect(await result.inputValue()).toBe("Install it with pnpm.")
    await conflict.getByText("Use both").click()
    expect(await result.inputValue()).toContain("yarn")
    expect(await result.inputValue()).toContain("pnpm")

    await result.fill("Install it with either.")
    expect(await choice("Use the edited result").isChecked()).toBe(true)
    await conflict.getByText("Use the space").click()
    expect(await result.inputValue()).toBe("Install it with yarn.")
    await conflict.getByText("Use the edited result").click()
    expect(await result.inputValue()).toBe("Install it with either.")
    expect(await findViolations(page)).toEqual([])
    await button(page, "Apply and update").click()
    await page.getByText("Conflicts resolved").waitFor()
  })
  await app.ada.client.changeRequests.mergeChangeRequest({ params: request.params })
  expect(await markdownOf(spaceId)).toBe("Install it with either.\n\nThen start it.\n")
})

it("resolves a conflict in a reusable content", async () => {
  const spaceId = await createGuide()
  const { client } = app.ada
  await client.content.updateSpaceContent({
    params: { spaceId },
    payload: {
      changes: [
        { operation: "insert_reusable_content", title: "Notice", document: { markdown: "A notice." } }
      ]
    }
  })
  const { reusableContents } = await client.content.getCurrentRevision({ params: { spaceId } })
  const reusableContent = reusableContents[0]!.id
  const request = await propose(spaceId, "Notices", `${text}\nMore.\n`)
  const changeTo = (markdown: string) => ({
    changes: [{ operation: "update_reusable_content" as const, reusableContent, document: { markdown } }]
  })
  await client.changeRequestContent.updateChangeRequestContent({
    params: request.params,
    payload: changeTo("Our notice.")
  })
  await client.content.updateSpaceContent({ params: { spaceId }, payload: changeTo("Their words.") })
  await withApplication(browser, app, app.ada, request.path, async (page) => {
    const conflict = page.getByRole("region", { name: "Conflict in Notice" })
    await conflict.getByText("Their words.").first().waitFor()
    expect(await findViolations(page)).toEqual([])
    await conflict.getByText("Use this change request").click()
    await button(page, "Apply and update").click()
    await page.getByText("Conflicts resolved").waitFor()
  })
  const merged = await client.changeRequests.mergeChangeRequest({ params: request.params })
  expect(merged.result).toBe("merge")
  const document = await client.revisions.getReusableContentDocumentInRevisionById({
    params: { spaceId, revisionId: merged.revision, reusableContentId: reusableContent }
  })
  expect(JSON.stringify(document)).toContain("Our notice.")
})

it.each([
  ["Use this change request", ["ours.txt", 4]],
  ["Use the space", ["theirs.txt", 6]]
] as const)("resolves a conflict of a file, which keeps its id: %s", async (side, expected) => {
  const spaceId = await createGuide()
  const { client } = app.ada
  const fileOf = (name: string, text: string) => ({ name, contentType: "text/plain", base64: btoa(text) })
  const { insertedFiles } = await client.content.updateSpaceContent({
    params: { spaceId },
    payload: { changes: [{ operation: "insert_files", files: [fileOf("plan.txt", "plan")] }] }
  })
  const file = insertedFiles![0]!.id
  const request = await propose(spaceId, "Files", `${text}\nMore.\n`)
  await client.changeRequestContent.updateChangeRequestContent({
    params: request.params,
    payload: { changes: [{ operation: "update_file", file, name: "ours.txt" }] }
  })
  const added = await client.content.updateSpaceContent({
    params: { spaceId },
    payload: { changes: [{ operation: "insert_files", files: [fileOf("new.txt", "theirs")] }] }
  })
  await client.content.updateSpaceContent({
    params: { spaceId },
    payload: {
      changes: [{ operation: "update_file", file, name: "theirs.txt", bytesOf: added.insertedFiles![0]!.id }]
    }
  })
  await withApplication(browser, app, app.ada, request.path, async (page) => {
    const conflict = page.getByRole("region", { name: "Conflict in plan.txt" })
    await conflict.getByText("theirs.txt · 6 bytes").waitFor()
    expect(await findViolations(page)).toEqual([])
    await conflict.getByText(side, { exact: true }).click()
    await button(page, "Apply and update").click()
    await page.getByText("Conflicts resolved").waitFor()
  })
  expect((await client.changeRequests.mergeChangeRequest({ params: request.params })).result).toBe("merge")
  const merged = await client.content.getFileById({ params: { spaceId, fileId: file } })
  expect([merged.name, merged.size]).toEqual(expected)
})

it("restores a page that the space has deleted, with its id and the pages below it", async () => {
  const { spaceId, a, b, params, path } = await createMoves("Deleted")
  const { client } = app.ada
  await client.content.updateSpaceContent({
    params: { spaceId },
    payload: { changes: [{ operation: "update_page", page: b, into: a }] }
  })
  await client.changeRequests.updateChangeRequest({ params })
  await client.changeRequestContent.updateChangeRequestContent({
    params,
    payload: {
      changes: [{ operation: "update_page", page: a, emoji: "1f600", document: { markdown: "Ours.\n" } }]
    }
  })
  await client.content.updateSpaceContent({
    params: { spaceId },
    payload: { changes: [{ operation: "delete_page", page: a }] }
  })
  await withApplication(browser, app, app.ada, path, async (page) => {
    const conflict = page.getByRole("region", { name: "Conflict in A" })
    await conflict.getByText("Deleted", { exact: true }).waitFor()
    await conflict.getByText("Use this change request").click()
    await button(page, "Apply and update").click()
    await page.getByText("Conflicts resolved").waitFor()
  })
  expect((await client.changeRequests.mergeChangeRequest({ params })).result).toBe("merge")
  expect(await treeOf(spaceId)).toBe("A(B) C")
  const page = await client.content.getPageById({
    params: { spaceId, pageId: a },
    query: { format: "markdown" }
  })
  expect(page).toMatchObject({ markdown: "Ours.\n", emoji: "1f600" })
})

/** Creates three pages at the top level, and a change request. */
const createMoves = async (title: string) => {
  const { client } = app.ada
  const spaceId = await createSpace(
    app,
    title,
    ["A", "B", "C"].map((name) => ({ title: name, markdown: `The text of ${name}.\n\nThe end.\n` }))
  )
  const { pages } = await client.content.listPages({ params: { spaceId } })
  const [a, b, c] = pages.map(({ id }) => id) as [string, string, string]
  const request = await client.changeRequests.createChangeRequest({
    params: { spaceId },
    payload: { subject: title }
  })
  const params = { spaceId, changeRequestId: request.id }
  return { spaceId, a, b, c, params, path: `/spaces/${spaceId}/changes/${request.number}/review` }
}

const treeOf = async (spaceId: string): Promise<string> => {
  const { pages } = await app.ada.client.content.listPages({ params: { spaceId } })
  const write = (list: typeof pages): string =>
    list
      .map((page) => {
        const below = "pages" in page ? write(page.pages) : ""
        return below === "" ? page.title : `${page.title}(${below})`
      })
      .join(" ")
  return write(pages)
}

const resolveAndMerge = async (
  { path, params }: Pick<Awaited<ReturnType<typeof createMoves>>, "path" | "params">,
  side: "Use the space" | "Use this change request",
  explanation: string
): Promise<void> => {
  await withApplication(browser, app, app.ada, path, async (page) => {
    await page.getByText(explanation).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.getByText(side, { exact: true }).click()
    await button(page, "Apply and update").click()
    await page.getByText("Conflicts resolved").waitFor()
  })
  expect((await app.ada.client.changeRequests.mergeChangeRequest({ params })).result).toBe("merge")
}

it.each([
  ["Use this change request", "A(C) B"],
  ["Use the space", "C A B"]
] as const)("resolves a conflict of place, and keeps other changes of the page: %s", async (side, tree) => {
  const { spaceId, a, c, params, path } = await createMoves("Moves")
  const { client } = app.ada
  await client.changeRequestContent.updateChangeRequestContent({
    params,
    payload: {
      changes: [
        {
          operation: "update_page",
          page: c,
          into: a,
          document: { markdown: "Our text.\n\nThe end.\n" },
          emoji: "1f600"
        }
      ]
    }
  })
  await client.content.updateSpaceContent({
    params: { spaceId },
    payload: {
      changes: [
        {
          operation: "update_page",
          page: c,
          at: 0,
          description: "Their description",
          document: { markdown: "The text of C.\n\nTheir end.\n" }
        }
      ]
    }
  })
  await resolveAndMerge({ path, params }, side, "Both sides moved the page.")
  expect(await treeOf(spaceId)).toBe(tree)
  const page = await client.content.getPageById({
    params: { spaceId, pageId: c },
    query: { format: "markdown" }
  })
  expect(page).toMatchObject({ markdown: "Our text.\n\nTheir end.\n", description: "Their description" })
})

it.each([
  ["Use this change request", "B(A) C"],
  ["Use the space", "A(B) C"]
] as const)("resolves a cycle of moves: %s", async (side, tree) => {
  const { spaceId, a, b, params, path } = await createMoves("Cycle")
  const { client } = app.ada
  await client.changeRequestContent.updateChangeRequestContent({
    params,
    payload: { changes: [{ operation: "update_page", page: a, into: b }] }
  })
  await client.content.updateSpaceContent({
    params: { spaceId },
    payload: { changes: [{ operation: "update_page", page: b, into: a }] }
  })
  await resolveAndMerge({ path, params }, side, "The moves of both sides put pages below one another.")
  expect(await treeOf(spaceId)).toBe(tree)
})

it("approves in three clicks from the start page, and offers no merge to a person who may not merge", async () => {
  const spaceId = await createGuide()
  const reviewer = await app.addUser("grace@example.com", "review")
  const request = await propose(spaceId, "Proposal", `${text}\nMore.\n`)
  await app.ada.client.changeRequests.updateChangeRequestById({
    params: request.params,
    payload: { status: "open" }
  })
  await withApplication(browser, app, reviewer, "/", async (page) => {
    await page.getByRole("link", { name: "Proposal" }).waitFor()
    const reviewing = await countClicks(page)
    await page.getByRole("link", { name: "Proposal" }).click()
    await page.getByText("1 page edited").waitFor()
    await button(page, "Approve").click()
    await inDialog(page, "Approve").click()
    await page.getByText("You approved the change request").waitFor()
    expect(await reviewing()).toBeLessThanOrEqual(3)
    await page.locator(".review", { hasText: "Approved" }).waitFor()
  })
  const { items } = await app.ada.client.reviews.getReviewsByChangeRequestId({ params: request.params })
  expect(items.map(({ status }) => status)).toEqual(["approved"])
})

it("displays the missing conditions of a merge, and begins the review of a draft by requesting people who can review", async () => {
  const spaceId = await createGuide()
  const katherine = await app.addUser("katherine@example.com", "review")
  await app.addUser("linus@example.com", "edit")
  await app.ada.client.spaces.updateSpaceById({
    params: { spaceId },
    payload: {
      mergeRules: {
        type: "rules",
        rules: [
          { rule: "require_at_least_one_review" },
          { rule: "require_change_request_subject" },
          { rule: "require_change_request_description" },
          { rule: "require_specific_reviewers", users: [katherine.id] }
        ]
      }
    }
  })
  const request = await propose(spaceId, "Rules", `${text}\nMore.\n`)
  await withApplication(browser, app, app.ada, request.path, async (page) => {
    const rules = page.getByRole("region", { name: "Before the merge" })
    await rules.getByText("The change request has a subject").waitFor()
    await expect.poll(() => rules.getByLabel("Fulfilled").count()).toBe(1)
    expect(await rules.getByLabel("Missing").count()).toBe(3)
    await page.getByText("3 conditions of the merge are missing.").waitFor()
    expect(await button(page, "Merge").isDisabled()).toBe(true)
    await button(page, "Add a description").click()
    await page.getByRole("dialog").getByRole("textbox").fill("Because readers **asked**.\n\n- Twice")
    await inDialog(page, "Save").click()
    await page.locator(".description strong", { hasText: "asked" }).waitFor()
    await page.locator(".description li", { hasText: "Twice" }).waitFor()
    await expect.poll(() => rules.getByLabel("Missing").count()).toBe(2)
    await button(page, "Edit the description").click()
    expect(await page.getByRole("dialog").getByRole("textbox").inputValue()).toMatch(
      /^Because readers \*\*asked\*\*\.\n\n[-*] Twice$/
    )
    await inDialog(page, "Cancel").click()

    await page.getByText("Draft", { exact: true }).first().waitFor()
    const requesting = await countClicks(page)
    await button(page, "Request reviewers").click()
    const dialog = page.getByRole("dialog")
    await dialog.getByText("Reviewer · katherine@example.com").waitFor()
    expect(await dialog.getByRole("checkbox", { name: /linus/i }).count()).toBe(0)
    await dialog.getByRole("checkbox", { name: /katherine/i }).check()
    expect(await findViolations(page)).toEqual([])
    await inDialog(page, "Request").click()
    await page.getByText("In review").first().waitFor()
    expect(await requesting()).toBe(3)
    const reviews = page.getByRole("region", { name: "Reviews" })
    await reviews.getByText("Requested", { exact: true }).waitFor()
    await reviews.getByRole("button", { name: /^Withdraw the request to/ }).click()
    await reviews.getByText("No reviews yet.").waitFor()
    await button(page, "Undo").last().click()
    await reviews.getByText("Requested", { exact: true }).waitFor()
  })
})

it("comments on a changed block, on a page and on the whole, replies, resolves and deletes", async () => {
  const spaceId = await createGuide()
  const request = await propose(spaceId, "Talk", text.replace("npm", "pnpm"))
  await withApplication(browser, app, app.ada, request.path, async (page) => {
    const change = page.getByRole("region", { name: "Setup" })
    await change.getByRole("button", { name: "Comment on this block" }).first().click()
    await change.getByRole("textbox", { name: "New comment" }).fill("Why pnpm?")
    await change.getByRole("button", { name: "Comment", exact: true }).last().click()
    const thread = change.getByRole("article")
    await thread.getByText("Why pnpm?").waitFor()
    await thread.getByText("Install the tool with pnpm.").waitFor()
    await thread.getByRole("button", { name: "Reply" }).click()
    await thread.getByRole("textbox", { name: /^Reply to/ }).fill("It is faster.")
    await thread.getByRole("button", { name: "Reply", exact: true }).last().click()
    await thread.getByText("It is faster.").waitFor()
    await thread.getByRole("button", { name: "Resolve" }).click()
    await thread.getByRole("button", { name: "Reopen" }).waitFor()

    const discussion = page.getByRole("region", { name: "Discussion" })
    await discussion.getByRole("textbox", { name: "New comment" }).fill("In general")
    await page.keyboard.press("Control+Enter")
    await discussion.getByRole("article").getByText("In general").waitFor()
    expect(await findViolations(page)).toEqual([])
    await discussion.getByRole("button", { name: /^More actions for/ }).click()
    await page.getByRole("menuitem", { name: "Delete" }).click()
    await inDialog(page, "Delete").click()
    await expect.poll(() => discussion.getByRole("article").count()).toBe(0)
  })
})

it("displays both versions next to one another, and in a table only the cells that differ", async () => {
  const table = (north: string, more = "") =>
    `Install the tool.\n\n| Key | Meaning |\n| --- | --- |\n| N | ${north} |\n| S | South |\n${more}\nThen start it.\n`
  const spaceId = await createSpace(app, "Guide", [{ title: "Setup", markdown: table("North") }])
  const request = await propose(
    spaceId,
    "Table",
    `${table("North (up)", "| W | West |\n").replace("start it", "start it daily")}\nAn added line.\n`
  )
  await withApplication(browser, app, app.ada, request.path, async (page) => {
    const rows = page.locator(".diff-table tbody tr")
    await rows.nth(2).waitFor()
    expect(await rows.nth(0).locator("ins").allInnerTexts()).toEqual([" (up)"])
    expect(await rows.evaluateAll((all) => all.map((row) => row.className))).toEqual([
      "diff-row",
      "",
      "is-inserted"
    ])
    expect(await page.locator(".diff-block.is-deleted").count()).toBe(0)

    await page.getByText("Two columns", { exact: true }).click()
    const boxOf = async (text: string, index: number) =>
      (await page.locator(".diff-side-pair").getByText(text).nth(index).boundingBox())!
    await page.locator(".diff-side-pair ins", { hasText: "daily" }).waitFor()
    for (const text of ["Install the tool.", "Then start it"]) {
      const [before, after] = [await boxOf(text, 0), await boxOf(text, 1)]
      expect(before.x + before.width, text).toBeLessThanOrEqual(after.x)
      expect(Math.abs(before.y - after.y), text).toBeLessThan(2)
    }
    const side = (await page.locator(".diff-side").first().boundingBox())!
    expect((await boxOf("An added line.", 0)).x).toBeGreaterThan(side.x + side.width / 2 - 1)
    expect(await findViolations(page)).toEqual([])
  })
})

it("displays moved pages with their addresses, changed fields, and images of both versions", async () => {
  const spaceId = await createSpace(app, "Moves", [
    { title: "One", markdown: "One." },
    { title: "Two", markdown: "Two." }
  ])
  const { client } = app.ada
  const { pages } = await client.content.listPages({ params: { spaceId } })
  const request = await client.changeRequests.createChangeRequest({ params: { spaceId }, payload: {} })
  const params = { spaceId, changeRequestId: request.id }
  const pixel =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
  await client.changeRequestContent.updateChangeRequestContent({
    params,
    payload: {
      changes: [
        { operation: "update_page", page: pages[1]!.id, into: pages[0]!.id, hidden: true },
        { operation: "insert_files", files: [{ name: "pixel.png", contentType: "image/png", base64: pixel }] }
      ]
    }
  })
  const path = `/spaces/${spaceId}/changes/${request.number}/review`
  await withApplication(browser, app, app.ada, path, async (page) => {
    await page.getByText("Place: top level, position 2 → One, position 1").waitFor()
    await page.getByText("Hidden from navigation: no → yes").waitFor()
    await page.getByText("Address: /two → /one/two.").waitFor()
    await page.getByRole("img", { name: "pixel.png: After" }).waitFor()
    await page.getByText("Two columns").click()
    expect(await findViolations(page)).toEqual([])
  })
})

it("lists change requests by status, person and text", async () => {
  const spaceId = await createGuide()
  await propose(spaceId, "First idea", `${text}\n1.\n`)
  await propose(spaceId, "Second idea", `${text}\n2.\n`)
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}/changes?status=open`, async (page) => {
    await page.getByText("No change request here").waitFor()
    await page.getByRole("link", { name: "Drafts" }).click()
    await page.getByRole("link", { name: "First idea" }).waitFor()
    await page.getByRole("searchbox").fill("second")
    await expect.poll(() => page.getByRole("link", { name: "First idea" }).count()).toBe(0)
    await page.getByRole("link", { name: "Second idea" }).waitFor()
    await page.getByRole("checkbox", { name: "Only mine" }).check()
    expect(page.url()).toContain("mine=1")
    expect(await findViolations(page)).toEqual([])
  })
})

it("updates a change request from the space, copies the link to its preview, and names the links that it breaks", async () => {
  const spaceId = await createGuide()
  const { client } = app.ada
  await client.content.updateSpaceContent({
    params: { spaceId },
    payload: { changes: [{ operation: "insert_page", title: "Use", document: { markdown: "Use it.\n" } }] }
  })
  const { pages } = await client.content.listPages({ params: { spaceId } })
  const used = pages.find(({ title }) => title === "Use")!.id
  const request = await propose(spaceId, "Link it", `${text}\nSee [how to use it](use.md).\n`)
  await client.content.updateSpaceContent({
    params: { spaceId },
    payload: update(used, "Use it daily.\n")
  })
  await withApplication(
    browser,
    app,
    app.ada,
    request.path,
    async (page) => {
      await page.getByText("The space has changed since this change request began.").waitFor()
      await button(page, "Update from the space").first().click()
      await page.getByText("Change request updated from the space").waitFor()
      await page.getByText("The space has changed since").waitFor({ state: "detached" })
      expect(await page.getByText(/broken link/).count()).toBe(0)

      await button(page, "More actions").first().click()
      await page.getByRole("menuitem", { name: "Copy preview link" }).click()
      await page.getByText("Preview link copied").waitFor()
      const preview = await page.evaluate(() => navigator.clipboard.readText())
      await client.changeRequestContent.updateChangeRequestContent({
        params: request.params,
        payload: { changes: [{ operation: "delete_page", page: used }] }
      })
      await page.getByText("Readers will meet 1 broken link.").waitFor()
      await page.getByRole("link", { name: "See the links" }).click()
      await page.getByRole("button", { name: "Repair" }).waitFor()
      await page.goto(preview)
      await page.locator(".document").getByText("how to use it").waitFor()
    },
    { permissions: ["clipboard-read", "clipboard-write"] }
  )
})
