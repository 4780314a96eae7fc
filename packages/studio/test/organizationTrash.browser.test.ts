/** An organization is deleted in the browser, and restored from the trash. */
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { findViolations, openApplication, withApplication } from "./support/application.ts"

const { app, browser } = await openApplication()

const params = { organizationId: app.organizationId }
const exists = () =>
  app.ada.client.organizations.getOrganizationById({ params }).then(
    () => true,
    () => false
  )
const poll = <Value>(read: () => Value) => expect.poll(read, { timeout: 60_000 })
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })

it("deletes an organization once its name is typed, undoes it, and restores it from the trash", async () => {
  await withApplication(browser, app, app.ada, "/organization", async (page) => {
    const open = async () => {
      await button(page, "Delete the organization").click()
      return page.getByRole("dialog")
    }
    const dialog = await open()
    const submit = dialog.getByRole("button", { name: "Delete", exact: true })
    await dialog.getByText(/restore it for 30 days/).waitFor()
    expect(await findViolations(page)).toEqual([])
    await dialog.getByLabel("Name of the organization").fill("Acm")
    expect(await submit.isDisabled()).toBe(true)
    await dialog.getByLabel("Name of the organization").fill("Acme")
    await submit.click()
    await poll(exists).toBe(false)
    await button(page, "Undo").click()
    await poll(exists).toBe(true)
  })
  await app.ada.client.organizations.deleteOrganizationById({ params })
  await withApplication(browser, app, app.ada, "/trash", async (page) => {
    await page.getByRole("heading", { name: "Deleted organizations" }).waitFor()
    await page.getByText(/Can be restored until/).waitFor()
    expect(await findViolations(page)).toEqual([])
    await button(page, "Restore").click()
    await poll(exists).toBe(true)
    await page.getByRole("heading", { name: "Deleted organizations" }).waitFor({ state: "detached" })
  })
})
