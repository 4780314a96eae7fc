/** Comments in a browser, on a server: they are on blocks and on text, and are found again after the text has moved. */
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { open, putCursor, reload, save } from "./support/acts.ts"
import { type PageIds, type Scene, startScene } from "./support/scene.ts"

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

const commented = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.locator("[data-comment]").first().waitFor()
  const texts = await page.locator("[data-comment]").allInnerTexts()
  return texts.map((text) => text.trim())
}

const selectWord = async (page: Page, word: string): Promise<void> => {
  await putCursor(page, word)
  for (const _ of word) await page.keyboard.press("Shift+ArrowRight")
  // The browser reports its selection later.
  await page.waitForFunction((length) => {
    const { from, to } = window.host.editor!.view.state.selection
    return to - from === length
  }, word.length)
}

const post = async (page: Page, text: string): Promise<void> => {
  await page.evaluate(() => window.host.editor!.startComment())
  await page.getByLabel("New comment").fill(text)
  await page.getByRole("button", { name: "Post" }).click()
  await page.locator(".editor-comment", { hasText: text }).last().waitFor()
}

const changeElsewhere = async ({ space, page }: PageIds, markdown: string): Promise<void> => {
  await scene.workspace.as(scene.user).content.edit({
    content: { space },
    input: { changes: [{ operation: "update_page", page, document: { markdown } }] }
  })
}

describe("a comment", () => {
  it("on words of a block that was not saved yet is posted with its quote, and is displayed after a reload", async () => {
    const ids = await scene.createPage("First\n")
    await scene.withPage(async (page) => {
      await open(page, ids)
      await putCursor(page, "First")
      await page.keyboard.press("End")
      await page.keyboard.press("Enter")
      await page.keyboard.type("one two three")
      await selectWord(page, "two")
      await post(page, "Why two?")
      const { items } = await scene.workspace
        .as(scene.user)
        .comments.list({ target: { space: ids.space }, input: {} })
      expect(items[0]!.body.markdown).toBe("Why two?")
      expect(items[0]!.target).toMatchObject({
        node: { preview: "one two three" },
        quote: { text: "two", before: "one ", after: " three" }
      })
      await reload(page, ids)
      expect(await commented(page)).toEqual(["two"])
    })
  })

  it("stays with its words and its block when others move them to another place", async () => {
    const ids = await scene.createPage("Before\n\nThe quick fox\n\n* Item of a list\n")
    await scene.withPage(async (page) => {
      await open(page, ids)
      await selectWord(page, "quick")
      await post(page, "How quick?")
      await putCursor(page, "Item")
      await post(page, "Only one item?")
      expect(await save(page)).toBe("Saved")
      // The key of each block now names another block.
      await changeElsewhere(ids, "New\n\nquick start\n\n* Item of a list\n\nAnd\n\nThe quick fox\n")
      await reload(page, ids)
      expect(await commented(page)).toEqual(["Item of a list", "quick"])
      const before = await page.locator(".editor-commented").evaluate((dom) => dom.parentElement!.textContent)
      expect(before).toBe("The quick fox")
    })
  })

  it("that is being written keeps its text and the focus when comments of others arrive", async () => {
    const ids = await scene.createPage("The quick fox\n")
    await scene.withPage(async (page) => {
      await open(page, ids)
      await selectWord(page, "quick")
      await page.evaluate(() => window.host.editor!.startComment())
      await page.keyboard.type("Half a ")
      await scene.workspace.as(scene.user).comments.create({
        target: { space: ids.space },
        input: { body: { markdown: "Of somebody" }, page: ids.page as never }
      })
      await page.evaluate(() => window.host.editor!.refreshComments())
      await page.getByText("Of somebody").waitFor()
      await page.keyboard.type("sentence")
      expect(await page.getByLabel("New comment").inputValue()).toBe("Half a sentence")
      await page.keyboard.press("Escape")
      await page.locator(".editor-comments").waitFor({ state: "hidden" })
    })
  })

  it("on removed text is not lost: it is at the end of the list", async () => {
    const ids = await scene.createPage("The quick fox\n\nOther\n")
    await scene.withPage(async (page) => {
      await open(page, ids)
      await selectWord(page, "quick")
      await post(page, "How quick?")
      await changeElsewhere(ids, "The slow fox\n\nOther\n")
      await reload(page, ids)
      await page.waitForFunction(() => window.host.editor!.comments().length === 1)
      expect(await page.evaluate(() => window.host.editor!.comments()[0]!.top)).toBeUndefined()
      await page.evaluate(() => window.host.editor!.toggleComments())
      await page.getByText("The text of this comment was removed.").waitFor()
    })
  })

  it("is displayed by a host in place of the panel, at the height of its text", async () => {
    const ids = await scene.createPage("Before\n\nThe quick fox\n")
    await scene.withPage(async (page) => {
      await page.evaluate((options) => window.host.open({ ...options, hasOwnComments: true }), ids)
      await selectWord(page, "quick")
      await page.evaluate(() => window.host.editor!.startComment())
      const anchor = await page.evaluate(() => window.host.commentEvents.started[0])
      expect(anchor).toMatchObject({ quote: { text: "quick", before: "The ", after: " fox" } })
      expect(await page.locator(".editor-comments").count()).toBe(0)
      await scene.workspace.as(scene.user).comments.create({
        target: { space: ids.space },
        input: { body: { markdown: "How quick?" }, page: ids.page as never, quote: anchor!.quote! }
      })
      await page.evaluate(() => window.host.editor!.refreshComments())
      await page.waitForFunction(() => window.host.commentEvents.places.at(-1)?.length === 1)
      const place = await page.evaluate(() => window.host.commentEvents.places.at(-1)![0]!)
      const text = (await page.locator(".editor-commented").boundingBox())!
      const editor = (await page.locator(".lectern-editor").boundingBox())!
      expect(Math.abs(place.top! - (text.y - editor.y))).toBeLessThan(6)
      expect(await page.evaluate((id) => window.host.editor!.showComment(id), place.id)).toBe(true)
      expect(await page.locator(".editor-comment-shown").innerText()).toBe("quick")
      await page.locator(".editor-commented").click()
      expect(await page.evaluate(() => window.host.commentEvents.selected)).toEqual([[place.id]])
    })
  })
})
