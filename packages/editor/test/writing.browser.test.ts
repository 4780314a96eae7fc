/** Writing in a browser: several blocks, uploads with their progress, the number of words, the outline, and reduced motion. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { blocksPage } from "../../reader/test/support/pages.ts"
import { choose, open, putCursor, save } from "./support/acts.ts"
import { violations } from "./support/axe.ts"
import { type Scene, startScene } from "./support/scene.ts"

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

describe("several selected blocks", () => {
  for (const [action, keys, expected] of [
    ["are moved", ["Alt+ArrowDown"], "Three\n\nOne\n\n- Two\n\nFour\n"],
    ["are moved back", ["Alt+ArrowDown", "Alt+ArrowUp"], "One\n\n- Two\n\nThree\n\nFour\n"],
    ["are duplicated", ["Control+Shift+D"], "One\n\n- Two\n\nOne\n\n- Two\n\nThree\n\nFour\n"],
    [
      "are deleted, and the deletion is undone in one step",
      ["Control+Shift+Backspace", "Control+z"],
      "One\n\n- Two\n\nThree\n\nFour\n"
    ],
    ["are deleted", ["Control+Shift+Backspace"], "Three\n\nFour\n"]
  ] as const) {
    it(`${action} by the keyboard`, async () => {
      const ids = await scene.createPage("One\n\n- Two\n\nThree\n\nFour\n")
      await scene.withPage(async (page) => {
        await open(page, ids)
        await putCursor(page, "One")
        await page.keyboard.press("Shift+ArrowDown")
        await page.keyboard.press("Shift+End")
        await page.waitForFunction(() => !window.host.editor!.view.state.selection.empty)
        for (const key of keys) await page.keyboard.press(key)
        expect(await save(page)).toBe("Saved")
        expect(await scene.markdownOf(ids)).toBe(expected)
      })
    })
  }
})

describe("a link", () => {
  it("points to a section of another page, of the same page, or to a file", async () => {
    const ids = await scene.createPage("## Own part\n\nOne\n\nTwo\n\nThree\n")
    const as = scene.workspace.as(scene.user)
    const content = { space: ids.space as never }
    const installation = (await as.content.listPages({ content })).pages[1]!.id
    const files = [{ ref: "plan", name: "plan.txt", contentType: "text/plain", base64: btoa("plan") }]
    await as.content.edit({
      content,
      input: {
        changes: [
          { operation: "insert_files", files },
          {
            operation: "update_page",
            page: installation,
            document: { markdown: "Text\n\n## Requirements\n" }
          }
        ]
      }
    })
    await scene.withPage(async (page) => {
      await open(page, ids)
      for (const [word, query, title] of [
        ["One", "inst#req", "Requirements"],
        ["Two", "#own", "Own part"],
        ["Three", "plan", "plan.txt"]
      ] as const) {
        await putCursor(page, word)
        await page.keyboard.press("Shift+End")
        await page.waitForFunction(() => !window.host.editor!.view.state.selection.empty)
        await page.keyboard.press("Control+k")
        await page.locator(".editor-popover input").fill(query)
        await page.locator(".editor-popover [role=option]", { hasText: title }).first().click()
      }
      expect(await save(page)).toBe("Saved")
      expect(await scene.markdownOf(ids)).toMatch(
        /\n\[One\]\(\/pages\/\w+#requirements\)\n\n\[Two\]\(#own-part\)\n\n\[Three\]\(\/files\/\w+\)\n$/
      )
    })
  })
})

describe("a target that is confirmed before its search has ended", () => {
  it("is that of the last query, not one of the list that is still displayed", async () => {
    const ids = await scene.createPage("One\n")
    await scene.withPage(async (page) => {
      await open(page, ids)
      await putCursor(page, "One")
      await page.keyboard.press("Shift+End")
      await page.waitForFunction(() => !window.host.editor!.view.state.selection.empty)
      await page.keyboard.press("Control+k")
      // The list of the empty query has the page itself first.
      await page.locator(".editor-link-popover [role=option]").first().waitFor()
      await page.keyboard.type("inst")
      await page.keyboard.press("Enter")
      await page.locator(".editor-link-popover").waitFor({ state: "detached" })
      expect(await save(page)).toBe("Saved")
      expect(await scene.markdownOf(ids)).not.toContain(ids.page)
      expect(await scene.markdownOf(ids)).toMatch(/^\[One\]\(\/pages\/\w+\)/)
    })
  })
})

describe("a mention that is confirmed before its search has ended", () => {
  it("is inserted at its place, before the text that is typed next", async () => {
    const ids = await scene.createPage("Ask\n")
    await scene.withPage(async (page) => {
      await open(page, ids)
      let finish = (): void => undefined
      const isAllowed = new Promise<void>((resolve) => {
        finish = resolve
      })
      await page.route("**/v1/orgs/*/members**", async (route) => {
        await isAllowed
        await route.continue()
      })
      await putCursor(page, "Ask")
      await page.keyboard.press("End")
      await page.keyboard.type(" @inst")
      await page.keyboard.press("Enter")
      await page.keyboard.type(", please")
      finish()
      await page.locator(".editor-content .mention").waitFor()
      await page.keyboard.type("!")
      expect(await save(page)).toBe("Saved")
      expect(await scene.markdownOf(ids)).toMatch(/^Ask \[\w+\]\(\/pages\/\w+ "mention"\), please!\n$/)
    })
  })
})

describe("a click", () => {
  it("moves the cursor to its place, also if text was selected and the focus was outside of the text", async () => {
    const ids = await scene.createPage("One words\n\nTwo words\n")
    await scene.withPage(async (page) => {
      await open(page, ids)
      await page
        .locator(".editor-content p")
        .first()
        .dblclick({ position: { x: 10, y: 10 } })
      await page.waitForFunction(() => !window.host.editor!.view.state.selection.empty)
      await page.getByRole("button", { name: "Markdown" }).focus()
      await page.locator(".editor-content p").last().click()
      await page.keyboard.press("End")
      await page.keyboard.type("!")
      expect(await page.locator(".editor-content").innerText()).toMatch(/^One words\s+Two words!$/)
    })
  })

  it("that selects text opens one toolbar, which the next key closes", async () => {
    const ids = await scene.createPage("One words\n")
    await scene.withPage(async (page) => {
      await open(page, ids)
      await page.locator(".editor-content p").dblclick({ position: { x: 10, y: 10 } })
      await page.locator(".editor-toolbar").first().waitFor()
      // The toolbar is updated after the release of the pointer.
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)))
      expect(await page.locator(".editor-toolbar").count()).toBe(1)
      await page.keyboard.type("New")
      await page.waitForFunction(() => document.querySelectorAll(".editor-toolbar").length === 0)
    })
  })
})

describe("an upload", () => {
  it("displays its progress until the file is in the text, and text that is typed in the meantime remains", async () => {
    const ids = await scene.createPage("First\n")
    await scene.withPage(async (page) => {
      await open(page, ids)
      let finish = (): void => undefined
      const isAllowed = new Promise<void>((resolve) => {
        finish = resolve
      })
      await page.route("**/v1/spaces/*/content", async (route) => {
        const type = route.request().headers()["content-type"] ?? ""
        if (type.startsWith("multipart/")) await isAllowed
        await route.continue()
      })
      await putCursor(page, "First")
      await page.keyboard.press("End")
      await page.evaluate(() => {
        const transfer = new DataTransfer()
        transfer.items.add(new File(["text"], "notes.txt", { type: "text/plain" }))
        const event = new ClipboardEvent("paste", {
          clipboardData: transfer,
          bubbles: true,
          cancelable: true
        })
        window.host.editor!.view.dom.dispatchEvent(event)
      })
      await page.getByRole("progressbar", { name: "Uploading notes.txt" }).waitFor()
      await page.keyboard.type(" words")
      finish()
      await page.locator(".file", { hasText: "notes.txt" }).waitFor()
      expect(await page.getByRole("progressbar").count()).toBe(0)
      expect(await save(page)).toBe("Saved")
      expect(await scene.markdownOf(ids)).toMatch(/^First words\n\n\{% file src="\/files\/\w+" %\}/)
    })
  })

  it("from the settings of an image leaves the focus there, and Escape closes them", async () => {
    const ids = await scene.createPage("First\n")
    await scene.withPage(async (page) => {
      await open(page, ids)
      await putCursor(page, "First")
      await page.keyboard.press("End")
      await page.keyboard.press("Enter")
      await choose(page, "image")
      const form = page.locator(".editor-settings")
      await form.getByRole("button", { name: "Upload a file" }).first().focus()
      await form
        .locator("input[type=file]")
        .first()
        .setInputFiles({
          name: "box.png",
          mimeType: "image/png",
          buffer: Buffer.from(
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
            "base64"
          )
        })
      await page.locator(".editor-image img[src*='/files/']").waitFor()
      const focused = page.locator(".editor-settings :focus")
      await expect.poll(() => focused.getAttribute("aria-label")).toBe("Upload a file")
      await page.keyboard.press("Escape")
      await form.waitFor({ state: "detached" })
    })
  })

  it("that fails is offered again, and is not in the text", async () => {
    const ids = await scene.createPage("First\n")
    await scene.withPage(async (page) => {
      await open(page, ids)
      await page.route("**/v1/spaces/*/content", (route) =>
        route.request().method() === "GET" || route.request().method() === "HEAD"
          ? route.continue()
          : route.abort()
      )
      await putCursor(page, "First")
      await page.evaluate(() => {
        const transfer = new DataTransfer()
        transfer.items.add(new File(["text"], "notes.txt", { type: "text/plain" }))
        const event = new ClipboardEvent("paste", {
          clipboardData: transfer,
          bubbles: true,
          cancelable: true
        })
        window.host.editor!.view.dom.dispatchEvent(event)
      })
      await page.getByText("notes.txt was not uploaded").first().waitFor()
      await page.unroute("**/v1/spaces/*/content")
      await page.getByRole("button", { name: "Retry" }).click()
      await page.locator(".file", { hasText: "notes.txt" }).waitFor()
    })
  })
})

describe("the editor", () => {
  it("counts words as the language divides them, and returns the headings", async () => {
    const ids = await scene.createPage("# Title\n\nTwo words.\n\n## Part\n\nOne\n")
    await scene.withPage(async (page) => {
      await open(page, ids)
      await page.getByText("5 words").waitFor()
      await putCursor(page, "One")
      await page.keyboard.type("More than ")
      await page.getByText("7 words").waitFor()
      expect(
        await page.evaluate(() => window.host.editor!.outline().map(({ level, text }) => [level, text]))
      ).toEqual([
        [1, "Title"],
        [2, "Part"]
      ])
    })
  })

  it("moves nothing for a person who prefers reduced motion", async () => {
    const ids = await scene.createPage(blocksPage)
    const movingOf = (reducedMotion: "reduce" | "no-preference") =>
      scene.withPage(
        async (page) => {
          await open(page, ids)
          return page.evaluate(
            () =>
              [...document.querySelectorAll(".lectern-editor *")].filter((element) => {
                const { transitionDuration, animationName } = getComputedStyle(element)
                return animationName !== "none" || /[1-9]/.test(transitionDuration)
              }).length
          )
        },
        { reducedMotion }
      )
    expect(await movingOf("no-preference")).toBeGreaterThan(0)
    expect(await movingOf("reduce")).toBe(0)
  })
})

describe("a page", () => {
  it("that is longer than the window is scrolled so that the line that is written is not covered", async () => {
    const ids = await scene.createPage(Array.from({ length: 60 }, (_, at) => `Paragraph ${at}\n`).join("\n"))
    await scene.withPage(async (page) => {
      await open(page, ids)
      await page.locator(".editor-content").focus()
      await page.keyboard.press("Control+End")
      for (const text of ["One", "Two", "Three"]) {
        await page.keyboard.press("Enter")
        await page.keyboard.type(text)
        // The position is that of the next frame.
        await page.waitForFunction(() => {
          const { view } = window.host.editor!
          const bar = document.querySelector(".editor-status")!.getBoundingClientRect()
          return view.coordsAtPos(view.state.selection.head).bottom <= bar.top
        })
      }
    })
  })

  it("has the text of a reusable content in its place, which cannot be changed there", async () => {
    const ids = await scene.createPage("Before\n")
    const as = scene.workspace.as(scene.user)
    const content = { space: ids.space as never }
    const { id } = (await as.content.getRevision({ content })).reusableContents[0]!
    const include = `{% include "/reusable-contents/${id}" %}\n`
    await as.content.edit({
      content,
      input: {
        changes: [
          // It contains itself.
          {
            operation: "update_reusable_content",
            reusableContent: id,
            document: {
              markdown: `{% hint style="info" %}\nIncluded **text**\n{% endhint %}\n\n- [ ] Task\n\n${include}`
            }
          },
          {
            operation: "update_page",
            page: ids.page as never,
            document: { markdown: `Before\n\n${include}\nAfter\n` }
          }
        ]
      }
    })
    const before = await scene.markdownOf(ids)
    await scene.withPage(async (page) => {
      await open(page, ids)
      const included = page.locator(".editor-included")
      await included.locator(".hint", { hasText: "Included text" }).waitFor()
      expect(await included.count()).toBe(1)
      await included
        .locator("input[type=checkbox]")
        .click({ force: true, timeout: 2_000 })
        .catch(() => undefined)
      await included.getByText("Included").click({ force: true })
      await page.keyboard.press("Control+End")
      await page.keyboard.type("!")
      expect(await violations(page)).toEqual([])
      expect(await save(page)).toBe("Saved")
      expect(await scene.markdownOf(ids)).toBe(before.replace("After", "After!"))
    })
  })
})

describe("the selection of a key that the browser has not reported yet", () => {
  it("is the one of the next key", async () => {
    const ids = await scene.createPage("One word\n")
    await scene.withPage(async (page) => {
      await open(page, ids)
      await putCursor(page, "One")
      await page.evaluate(() => {
        window.getSelection()!.modify("move", "forward", "lineboundary")
        const options = { key: "Enter", code: "Enter", keyCode: 13, bubbles: true, cancelable: true }
        window.host.editor!.view.dom.dispatchEvent(new KeyboardEvent("keydown", options))
      })
      await page.keyboard.type("Two")
      expect(await save(page)).toBe("Saved")
      expect(await scene.markdownOf(ids)).toBe("One word\n\nTwo\n")
    })
  })
})

describe("a link", () => {
  it("to a page that does not exist is marked, and others are not", async () => {
    const ids = await scene.createPage(
      "[Lost](lost.md), [web](https://example.com), [mail](mailto:a@example.com)\n"
    )
    await scene.withPage(async (page) => {
      await open(page, ids)
      expect(await page.locator(".editor-link").count()).toBe(3)
      expect(await page.locator(".editor-broken-link").allInnerTexts()).toEqual(["Lost"])
      expect(await violations(page)).toEqual([])
    })
  })
})
