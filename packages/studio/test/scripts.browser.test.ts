/** The scripts of a site and the fonts of an organization in the browser. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { createSpace, findViolations, openApplication, withApplication } from "./support/application.ts"

const { app, browser } = await openApplication()
const { client } = app.ada

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })
const dialog = (page: Page) => page.getByRole("dialog")
const submit = (page: Page, name: string) => dialog(page).getByRole("button", { name, exact: true }).click()

const createSite = async (title: string) => {
  const spaceId = await createSpace(app, title, [{ title: "Start", markdown: "Welcome, reader.\n" }])
  const params = { organizationId: app.organizationId }
  const { id } = await client.sites.createSite({ params, payload: { title, spaces: [spaceId] } })
  return { id, params: { ...params, siteId: id } }
}

const chooseIn = async (page: Page, title: string, item: string): Promise<void> => {
  await button(page, `More actions for ${title}`).click()
  await page.getByRole("menuitem", { name: item, exact: true }).click()
}

it("adds the script of a service, states why no page loads it, disables it, removes it, and undoes both", async () => {
  const { id, params } = await createSite("With scripts")
  const list = async () => (await client.siteScripts.listSiteScripts({ params })).items
  await withApplication(
    browser,
    app,
    app.ada,
    `/sites/${id}/scripts`,
    async (page) => {
      await button(page, "Add script").first().click()
      await dialog(page).getByLabel("Service").selectOption({ label: "Google Analytics" })
      await dialog(page).getByLabel("Measurement ID").fill("no id")
      await submit(page, "Create")
      await dialog(page).getByText("Check the marked field.").waitFor()
      await dialog(page).locator(".field", { hasText: "Measurement ID" }).locator(".field-error").waitFor()
      expect(await dialog(page).getByLabel("Measurement ID").inputValue()).toBe("no id")
      expect(await findViolations(page)).toEqual([])
      await dialog(page).getByLabel("Measurement ID").fill("G-ABCDEFGHIJ")
      await submit(page, "Create")
      await page.getByText("“Google Analytics” was added").waitFor()
      await page.getByText("Not loaded", { exact: true }).waitFor()
      await page.getByText("The site needs an own domain").waitFor()
      expect(await page.getByRole("link", { name: "Set the domain" }).getAttribute("href")).toContain(
        `/sites/${id}/settings`
      )

      await chooseIn(page, "Google Analytics", "Disable")
      await page.getByText("Disabled", { exact: true }).waitFor()
      await page.getByText("The site needs an own domain").waitFor({ state: "detached" })
      expect((await list()).map(({ enabled }) => enabled)).toEqual([false])
      await button(page, "Undo").last().click()
      await page.getByText("Not loaded", { exact: true }).waitFor()

      await chooseIn(page, "Google Analytics", "Delete")
      await page.getByText("The site has no scripts").waitFor()
      expect(await list()).toEqual([])
      await button(page, "Undo").last().click()
      await page.getByText("Not loaded", { exact: true }).waitFor()
    },
    {},
    // The browser reports the rejected value.
    /400/
  )
  expect(await list()).toMatchObject([
    {
      name: "Google Analytics",
      enabled: true,
      categories: ["analytics"],
      source: { type: "template", template: "google-analytics", values: { measurementId: "G-ABCDEFGHIJ" } }
    }
  ])
})

it("adds a script by its URL, with the values of its placeholders, and without consent", async () => {
  const { id, params } = await createSite("With an own script")
  await withApplication(
    browser,
    app,
    app.ada,
    `/sites/${id}/scripts`,
    async (page) => {
      await button(page, "Add script").first().click()
      await dialog(page).getByLabel("Service").selectOption({ label: "URL of a script" })
      await dialog(page).getByLabel("Name", { exact: true }).fill("Statistics")
      const url = dialog(page).getByLabel("URL", { exact: true })
      await dialog(page).getByText("Placeholders such as {{key}}").waitFor()
      await url.fill("http://stats.example.com/{{key}}.js")
      await dialog(page).getByLabel("Analytics").uncheck()
      await submit(page, "Create")
      await dialog(page)
        .locator(".field", { has: page.getByLabel("URL", { exact: true }) })
        .locator(".field-error")
        .waitFor()
      await url.fill("https://stats.example.com/{{key}}.js")
      await dialog(page).getByLabel("Values of placeholders").fill("key = a b")
      await submit(page, "Create")
      await page.getByText("URL of a script · Without consent").waitFor()
    },
    {},
    /400/
  )
  const { items } = await client.siteScripts.listSiteScripts({ params })
  expect(items).toMatchObject([
    {
      name: "Statistics",
      categories: [],
      source: { type: "url", url: "https://stats.example.com/{{key}}.js", values: { key: "a b" } }
    }
  ])
})

const resolve = createRequire(import.meta.url).resolve
const fontOf = (weight: number) =>
  readFileSync(resolve(`@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-${weight}-normal.woff2`))

it("uploads a font with the weights that its files name, uses it on a site, and replaces it when it is deleted", async () => {
  const { id, params } = await createSite("With a font")
  const stored = async () => (await client.sites.getSiteCustomizationById({ params })).styling.font
  await withApplication(
    browser,
    app,
    app.ada,
    `/sites/${id}/look`,
    async (page) => {
      await button(page, "Upload font").click()
      await dialog(page).getByLabel("Name of the font").fill("Brand Mono")
      const files = dialog(page).getByLabel("Files", { exact: true })
      await files.setInputFiles({ name: "notes.woff2", mimeType: "font/woff2", buffer: Buffer.from("Notes") })
      await submit(page, "Create")
      await dialog(page).getByRole("alert").waitFor()
      expect(await dialog(page).getByLabel("Name of the font").inputValue()).toBe("Brand Mono")
      const chosen = { "brand-bold.woff2": 700, "brand.woff2": 400 }
      await files.setInputFiles(
        Object.entries(chosen).map(([name, weight]) => ({
          name,
          mimeType: "font/woff2",
          buffer: fontOf(weight)
        }))
      )
      for (const [name, weight] of Object.entries(chosen))
        expect(await dialog(page).getByLabel(`Weight of ${name}`).inputValue()).toBe(String(weight))
      expect(await findViolations(page)).toEqual([])
      await submit(page, "Create")
      const font = page.getByLabel("Font", { exact: true })
      await font.locator("option", { hasText: "Brand Mono" }).waitFor({ state: "attached" })
      await font.selectOption({ label: "Brand Mono" })
      await button(page, "Save").click()
      await expect.poll(stored).toMatchObject({ fontFamily: "Brand Mono" })

      await button(page, "Delete “Brand Mono”").click()
      await submit(page, "Delete")
      await page.getByText("“Brand Mono” was deleted").waitFor()
      await expect.poll(() => font.inputValue()).toBe("Inter")
      await font.locator("option", { hasText: "Brand Mono" }).waitFor({ state: "detached" })
    },
    {},
    /400/
  )
  expect(await stored()).toBe("Inter")
})
