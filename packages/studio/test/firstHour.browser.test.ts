/** The first hour of new users: another name of the server, drafts, links of invitations, and undone merges. */
import { createClient } from "@lectern/client/fetch"
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { createSpace, findViolations, openApplication, withApplication } from "./support/application.ts"

const { app, browser } = await openApplication()

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })
const submit = (page: Page, name: string) =>
  page.getByRole("dialog").getByRole("button", { name, exact: true }).click()

const createGuide = (title: string) =>
  createSpace(app, title, [{ title: "Setup", markdown: "Run it daily.\n" }])

const updateOf = async (spaceId: string, markdown: string) => {
  const { pages } = await app.ada.client.content.listPages({ params: { spaceId } })
  return { changes: [{ operation: "update_page" as const, page: pages[0]!.id, document: { markdown } }] }
}

/** Creates a draft that changes the first page. */
const propose = async (spaceId: string, subject: string, markdown: string): Promise<string> => {
  const { client } = app.ada
  const { id, number } = await client.changeRequests.createChangeRequest({
    params: { spaceId },
    payload: { subject }
  })
  await client.changeRequestContent.updateChangeRequestContent({
    params: { spaceId, changeRequestId: id },
    payload: await updateOf(spaceId, markdown)
  })
  return `/spaces/${spaceId}/changes/${number}/review`
}

/** Returns the lines of the accessibility tree that contain the id of a resource, apart from the targets of links. */
const displayedIds = async (page: Page): Promise<ReadonlyArray<string>> => {
  const tree = await page.locator("main").ariaSnapshot()
  return tree.split("\n").filter((line) => !line.includes("/url:") && /\b01[0-9a-z]{20,}/.test(line))
}

it("imports a file at localhost, also if the public URL is 127.0.0.1, and names its source", async () => {
  const { id: spaceId } = await app.ada.client.spaces.createSpace({
    params: { organizationId: app.organizationId },
    payload: { title: "Imported" }
  })
  const atLocalhost = { ...app, url: app.url.replace("127.0.0.1", "localhost") }
  await withApplication(browser, atLocalhost, app.ada, `/spaces/${spaceId}`, async (page) => {
    await page.getByRole("link", { name: "Import pages" }).click()
    await page.getByLabel("Files from this device").check()
    await page
      .getByLabel("Files", { exact: false })
      .last()
      .setInputFiles({
        name: "guide.md",
        mimeType: "text/markdown",
        buffer: Buffer.from("# Guide\n\nText.\n")
      })
    await button(page, "Start import").click()
    await page.getByText("Completed").waitFor({ timeout: 60_000 })
    expect(await displayedIds(page)).toEqual([])
    expect(await page.getByText("Files from this device").count()).toBe(1)
  })
})

it("lists the drafts of a person on the start page and in their space", async () => {
  const spaceId = await createGuide("Drafted")
  await propose(spaceId, "An unfinished draft", "Run it hourly.\n")
  await withApplication(browser, app, app.ada, "/", async (page) => {
    const drafts = page.locator(".section", { has: page.getByRole("heading", { name: "Your drafts" }) })
    await drafts.getByRole("link", { name: "An unfinished draft" }).waitFor()
    expect(await findViolations(page)).toEqual([])
  })
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}/changes`, async (page) => {
    await page.getByRole("link", { name: "Drafts 1" }).waitFor()
    await page.getByRole("link", { name: "An unfinished draft" }).waitFor()
  })
})

it("states that a merge is undone, and that the space no longer has its content, and proposes it again", async () => {
  const spaceId = await createGuide("Undone")
  const path = await propose(spaceId, "Hourly", "Run it hourly.\n")
  await withApplication(browser, app, app.ada, path, async (page) => {
    await button(page, "Merge").click()
    await submit(page, "Merge")
    await page.getByText("Merged. The space shows the changes; no published site contains it.").waitFor()
    await button(page, "Undo").click()
    await page.getByText("Merge undone").waitFor()
    await page.getByText("Merged, and undone since. The space does not have these changes.").waitFor()
    await page.getByText("Merged, undone", { exact: true }).waitFor()
    expect(await page.locator(".notice-success").count()).toBe(0)
    await button(page, "Propose again").click()
    await page.getByText(/^Proposed again as change request #/).waitFor()
    await button(page, "Merge").click()
    await submit(page, "Merge")
    await page.getByText("Merged. The space shows the changes; no published site contains it.").waitFor()
  })
})

it("names the choices of a conflict by their page, and displays no ids", async () => {
  const spaceId = await createGuide("Disputed")
  const path = await propose(spaceId, "Hourly", "Run it hourly.\n")
  await app.ada.client.content.updateSpaceContent({
    params: { spaceId },
    payload: await updateOf(spaceId, "Run it weekly.\n")
  })
  await withApplication(browser, app, app.ada, path, async (page) => {
    await page.getByRole("group", { name: "Conflict in Setup (1)" }).waitFor()
    expect(await displayedIds(page)).toEqual([])
  })
})

it("displays conflicts and formulas as readers see them, with the words that differ", async () => {
  const spaceId = await createGuide("Rendered")
  const path = await propose(spaceId, "Hourly", "Run it hourly, for $$x^2$$ hours.\n")
  await app.ada.client.content.updateSpaceContent({
    params: { spaceId },
    payload: await updateOf(spaceId, "Run it **weekly**.\n")
  })
  await withApplication(browser, app, app.ada, path, async (page) => {
    const sides = page.locator(".conflict-side")
    await sides.nth(1).locator("ins strong", { hasText: "weekly" }).waitFor()
    await sides.nth(2).locator("ins", { hasText: "hourly" }).waitFor()
    await sides.nth(2).locator("math msup").waitFor()
    expect((await sides.allInnerTexts()).join()).not.toContain("**")
  })
})

it("invites a person, and creates the link by which the person signs in, on the list of members", async () => {
  await withApplication(browser, app, app.ada, "/organization/members", async (page) => {
    await button(page, "Invite").click()
    await page.getByLabel("E-mail addresses").fill("grace@example.com")
    await submit(page, "Invite")
    await page.getByText("1 person invited").waitFor()
    await button(page, "Create link").click()
    await submit(page, "Create link")
    // The link cannot be displayed again: Escape does not close it.
    await page.keyboard.press("Escape")
    expect(await page.getByLabel("Link of the invitation").inputValue()).toContain("/~/sign-in/")
    await submit(page, "Done")
    await button(page, "More actions for grace").click()
    await page.getByRole("menuitem", { name: "Create a new link…" }).click()
    await submit(page, "Create link")
    expect(await page.getByLabel("Link of the invitation").inputValue()).toContain("/~/sign-in/")
  })
})

it("displays the pages of a change request in the order of their tree", async () => {
  const spaceId = await createGuide("Ordered")
  const { client } = app.ada
  const { id, number } = await client.changeRequests.createChangeRequest({ params: { spaceId }, payload: {} })
  const titles = ["First", "Second", "Third", "Fourth", "Fifth"]
  // Each page is inserted at the top, so that the last one is the first of the tree.
  for (const title of titles.toReversed()) {
    await client.changeRequestContent.updateChangeRequestContent({
      params: { spaceId, changeRequestId: id },
      payload: { changes: [{ operation: "insert_page", title, at: 0, document: { markdown: "Text." } }] }
    })
  }
  await withApplication(
    browser,
    app,
    app.ada,
    `/spaces/${spaceId}/changes/${number}/review`,
    async (page) => {
      await page.getByText("5 pages added").waitFor()
      await expect.poll(() => page.locator(".review-main .change h3").allInnerTexts()).toEqual(titles)
    }
  )
})

it("serves a published site at the name of the server that its link has", async () => {
  const spaceId = await createGuide("Published")
  for (const url of [app.url, app.url.replace("127.0.0.1", "localhost")]) {
    const client = createClient({ baseUrl: url, token: app.ada.token })
    const params = { organizationId: app.organizationId }
    const { id: siteId } = await client.sites.createSite({
      params,
      payload: { title: "Docs", spaces: [spaceId] }
    })
    const { urls } = await client.sites.publishSite({ params: { ...params, siteId } })
    expect(urls.published).toContain(`${url}/sites/`)
    const response = await fetch(urls.published!)
    expect(response.status).toBe(200)
    expect(await response.text()).toContain("Run it daily.")
  }
})

it("moves the focus to the text when a person chooses to edit", async () => {
  const spaceId = await createGuide("Typed")
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}`, async (page) => {
    await button(page, "Edit").click()
    await page.locator(".ProseMirror-focused").waitFor()
    await page.keyboard.type("Now, ")
    await page.getByText("Now, Run it daily.").waitFor()
  })
})

it("displays the state of the editor next to an open panel", async () => {
  const spaceId = await createGuide("Beside")
  const { number } = await app.ada.client.changeRequests.createChangeRequest({
    params: { spaceId },
    payload: { subject: "Beside" }
  })
  const path = `/spaces/${spaceId}/changes/${number}/setup?panel=comments`
  await withApplication(browser, app, app.ada, path, async (page) => {
    const status = await page.locator(".editor-status").boundingBox()
    const panel = await page.getByRole("complementary", { name: "Comments" }).boundingBox()
    expect(status!.x + status!.width).toBeLessThanOrEqual(panel!.x)
  })
})

it("opens a mention in a change request at the discussion, and counts the files that it adds", async () => {
  const spaceId = await createGuide("Mentioned")
  const { client } = app.ada
  const path = await propose(spaceId, "Long", Array(40).fill("A paragraph.\n").join("\n"))
  const changeRequestId = (
    await client.changeRequests.listChangeRequestsForSpace({
      params: { spaceId },
      query: { status: "draft" }
    })
  ).items[0]!.id
  await client.changeRequestContent.updateChangeRequestContent({
    params: { spaceId, changeRequestId },
    payload: {
      changes: [
        {
          operation: "insert_files",
          files: [{ ref: "a", name: "a.txt", contentType: "text/plain", base64: "aGk=" }]
        }
      ]
    }
  })
  await withApplication(browser, app, app.ada, `${path}?panel=comments`, async (page) => {
    await page.getByText("1 page edited and 1 file added").waitFor()
    const top = () => page.getByRole("heading", { name: "Discussion" }).boundingBox()
    await page.getByText("A paragraph.").nth(30).waitFor()
    await expect.poll(async () => (await top())?.y, { timeout: 60_000 }).toBeLessThan(800)
  })
})

it("leads from a space without pages to the change request that has its first ones", async () => {
  const spaceId = await createSpace(app, "Waiting", [])
  const { client } = app.ada
  const request = await client.changeRequests.createChangeRequest({
    params: { spaceId },
    payload: { subject: "The first page" }
  })
  await client.changeRequestContent.updateChangeRequestContent({
    params: { spaceId, changeRequestId: request.id },
    payload: { changes: [{ operation: "insert_page", title: "Start", document: { markdown: "Text." } }] }
  })
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}`, async (page) => {
    await page.getByText("This space has no pages yet").waitFor()
    await page.getByRole("link", { name: "Open the change request" }).click()
    await page.getByText("1 page added").waitFor()
  })
})

it("leads from a change request without possible reviewers to the people with access", async () => {
  const spaceId = await createGuide("Alone")
  const path = await propose(spaceId, "Hourly", "Run it hourly.\n")
  const { items } = await app.ada.client.spacePermissions.listPermissionsAggregateInSpace({
    params: { spaceId },
    query: {}
  })
  expect(items.filter(({ permission }) => ["review", "create", "admin"].includes(permission))).toHaveLength(1)
  await withApplication(browser, app, app.ada, path, async (page) => {
    await button(page, "Request reviewers").click()
    await page.getByRole("dialog").getByText("No other person can review this space.").waitFor()
    await page.getByRole("dialog").getByRole("button", { name: "People with access" }).click()
    await page.getByRole("heading", { name: "People with access", level: 1 }).waitFor()
    expect(await page.getByRole("dialog").count()).toBe(0)
  })
})
