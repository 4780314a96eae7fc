/** Reloads of a page while its text is saved: the text of a writer is not a change of another person. */
import type { Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { open } from "./support/acts.ts"
import { type PageIds, type Scene, startScene } from "./support/scene.ts"

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())
afterEach(() => scene.setAway(false))

const untilReady = (page: Page) => page.waitForSelector("html[data-ready]", { state: "attached" })

const typeParagraph = async (page: Page, text: string): Promise<void> => {
  await page.evaluate(async () => {
    const { view } = window.host.editor!
    view.dispatch(view.state.tr.setSelection(window.host.TextSelection.atEnd(view.state.doc)))
    view.focus()
    // ProseMirror restores the selection after the focus.
    await new Promise((resolve) => setTimeout(resolve, 50))
  })
  await page.keyboard.press("Enter")
  await page.keyboard.type(text)
}

const leaves = {
  "a reload": async (page: Page) => {
    await page.reload()
    await untilReady(page)
  },
  "Back and Forward": async (page: Page) => {
    await page.goto("about:blank")
    await page.goBack()
    await untilReady(page)
  }
} as const

/** Visits the page, types a paragraph at its end, and leaves immediately, once per paragraph. Returns the conflicts that were displayed. */
const visit = async (
  page: Page,
  ids: PageIds,
  {
    leave,
    pauses,
    away,
    ending = ""
  }: { leave: keyof typeof leaves; pauses: ReadonlyArray<number>; away: boolean; ending?: string }
): Promise<number> => {
  page.on("dialog", (dialog) => void dialog.accept())
  let conflicts = 0
  for (const [index, pause] of pauses.entries()) {
    await open(page, ids)
    conflicts += await page.locator(".editor-conflict").count()
    await typeParagraph(page, `Text ${index}`)
    if (ending !== "") await page.keyboard.press(ending)
    await page.waitForTimeout(pause)
    scene.setAway(away)
    await leaves[leave](page)
    scene.setAway(false)
  }
  await open(page, { ...ids, times: { rest: 100 } } as PageIds)
  await page.waitForFunction(() => ["Saved", "Conflict"].includes(window.host.editor!.status()._tag))
  return conflicts + (await page.locator(".editor-conflict").count())
}

describe.each(Object.keys(leaves) as ReadonlyArray<keyof typeof leaves>)(
  "a writer who leaves by %s",
  (leave) => {
    it.each([
      { pauses: [0, 0, 0], away: false },
      { pauses: [0, 0, 0, 0, 0], away: true },
      { pauses: [120, 160, 200], away: false },
      { pauses: [400, 0, 400], away: false },
      // Markdown has no empty paragraphs, so the server returns another document than it received.
      { pauses: [200, 0, 300], away: false, ending: "Enter" }
    ])(
      "finds no conflict with the own text, which reaches the server: $pauses, away: $away, $ending",
      async (times) => {
        const ids = await scene.createPage("Base\n")
        await scene.withPage(async (page) => {
          expect(await visit(page, ids, { leave, ...times })).toBe(0)
          const texts = times.pauses.map((_, index) => `Text ${index}`)
          await expect.poll(() => scene.markdownOf(ids)).toBe(`${["Base", ...texts].join("\n\n")}\n`)
        })
      }
    )
  }
)
