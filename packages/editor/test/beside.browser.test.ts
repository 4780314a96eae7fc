/**
 * Compares each block in the editor with the reader's rendering. Small screenshots of both are committed in `screenshots`, and compared with a
 * tolerance. `LECTERN_UPDATE_SCREENSHOTS=1` writes them.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { open } from "./support/acts.ts"
import { comparedBlocks } from "./support/comparedBlocks.ts"
import { compareImages, joinImages } from "./support/images.ts"
import { type PageIds, type Scene, startScene } from "./support/scene.ts"

const folder = join(import.meta.dirname, "screenshots")
const updates = process.env.LECTERN_UPDATE_SCREENSHOTS === "1"

/** The part of the pixels that may differ between the editor and the reader, and between two machines. */
const tolerance = 0.06
const committedTolerance = 0.06

/** The width of both renderings in CSS pixels. */
const width = 600

interface ComparedPage {
  readonly ids: PageIds
  readonly path: string
}

let scene: Scene
let site: string
const pages = new Map<string, ComparedPage>()

beforeAll(async () => {
  scene = await startScene()
  const as = scene.workspace.as(scene.user)
  const { organization } = scene
  const { id: space } = await as.spaces.create({ organization, input: { title: "Blocks" } })
  const content = { space }
  const base64 = Buffer.from(
    await scene.withPage((page) => page.screenshot({ clip: { x: 0, y: 0, width: 480, height: 160 } }))
  ).toString("base64")
  const files = [{ ref: "image", name: "image.png", contentType: "image/png", base64 }]
  await as.content.edit({ content, input: { changes: [{ operation: "insert_files", files }] } })
  const target = {
    operation: "insert_page" as const,
    title: "A page",
    description: "The description of the page"
  }
  await as.content.edit({ content, input: { changes: [target] } })
  const linked = (await as.content.listPages({ content })).pages[0]!.id
  const file = (await as.content.listFiles({ content })).items[0]!.id
  await as.content.edit({
    content,
    input: {
      changes: comparedBlocks.map(({ name, markdown }) => ({
        operation: "insert_page" as const,
        title: name,
        document: { markdown: markdown.replaceAll("FILE", file).replaceAll("PAGE", linked) }
      }))
    }
  })
  const created = await as.sites.create({ organization, input: { title: "Blocks", spaces: [space] } })
  const published = await as.sites.publish({ organization, site: created.id })
  site = published.urls.published!
  for (const page of (await as.content.listPages({ content })).pages) {
    const ids = { organization, space, page: page.id, token: scene.token }
    pages.set(page.title, { ids, path: (page as { readonly path: string }).path })
  }
})
afterAll(() => scene.close())

/** Returns a screenshot of the blocks of an element, with the width of both renderings. */
const screenshotOf = async (page: Page, selector: string): Promise<Buffer> => {
  await page.evaluate(
    async ([wanted, size]) => {
      const content = document.querySelector<HTMLElement>(wanted)!
      content.style.width = content.style.minWidth = content.style.maxWidth = `${size}px`
      content.style.padding = "8px"
      content.style.boxSizing = "border-box"
      content.style.minHeight = "0"
      for (const child of content.querySelectorAll<HTMLElement>(":scope > *")) child.style.animation = "none"
      for (const details of content.querySelectorAll("details")) details.open = true
      // A page that starts with a block without text is opened with the block selected.
      for (const selected of content.querySelectorAll(".ProseMirror-selectednode"))
        selected.classList.remove("ProseMirror-selectednode")
      // The names of the columns of cards are controls.
      for (const cards of content.querySelectorAll(".editor-cards")) cards.classList.add("without-titles")
      ;(document.activeElement as HTMLElement | null)?.blur()
      await document.fonts.ready
    },
    [selector, width] as const
  )
  await page.mouse.move(0, 0)
  await page.waitForTimeout(400)
  return page.locator(selector).screenshot({ animations: "disabled" })
}

describe("the editor displays as the reader does:", () => {
  for (const { name, tolerance: own = tolerance } of comparedBlocks) {
    it(name, async () => {
      const { ids, path } = pages.get(name)!
      const images = await scene.withPage(async (page) => {
        await open(page, ids)
        const editor = await screenshotOf(page, ".editor-content")
        const reader = await scene.browser.newPage({ viewport: { width: 1100, height: 900 } })
        try {
          await reader.goto(`${site}${path}`)
          await reader
            .locator("article .content")
            .waitFor({ timeout: 5_000 })
            .catch(async () => {
              throw new Error(`${reader.url()} ${(await reader.content()).slice(0, 500)}`)
            })
          return [editor, await screenshotOf(reader, "article .content")] as const
        } finally {
          await reader.close()
        }
      })
      const page = await scene.browser.newPage()
      try {
        const [editor, reader] = images
        const joined = await joinImages(page, editor, reader)
        const file = join(folder, `${name.replaceAll(" ", "-")}.png`)
        mkdirSync(folder, { recursive: true })
        if (updates) writeFileSync(file, joined)
        expect(existsSync(file), `The screenshot ${file} is missing.`).toBe(true)
        expect(await compareImages(page, editor, reader)).toBeLessThanOrEqual(own)
        expect(await compareImages(page, joined, readFileSync(file))).toBeLessThanOrEqual(committedTolerance)
      } finally {
        await page.close()
      }
    })
  }
})
