/** A space in a browser: the tree of its pages, and pages. */
import { gzipSync } from "node:zlib"
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { createSpace, findViolations, openApplication, withApplication } from "./support/application.ts"
import { untilDraggable } from "./support/clicks.ts"

const { app, browser } = await openApplication()

const pages = ["One", "Two", "Three"].map((title) => ({
  title,
  markdown: `## About ${title}\n\nThe text of ${title}.`
}))

const row = (page: Page, title: string) =>
  page.getByRole("treegrid", { name: "Pages" }).getByRole("row", { name: title, exact: true })

const titlesOf = async (spaceId: string, change?: string): Promise<ReadonlyArray<string>> => {
  const { content: published, changeRequestContent } = app.ada.client
  const content =
    change === undefined
      ? await published.listPages({ params: { spaceId } })
      : await changeRequestContent.listPagesInChangeRequest({ params: { spaceId, changeRequestId: change } })
  return content.pages.map((page) => {
    const children = "pages" in page ? page.pages.map(({ title }) => title) : []
    return children.length === 0 ? page.title : `${page.title}(${children.join()})`
  })
}

it("opens pages by the tree, and by their address, with working back", async () => {
  const spaceId = await createSpace(app, "Reading", pages)
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}`, async (page) => {
    await page.getByText("The text of One.").waitFor()
    await row(page, "Two").click()
    await page.getByText("The text of Two.").waitFor()
    expect(page.url()).toContain(`/spaces/${spaceId}/two`)
    expect(await page.title()).toBe("Two · Lectern")
    await page.goBack()
    await page.getByText("The text of One.").waitFor()
    await page.goto(`${app.url}/app/spaces/${spaceId}/three`)
    await page.getByText("The text of Three.").waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press("o")
    await page.getByRole("complementary", { name: "On this page" }).getByText("About Three").waitFor()
    expect(page.url()).toContain("panel=outline")
  })
})

it("moves pages by the keyboard, one step at a time, and undoes a move", async () => {
  const spaceId = await createSpace(app, "Order", pages)
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}`, async (page) => {
    await row(page, "Three").focus()
    await page.keyboard.press("Alt+ArrowUp")
    await expect.poll(() => titlesOf(spaceId)).toEqual(["One", "Three", "Two"])
    await page.getByText("“Three” moved").waitFor()
    await row(page, "Three").focus()
    await page.keyboard.press("Alt+ArrowRight")
    await expect.poll(() => titlesOf(spaceId)).toEqual(["One(Three)", "Two"])
    await row(page, "Three").focus()
    await page.keyboard.press("Alt+ArrowLeft")
    await expect.poll(() => titlesOf(spaceId)).toEqual(["One", "Three", "Two"])
    await page.getByRole("button", { name: "Undo" }).last().click()
    await expect.poll(() => titlesOf(spaceId)).toEqual(["One(Three)", "Two"])
  })
})

it("moves a page by dragging it between others", async () => {
  const spaceId = await createSpace(app, "Dragging", pages)
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}`, async (page) => {
    await untilDraggable(page)
    await row(page, "Three").dragTo(row(page, "One"), { targetPosition: { x: 60, y: 2 } })
    await expect.poll(() => titlesOf(spaceId)).toEqual(["Three", "One", "Two"])
  })
})

it("creates, renames, hides and deletes a page, and restores it", async () => {
  const spaceId = await createSpace(app, "Changing", pages.slice(0, 1))
  const choose = async (page: Page, title: string, action: string) => {
    await row(page, title).hover()
    await row(page, title)
      .getByRole("button", { name: `More actions for ${title}` })
      .click()
    await page.getByRole("menuitem", { name: action }).click()
  }
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}`, async (page) => {
    await choose(page, "One", "New page below")
    await page.getByRole("dialog").getByRole("textbox", { name: "Title" }).fill("Below")
    await page.getByRole("dialog").getByRole("button", { name: "Create" }).click()
    // A new page is written in a change request, with the cursor in its title.
    const title = page.getByRole("textbox", { name: "Title", exact: true })
    await expect.poll(() => title.evaluate((field) => field === document.activeElement)).toBe(true)
    const change = /\/changes\/(\d+)\//.exec(page.url())![1]!
    expect(await titlesOf(spaceId, change)).toEqual(["One(Below)"])
    expect(await titlesOf(spaceId)).toEqual(["One"])
    await choose(page, "Below", "Rename")
    await page.getByRole("dialog").getByRole("textbox", { name: "Title" }).fill("Beneath")
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click()
    await page.getByText("Renamed to “Beneath”").waitFor()
    await choose(page, "Beneath", "Hide from navigation")
    await page.getByText("“Beneath” is hidden from navigation").waitFor()
    await choose(page, "Beneath", "Delete")
    await page.getByText("“Beneath” deleted").waitFor()
    expect(await titlesOf(spaceId, change)).toEqual(["One"])
    // The page above the deleted one is open.
    await page.getByRole("textbox", { name: "One", exact: true }).getByText("The text of One.").waitFor()
    await page.getByRole("button", { name: "Undo" }).last().click()
    await expect.poll(() => titlesOf(spaceId, change)).toEqual(["One(Beneath)"])
    // A page with others below it is deleted after a question with their number.
    await page.getByText("“Beneath” deleted").waitFor({ state: "detached" })
    await choose(page, "One", "Delete")
    const question = page.getByRole("dialog", { name: "Delete “One”?" })
    await question.getByText("1 page in it is deleted, too. You can undo this.").waitFor()
    await question.getByRole("button", { name: "Delete" }).click()
    await page.getByText("“One” deleted, with 1 page").waitFor()
  })
})

it("changes the settings of a group and of a link, which have no page, and undoes it", async () => {
  const spaceId = await createSpace(app, "Navigation", [{ title: "Start", markdown: "Text." }])
  const { client } = app.ada
  await client.content.updateSpaceContent({
    params: { spaceId },
    payload: {
      changes: [
        { operation: "insert_page", type: "group", title: "Guides" },
        {
          operation: "insert_page",
          type: "link",
          title: "Status",
          target: { kind: "url", url: "https://status.example.com" }
        }
      ]
    }
  })
  const nodes = async () => (await client.content.listPages({ params: { spaceId } })).pages
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}`, async (page) => {
    const open = async (title: string) => {
      await page.getByRole("button", { name: `More actions for ${title}` }).click()
      await page.getByRole("menuitem", { name: "Page settings" }).click()
    }
    const dialog = page.getByRole("dialog")
    await open("Guides")
    await dialog.getByLabel("Emoji").fill("📖")
    await dialog.getByLabel("Icon").fill("book")
    await dialog.getByLabel("Condition").fill("visitor.claims.beta")
    await dialog.getByRole("button", { name: "Save" }).click()
    await page.getByText("Settings of the page saved").waitFor()
    expect((await nodes())[1]).toMatchObject({ icon: "book", condition: "visitor.claims.beta" })
    await page.getByRole("button", { name: "Undo", exact: true }).last().click()
    await expect.poll(async () => (await nodes())[1]).not.toHaveProperty("condition")
    await open("Status")
    await dialog.getByLabel("Address").fill("https://example.com/status")
    await dialog.getByRole("button", { name: "Save" }).click()
    await expect
      .poll(async () => (await nodes())[2])
      .toMatchObject({ target: { kind: "url", url: "https://example.com/status" } })
  })
})

it("offers a reader no change, and a locked space no change outside of change requests", async () => {
  const spaceId = await createSpace(app, "Locked", pages)
  await app.ada.client.spaces.updateSpaceById({ params: { spaceId }, payload: { editMode: "locked" } })
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}`, async (page) => {
    await page.getByText("The text of One.").waitFor()
    expect(await page.getByRole("button", { name: "New page" }).count()).toBe(0)
    await page.getByRole("button", { name: "Edit", exact: true }).click()
    await page.getByRole("button", { name: "New page" }).waitFor()
  })
  const reader = await app.addUser("reader@example.com", "read")
  await withApplication(browser, app, reader, `/spaces/${spaceId}`, async (page) => {
    await page.getByText("The text of One.").waitFor()
    expect(await page.getByRole("button", { name: "Edit", exact: true }).count()).toBe(0)
  })
})

it("loads at most 200 kB of JavaScript with gzip until the tree of a space is displayed", async () => {
  const spaceId = await createSpace(app, "Weight", pages)
  await withApplication(browser, app, app.ada, "/", async (page) => {
    await page.addInitScript(() => {
      const observer = new MutationObserver(() => {
        if (document.querySelector("[role=treegrid] [role=row]") === null) return
        performance.mark("tree")
        observer.disconnect()
      })
      observer.observe(document, { childList: true, subtree: true })
    })
    await page.goto(`${app.url}/app/spaces/${spaceId}`)
    await row(page, "Three").waitFor()
    const urls = await page.evaluate(() => {
      const { startTime } = performance.getEntriesByName("tree")[0]!
      return performance
        .getEntriesByType("resource")
        .filter((entry) => entry.name.endsWith(".js") && entry.startTime < startTime)
        .map(({ name }) => name)
    })
    const sizes = await Promise.all(
      urls.map(async (url) => gzipSync(await (await fetch(url)).arrayBuffer(), { level: 9 }).length)
    )
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    console.log(`${bytes} bytes`)
    const languages = urls.map((url) => /_(en|de|fr)-\w+\.js$/.exec(url)?.[1])
    expect(new Set(languages.filter((language) => language !== undefined))).toEqual(new Set(["en"]))
    expect(bytes).toBeGreaterThan(100_000)
    expect(bytes).toBeLessThan(200_000)
  })
})
