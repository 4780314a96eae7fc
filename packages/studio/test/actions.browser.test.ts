/** The command palette contains what every screen offers, the keyboard is sufficient, and a new tab continues. */
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { createSpace, findViolations, openApplication, withApplication } from "./support/application.ts"

const { app, browser } = await openApplication()
const { client } = app.ada

const createGuide = (title: string) =>
  createSpace(app, title, [
    { title: "Setup", markdown: "Install it.\n" },
    { title: "Use", markdown: "Read [the setup](/setup).\n" }
  ])

const propose = async (spaceId: string, subject: string) => {
  const request = await client.changeRequests.createChangeRequest({
    params: { spaceId },
    payload: { subject }
  })
  const { pages } = await client.content.listPages({ params: { spaceId } })
  await client.changeRequestContent.updateChangeRequestContent({
    params: { spaceId, changeRequestId: request.id },
    payload: {
      changes: [{ operation: "update_page", page: pages[0]!.id, document: { markdown: "Install it now.\n" } }]
    }
  })
  return request
}

/** The actions of a screen: the buttons and links of its header, the items of its menu, and the links of its sidebar. */
const offeredActions = async (page: Page): Promise<ReadonlyArray<string>> => {
  const own = page.locator(".screen-actions, .change-bar, .section-header")
  const namesOf = (all: ReadonlyArray<string>) => all.map((name) => name.replace(/\s*\d*$/, "").trim())
  const controls = await own
    .locator("button, a")
    .evaluateAll((elements) =>
      elements.flatMap((element) =>
        element.hasAttribute("disabled")
          ? []
          : [element.getAttribute("aria-label") ?? element.textContent ?? ""]
      )
    )
  const links = await page
    .locator(".sidebar .nav-list a")
    .evaluateAll((elements) => elements.map((element) => element.textContent ?? ""))
  const menu = page.locator(".screen-actions").getByRole("button", { name: "More actions", exact: true })
  let items: ReadonlyArray<string> = []
  if ((await menu.count()) > 0) {
    await menu.click()
    items = await page.getByRole("menuitem").locator(".menu-label").allInnerTexts()
    await page.keyboard.press("Escape")
  }
  return namesOf([...controls, ...links, ...items]).filter((name) => name !== "" && name !== "More actions")
}

/** The links of the start page, which the palette contains everywhere with a verb. */
const namesOfAreas: Readonly<Record<string, string>> = {
  Home: "Go to the start page",
  Search: "Search all pages",
  Sites: "Open the sites",
  "API specifications": "Open the API specifications",
  Organization: "Open the members",
  Trash: "Open the trash"
}

const paletteActions = async (page: Page) => {
  await page.keyboard.press("Control+k")
  const group = page.getByRole("dialog").getByRole("group", { name: "Actions" })
  await group.waitFor()
  const options = await group.getByRole("option").evaluateAll((elements) =>
    elements.map((element) => ({
      title: element.querySelector(".palette-title")?.textContent ?? "",
      hasShortcut: element.querySelector("kbd") !== null
    }))
  )
  await page.keyboard.press("Escape")
  await page.getByRole("dialog").waitFor({ state: "hidden" })
  return options
}

it("contains every action of each screen in the command palette, and every shortcut in its help", async () => {
  const spaceId = await createGuide("Every action")
  const draft = await propose(spaceId, "A draft")
  const { id: collection } = await client.collections.createCollection({
    params: { organizationId: app.organizationId },
    payload: { title: "Shelf" }
  })
  const space = `/spaces/${spaceId}`
  const { items } = await client.history.listRevisions({ params: { spaceId } })
  const screens = [
    ["/", "Every action"],
    [`/collections/${collection}`, "Shelf"],
    [`${space}/setup`, "Install it."],
    [`${space}/changes`, "Drafts"],
    [`${space}/changes/${draft.number}/setup`, "Saved"],
    [`${space}/changes/${draft.number}/review`, "1 page edited"],
    [`${space}/history`, "Choose two revisions"],
    [`${space}/history/${items[1]!.id}`, "Restore"],
    [`${space}/files`, "No files yet"],
    [`${space}/links`, "No broken links"],
    [`${space}/reusable`, "No reusable contents yet"],
    [`${space}/settings`, "Merge rules"]
  ] as const
  await withApplication(browser, app, app.ada, "/", async (page) => {
    const missing: Array<string> = []
    for (const [path, ready] of screens) {
      await page.goto(`${app.url}/app${path}`)
      await page.locator("#main").getByText(ready).first().waitFor()
      await page.locator(".sidebar .nav-list a").first().waitFor({ state: "attached" })
      const offered = await offeredActions(page)
      expect([path, offered.length > 0]).toEqual([path, true])
      const actions = await paletteActions(page)
      const titles = new Set(actions.map(({ title }) => title))
      for (const name of offered) {
        if (!titles.has(name) && !titles.has(namesOfAreas[name] ?? "")) missing.push(`${path}: ${name}`)
      }
      await page.locator("body").press("?")
      const help = page.getByRole("dialog", { name: "Keyboard shortcuts" })
      await help.waitFor()
      const listed = new Set(await help.locator("dt").allInnerTexts())
      for (const { title, hasShortcut } of actions) {
        if (hasShortcut && !listed.has(title)) missing.push(`${path}, help: ${title}`)
      }
      await page.keyboard.press("Escape")
    }
    expect(missing).toEqual([])
  })
})

it("needs no pointer to edit, to request a review, and to merge", async () => {
  const spaceId = await createGuide("Keyboard only")
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}/setup`, async (page) => {
    const choose = async (name: string) => {
      await page.keyboard.press("Control+k")
      await page.getByRole("combobox", { name: "Search and run commands" }).fill(name)
      await page.getByRole("option", { name, exact: false }).first().waitFor()
      await page.keyboard.press("Enter")
    }
    /** Presses Tab until an element has the focus. */
    const tabTo = async (selector: string) => {
      for (let presses = 0; presses < 80; presses++) {
        if (await page.evaluate((css) => document.activeElement?.matches(css) === true, selector)) return
        await page.keyboard.press("Tab")
      }
      throw new Error(`${selector} was not reached.`)
    }
    await page.getByRole("button", { name: "Edit", exact: true }).waitFor()
    await page.keyboard.press("e")
    await page.getByRole("textbox", { name: "Setup", exact: true }).waitFor()
    await tabTo(".ProseMirror")
    await page.keyboard.press("Control+End")
    await page.keyboard.type(" By hand.")
    await page.getByText(/^Saved in change request #\d+$/).waitFor()
    // Ctrl+K in text edits a link; with a selected block, it opens the palette.
    await page.keyboard.press("Escape")
    await choose("Request review")
    await page.getByText("Review requested").waitFor()
    await choose("Changes and review")
    await page.locator(".diff ins", { hasText: "hand" }).waitFor()
    await page.keyboard.press("j")
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Setup")
    await choose("Merge")
    await page.getByRole("dialog").waitFor()
    await page.keyboard.press("Tab")
    await tabTo("[role=dialog] .button-primary")
    await page.keyboard.press("Enter")
    await page.getByText("Change request merged").waitFor()
  })
  const { items } = await client.history.listRevisions({ params: { spaceId } })
  expect(items[0]?.type).toBe("merge")
})

it("names a merge in the history by its change request", async () => {
  const spaceId = await createGuide("Named merges")
  for (const subject of ["Explain the options", ""]) {
    const { id } = await propose(spaceId, subject)
    await client.changeRequests.updateChangeRequestById({
      params: { spaceId, changeRequestId: id },
      payload: { subject }
    })
    await client.changeRequests.mergeChangeRequest({ params: { spaceId, changeRequestId: id } })
  }
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}/history`, async (page) => {
    await page.getByRole("link", { name: "Merge of change request #2" }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page
      .locator(".list > li", { hasText: "Explain the options" })
      .getByRole("link", { name: "Change request #1" })
      .click()
    await page.getByText("1 page edited").waitFor()
    await page.goBack()
    await page.getByRole("link", { name: "Explain the options" }).click()
    await page.locator(".diff ins", { hasText: "now" }).waitFor()
  })
})

it("offers to choose reviewers after a review was requested, and lists the pages that link to a page", async () => {
  const spaceId = await createGuide("Reviewers")
  await app.addUser("hamilton@example.com", "review")
  const request = await propose(spaceId, "Ask somebody")
  const path = `/spaces/${spaceId}/changes/${request.number}/review`
  await withApplication(browser, app, app.ada, path, async (page) => {
    await page.getByRole("button", { name: "Request review", exact: true }).click()
    await page.getByRole("button", { name: "Choose reviewers" }).click()
    await page
      .getByRole("dialog")
      .getByRole("checkbox", { name: /hamilton/i })
      .check()
    await page.getByRole("dialog").getByRole("button", { name: "Request", exact: true }).click()
    await page.getByText("1 reviewer requested").waitFor()
    await page.goto(`${app.url}/app/spaces/${spaceId}/setup`)
    await page.getByRole("button", { name: "More actions", exact: true }).click()
    await page.getByRole("menuitem", { name: "Pages that link here" }).click()
    await page.getByRole("dialog").getByRole("link", { name: "Use" }).click()
    await page.getByText("Read the setup.").waitFor()
    expect(page.url()).toContain(`/spaces/${spaceId}/use`)
  })
})

it("continues in a new tab with the token of the other one, and signs both out", async () => {
  const spaceId = await createGuide("Tabs")
  await withApplication(
    browser,
    app,
    undefined,
    `/spaces/${spaceId}/use`,
    async (page) => {
      await page.getByText("Use an API token instead").click()
      await page.getByLabel("API token").fill(app.ada.token)
      await page.keyboard.press("Enter")
      await page.getByText("Read the setup.").waitFor()
      const tab = await page.context().newPage()
      await tab.goto(`${app.url}/app/`)
      await tab.getByRole("link", { name: /Use/ }).first().waitFor()
      await tab.getByText("Continue where you were").waitFor()
      await page.getByRole("button", { name: "Your account" }).first().click()
      await page.getByRole("menuitem", { name: "Sign out" }).click()
      await tab.getByText("Use an API token instead").waitFor()
      expect(await tab.evaluate(() => sessionStorage.getItem("lectern.token"))).toBeNull()
    },
    {},
    /401/
  )
})
