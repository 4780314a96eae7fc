/** Every menu and dialog of the editor: it opens and closes by the keyboard, axe finds nothing, and its roles and names are committed. */
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { open, putCursor, save } from "./support/acts.ts"
import { violations } from "./support/axe.ts"
import { type PageIds, type Scene, startScene } from "./support/scene.ts"

let scene: Scene
let ids: PageIds
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

const markdown = `Text with a [link](https://example.com) and words.

{% hint style="info" %}
A hint.
{% endhint %}

| Name | Count |
| --- | --- |
| a | 1 |

{% tabs %}
{% tab title="npm" %}
Install.
{% endtab %}
{% endtabs %}

\`\`\`ts
const a = 1
\`\`\`

$$
x
$$

<figure><img src="https://example.com/a.png" alt="A cat"><figcaption></figcaption></figure>
`

interface Dialog {
  readonly name: string
  /** The selector of the element that opens. */
  readonly selector: string
  /** Opens it by the keyboard. */
  readonly open: (page: Page) => Promise<void>
  /** Whether Escape closes it, which is the case for everything above the text. */
  readonly remains?: true
}

const selectWords = async (page: Page): Promise<void> => {
  await putCursor(page, "words")
  await page.keyboard.press("Shift+Control+ArrowRight")
  await page.locator(".editor-toolbar").waitFor()
}

const typeAfterText = (text: string) => async (page: Page) => {
  await putCursor(page, "words")
  await page.keyboard.press("End")
  await page.keyboard.type(` ${text}`)
  await page.locator(".editor-suggestions [role=option]").first().waitFor()
}

const blockMenuAt = (text: string) => async (page: Page) => {
  await putCursor(page, text)
  await page.keyboard.press("Alt+Enter")
}

const chooseInMenu = (text: string, item: RegExp) => async (page: Page) => {
  await blockMenuAt(text)(page)
  await page.getByRole("menuitem", { name: item }).first().press("Enter")
}

const dialogs: ReadonlyArray<Dialog> = [
  { name: "blocks after a slash", selector: ".editor-suggestions", open: typeAfterText("/") },
  { name: "pages after an at sign", selector: ".editor-suggestions", open: typeAfterText("@inst") },
  { name: "emojis after a colon", selector: ".editor-suggestions", open: typeAfterText(":rocket") },
  { name: "toolbar of a selection", selector: ".editor-toolbar", open: selectWords },
  {
    name: "link",
    selector: ".editor-link-popover",
    open: async (page) => {
      await selectWords(page)
      await page.keyboard.press("Control+k")
    }
  },
  { name: "menu of a paragraph", selector: ".editor-menu", open: blockMenuAt("words") },
  { name: "menu of a hint", selector: ".editor-menu", open: blockMenuAt("A hint") },
  { name: "menu of a table", selector: ".editor-menu", open: blockMenuAt("Count") },
  { name: "menu of tabs", selector: ".editor-menu", open: blockMenuAt("Install.") },
  { name: "menu of code", selector: ".editor-menu", open: blockMenuAt("const a") },
  { name: "settings of a hint", selector: ".editor-settings", open: chooseInMenu("A hint", /Settings/) },
  {
    name: "find and replace",
    selector: ".editor-search",
    open: async (page) => {
      await putCursor(page, "words")
      await page.keyboard.press("Control+f")
    }
  },
  {
    name: "comments",
    selector: ".editor-comments",
    open: async (page) => {
      await putCursor(page, "words")
      await page.evaluate(() => window.host.editor!.startComment())
    }
  },
  {
    name: "Markdown",
    selector: ".editor-markdown",
    remains: true,
    open: (page) => page.getByRole("button", { name: "Markdown" }).press("Enter")
  },
  { name: "status", selector: ".editor-status", remains: true, open: (page) => putCursor(page, "words") }
]

describe("a menu or a dialog", () => {
  for (const { name, selector, open: openIt, remains } of dialogs) {
    it(`opens and closes by the keyboard, has roles and names, and no finding of axe: ${name}`, async () => {
      ids = await scene.createPage(markdown)
      const { changeRequest } = await scene.createChangeRequest(ids)
      await scene.withPage(async (page) => {
        await open(page, { ...ids, changeRequest } as PageIds)
        await openIt(page)
        const dialog = page.locator(selector).first()
        await dialog.waitFor()
        expect(await violations(page)).toEqual([])
        // The words are counted once the editor rests.
        if (name === "status") await page.locator(".editor-status-words:not(:empty)").waitFor()
        const snapshot = (await dialog.ariaSnapshot()).replaceAll(ids.page, "PAGE")
        const file = name.toLowerCase().replaceAll(" ", "-")
        await expect(`${snapshot}\n`).toMatchFileSnapshot(`accessibility/${file}.yml`)
        if (process.env.LECTERN_SCREENSHOTS !== undefined)
          await page.screenshot({ path: `${process.env.LECTERN_SCREENSHOTS}/dialog-${file}.png` })
        if (remains === true) return
        await page.keyboard.press("Escape")
        await dialog.waitFor({ state: "hidden" })
        // The focus is in the text again.
        await page.waitForFunction(() => window.host.editor!.view.hasFocus())
      })
    })
  }

  it("of a conflict has the choices as buttons", async () => {
    ids = await scene.createPage("First\n\nSecond\n")
    await scene.withPage(async (page) => {
      await open(page, ids)
      await scene.workspace.as(scene.user).content.edit({
        content: { space: ids.space as never },
        input: {
          changes: [
            {
              operation: "update_page",
              page: ids.page as never,
              document: { markdown: "First of them\n\nSecond\n" }
            }
          ]
        }
      })
      await putCursor(page, "First")
      await page.keyboard.press("End")
      await page.keyboard.type(" of mine")
      expect(await save(page)).toBe("Conflict")
      expect(await violations(page)).toEqual([])
      const snapshot = await page.locator(".editor-conflict").ariaSnapshot()
      await expect(`${snapshot}\n`).toMatchFileSnapshot("accessibility/conflict.yml")
    })
  })
})
