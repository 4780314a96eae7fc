/** The history, files, links, reusable contents and settings of a space in a browser. */
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { createSpace, findViolations, openApplication, withApplication } from "./support/application.ts"
import { visitScreens } from "./support/screens.ts"

const { app, browser } = await openApplication()

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })

const inDialog = (page: Page, name: string) =>
  page.getByRole("dialog").getByRole("button", { name, exact: true })

const pagesOf = async (spaceId: string) =>
  (await app.ada.client.content.listPages({ params: { spaceId } })).pages

const edit = (
  spaceId: string,
  changes: Parameters<typeof app.ada.client.content.updateSpaceContent>[0]["payload"]
) => app.ada.client.content.updateSpaceContent({ params: { spaceId }, payload: changes })

const markdownOf = async (spaceId: string, index: number): Promise<string | undefined> => {
  const pages = await pagesOf(spaceId)
  const page = await app.ada.client.content.getPageById({
    params: { spaceId, pageId: pages[index]!.id },
    query: { format: "markdown" }
  })
  return page.type === "document" ? page.markdown : undefined
}

it("compares any two revisions, and restores a page and a revision", async () => {
  const spaceId = await createSpace(app, "History", [
    { title: "One", markdown: "First text." },
    { title: "Two", markdown: "Second." }
  ])
  const [one, two] = await pagesOf(spaceId)
  const change = (page: string, markdown: string) =>
    edit(spaceId, { changes: [{ operation: "update_page", page, document: { markdown } }] })
  await change(one!.id, "First words.")
  await edit(spaceId, { changes: [{ operation: "delete_page", page: two!.id }] })
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}/history`, async (page) => {
    const older = page.getByRole("radio", { name: /^Compare from/ })
    await older.nth(1).check()
    expect(await findViolations(page)).toEqual([])
    await page.getByRole("link", { name: "Compare", exact: true }).click()
    await page.getByText("1 page edited and 1 page deleted").waitFor()
    await page.locator(".diff ins", { hasText: "words" }).waitFor()
    expect(page.url()).toContain("?with=")
    expect(await findViolations(page)).toEqual([])
    const deleted = page.getByRole("region", { name: "Two" })
    await deleted.getByRole("button", { name: "Restore this page" }).click()
    await page.getByText("“Two” restored").waitFor()
    expect((await pagesOf(spaceId)).map(({ title }) => title)).toEqual(["One", "Two"])

    await page.goto(`${app.url}/app/spaces/${spaceId}/history`)
    await page.getByRole("link", { name: "Page “One” edited" }).waitFor()
    await page.getByRole("link", { name: "Space created", exact: true }).click()
    await button(page, "Restore").click()
    await inDialog(page, "Restore").click()
    await page.getByText("Revision restored").waitFor()
    // The first revision of a space is empty.
    expect(await pagesOf(spaceId)).toHaveLength(0)
    await button(page, "Undo").last().click()
    await expect.poll(async () => (await pagesOf(spaceId)).length).toBe(2)
  })
})

it("restores the earlier version of a page from the current revision", async () => {
  const spaceId = await createSpace(app, "Current", [{ title: "One", markdown: "First text." }])
  const [one] = await pagesOf(spaceId)
  await edit(spaceId, {
    changes: [{ operation: "update_page", page: one!.id, document: { markdown: "Later words." } }]
  })
  const { revision } = await app.ada.client.spaces.getSpaceById({ params: { spaceId } })
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}/history/${revision}`, async (page) => {
    await page.getByText("This is the current version of the space.").waitFor()
    await button(page, "Restore the earlier version").click()
    await page.getByText("“One” restored").waitFor()
    const read = () =>
      app.ada.client.content.getPageById({
        params: { spaceId, pageId: one!.id },
        query: { format: "markdown" }
      })
    expect(await read()).toMatchObject({ markdown: "First text." })
  })
})

it("lists deleted pages, and restores one", async () => {
  const spaceId = await createSpace(app, "Deleted", [{ title: "Gone", markdown: "Gone." }])
  const [gone] = await pagesOf(spaceId)
  await edit(spaceId, { changes: [{ operation: "delete_page", page: gone!.id }] })
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}/history/deleted`, async (page) => {
    await page.getByText("Gone").first().waitFor()
    expect(await findViolations(page)).toEqual([])
    await button(page, "Restore").click()
    await page.getByText("“Gone” restored").waitFor()
    await page.getByText("No deleted pages").waitFor()
  })
  expect(await pagesOf(spaceId)).toHaveLength(1)
})

it("uploads files by choice and by drop, lists their uses, and renames, replaces, deletes and restores one", async () => {
  const spaceId = await createSpace(app, "Files", [{ title: "Reader", markdown: "Text." }])
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}/files`, async (page) => {
    await page.getByText("No files yet").waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.locator("input[type=file]").setInputFiles([
      { name: "one.txt", mimeType: "text/plain", buffer: Buffer.from("One") },
      { name: "two.txt", mimeType: "text/plain", buffer: Buffer.from("Two") }
    ])
    await page.getByText("2 files uploaded").waitFor()
    const data = await page.evaluateHandle(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File(["Three"], "three.txt", { type: "text/plain" }))
      return transfer
    })
    await page.locator(".drop-zone").dispatchEvent("drop", { dataTransfer: data })
    await page.getByText("1 file uploaded").waitFor()

    const { items } = await app.ada.client.content.listFiles({ params: { spaceId } })
    expect(items.map(({ name }) => name).sort()).toEqual(["one.txt", "three.txt", "two.txt"])
    const [reader] = await pagesOf(spaceId)
    const file = items.find(({ name }) => name === "one.txt")!
    await edit(spaceId, {
      changes: [
        { operation: "update_page", page: reader!.id, document: { markdown: `[One](/files/${file.id})\n` } }
      ]
    })
    const choose = async (name: string, action: string) => {
      await button(page, `More actions for ${name}`).click()
      await page.getByRole("menuitem", { name: action }).click()
    }
    await choose("one.txt", "Pages that use it")
    await page.getByRole("dialog").getByRole("link", { name: "Reader" }).waitFor()
    await inDialog(page, "Dismiss").click()
    await choose("one.txt", "Delete")
    await page.getByText("1 page uses it, and will display a broken link.").waitFor()
    expect(await findViolations(page)).toEqual([])
    await inDialog(page, "Delete").click()
    await page.getByText("“one.txt” deleted").waitFor()
    const fileOf = (id: string) => app.ada.client.content.getFileById({ params: { spaceId, fileId: id } })
    await button(page, "Undo").last().click()
    await expect.poll(() => fileOf(file.id).then(({ name }) => name)).toBe("one.txt")

    await choose("one.txt", "Rename")
    await page.getByRole("dialog").getByRole("textbox", { name: "File name" }).fill("first.txt")
    await inDialog(page, "Save").click()
    await page.getByText("Renamed to “first.txt”").waitFor()
    expect((await fileOf(file.id)).name).toBe("first.txt")

    // cspell:ignore filechooser
    const chooser = page.waitForEvent("filechooser")
    await choose("first.txt", "Replace with another file")
    await (await chooser).setFiles({
      name: "other.md",
      mimeType: "text/markdown",
      buffer: Buffer.from("Another text")
    })
    await page.getByText("“first.txt” replaced").waitFor()
    expect(await fileOf(file.id)).toMatchObject({ name: "first.md", size: 12 })
    const { count } = await app.ada.client.content.listFiles({ params: { spaceId } })
    expect(count).toBe(3)
    await button(page, "Undo").last().click()
    await expect.poll(() => fileOf(file.id).then(({ name, size }) => [name, size])).toEqual(["first.txt", 3])
    await page.getByRole("searchbox").fill("two")
    await expect.poll(() => page.locator(".list > li").count()).toBe(1)
  })
})

it("reports an upload that failed, and sends it again", async () => {
  const spaceId = await createSpace(app, "Failing", [])
  await withApplication(
    browser,
    app,
    app.ada,
    `/spaces/${spaceId}/files`,
    async (page) => {
      await page.getByText("No files yet").waitFor()
      await page.route("**/content", (route) =>
        route.request().method() === "POST" ? route.abort() : route.continue()
      )
      await page
        .locator("input[type=file]")
        .setInputFiles([{ name: "one.txt", mimeType: "text/plain", buffer: Buffer.from("One") }])
      await page.getByText(/^one.txt was not uploaded/).waitFor()
      await page.unroute("**/content")
      await page.getByRole("list", { name: "Upload" }).getByRole("button", { name: "Upload" }).click()
      await page.getByText("1 file uploaded").waitFor()
    },
    {},
    /net::ERR_FAILED/
  )
})

it("repairs broken links by a page, and by the removal of the link", async () => {
  const spaceId = await createSpace(app, "Links", [
    { title: "Target", markdown: "Target." },
    { title: "Source", markdown: "See [it](gone.md) and [that](lost.md).\n" }
  ])
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}/links`, async (page) => {
    const row = (target: string) => page.locator(".list > li", { hasText: target })
    await row("gone.md").getByRole("button", { name: "Repair" }).click()
    await page.getByRole("dialog").getByRole("combobox", { name: "Page" }).selectOption({ label: "Target" })
    expect(await findViolations(page)).toEqual([])
    await inDialog(page, "Replace").click()
    await page.getByText("Links of 1 page repaired").waitFor()
    await row("lost.md").getByRole("button", { name: "Repair" }).click()
    await page.getByRole("dialog").getByRole("checkbox").check()
    await inDialog(page, "Remove the link").click()
    await page.getByText("No broken links").waitFor()
    const [target] = await pagesOf(spaceId)
    expect(await markdownOf(spaceId, 1)).toBe(`See [it](/pages/${target!.id}) and that.\n`)
    await page.getByRole("link", { name: "All", exact: true }).click()
    await row("Target").waitFor()
  })
})

it("creates, edits, renames and deletes a reusable content", async () => {
  const spaceId = await createSpace(app, "Reusable", [{ title: "User", markdown: "Text." }])
  const titles = async () =>
    (await app.ada.client.content.getCurrentRevision({ params: { spaceId } })).reusableContents.map(
      ({ title }) => title
    )
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}/reusable`, async (page) => {
    await page.getByText("No reusable contents yet").waitFor()
    await button(page, "New reusable content").click()
    await page.getByRole("dialog").getByRole("textbox", { name: "Title" }).fill("Notice")
    await inDialog(page, "Create").click()
    await page.getByRole("link", { name: "Notice" }).click()
    const text = page.getByRole("textbox", { name: "Notice", exact: true })
    await text.click()
    await page.keyboard.type("Mind the gap.")
    await page.getByText(/^Saved/).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.goBack()
    const choose = async (action: string) => {
      await page
        .getByRole("button", { name: /^More actions for/ })
        .last()
        .click()
      await page.getByRole("menuitem", { name: action }).click()
    }
    await choose("Rename")
    await page.getByRole("dialog").getByRole("textbox", { name: "Title" }).fill("Warning")
    await inDialog(page, "Save").click()
    await page.getByText("Renamed to “Warning”").waitFor()
    expect(await titles()).toEqual(["Warning"])
    await choose("Pages that use it")
    await page.getByText("No page uses it.").waitFor()
    await inDialog(page, "Dismiss").click()
    await choose("Delete")
    await inDialog(page, "Delete").click()
    await page.getByText("“Warning” deleted").waitFor()
    expect(await titles()).toEqual([])
    await button(page, "Undo").last().click()
    await expect.poll(titles).toEqual(["Warning"])
  })
})

it("begins a change request for edits of a locked space", async () => {
  const spaceId = await createSpace(app, "Locked files", [{ title: "Page", markdown: "Text." }])
  await app.ada.client.spaces.updateSpaceById({ params: { spaceId }, payload: { editMode: "locked" } })
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}/files`, async (page) => {
    await page.getByText("This space is changed by change requests only.").waitFor()
    await page
      .locator("input[type=file]")
      .setInputFiles([{ name: "one.txt", mimeType: "text/plain", buffer: Buffer.from("One") }])
    await page.getByText(/^Uploaded in change request #\d+$/).waitFor()
  })
  const { count } = await app.ada.client.content.listFiles({ params: { spaceId } })
  expect(count).toBe(0)
})

it("changes the settings of a space, and moves it to the trash and back", async () => {
  const spaceId = await createSpace(app, "Settings", [])
  const read = () => app.ada.client.spaces.getSpaceById({ params: { spaceId } })
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}/settings`, async (page) => {
    await page.getByRole("textbox", { name: "Title" }).fill("Renamed")
    await page.getByRole("textbox", { name: "Emoji" }).fill("🚀")
    await button(page, "Save").first().click()
    await expect.poll(async () => (await read()).title).toBe("Renamed")
    expect((await read()).emoji).toBe("🚀")
    await page.getByRole("radio", { name: "Change requests only" }).check()
    await button(page, "Save").nth(1).click()
    await expect.poll(async () => (await read()).editMode).toBe("locked")
    await page.getByRole("radio", { name: "Rules of this space" }).check()
    await page.getByRole("checkbox", { name: "At least one person reviews" }).check()
    expect(await findViolations(page)).toEqual([])
    await button(page, "Save").nth(2).click()
    await expect
      .poll(async () => (await read()).mergeRules)
      .toEqual({ type: "rules", rules: [{ rule: "require_at_least_one_review" }] })
    await button(page, "Move to trash").click()
    await inDialog(page, "Move to trash").click()
    await page.getByText("“Renamed” moved to the trash").waitFor()
    await button(page, "Undo").last().click()
    await expect.poll(async () => (await read()).deletedAt).toBeUndefined()
  })
})

it("explains the settings to a person without permission, and offers a reader no change", async () => {
  const spaceId = await createSpace(app, "Reading", [{ title: "Page", markdown: "[x](gone.md)" }])
  const reader = await app.addUser("settings-reader@example.com", "read")
  await withApplication(browser, app, reader, `/spaces/${spaceId}/settings`, async (page) => {
    await page.getByText("You have no permission for this").waitFor()
    await page.goto(`${app.url}/app/spaces/${spaceId}/links`)
    await page.getByText("gone.md").waitFor()
    expect(await button(page, "Repair").count()).toBe(0)
    await page.goto(`${app.url}/app/spaces/${spaceId}/files`)
    await page.getByText("No files yet").waitFor()
    expect(await button(page, "Upload").count()).toBe(0)
  })
})

it("is accessible in light and dark, and at phone width", async () => {
  const spaceId = await createSpace(app, "Screens", [{ title: "Page", markdown: "[x](gone.md)" }])
  const base = `/spaces/${spaceId}`
  await visitScreens(browser, app, app.ada, [
    { name: "history", path: `${base}/history`, ready: "Current" },
    { name: "deleted", path: `${base}/history/deleted`, ready: "No deleted pages" },
    { name: "files", path: `${base}/files`, ready: "No files yet" },
    { name: "links", path: `${base}/links`, ready: "gone.md" },
    { name: "reusable", path: `${base}/reusable`, ready: "No reusable contents yet" },
    { name: "space-settings", path: `${base}/settings`, ready: "Merge rules" },
    { name: "changes", path: `${base}/changes`, ready: "No change request here" },
    { name: "comments", path: `${base}?panel=comments`, ready: "No comments here" }
  ])
})
