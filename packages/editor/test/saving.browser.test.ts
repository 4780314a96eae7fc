/** Saving in a browser, on a server: nothing that was typed is lost. */
import type { Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { open, putCursor, reload, save, untilStored } from "./support/acts.ts"
import { type PageIds, type Scene, startScene } from "./support/scene.ts"

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())
afterEach(() => scene.setAway(false))

const statusText = (page: Page): Promise<string> => page.locator(".editor-status-text").innerText()

/** Changes a page as another user. */
const changeElsewhere = async ({ space, page }: PageIds, markdown: string): Promise<void> => {
  await scene.workspace.as(scene.user).content.edit({
    content: { space },
    input: { changes: [{ operation: "update_page", page, document: { markdown } }] }
  })
}

const typeAtEndOf = async (page: Page, text: string, typed: string): Promise<void> => {
  await putCursor(page, text)
  await page.keyboard.press("End")
  await page.keyboard.type(typed)
}

const textOf = (page: Page): Promise<string> =>
  page.evaluate(() => window.host.editor!.view.state.doc.textContent)

describe("what was typed", () => {
  it("survives a reload before it is saved, and is saved then", async () => {
    const ids = await scene.createPage("First\n")
    await scene.withPage(async (page) => {
      await open(page, ids)
      expect(await statusText(page)).toBe("Saved in the space")
      // Neither a save nor the one of a page that is left arrives, however slow the browser is.
      scene.setAway(true)
      await typeAtEndOf(page, "First", " draft")
      await untilStored(page)
      expect(await statusText(page)).toMatch(/on this device/)
      await page.reload()
      await page.waitForSelector("html[data-ready]", { state: "attached" })
      expect(await scene.markdownOf(ids)).toBe("First\n")
      scene.setAway(false)
      await page.evaluate((options) => window.host.open(options), { ...ids, times: { rest: 200 } })
      expect(await textOf(page)).toBe("First draft")
      await page.waitForFunction(
        () => document.querySelector(".editor-status-text")?.textContent === "Saved in the space"
      )
      expect(await scene.markdownOf(ids)).toBe("First draft\n")
    })
  })

  it("remains in the browser while the server is unavailable, as the status states, and is saved when it is back", async () => {
    const ids = await scene.createPage("First\n")
    await scene.withPage(async (page) => {
      await open(page, ids)
      await page.route("**/v1/**", (route) => route.abort())
      await typeAtEndOf(page, "First", " away")
      expect(await save(page)).toBe("Failed")
      expect(await statusText(page)).toContain("the server is away")
      await page.unroute("**/v1/**")
      await page.getByRole("button", { name: "Save now" }).click()
      await page.waitForFunction(() => window.host.editor!.status()._tag === "Saved")
      expect(await scene.markdownOf(ids)).toBe("First away\n")
    })
  })

  it("is merged with a change of another block", async () => {
    const ids = await scene.createPage("First\n\nSecond\n\n* odd  list\n")
    await scene.withPage(async (page) => {
      await open(page, ids)
      await changeElsewhere(ids, "First\n\nSecond of somebody\n\n* odd  list\n")
      await typeAtEndOf(page, "First", " of mine")
      expect(await save(page)).toBe("Saved")
      expect(await scene.markdownOf(ids)).toBe("First of mine\n\nSecond of somebody\n\n* odd  list\n")
      expect(await textOf(page)).toContain("Second of somebody")
    })
  })

  it("is saved after a change of another page without a question", async () => {
    const ids = await scene.createPage("First\n")
    await scene.withPage(async (page) => {
      await open(page, ids)
      const { pages } = await scene.workspace
        .as(scene.user)
        .content.listPages({ content: { space: ids.space } })
      await changeElsewhere({ ...ids, page: pages[1]!.id }, "Other")
      await typeAtEndOf(page, "First", " mine")
      expect(await save(page)).toBe("Saved")
      expect(await scene.markdownOf(ids)).toBe("First mine\n")
    })
  })

  for (const [choice, expected] of [
    ["Keep yours", "First of mine\n\nSecond\n"],
    ["Keep theirs", "First of somebody\n\nSecond\n"],
    ["Keep both", "First of mine\n\nFirst of somebody\n\nSecond\n"]
  ] as const) {
    it(`in conflict with a change of the same words is displayed with both versions: ${choice}`, async () => {
      const ids = await scene.createPage("First\n\nSecond\n")
      await scene.withPage(async (page) => {
        await open(page, ids)
        await changeElsewhere(ids, "First of somebody\n\nSecond\n")
        await typeAtEndOf(page, "First", " of mine")
        expect(await save(page)).toBe("Conflict")
        expect(await statusText(page)).toContain("1 conflict")
        expect(await page.locator(".editor-conflict-theirs").innerText()).toBe("First of somebody")
        if (process.env.LECTERN_SCREENSHOTS !== undefined)
          await page.screenshot({ path: `${process.env.LECTERN_SCREENSHOTS}/conflict.png` })
        // Nothing is saved before the choice, and the conflict is found again after a reload.
        await reload(page, ids)
        expect(await scene.markdownOf(ids)).toBe("First of somebody\n\nSecond\n")
        expect(await save(page)).toBe("Conflict")
        await page.getByRole("button", { name: "Show the next conflict" }).click()
        await page.getByRole("button", { name: choice }).click()
        await page.waitForFunction(() => window.host.editor!.status()._tag === "Saved")
        expect(await scene.markdownOf(ids)).toBe(expected)
      })
    })
  }

  it("is written over the Markdown of only its block", async () => {
    const markdown =
      "Setext\n======\n\n*  odd   bullet\n\n+ other\n\n| a |b|\n|--|--|\n|1|2|\n\n<div>raw</div>\n\n\\* escaped __bold__\n"
    const ids = await scene.createPage(`Intro\n\n${markdown}`)
    const before = await scene.markdownOf(ids)
    await scene.withPage(async (page) => {
      await open(page, ids)
      await typeAtEndOf(page, "Intro", " text")
      expect(await save(page)).toBe("Saved")
      expect(await scene.markdownOf(ids)).toBe(before.replace("Intro\n", "Intro text\n"))
    })
  })
})
