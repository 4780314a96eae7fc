/** Flows on the screens that the longer flows do not open: duplicates, covers, teams, providers, integrations, own domains, documents and usage. */
import { readFile } from "node:fs/promises"
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { createSpace, openApplication, withApplication } from "./support/application.ts"

const { app, browser } = await openApplication()
const { client } = app.ada
const params = { organizationId: app.organizationId }

const poll = <Value>(read: () => Value) => expect.poll(read, { timeout: 60_000 })
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })
const menuItem = (page: Page, name: string) => page.getByRole("menuitem", { name, exact: true })
const dialog = (page: Page) => page.getByRole("dialog")
const submit = (page: Page, name: string) => dialog(page).getByRole("button", { name, exact: true }).click()

const pagesOf = async (spaceId: string) => (await client.content.listPages({ params: { spaceId } })).pages

const treeRow = (page: Page, title: string) => page.getByRole("row", { name: title, exact: true })

const openMenu = async (page: Page, title: string): Promise<void> => {
  await treeRow(page, title).hover()
  await treeRow(page, title)
    .getByRole("button", { name: /More actions/ })
    .click()
}

it("duplicates a space and a page, with their content", async () => {
  const spaceId = await createSpace(app, "Original", [{ title: "Start", markdown: "The text.\n" }])
  await withApplication(browser, app, app.ada, "/", async (page) => {
    await openMenu(page, "Original")
    await menuItem(page, "Duplicate").click()
    await page.getByText("“Original” duplicated").waitFor()
    await page.goto(`${app.url}/app/spaces/${spaceId}/start`)
    await page.getByText("The text.").waitFor()
    await openMenu(page, "Start")
    await menuItem(page, "Duplicate").click()
    await page.getByText("“Start” duplicated").waitFor()
  })
  const { items } = await client.spaces.listSpacesInOrganizationById({ params })
  const copy = items.find(({ id, title }) => id !== spaceId && title.includes("Original"))
  expect((await pagesOf(copy!.id)).map(({ title }) => title)).toEqual(["Start"])
  expect(await pagesOf(spaceId)).toHaveLength(2)
})

it("sets the cover, the layout and the condition of a page, and undoes it", async () => {
  const spaceId = await createSpace(app, "Covered", [{ title: "Start", markdown: "Text.\n" }])
  const file = new FormData()
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9H0z"/></svg>'
  file.append("file", new Blob([svg], { type: "image/svg+xml" }), "cover.svg")
  await client.content.updateSpaceContent({ params: { spaceId }, payload: file })
  const path = `/spaces/${spaceId}/start?panel=settings`
  await withApplication(browser, app, app.ada, path, async (page) => {
    await page.locator("summary", { hasText: "Layout" }).click()
    await page.getByLabel("Width").selectOption({ label: "Wide" })
    await page.locator("summary", { hasText: "Cover" }).click()
    await page.getByLabel("Cover", { exact: true }).selectOption({ label: "cover.svg" })
    await page.locator("summary", { hasText: "Readers and search" }).click()
    await page.getByLabel("Condition").fill("visitor.claims.beta")
    await button(page, "Save").click()
    await page.getByLabel("Only for some visitors").waitFor()
    await poll(async () => (await pagesOf(spaceId))[0]).toMatchObject({
      cover: { ref: { kind: "file" } },
      condition: "visitor.claims.beta",
      layout: { width: "wide", cover: true }
    })
    await button(page, "Undo").click()
    await poll(async () => (await pagesOf(spaceId))[0]).not.toHaveProperty("cover")
  })
})

it("creates a team, adds a member who then manages it, and deletes it", async () => {
  const grace = await app.addUser("grace@example.com", "edit")
  await grace.client.users.updateUserById({
    params: { userId: grace.id },
    payload: { displayName: "Grace Hopper" }
  })
  const teams = async () => (await client.teams.listTeamsInOrganizationById({ params })).items
  await withApplication(browser, app, app.ada, "/organization/teams", async (page) => {
    await button(page, "New team").first().click()
    await dialog(page).getByLabel("Title").fill("Compilers")
    await submit(page, "Create")
    await page.getByRole("heading", { level: 1, name: "Compilers" }).waitFor()
    await button(page, "Add a member").first().click()
    await dialog(page).getByLabel("Member").selectOption({ label: "Grace Hopper" })
    await submit(page, "Add")
    await page.locator(".list").getByText("Grace Hopper").waitFor()
    await page
      .locator(".list")
      .getByRole("button", { name: /More actions/ })
      .click()
    await menuItem(page, "Make owner").click()
    await page.getByText("Grace Hopper can manage the team").waitFor()
    expect((await teams()).map(({ title }) => title)).toEqual(["Compilers"])
    await page
      .locator(".screen-actions")
      .getByRole("button", { name: /More actions/ })
      .click()
    await menuItem(page, "Delete").click()
    await submit(page, "Delete")
    await poll(teams).toEqual([])
  })
})

it("creates a SAML provider with its service data, and deletes it", async () => {
  const providers = async () => (await client.saml.listSAMLProvidersInOrganizationById({ params })).items
  await withApplication(browser, app, app.ada, "/organization/sign-on", async (page) => {
    await button(page, "New SAML provider").click()
    await dialog(page).getByLabel("Name").fill("Okta")
    await submit(page, "Create")
    const provider = page.getByRole("listitem").filter({ hasText: "Okta" })
    await provider.getByRole("button", { name: /More actions/ }).click()
    await menuItem(page, "Delete").click()
    await submit(page, "Delete")
    await poll(providers).toEqual([])
  })
})

it("installs an integration with its permissions, and uninstalls it", async () => {
  await client.integrations.publishIntegration({
    params: { integrationName: "charts" },
    payload: {
      title: "Charts",
      description: "Draws charts.",
      scopes: ["space:content:read"],
      script: "export default {}",
      organization: app.organizationId
    }
  })
  await withApplication(browser, app, app.ada, "/organization/integrations", async (page) => {
    await button(page, "Install").click()
    await dialog(page).getByText("space:content:read").waitFor()
    await submit(page, "Install")
    await page.locator(".list").getByText("Active").waitFor()
    await page
      .locator(".list")
      .getByRole("button", { name: /More actions/ })
      .click()
    await menuItem(page, "Uninstall").click()
    await submit(page, "Uninstall")
    await button(page, "Install").waitFor()
  })
})

it("serves a site at an own domain, and names the target of its record", async () => {
  const { id } = await client.sites.createSite({ params, payload: { title: "Manual" } })
  const domain = async () =>
    (await client.sites.getSiteById({ params: { ...params, siteId: id } })).proxy?.origin
  await withApplication(browser, app, app.ada, `/sites/${id}/settings`, async (page) => {
    await page.getByLabel("Own domain").fill("docs.example.com/manual")
    await button(page, "Save").first().click()
    await poll(domain).toBe("docs.example.com/manual")
    await page.getByLabel("Own domain").fill("")
    await button(page, "Save").first().click()
    await poll(domain).toBe(undefined)
  })
})

it("imports a Word document with its headings", async () => {
  const spaceId = await createSpace(app, "Letters", [{ title: "Start", markdown: "Start." }])
  const buffer = await readFile(new URL("../../converters/test/documents/pandoc.docx", import.meta.url))
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}/import`, async (page) => {
    await page.getByLabel("Files from this device").check()
    await page.getByLabel("Directly into the space").check()
    await page.getByLabel("Files", { exact: false }).last().setInputFiles({
      name: "letter.docx",
      mimeType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      buffer
    })
    await button(page, "Start import").click()
    await page.getByText("Completed").waitFor()
  })
  expect((await pagesOf(spaceId)).length).toBeGreaterThan(1)
})

it("displays how much of its limits an organization uses", async () => {
  await withApplication(browser, app, app.ada, "/organization", async (page) => {
    await page.getByRole("heading", { name: "Usage", exact: true }).waitFor()
    await page.locator("section", { hasText: "Usage" }).getByText(/\d/).first().waitFor()
  })
})

it("creates a SCIM token, lists what the identity provider changes, and revokes the token", async () => {
  await client.organizations.updateOrganizationById({ params, payload: { emailDomains: ["example.com"] } })
  const tokens = async () => (await client.organizationTokens.listOrganizationTokens({ params })).items
  const label = "Identity provider"
  await withApplication(browser, app, app.ada, "/organization/provisioning", async (page) => {
    const url = await page.getByLabel("Base URL of SCIM").inputValue()
    expect(url).toBe(`${app.url}/scim/v2`)
    await page.getByText("Domains of new members: example.com").waitFor()
    await button(page, "New SCIM token").click()
    await submit(page, "Create")
    const secret = await dialog(page).getByLabel("Secret").inputValue()
    await submit(page, "Done")
    await page.getByRole("listitem").filter({ hasText: label }).waitFor()
    expect(await page.getByText(secret).count()).toBe(0)
    const created = await fetch(`${url}/Users`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/scim+json" },
      body: JSON.stringify({ userName: "provisioned@example.com", displayName: "Grace Hopper" })
    })
    expect(created.status).toBe(201)
    await page.reload()
    const change = page.getByRole("listitem").filter({ hasText: "Member provisioned" })
    await change.filter({ hasText: "Grace Hopper" }).waitFor()
    await button(page, `More actions for ${label}`).click()
    await menuItem(page, "Revoke").click()
    await submit(page, "Revoke")
    await poll(async () => (await tokens()).filter((token) => token.label === label)).toEqual([])
    const { status } = await fetch(`${url}/Users`, { headers: { authorization: `Bearer ${secret}` } })
    expect(status).toBe(401)
  })
})
