/** The widths of the columns of a table: a drag of a border changes one, a click does not. */
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import { open, save } from "./support/acts.ts"
import { type Scene, startScene } from "./support/scene.ts"

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

const markdown = "Intro\n\n| a | b |\n| --- | --- |\n| one | two |\n"

const widths = (page: Page): Promise<ReadonlyArray<unknown>> =>
  page.evaluate(() => {
    const found: Array<unknown> = []
    window.host.editor!.view.state.doc.descendants((node) => {
      if (Array.isArray(node.attrs.colwidth)) found.push(...node.attrs.colwidth)
    })
    return found
  })

/** Returns a place on the border between the two columns. */
const borderOf = async (page: Page): Promise<{ readonly x: number; readonly y: number }> => {
  const box = (await page.locator(".ProseMirror th").first().boundingBox())!
  return { x: box.x + box.width - 2, y: box.y + box.height / 2 }
}

const displayedWidth = async (page: Page): Promise<string> =>
  page
    .locator(".ProseMirror col")
    .first()
    .evaluate((column) => (column as HTMLElement).style.width)

it("places the cursor on a click on the border of a column, and leaves its width", async () => {
  const ids = await scene.createPage(markdown)
  await scene.withPage(async (page) => {
    await open(page, ids)
    const before = await displayedWidth(page)
    const { x, y } = await borderOf(page)
    await page.mouse.move(x - 20, y)
    await page.mouse.move(x, y)
    await page.locator(".ProseMirror.resize-cursor").waitFor()
    await page.mouse.down()
    await page.mouse.up()
    expect(await widths(page)).toEqual([])
    expect(await displayedWidth(page)).toBe(before)
    await page.keyboard.type("!")
    expect(await page.locator(".ProseMirror th").first().innerText()).toBe("a!")
  })
})

it("changes the width of a column by a drag of its border", async () => {
  const ids = await scene.createPage(markdown)
  await scene.withPage(async (page) => {
    await open(page, ids)
    const { x, y } = await borderOf(page)
    await page.mouse.move(x - 20, y)
    await page.mouse.move(x, y)
    await page.locator(".ProseMirror.resize-cursor").waitFor()
    await page.mouse.down()
    await page.mouse.move(x - 60, y, { steps: 4 })
    await page.mouse.up()
    expect((await widths(page)).length).toBeGreaterThan(0)
    expect(await save(page)).toBe("Saved")
  })
})
