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
