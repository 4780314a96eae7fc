/** Sites and API specifications in the browser. */
import { SiteEvents } from "@lectern/core"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { createSpace, findViolations, openApplication, withApplication } from "./support/application.ts"
import { untilDraggable } from "./support/clicks.ts"
import { visitScreens } from "./support/screens.ts"

const { app, browser } = await openApplication()

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })
const dialog = (page: Page) => page.getByRole("dialog")
const submit = (page: Page, name: string) => dialog(page).getByRole("button", { name, exact: true }).click()

/** Waits for a value as long as for the elements of a page. */
const poll = <Value>(read: () => Value) => expect.poll(read, { timeout: 60_000 })

const pages = [{ title: "Start", markdown: "Welcome, reader.\n" }]

/** Creates a site with sections of one space each. */
const createSite = async (titles: ReadonlyArray<string>) => {
  const params = { organizationId: app.organizationId }
  const spaceIds = await Promise.all(titles.map((title) => createSpace(app, title, pages)))
  const site = await app.ada.client.sites.createSite({ params, payload: { title: "Handbook" } })
  const siteParams = { ...params, siteId: site.id }
  for (const spaceId of spaceIds)
    await app.ada.client.siteSections.addSectionToSite({ params: siteParams, payload: { spaceId } })
  return { params: siteParams, id: site.id, spaceIds }
}

const sectionsOf = async (params: { readonly organizationId: string; readonly siteId: string }) => {
  const { structure } = await app.ada.client.sites.getSiteStructure({ params })
  return structure.map((item) =>
    item.object === "site-section-group"
      ? `${item.title}: ${item.sections.map(({ title }) => title).join(", ")}`
      : item.title
  )
}

it("creates a site, publishes it in one click, and lists the links that stop working before it is unpublished", async () => {
  const spaceId = await createSpace(app, "Guide", pages)
  await withApplication(browser, app, app.ada, "/sites", async (page) => {
    await button(page, "New site").first().click()
    await dialog(page).getByLabel("Title").fill("Public docs")
    await dialog(page).getByLabel("Guide").check()
    await submit(page, "Create")
    await page.getByRole("row", { name: /Guide/ }).waitFor()
    await button(page, "Publish").click()
    await page.getByText("“Public docs” is published").waitFor()
    const href = await page.getByRole("link", { name: "Open the site" }).getAttribute("href")
    expect((await fetch(href!)).status).toBe(200)
    await button(page, "More actions").click()
    await page.getByRole("menuitem", { name: "Unpublish" }).click()
    await dialog(page).getByText(href!).waitFor()
    await submit(page, "Unpublish")
    await page.getByText("“Public docs” is no longer published").waitFor()
    expect((await fetch(href!)).status).toBe(404)
    await button(page, "Undo").last().click()
    await poll(async () => (await fetch(href!)).status).toBe(200)
  })
  const { items } = await app.ada.client.sites.listSites({
    params: { organizationId: app.organizationId },
    query: { space: spaceId }
  })
  expect(items.map(({ title }) => title)).toEqual(["Public docs"])
})

it("orders sections by the keyboard and by menus, moves them into groups, and undoes it", async () => {
  const { id, params } = await createSite(["One", "Two", "Three"])
  await app.ada.client.siteSectionGroups.addSectionGroupToSite({ params, payload: { title: "Group" } })
  await withApplication(browser, app, app.ada, `/sites/${id}`, async (page) => {
    const row = (name: string) => page.getByRole("row", { name }).first()
    /** Waits until the server and the page have an order. */
    const hasOrder = async (order: ReadonlyArray<string>) => {
      await poll(() => sectionsOf(params)).toEqual(order)
      const titles = page.locator("[role=row][aria-level='1'] .tree-title")
      await poll(() => titles.allInnerTexts()).toEqual(order.map((title) => title.replace(/:.*/, "")))
    }
    await row("Three").focus()
    await page.keyboard.press("Alt+ArrowUp")
    await hasOrder(["One", "Three", "Two", "Group: "])
    await button(page, "Undo").click()
    await hasOrder(["One", "Two", "Three", "Group: "])

    await row("Group").focus()
    await page.keyboard.press("Alt+ArrowUp")
    await hasOrder(["One", "Two", "Group: ", "Three"])
    await row("Three").focus()
    await page.keyboard.press("Alt+ArrowRight")
    await hasOrder(["One", "Two", "Group: Three"])

    await row("Two").hover()
    await row("Two").getByRole("button", { name: "More actions for Two" }).click()
    await page.getByRole("menuitem", { name: "Move up" }).click()
    await hasOrder(["Two", "One", "Group: Three"])
  })
})

it("moves a section by dragging it between others", async () => {
  const { id, params } = await createSite(["One", "Two", "Three"])
  await withApplication(browser, app, app.ada, `/sites/${id}`, async (page) => {
    const row = (name: string) => page.getByRole("row", { name }).first()
    await untilDraggable(page)
    await row("Three").dragTo(row("One"), { targetPosition: { x: 60, y: 2 } })
    await poll(() => sectionsOf(params)).toEqual(["Three", "One", "Two"])
    await button(page, "Undo").click()
    await poll(() => sectionsOf(params)).toEqual(["One", "Two", "Three"])
  })
})

it("displays the addresses at which readers find sections and spaces", async () => {
  const { id, params, spaceIds } = await createSite(["First", "Second"])
  const { structure } = await app.ada.client.sites.getSiteStructure({ params })
  const variant = await createSpace(app, "Variant", pages)
  await app.ada.client.siteSpaces.addSpaceToSite({
    params,
    payload: { spaceId: variant, sectionId: structure[0]!.id }
  })
  const { urls } = await app.ada.client.sites
    .publishSite({ params })
    .then(() => app.ada.client.sites.getSiteById({ params }))
  await withApplication(browser, app, app.ada, `/sites/${id}`, async (page) => {
    const details = page.locator(".tree-detail")
    await details.nth(spaceIds.length + 2).waitFor()
    const paths = await details.allInnerTexts()
    expect(new Set(paths).size).toBe(3)
    for (const path of paths)
      expect([path, (await fetch(urls.published!.replace(/\/$/, "") + path)).status]).toEqual([path, 200])
  })
})

it("opens a site by a share link, and otherwise the screen that creates one", async () => {
  const { id, params } = await createSite(["Shared"])
  await app.ada.client.sites.updateSiteById({ params, payload: { visibility: "share-link" } })
  await app.ada.client.sites.publishSite({ params })
  await withApplication(browser, app, app.ada, `/sites/${id}`, async (page) => {
    await page.getByRole("link", { name: "Open by a share link…" }).click()
    await button(page, "New share link").click()
    await dialog(page).getByLabel("Name").fill("Partners")
    await submit(page, "Create")
    const href = await page.getByRole("link", { name: "Open the site" }).getAttribute("href")
    expect((await fetch(href!)).status).toBe(200)
  })
})

it("asks before changes of the look are lost", async () => {
  const { id } = await createSite(["Look"])
  await withApplication(browser, app, app.ada, `/sites/${id}`, async (page) => {
    const look = page.getByRole("link", { name: "Look", exact: true })
    const font = page.getByLabel("Font", { exact: true })
    const question = page.getByRole("dialog", { name: "Discard the changes?" })
    await look.click()
    await font.selectOption("Merriweather")
    expect(await button(page, "Save").isVisible()).toBe(true)
    await page.goBack()
    await question.getByRole("button", { name: "Cancel" }).click()
    expect(page.url()).toContain("/look")
    await page.getByRole("link", { name: "Structure", exact: true }).click()
    await question.getByRole("button", { name: "Cancel" }).click()
    expect(await font.inputValue()).toBe("Merriweather")
    await page.getByRole("link", { name: "Structure", exact: true }).click()
    await question.getByRole("button", { name: "Discard" }).click()
    await page.getByRole("row", { name: /Look/ }).first().waitFor()
    await look.click()
    expect(await font.inputValue()).toBe("Inter")
  })
})

it("creates a share link, pauses it, and admits a test visitor of an authenticated site", async () => {
  const { id, params } = await createSite(["Secret"])
  await app.ada.client.sites.publishSite({ params })
  await withApplication(browser, app, app.ada, `/sites/${id}/audience`, async (page) => {
    await page.getByLabel("Share links").click()
    await submit(page, "Change audience")
    await page.getByRole("link", { name: "People with access" }).click()
    await page.getByLabel("Person", { exact: true }).selectOption({ label: "Ada Lovelace" })
    await page.getByText("Ada Lovelace can do everything with the site").waitFor()
    await page.getByText("Anyone with an active share link can read its pages.").waitFor()
    await page.getByRole("link", { name: "Audience" }).click()
    await button(page, "New share link").click()
    await dialog(page).getByLabel("Name").fill("Partners")
    await submit(page, "Create")
    const url = await page.getByRole("textbox", { name: "Partners" }).inputValue()
    expect((await fetch(url)).status).toBe(200)
    await button(page, "More actions for Partners").click()
    await page.getByRole("menuitem", { name: "Pause the link" }).click()
    await page.getByText("“Partners” no longer admits readers").waitFor()
    expect((await fetch(url)).status).toBe(404)

    await page.getByLabel("Signed-in visitors").click()
    await submit(page, "Change audience")
    await button(page, "Sign the token").click()
    const visit = await page.getByRole("link", { name: "Open as this visitor" }).getAttribute("href")
    const { urls } = await app.ada.client.sites.getSiteById({ params })
    expect((await fetch(urls.published!)).status).not.toBe(200)
    const response = await fetch(visit!, { redirect: "manual" })
    expect([response.status, response.headers.has("set-cookie")]).toEqual([302, true])
  })
})

it("tests the target of a redirect, and restores a deleted one", async () => {
  const { id, params } = await createSite(["Guide"])
  await app.ada.client.sites.publishSite({ params })
  const listSources = async () =>
    (await app.ada.client.siteRedirects.listSiteRedirects({ params })).items.map(({ source }) => source)
  await withApplication(
    browser,
    app,
    app.ada,
    `/sites/${id}/redirects`,
    async (page) => {
      await button(page, "New redirect").first().click()
      await dialog(page).getByLabel("Path on the site").fill("/old/start")
      await dialog(page).getByLabel("Leads to").selectOption({ label: "Space “Guide”" })
      await dialog(page).getByLabel("Page").selectOption({ label: "Start" })
      await submit(page, "Create")
      await page.getByText("/old/start").waitFor()
      const test = page.locator("form").filter({ hasText: "Test an address" })
      await test.getByLabel("Path on the site").fill("/old/start")
      await test.getByRole("button", { name: "Test" }).click()
      await test.getByRole("link").waitFor()
      await test.getByLabel("Path on the site").fill("/nowhere")
      await test.getByRole("button", { name: "Test" }).click()
      await test.getByText("No redirect starts there.").waitFor()
      await button(page, "More actions for /old/start").click()
      await page.getByRole("menuitem", { name: "Delete" }).click()
      await poll(listSources).toEqual([])
      await button(page, "Undo").click()
      await poll(listSources).toEqual(["/old/start"])
    },
    {},
    // The browser reports the address without a redirect, which the API rejects with 404.
    /404/
  )
})

it("redirects all paths with a beginning to another website, and publishes a draft", async () => {
  const { id, params } = await createSite(["Guide"])
  const { urls } = await app.ada.client.sites.publishSite({ params })
  const visit = async () => {
    const response = await fetch(`${urls.published!}v1/start`, { redirect: "manual" })
    return [response.status, response.headers.get("location")]
  }
  await withApplication(browser, app, app.ada, `/sites/${id}/redirects`, async (page) => {
    await button(page, "New redirect").first().click()
    await dialog(page).getByLabel("Path on the site").fill("/v1/*")
    await dialog(page).getByLabel("Leads to").selectOption({ label: "Another website" })
    await dialog(page).getByLabel("URL").fill("https://example.com/docs")
    await dialog(page).getByLabel("Append the part of the path").check()
    await dialog(page).getByLabel("Permanent").check()
    await dialog(page).getByLabel("Draft").check()
    await submit(page, "Create")
    await page.getByLabel("List").selectOption({ label: "Drafts" })
    await page.getByText("/v1/*").waitFor()
    expect(await visit()).toEqual([404, null])
    await button(page, "More actions for /v1/*").click()
    await page.getByRole("menuitem", { name: "Publish" }).click()
    await poll(visit).toEqual([308, "https://example.com/docs/start"])
    await page.getByText("No drafts").waitFor()
  })
})

it("adds a link next to sections, moves it, and displays it to visitors after it is published", async () => {
  const { id, params } = await createSite(["One", "Two"])
  const { urls } = await app.ada.client.sites.publishSite({ params })
  const readPage = async () => (await fetch(urls.published!)).text()
  await withApplication(browser, app, app.ada, `/sites/${id}`, async (page) => {
    await button(page, "Add").click()
    await page.getByRole("menuitem", { name: "Add a link" }).click()
    await dialog(page).getByLabel("Title").fill("Status")
    await dialog(page).getByLabel("URL").fill("https://status.example.com/")
    await dialog(page).getByLabel("Draft").check()
    await submit(page, "Add")
    await page.getByRole("row", { name: "Status" }).first().focus()
    await page.keyboard.press("Alt+ArrowUp")
    await poll(() => sectionsOf(params)).toEqual(["One", "Status", "Two"])
    expect(await readPage()).not.toContain("status.example.com")
    await button(page, "More actions for Status").click()
    await page.getByRole("menuitem", { name: "Edit" }).click()
    await dialog(page).getByLabel("Draft").uncheck()
    await submit(page, "Save")
    await poll(readPage).toContain('<a href="https://status.example.com/" rel="noopener noreferrer"')
    await button(page, "More actions for Status").click()
    await page.getByRole("menuitem", { name: "Remove" }).click()
    await submit(page, "Remove")
    await poll(() => sectionsOf(params)).toEqual(["One", "Two"])
  })
})

it("stores a title, a color and a link, and displays them in the real reader", async () => {
  const { id, params } = await createSite(["Guide"])
  await app.ada.client.sites.publishSite({ params })
  await withApplication(browser, app, app.ada, `/sites/${id}/look`, async (page) => {
    const preview = page.frameLocator("iframe")
    await preview.getByText("Welcome, reader.").waitFor()
    await page.getByLabel("Font of code").selectOption("JetBrainsMono")
    await page.getByLabel("Title of the site").fill("Acme manual")
    await page.getByLabel("Light", { exact: true }).fill("#7c3aed")
    const color = () =>
      preview.locator("html").evaluate((root) => root.style.getPropertyValue("--primary-light"))
    await poll(color).toBe("#7C3AED")
    await page
      .getByLabel("Upload a logo", { exact: true })
      .last()
      .setInputFiles({
        name: "logo.svg",
        mimeType: "image/svg+xml",
        buffer: Buffer.from(
          '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9H0z"/></svg>'
        )
      })
    await poll(() => page.getByLabel("URL of the logo", { exact: true }).inputValue()).toMatch(/^http/)
    await button(page, "Add a link").first().click()
    await page.getByLabel("Title", { exact: true }).fill("Status")
    await page.getByLabel("URL", { exact: true }).fill("https://status.example.com")
    await button(page, "Save").click()
    // The header of the page has the logo instead of the title, which the menu has.
    await preview.locator("img").first().waitFor()
    await preview.getByText("Acme manual").first().waitFor({ state: "attached" })
    // The frame is narrow, so that the reader has its links in a menu.
    await preview.locator("a", { hasText: "Status" }).first().waitFor({ state: "attached" })
  })
  const stored = await app.ada.client.sites.getSiteCustomizationById({ params })
  expect(stored.styling.primaryColor.light).toBe("#7C3AED")
  expect(stored.styling.monospaceFont).toBe("JetBrainsMono")
  const logo = await fetch(stored.header.logo!.light)
  expect([logo.status, await logo.text()]).toEqual([200, expect.stringContaining("<svg")])
})

it("overrides the look of the site for a space, follows the site elsewhere, and resets", async () => {
  const { id, params } = await createSite(["Branded", "Plain"])
  const { structure } = await app.ada.client.sites.getSiteStructure({ params })
  const [section] = structure
  const [space] = section?.object === "site-section" ? section.siteSpaces : []
  const spaceParams = { ...params, siteSpaceId: space!.id }
  const read = () => app.ada.client.siteSpaces.getSiteSpaceCustomizationById({ params: spaceParams })
  await withApplication(browser, app, app.ada, `/sites/${id}/spaces/${space!.id}/look`, async (page) => {
    await page.getByLabel("Light", { exact: true }).fill("#7c3aed")
    expect(await page.getByLabel("Font", { exact: true }).count()).toBe(0)
    await button(page, "Save").click()
    await poll(async () => (await read()).styling.primaryColor.light).toBe("#7C3AED")
    const site = await app.ada.client.sites.getSiteCustomizationById({ params })
    await app.ada.client.sites.updateSiteCustomizationById({
      params,
      payload: { ...site, title: "Of the site" }
    })
    expect((await read()).title).toBe("Of the site")
    expect(site.styling.primaryColor.light).not.toBe("#7C3AED")
    await button(page, "Use the look of the site").click()
    expect(await findViolations(page)).toEqual([])
    await submit(page, "Use the look of the site")
    await poll(async () => (await read()).styling.primaryColor.light).toBe(site.styling.primaryColor.light)
  })
})

it("turns adaptive content on for a site without claims, and declares one", async () => {
  const { id, params } = await createSite(["Adaptive"])
  await withApplication(
    browser,
    app,
    app.ada,
    `/sites/${id}/settings`,
    async (page) => {
      await page.getByText("Adapt the content to visitors").click()
      const schema = page.getByLabel("Claims of visitors, as JSON Schema")
      await schema.fill(
        '{ "type": "object", "properties": { "beta": { "type": "boolean" } }, "additionalProperties": false }'
      )
      const form = page.locator("form").filter({ hasText: "Adapt the content to visitors" })
      await form.getByRole("button", { name: "Save" }).click()
      await page.getByText("Saved", { exact: true }).waitFor()
    },
    {},
    // The site has no schema yet.
    /404/
  )
  expect((await app.ada.client.sites.getSiteById({ params })).adaptiveContent.enabled).toBe(true)
  const { jsonSchema } = await app.ada.client.sites.getSiteAdaptiveSchema({ params })
  expect(Object.keys(jsonSchema.properties)).toEqual(["beta"])
})

it("stores synonyms, a pinned result and a weight of the search, and displays them again", async () => {
  const { id, params, spaceIds } = await createSite(["Finding"])
  await withApplication(browser, app, app.ada, `/sites/${id}/settings`, async (page) => {
    const form = page.locator("form").filter({ has: page.getByRole("heading", { name: "Search" }) })
    const row = (name: string) => form.getByRole("group", { name })
    await form.getByLabel("Synonyms").fill("k8s, kubernetes\n")
    await form.getByRole("button", { name: "Pin a result" }).click()
    await row("Pinned result 1").getByLabel("Queries").fill("welcome, first steps")
    await expect.poll(() => form.getByRole("button", { name: "Save" }).isDisabled()).toBe(true)
    await row("Pinned result 1").getByLabel("Page").selectOption("Start")
    await form.getByRole("button", { name: "Add a weight" }).click()
    await row("Weight 1").getByLabel("Weight").fill("0,5")
    expect(await findViolations(page)).toEqual([])
    await form.getByRole("button", { name: "Save" }).click()
    await page.getByText("Saved", { exact: true }).waitFor()
    await page.reload()
    await expect.poll(() => form.getByLabel("Synonyms").inputValue()).toBe("k8s, kubernetes")
    expect(await row("Pinned result 1").getByLabel("Queries").inputValue()).toBe("welcome, first steps")
    expect(await row("Weight 1").getByLabel("Weight").inputValue()).toBe("0.5")
    await row("Weight 1").getByRole("button", { name: "Remove" }).click()
    await form.getByRole("button", { name: "Save" }).click()
    await page.getByText("Saved", { exact: true }).waitFor()
  })
  const { search } = await app.ada.client.sites.getSiteCustomizationById({ params })
  expect(search).toMatchObject({
    synonyms: [["k8s", "kubernetes"]],
    pins: [{ space: spaceIds[0], queries: ["welcome", "first steps"] }],
    boosts: []
  })
})

it("displays a public site with adaptive content as a visitor with given claims", async () => {
  const { id, params } = await createSite(["Claims"])
  const { client } = app.ada
  const spaceId = await createSpace(app, "Beta", [
    {
      title: "Start",
      markdown: "{% if visitor.claims.beta %}\nFor testers.\n{% endif %}\n"
    }
  ])
  await client.siteSections.addSectionToSite({ params, payload: { spaceId } })
  await client.sites.updateSiteAdaptiveSchema({
    params,
    payload: {
      jsonSchema: { type: "object", properties: { beta: { type: "boolean" } }, additionalProperties: false }
    }
  })
  await client.sites.updateSiteById({ params, payload: { adaptiveContent: { enabled: true } } })
  await client.sites.publishSite({ params })
  await withApplication(browser, app, app.ada, `/sites/${id}/audience`, async (page) => {
    await page.getByRole("heading", { name: "The site as this visitor" }).waitFor()
    await page.getByLabel("Claims").fill('{ "beta": true }')
    await button(page, "Sign the token").click()
    await page.frameLocator("iframe").getByText("Welcome, reader.").waitFor()
    await page.frameLocator("iframe").getByRole("link", { name: "Beta" }).first().click()
    await page.frameLocator("iframe").getByText("For testers.").waitFor()
  })
})

it("displays the views of pages per day as a chart and as a table, for a period in the address", async () => {
  const { id, params } = await createSite(["Read"])
  const { urls } = await app.ada.client.sites.publishSite({ params })
  await withApplication(browser, app, app.ada, `/sites/${id}/insights`, async (page) => {
    await page.getByText("No page view yet").waitFor()
    const agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    for (let view = 0; view < 3; view++) await fetch(urls.published!, { headers: { "user-agent": agent } })
    await app.workspace.runtime.runPromise(Effect.flatMap(SiteEvents, ({ flush }) => flush))
    await page.getByRole("link", { name: "Last 7 days" }).click()
    await page.getByText("3 page views", { exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get("days")).toBe("7")
    await page.getByRole("img", { name: /^3 page views\. Most on / }).waitFor()
    expect(await page.locator(".chart-bar").count()).toBe(7)
    await page.getByText("Page views per day as a table").click()
    expect(await page.locator("tbody tr").count()).toBe(7)
    expect(await page.locator("tbody tr").first().locator("td").innerText()).toBe("3")
    expect(await findViolations(page)).toEqual([])
  })
})

it("adds an API specification from text, and displays the position of each problem", async () => {
  await withApplication(browser, app, app.ada, "/specs", async (page) => {
    await button(page, "Add a specification").first().click()
    await dialog(page).getByLabel("Name").fill("petstore")
    await dialog(page).getByLabel("Text", { exact: true }).check()
    await dialog(page)
      .getByLabel("Document, in JSON or YAML")
      .fill(
        "openapi: 3.1.0\ninfo: { title: Pets, version: '1' }\npaths:\n  /pets:\n    get: { $ref: '#/nowhere' }\n"
      )
    await submit(page, "Add")
    await page
      .getByText(/Line \d+, column \d+/)
      .first()
      .waitFor()
    await button(page, "Replace the source").click()
    await dialog(page).getByLabel("Text", { exact: true }).check()
    await dialog(page)
      .getByLabel("Document, in JSON or YAML")
      .fill("openapi: 3.1.0\ninfo: { title: Pets, version: '2' }\npaths: {}\n")
    await submit(page, "Save")
    await page.getByText("The document has no problems.").waitFor()
    await page.getByText("Latest").waitFor()
    // The document is read by a worker, at a time that no test determines.
    await page.route(/\/openapi\/petstore$/, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), processingState: "pending" } })
    })
    await page.reload()
    await page.getByText("The document is being read. Its problems appear here afterwards.").waitFor()
    expect(await page.getByText("The document has no problems.").count()).toBe(0)
  })
})

it("has accessible screens in light and dark, and at phone width", async () => {
  const { id, params } = await createSite(["Guide", "Reference"])
  await app.ada.client.siteSectionGroups.addSectionGroupToSite({ params, payload: { title: "Products" } })
  await app.ada.client.sites.publishSite({ params })
  const [section] = (await app.ada.client.siteSections.listSiteSections({ params })).items
  await app.ada.client.siteRedirects.createSiteRedirect({
    params,
    payload: { source: "/old", destination: { kind: "site-section", siteSectionId: section!.id } }
  })
  await visitScreens(browser, app, app.ada, [
    { name: "sites", path: "/sites", ready: "Handbook" },
    { name: "site-structure", path: `/sites/${id}`, ready: "Products" },
    { name: "site-audience", path: `/sites/${id}/audience`, ready: "Unlisted" },
    { name: "site-look", path: `/sites/${id}/look`, ready: "Primary color" },
    { name: "site-redirects", path: `/sites/${id}/redirects`, ready: "/old" },
    { name: "site-settings", path: `/sites/${id}/settings`, ready: "Own domain" },
    { name: "specs", path: "/specs", ready: "petstore" },
    { name: "spec", path: "/specs/petstore", ready: "Latest" }
  ])
})
