/** Modules that are loaded when they are needed, on a slow network: what is typed in the meantime is in the text, at its place. */
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { open, paste, putCursor, save } from "./support/acts.ts"
import { type Scene, startScene } from "./support/scene.ts"

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

/** Holds back the modules that the editor loads later, until the returned function is called. It may reject them. */
const holdModules = async (page: Page): Promise<(isLost?: boolean) => void> => {
  let decide: (isLost: boolean) => void = () => undefined
  const decision = new Promise<boolean>((resolve) => {
    decide = resolve
  })
  await page.route(/\/(?:markdown|chunk)-[^/]+\.js$/, async (route) => {
    if (await decision) await route.abort()
    else await route.continue()
  })
  return (isLost = false) => decide(isLost)
}

const select = async (page: Page, text: string): Promise<void> => {
  await putCursor(page, text)
  await page.keyboard.press("Shift+End")
  await page.waitForFunction(() => !window.host.editor!.view.state.selection.empty)
}

const writeNote = async (page: Page, text: string): Promise<void> => {
  await page.locator(".editor-toolbar").getByRole("button", { name: "Note", exact: true }).press("Enter")
  await page.locator(".editor-annotation textarea").fill(text)
  await page.locator(".editor-annotation .editor-primary").press("Enter")
}

const textOf = (page: Page): Promise<string> =>
  page.evaluate(() => window.host.editor!.view.state.doc.textContent)

describe("while the Markdown engine is loaded", () => {
  it("text after a note is typed into the text, and the note is on its words", async () => {
    const ids = await scene.createPage("Words\n")
    await scene.withPage(async (page) => {
      const release = await holdModules(page)
      await open(page, ids)
      await select(page, "Words")
      await writeNote(page, "A note")
      await page.keyboard.press("End")
      await page.keyboard.type(" follow")
      await putCursor(page, "Words")
      await page.keyboard.type("Two ")
      expect(await textOf(page)).toBe("Two Words follow")
      release()
      await page.locator(".editor-content .annotation, .editor-content [data-annotation]").first().waitFor()
      expect(await save(page)).toBe("Saved")
      expect(await scene.markdownOf(ids)).toMatch(/^Two \[Words\]\(#user-content-fn-1\)\[\^1\] follow\n/)
    })
  })

  it("text after a paste is typed after the pasted Markdown", async () => {
    const ids = await scene.createPage("Before\n")
    await scene.withPage(async (page) => {
      const release = await holdModules(page)
      await open(page, ids)
      await putCursor(page, "Before")
      await page.keyboard.press("End")
      await page.keyboard.press("Enter")
      await paste(page, { "text/plain": "pasted **bold**" })
      await page.keyboard.type(" and typed")
      release()
      await page.locator(".editor-content strong").waitFor()
      await page.keyboard.type(" text")
      expect(await save(page)).toBe("Saved")
      expect(await scene.markdownOf(ids)).toBe("Before\n\npasted **bold** and typed text\n")
    })
  })
})

describe("if the Markdown engine cannot be loaded", () => {
  it("pasted Markdown is in the text as it is", async () => {
    const ids = await scene.createPage("Before\n")
    await scene.withPage(async (page) => {
      const release = await holdModules(page)
      await open(page, ids)
      await putCursor(page, "Before")
      await page.keyboard.press("End")
      await paste(page, { "text/plain": " **bold**\n\n- item" })
      release(true)
      await page.waitForFunction(() => window.host.editor!.view.state.doc.textContent.includes("item"))
      expect(await textOf(page)).toBe("Before **bold**- item")
    })
  })

  it("a note is displayed again, with its text", async () => {
    const ids = await scene.createPage("Words\n")
    await scene.withPage(async (page) => {
      const release = await holdModules(page)
      await open(page, ids)
      await select(page, "Words")
      await writeNote(page, "A note")
      release(true)
      await page.locator(".editor-annotation textarea").waitFor()
      expect(await page.locator(".editor-annotation textarea").inputValue()).toBe("A note")
    })
  })
})
