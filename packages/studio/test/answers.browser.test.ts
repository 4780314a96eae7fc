/** Questions in the command palette, on a server with a language model and on one without. */
import { modelAnswers } from "@lectern/answers"
import { startModelServer, streamText } from "@lectern/harness/models"
import { nodeFetcher } from "@lectern/http"
import type { Page } from "playwright-core"
import { afterAll, expect, it } from "vitest"
import {
  createSpace,
  findViolations,
  openApplication,
  startApplication,
  withApplication
} from "./support/application.ts"

const model = await startModelServer()
afterAll(model.close)
const { app: without, browser } = await openApplication()
const app = await startApplication("", undefined, {
  answers: modelAnswers({
    url: model.url,
    name: "test",
    fetch: nodeFetcher({ allow: [new URL(model.url).host] })
  })
})
afterAll(app.close)

/** Types a query in the command palette. */
const typeInPalette = async (page: Page, query: string): Promise<void> => {
  // The shortcut has an effect as soon as the frame is displayed.
  await page.getByRole("heading", { level: 1 }).waitFor()
  await page.keyboard.press("Control+k")
  await page.getByRole("combobox", { name: "Search and run commands" }).fill(query)
}

const longQuestion =
  "How is it installed on a machine without a network, and where does it find its settings?"

it("answers a question of the palette, with links to the cited pages", async () => {
  await createSpace(app, "Guide", [{ title: "Install", markdown: "Run the installer." }])
  model.behave(
    streamText(
      `Run the **installer** [1]. [evil](https://evil.example)\n===questions===\nWhat is the installer?\n${longQuestion}`
    )
  )
  await withApplication(browser, app, app.ada, "/", async (page) => {
    await typeInPalette(page, "installer")
    await page.getByRole("option", { name: "Ask “installer”" }).click()
    const dialog = page.getByRole("dialog", { name: "installer" })
    await dialog.getByText("Generated from pages that you can read").waitFor()
    expect(await dialog.locator("strong").innerText()).toBe("installer")
    expect(await dialog.locator("a[href*='evil']").count()).toBe(0)
    expect(await findViolations(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    for (const part of [dialog, dialog.getByRole("button", { name: longQuestion })]) {
      const box = (await part.boundingBox())!
      expect([box.x >= 0, box.x + box.width <= 390]).toEqual([true, true])
    }
    model.behave(streamText("It is a program [1]."))
    await dialog.getByRole("button", { name: "What is the installer?" }).click()
    await page.getByRole("dialog", { name: "What is the installer?" }).getByText("It is a program").waitFor()
    await page.getByRole("dialog").getByRole("link", { name: "[1]" }).click()
    await page.getByText("Run the installer.").waitFor()
    expect(await page.getByRole("dialog").count()).toBe(0)
  })
})

it("displays the error of the server", async () => {
  model.behave((_, response) => response.writeHead(500).end())
  await withApplication(browser, app, app.ada, "/", async (page) => {
    await typeInPalette(page, "installer")
    await page.getByRole("option", { name: "Ask “installer”" }).click()
    await page.getByText("The language model failed").waitFor()
  })
})

it("offers no questions on a server without a language model", async () => {
  await withApplication(browser, without, without.ada, "/", async (page) => {
    await typeInPalette(page, "new space")
    await page.getByRole("option", { name: /New space/ }).waitFor()
    expect(await page.getByRole("option", { name: /^Ask/ }).count()).toBe(0)
  })
})
