/** The start page in a browser: creating, moving, deleting, restoring, searching, and the states of lists. */
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { createSpace, findViolations, openApplication, withApplication } from "./support/application.ts"
import { untilDraggable } from "./support/clicks.ts"

const { app, browser } = await openApplication("/docs-api")

const row = (page: Page, title: string) =>
  page
    .getByRole("treegrid", { name: "Collections and spaces" })
    .getByRole("row", { name: title, exact: true })

/** The titles of the nodes at the root of the tree. */
const rootTitles = (page: Page) => page.locator("[role=row][aria-level='1'] .tree-title").allInnerTexts()

/** How long a change is awaited, in milliseconds: less than the time after which screens without a stream are refreshed. */
const withoutStreamMs = 18_000

const openTokenField = async (page: Page) => {
  await page.getByText("Use an API token instead").click()
  return page.getByLabel("API token")
}

const createCollection = (title: string) =>
  app.ada.client.collections.createCollection({
    params: { organizationId: app.organizationId },
    payload: { title }
  })

const spaceOf = (spaceId: string) => app.ada.client.spaces.getSpaceById({ params: { spaceId } })

it("explains spaces in an empty organization, and creates one", async () => {
  await withApplication(browser, app, app.ada, "/", async (page) => {
    await page.getByText("A space is one body of documentation").waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.getByRole("main").getByRole("button", { name: "New space" }).first().click()
    const dialog = page.getByRole("dialog")
    expect(await dialog.getByRole("button", { name: "Create" }).isDisabled()).toBe(true)
    await dialog.getByRole("textbox", { name: "Title" }).fill("Handbook")
    await dialog.getByRole("button", { name: "Create" }).click()
    await page.getByText("This space has no pages yet").waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/docs-api\/app\/spaces\/\w+$/)
    await page.goBack()
    await page.getByRole("link", { name: "Handbook", exact: true }).waitFor()
  })
})

it("moves a space by its menu, and undoes the move", async () => {
  const spaceId = await createSpace(app, "Moved by menu", [])
  const { id: collectionId } = await createCollection("Target of the menu")
  await withApplication(browser, app, app.ada, "/", async (page) => {
    await row(page, "Moved by menu").hover()
    await row(page, "Moved by menu").getByRole("button", { name: "More actions for Moved by menu" }).click()
    await page.getByRole("menuitem", { name: "Move to…" }).click()
    await page.getByRole("dialog").getByLabel("Place").selectOption({ label: "Target of the menu" })
    await page.getByRole("dialog").getByRole("button", { name: "Move" }).click()
    await page.getByText("“Moved by menu” moved").waitFor()
    expect((await spaceOf(spaceId)).parent).toBe(collectionId)
    await page.getByRole("button", { name: "Undo" }).click()
    await expect.poll(async () => (await spaceOf(spaceId)).parent).toBeUndefined()
  })
})

it("moves a space by dragging it into a collection", async () => {
  const spaceId = await createSpace(app, "Dragged", [])
  const { id: collectionId } = await createCollection("Target of the drag")
  await withApplication(browser, app, app.ada, "/", async (page) => {
    await untilDraggable(page)
    await row(page, "Dragged").dragTo(row(page, "Target of the drag"))
    await page.getByText("“Dragged” moved").waitFor()
    expect((await spaceOf(spaceId)).parent).toBe(collectionId)
  })
})

it("orders collections and spaces by the keyboard, which other people see, and undoes it", async () => {
  const ids: Array<string> = []
  for (const title of ["Alpha", "Beta", "Gamma"]) ids.push(await createSpace(app, title, []))
  const { client } = await app.addUser("order@example.com", "read")
  const storedOrder = async () => {
    const { items } = await client.spaces.listSpacesInOrganizationById({
      params: { organizationId: app.organizationId }
    })
    return items
      .filter(({ id }) => ids.includes(id))
      .toSorted((one, other) => (one.sortKey < other.sortKey ? -1 : 1))
      .map(({ title }) => title)
  }
  await withApplication(browser, app, app.ada, "/", async (page) => {
    const displayedOrder = async () =>
      (await rootTitles(page)).filter((title) => ["Alpha", "Beta", "Gamma"].includes(title))
    await untilDraggable(page)
    expect(await displayedOrder()).toEqual(["Alpha", "Beta", "Gamma"])
    await row(page, "Gamma").focus()
    await page.keyboard.press("Alt+ArrowUp")
    await expect.poll(storedOrder).toEqual(["Alpha", "Gamma", "Beta"])
    expect(await displayedOrder()).toEqual(["Alpha", "Gamma", "Beta"])
    await page.getByRole("button", { name: "Undo" }).last().click()
    await expect.poll(storedOrder).toEqual(["Alpha", "Beta", "Gamma"])
    await expect.poll(displayedOrder).toEqual(["Alpha", "Beta", "Gamma"])
  })
})

it("opens a menu of the tree while the tree becomes draggable", async () => {
  await createSpace(app, "Menu at once", [])
  await withApplication(browser, app, app.ada, "/", async (page) => {
    let load: (() => void) | undefined
    const isLoading = new Promise<void>((resolve) => {
      load = resolve
    })
    await page.route("**/DraggableTree-*.js", async (route) => {
      await isLoading
      await route.continue()
    })
    await page.reload()
    await row(page, "Menu at once").hover()
    await row(page, "Menu at once")
      .getByRole("button", { name: /More actions/ })
      .click()
    const item = page.getByRole("menuitem", { name: "Duplicate" })
    await item.waitFor()
    load?.()
    await page.waitForTimeout(1_000)
    expect(await item.isVisible()).toBe(true)
    await page.keyboard.press("Escape")
    await page.getByRole("heading", { level: 1 }).click()
    await untilDraggable(page)
  })
})

it("moves a space to the trash, from which it is restored", async () => {
  const spaceId = await createSpace(app, "Discarded", [])
  await withApplication(browser, app, app.ada, "/", async (page) => {
    await row(page, "Discarded").hover()
    await row(page, "Discarded").getByRole("button", { name: "More actions for Discarded" }).click()
    await page.getByRole("menuitem", { name: "Move to the trash" }).click()
    await page.getByText("“Discarded” is in the trash for 7 days").waitFor()
    await page.getByRole("link", { name: "Trash" }).click()
    await page.getByRole("main").getByText("Discarded").waitFor()
    await page.getByRole("button", { name: "Restore" }).click()
    await page.getByText("“Discarded” restored").waitFor()
  })
  expect((await spaceOf(spaceId)).deletedAt).toBeUndefined()
})

it("displays changes by others without a reload, also in a second tab of the browser", async () => {
  await withApplication(browser, app, app.ada, "/", async (page) => {
    const other = await page.context().newPage()
    await other.addInitScript((token) => sessionStorage.setItem("lectern.token", token), app.ada.token)
    await other.goto(page.url())
    for (const tab of [page, other]) await tab.getByRole("button", { name: "New space" }).first().waitFor()
    await createSpace(app, "Created elsewhere", [])
    for (const tab of [page, other]) {
      await row(tab, "Created elsewhere").waitFor()
    }
  })
})

it("displays a change from between the loading of a screen and the opening of the stream of changes", async () => {
  await withApplication(browser, app, app.ada, "/", async (page) => {
    const stream = Promise.withResolvers<void>()
    await page.route(/\/changes\/stream(?:\?|$)/, async (route) => {
      await stream.promise
      await route.continue()
    })
    const requested = page.waitForRequest(/\/changes\/stream(?:\?|$)/)
    await page.reload()
    await requested
    await row(page, "Handbook").waitFor()
    await createSpace(app, "Created in between", [])
    expect(await row(page, "Created in between").count()).toBe(0)
    stream.resolve()
    await row(page, "Created in between").waitFor({ timeout: withoutStreamMs })
  })
})

it("finds pages and actions by the command palette, with the keyboard only", async () => {
  const spaceId = await createSpace(app, "Sea", [
    { title: "Harbors", markdown: "Every harbor has a lighthouse." }
  ])
  await app.ada.client.search.searchOrganizationContent({
    params: { organizationId: app.organizationId },
    query: { query: "lighthouse" }
  })
  await withApplication(browser, app, app.ada, "/", async (page) => {
    await page.getByRole("heading", { level: 1 }).waitFor()
    await page.keyboard.press("Control+k")
    await page.getByRole("combobox", { name: "Search and run commands" }).fill("lighthouse")
    await page.getByRole("option", { name: /Harbors/ }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press("Enter")
    await page.getByText("Every harbor has a lighthouse.").waitFor()
    expect(page.url()).toContain(`/spaces/${spaceId}/harbors`)
    await page.keyboard.press("g")
    await page.keyboard.press("h")
    await page.getByText("Continue where you were").waitFor()
    await page.keyboard.press("?")
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor()
  })
})

it("displays changes to a reader within a second, but not the changes of hidden spaces", async () => {
  const reader = await app.addUser("reader@example.com", "read")
  await withApplication(browser, app, reader, "/", async (page) => {
    await page.getByRole("heading", { level: 1 }).waitFor()
    const spaceId = await createSpace(app, "Seen by readers", [])
    await row(page, "Seen by readers").waitFor({ timeout: withoutStreamMs })
    await app.ada.client.spaces.updateSpaceById({ params: { spaceId }, payload: { defaultLevel: null } })
    await row(page, "Seen by readers").waitFor({ state: "detached", timeout: withoutStreamMs })
  })
})

it("lists the trash to a person who administers a space, and nothing to others", async () => {
  const spaceId = await createSpace(app, "Trashed by its owner", [])
  const owner = await app.addUser("owner@example.com", "read")
  const other = await app.addUser("other@example.com", "read")
  await app.ada.client.spacePermissions.inviteToSpace({
    params: { spaceId },
    payload: { role: "admin", users: [owner.id] }
  })
  await owner.client.spaces.deleteSpaceById({ params: { spaceId } })
  await withApplication(browser, app, other, "/trash", async (page) => {
    await page.getByText("The trash is empty").waitFor()
  })
  await withApplication(browser, app, owner, "/trash", async (page) => {
    await page.getByRole("main").getByText("Trashed by its owner").waitFor()
    await page.getByRole("button", { name: "Restore" }).click()
    await page.getByText("“Trashed by its owner” restored").waitFor()
  })
})

it("marks favorites, which are stored with the pages that were opened last", async () => {
  const spaceId = await createSpace(app, "Marked", [{ title: "Compass", markdown: "North." }])
  const person = await app.addUser("marks@example.com", "read")
  await withApplication(browser, app, person, `/spaces/${spaceId}/compass`, async (page) => {
    await page.getByText("North.").waitFor()
    await page.keyboard.press("Control+k")
    await page.getByRole("combobox").fill("favorites")
    await page.getByRole("option", { name: "Add this page to favorites" }).click()
    await page.getByText("“Compass” is a favorite").waitFor()
  })
  await withApplication(browser, app, person, "/", async (page) => {
    const favorites = page.locator("section").filter({ hasText: "Favorites" })
    await favorites.getByRole("link", { name: /Compass/ }).waitFor()
    await page.getByText("Continue where you were").waitFor()
    expect(await findViolations(page)).toEqual([])
    await row(page, "Marked").hover()
    await row(page, "Marked")
      .getByRole("button", { name: /More actions/ })
      .click()
    await page.getByRole("menuitem", { name: "Add to favorites" }).click()
    await favorites.getByRole("link", { name: "Marked", exact: true }).waitFor()
    await page.getByRole("button", { name: "Undo" }).click()
    await favorites.getByRole("link", { name: "Marked", exact: true }).waitFor({ state: "detached" })
  })
})

it("opens the URL of a resource, which programs receive, in the application", async () => {
  const spaceId = await createSpace(app, "Linked", [{ title: "Anchor", markdown: "Hold." }])
  const space = await spaceOf(spaceId)
  await withApplication(browser, app, app.ada, "/", async (page) => {
    await page.goto(`${space.urls.app}anchor`)
    await page.getByText("Hold.").waitFor()
    expect(new URL(page.url()).pathname).toBe(`/docs-api/app/spaces/${spaceId}/anchor`)
  })
})

it("finds people by the command palette", async () => {
  await app.addUser("katherine@example.com", "read")
  await withApplication(browser, app, app.ada, "/", async (page) => {
    await page.getByRole("heading", { level: 1 }).waitFor()
    await page.keyboard.press("Control+k")
    await page.getByRole("combobox").fill("katherine")
    await page.getByRole("option", { name: /katherine/ }).click()
    await page.getByRole("heading", { name: "Members" }).waitFor()
    await page.getByRole("main").getByText("katherine").first().waitFor()
    expect(await page.getByRole("main").getByText("ada@example.com").count()).toBe(0)
  })
})

it("displays nothing of a person who signed out to the next one", async () => {
  await createSpace(app, "Private of Ada", [])
  const { token } = await app.addUser("guest@example.com", "read")
  await withApplication(
    browser,
    app,
    undefined,
    "/",
    async (page) => {
      const signIn = async (secret: string) => {
        await (await openTokenField(page)).fill(secret)
        await page.getByRole("button", { name: "Sign in", exact: true }).click()
        await page.getByRole("heading", { name: /Welcome/ }).waitFor()
      }
      await signIn(app.ada.token)
      await row(page, "Private of Ada").waitFor()
      await page.getByRole("button", { name: "Your account" }).click()
      await page.getByRole("menuitem", { name: "Sign out" }).click()
      await page.route("**/spaces?*", () => new Promise(() => undefined))
      await signIn(token)
      await page.waitForTimeout(300)
      expect(await row(page, "Private of Ada").count()).toBe(0)
    },
    {},
    /401/
  )
})

describe("states", () => {
  it("request a token without a session, and reject a wrong one", async () => {
    await withApplication(
      browser,
      app,
      undefined,
      "/search?q=x",
      async (page) => {
        const token = await openTokenField(page)
        await token.fill("wrong")
        await page.getByRole("button", { name: "Sign in" }).click()
        await page.getByText("The server rejects this token").waitFor()
        expect(await findViolations(page)).toEqual([])
        await token.fill(app.ada.token)
        await page.getByRole("button", { name: "Sign in" }).click()
        await page.getByRole("heading", { name: "Search" }).waitFor()
        expect(page.url()).toContain("/search?q=x")
      },
      {},
      /401/
    )
  })

  it("name a missing place, with a way back", async () => {
    for (const path of ["/nowhere", "/spaces/missing/page"]) {
      await withApplication(
        browser,
        app,
        app.ada,
        path,
        async (page) => {
          await page.getByRole("main").getByRole("heading", { name: "Not found" }).waitFor()
          await page.getByRole("main").getByRole("link", { name: "Go to the start page" }).click()
          await page.getByRole("heading", { name: /Welcome/ }).waitFor()
        },
        {},
        /404/
      )
    }
  })

  it("show the request id of an error of the server, and load again", async () => {
    await withApplication(
      browser,
      app,
      app.ada,
      "/nowhere",
      async (page) => {
        await page.route("**/collections?*", (route) =>
          route.fulfill({
            status: 500,
            headers: { "x-request-id": "request-7" },
            json: { error: { code: 500, reason: "Unexpected", message: "An unexpected error." } }
          })
        )
        await page.getByRole("link", { name: "Go to the start page" }).click()
        await page.getByText("Request request-7").first().waitFor()
        await page.unroute("**/collections?*")
        await page.getByRole("button", { name: "Try again" }).first().click()
        await row(page, "Sea").waitFor()
      },
      {},
      /500/
    )
  })

  it("revert a change that the server rejects", async () => {
    const spaceId = await createSpace(app, "Stays", [])
    await createCollection("Unreachable")
    await withApplication(
      browser,
      app,
      app.ada,
      "/",
      async (page) => {
        await untilDraggable(page)
        await page.route("**/move", (route) => route.abort())
        await row(page, "Stays").dragTo(row(page, "Unreachable"))
        await page.getByText("“Stays” was not moved").waitFor()
        await page.getByText("Your change is not stored").waitFor()
      },
      {},
      /ERR_FAILED/
    )
    expect((await spaceOf(spaceId)).parent).toBeUndefined()
  })
})

it("is in German and French, with a dark theme, and on a phone", async () => {
  await withApplication(
    browser,
    app,
    app.ada,
    "/",
    async (page) => {
      await page.getByRole("heading", { name: /Ada Lovelace/, level: 1 }).waitFor()
      expect(await page.evaluate(() => document.documentElement.lang)).toBe("de")
      expect(await findViolations(page)).toEqual([])
      const opener = page.getByRole("button", { name: "Navigation öffnen" })
      await opener.press("Enter")
      await page.getByRole("treegrid").waitFor()
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(width).toBe(390)
      expect(await page.locator(".sidebar :focus").count()).toBe(1)
      await page.keyboard.press("Escape")
      await page.getByRole("treegrid").waitFor({ state: "hidden" })
      expect(await opener.evaluate((button) => button === document.activeElement)).toBe(true)
    },
    { locale: "de-DE", colorScheme: "dark", viewport: { width: 390, height: 844 } }
  )
  await withApplication(
    browser,
    app,
    app.ada,
    "/",
    async (page) => {
      await page.getByRole("heading", { name: /^B\w+, Ada Lovelace/, level: 1 }).waitFor()
    },
    { locale: "fr-FR" }
  )
})
