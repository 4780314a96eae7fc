import { mkdirSync } from "node:fs"
import { afterAll, beforeAll, describe, it } from "vitest"
import { blocksPage } from "../../reader/test/support/pages.ts"
import { type Scene, startScene } from "./support/scene.ts"

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

const folder = "/tmp/editor-shots"
mkdirSync(folder, { recursive: true })

describe("gallery", () => {
  it("shows", async () => {
    const ids = await scene.createPage(blocksPage)
    await scene.withPage(async (page) => {
      await page.evaluate((options) => window.host.open(options), ids)
      await page.waitForTimeout(1500)
      await page.screenshot({ path: `${folder}/all.png`, fullPage: true })
    })
  })
})
