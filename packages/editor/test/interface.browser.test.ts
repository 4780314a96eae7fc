/** The interface: keyboard, accessibility, undo, search, phones, languages, and the custom element. */
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { blocksPage } from "../../reader/test/support/pages.ts"
import { open, putCursor, save } from "./support/acts.ts"
import { violations } from "./support/axe.ts"
import { type Scene, startScene } from "./support/scene.ts"

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

const screenshot = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.LECTERN_SCREENSHOTS
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` })
}

const markdownAfter = async (markdown: string, act: (page: Page) => Promise<void>): Promise<string> => {
  const ids = await scene.createPage(markdown)
  return scene.withPage(async (page) => {
    await open(page, ids)
    await act(page)
    expect(await save(page)).toBe("Saved")
    return scene.markdownOf(ids)
  })
}

describe("axe", () => {
  for (const colorScheme of ["light", "dark"] as const) {
    it(`finds nothing on a page with every block, its menus and its forms, in the ${colorScheme} theme`, async () => {
      const ids = await scene.createPage(blocksPage)
      await scene.withPage(
        async (page) => {
          await open(page, ids)
          await page.waitForTimeout(1_000)
          expect(await violations(page)).toEqual([])
          await screenshot(page, `all-${colorScheme}`)
          await putCursor(page, "This is")
          await page.keyboard.press("Shift+End")
          await page.locator(".editor-toolbar").waitFor()
          await screenshot(page, `toolbar-${colorScheme}`)
          expect(await violations(page)).toEqual([])
          await page.keyboard.press("Control+k")
          await page.locator(".editor-link-popover").waitFor()
          expect(await violations(page)).toEqual([])
          await page.keyboard.press("Escape")
          await page.keyboard.press("End")
          await page.keyboard.type(" /")
          await page.locator(".editor-suggestions [role=option]").first().waitFor()
          await screenshot(page, `menu-${colorScheme}`)
          expect(await violations(page)).toEqual([])
          await page.keyboard.press("Escape")
          await page.keyboard.press("Alt+Enter")
          await page.locator(".editor-menu").waitFor()
          await screenshot(page, `block-menu-${colorScheme}`)
          expect(await violations(page)).toEqual([])
          await page.keyboard.press("Enter")
          await page.keyboard.press("Control+f")
          expect(await violations(page)).toEqual([])
        },
        { colorScheme }
      )
    })
  }
})

describe("the keyboard", () => {
  it("moves blocks down and up again, and items with their content", async () => {
    const markdown = "One\n\nTwo\n\n- a\n  - b\n- c\n"
    expect(
      await markdownAfter(markdown, async (page) => {
        await putCursor(page, "One")
        await page.keyboard.press("Alt+ArrowDown")
      })
    ).toBe("Two\n\nOne\n\n- a\n  - b\n- c\n")
    expect(
      await markdownAfter(markdown, async (page) => {
        await putCursor(page, "One")
        await page.keyboard.press("Alt+ArrowDown")
        await page.keyboard.press("Alt+ArrowUp")
        await putCursor(page, "c")
        await page.keyboard.press("Alt+ArrowUp")
      })
    ).toBe("One\n\nTwo\n\n- c\n- a\n  - b\n")
  })

  it("turns a block into another one, duplicates it and deletes it", async () => {
    expect(
      await markdownAfter("One\n\nTwo\n", async (page) => {
        await putCursor(page, "One")
        await page.keyboard.press("Alt+Enter")
        await page.getByRole("menuitem", { name: "Heading 2" }).click()
        await page.keyboard.press("Control+Shift+d")
        await putCursor(page, "Two")
        await page.keyboard.press("Control+Shift+Backspace")
      })
    ).toBe("## One\n\n## One\n")
  })

  it("undoes a change, and not the document that was loaded", async () => {
    expect(
      await markdownAfter("One\n", async (page) => {
        await putCursor(page, "One")
        await page.keyboard.press("End")
        await page.keyboard.type(" more")
        for (let count = 0; count < 5; count++) await page.keyboard.press("Control+z")
        await page.keyboard.press("Control+y")
      })
    ).toBe("One more\n")
  })

  it("adds rows and moves columns of a table", async () => {
    expect(
      await markdownAfter("| A | B |\n| - | - |\n| 1 | 2 |\n", async (page) => {
        await putCursor(page, "2")
        await page.keyboard.press("Tab")
        await page.keyboard.type("3")
        await page.keyboard.press("Alt+ArrowUp")
      })
    ).toMatch(/^\| A +\| B +\|\n\|[ -]+\|[ -]+\|\n\| 3 +\| +\|\n\| 1 +\| 2 +\|\n$/)
  })

  for (const [kind, start] of [
    ["a bulleted list", "- "],
    ["a numbered list", "1. "],
    ["a list of tasks", "[] "]
  ] as const) {
    it(`ends ${kind} with Enter in an empty item`, async () => {
      expect(
        await markdownAfter("Before\n", async (page) => {
          await putCursor(page, "Before")
          await page.keyboard.press("End")
          await page.keyboard.press("Enter")
          await page.keyboard.type(`${start}One`)
          for (const key of ["Enter", "Enter"]) await page.keyboard.press(key)
          await page.keyboard.type("After")
        })
      ).toMatch(/One\n\nAfter\n$/)
    })
  }

  it("moves an empty nested item out of each list with Enter", async () => {
    expect(
      await markdownAfter("- One\n  - Nested\n", async (page) => {
        await putCursor(page, "Nested")
        for (const key of ["End", "Enter", "Enter"]) await page.keyboard.press(key)
        await page.keyboard.type("Two")
        for (const key of ["Enter", "Enter"]) await page.keyboard.press(key)
        await page.keyboard.type("After")
      })
    ).toBe("- One\n  - Nested\n- Two\n\nAfter\n")
  })

  for (const syntax of ["", "js"]) {
    it(`begins code after a fence with the language “${syntax}” and Enter`, async () => {
      expect(
        await markdownAfter("First\n", async (page) => {
          await putCursor(page, "First")
          await page.keyboard.press("End")
          await page.keyboard.press("Enter")
          await page.keyboard.type(`\`\`\`${syntax}`)
          await page.keyboard.press("Enter")
          await page.keyboard.type("let a")
        })
      ).toBe(`First\n\n\`\`\`${syntax}\nlet a\n\`\`\`\n`)
    })
  }

  for (const [kind, markdown] of [
    ["a heading", "## Here\n"],
    ["a paragraph", "Here\n"],
    ["the first item of a list", "- Here\n"]
  ] as const) {
    it(`keeps the cursor in ${kind} with Tab, and leaves the text after Escape`, async () => {
      const after = await markdownAfter(`${markdown}\n\`\`\`\nlet a\n\`\`\`\n`, async (page) => {
        await putCursor(page, "Here")
        await page.keyboard.press("End")
        await page.keyboard.press("Tab")
        await page.keyboard.type(" and there")
        await page.keyboard.press("Escape")
        await page.keyboard.press("Tab")
        expect(await page.evaluate(() => document.activeElement?.classList.contains("editor-content"))).toBe(
          false
        )
      })
      expect(after).toContain("Here and there\n")
      expect(after).not.toContain("title=")
    })
  }

  it("displays the number of a task that was moved into a numbered list", async () => {
    const ids = await scene.createPage("1. One\n\nText\n\n- [ ] Task\n")
    await scene.withPage(async (page) => {
      await open(page, ids)
      await page.evaluate(() => {
        const { view } = window.host.editor!
        const { state } = view
        const [list, , tasks] = [state.doc.child(0), state.doc.child(1), state.doc.child(2)]
        view.dispatch(state.tr.insert(list.nodeSize - 1, tasks.child(0)))
      })
      const item = page.locator(".editor-content ol > li", { hasText: "Task" })
      expect(await item.evaluate((li) => getComputedStyle(li).listStyleType)).toBe("decimal")
      expect(await item.evaluate((li) => getComputedStyle(li).display)).toBe("list-item")
    })
  })

  for (const width of [1280, 700, 360]) {
    it(`has one line at the end of the page if the window is ${width} pixels wide`, async () => {
      const ids = await scene.createPage("Text\n")
      await scene.withPage(async (page) => {
        await page.setViewportSize({ width, height: 700 })
        await open(page, ids)
        const boxes = await page.locator(".editor-status").evaluate((bar) => {
          bar.querySelector(".editor-status-text")!.textContent =
            "Saved in change request #12, and on this device"
          const { bottom } = bar.querySelector(".editor-status-text")!.getBoundingClientRect()
          const tops = Array.from(
            bar.querySelectorAll("button:not([hidden])"),
            (button) => button.getBoundingClientRect().top
          )
          return { bottom, top: Math.max(...tops), overflow: bar.scrollWidth - bar.clientWidth }
        })
        expect(boxes.top).toBeLessThan(boxes.bottom)
        expect(boxes.overflow).toBe(0)
      })
    })
  }

  // Blocks at the end of a page, with a string that is in their last line.
  for (const [kind, markdown, last] of [
    ["a table", "| A | B |\n| - | - |\n| 1 | 2 |\n", "1"],
    ["code", "```\nfirst\nlast\n```\n", "last"],
    ["a quote", "> Said\n", "Said"],
    ["a hint", '{% hint style="info" %}\nTake care\n{% endhint %}\n', "Take care"]
  ] as const) {
    it(`continues after ${kind} with the down key`, async () => {
      const source = `Before\n\n${markdown}`
      const after = await markdownAfter(source, async (page) => {
        await putCursor(page, last)
        await page.keyboard.press("ArrowDown")
        await page.keyboard.type("After")
      })
      expect(after).toMatch(/\n\nAfter\n$/)
      expect(after.split("After").length).toBe(2)
    })
  }

  it("stays in code with the down key until its last line", async () => {
    expect(
      await markdownAfter("```\nfirst\nlast\n```\n", async (page) => {
        await putCursor(page, "first")
        await page.keyboard.press("ArrowDown")
        await page.keyboard.type("the ")
      })
    ).toBe("```\nfirst\nthe last\n```\n")
  })

  it("goes to the end of a page that ends with an image, and continues after it", async () => {
    expect(
      await markdownAfter("Before\n\n![Alternative](https://example.com/a.png)\n", async (page) => {
        await putCursor(page, "Before")
        for (const key of ["Control+End", "Enter"]) await page.keyboard.press(key)
        await page.keyboard.type("After")
      })
    ).toMatch(/^Before\n\n[^\n]*a\.png[^\n]*\n\nAfter\n$/)
  })

  it("finds text in a hidden tab, and replaces it", async () => {
    const tabs =
      '{% tabs %}\n{% tab title="a" %}\nFirst\n{% endtab %}\n\n{% tab title="b" %}\nNeedle here\n{% endtab %}\n{% endtabs %}\n'
    expect(
      await markdownAfter(tabs, async (page) => {
        await page.locator(".editor-content").focus()
        await page.keyboard.press("Control+f")
        await page.getByLabel("Find", { exact: true }).fill("needle")
        await page.getByText("1 of 1").waitFor()
        await page.getByText("Needle here").waitFor({ state: "visible" })
        await page.getByLabel("Replace with").fill("Thread")
        await page.getByRole("button", { name: "Replace", exact: true }).click()
      })
    ).toBe(tabs.replace("Needle", "Thread"))
  })
})

describe("the pointer", () => {
  it("drags a block by its handle", async () => {
    expect(
      await markdownAfter("One\n\nTwo\n\nThree\n", async (page) => {
        await page.locator(".editor-content p", { hasText: "Three" }).hover()
        await page.locator(".editor-grip").waitFor({ state: "visible" })
        const first = page.locator(".editor-content p", { hasText: "One" })
        await page.locator(".editor-grip").dragTo(first, { targetPosition: { x: 2, y: 2 } })
      })
    ).toBe("Three\n\nOne\n\nTwo\n")
  })

  it("drops an image, which is uploaded, and keeps the width that it is given", async () => {
    const ids = await scene.createPage("Text\n")
    await scene.withPage(async (page) => {
      await open(page, ids)
      await page.evaluate(async () => {
        const canvas = document.createElement("canvas")
        canvas.width = 300
        canvas.height = 150
        canvas.getContext("2d")!.fillRect(0, 0, 300, 150)
        const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve))
        const transfer = new DataTransfer()
        transfer.items.add(new File([blob!], "box.png", { type: "image/png" }))
        const { dom } = window.host.editor!.view
        const { left, bottom } = dom.firstElementChild!.getBoundingClientRect()
        const place = {
          clientX: left + 5,
          clientY: bottom - 5,
          dataTransfer: transfer,
          bubbles: true,
          cancelable: true
        }
        dom.dispatchEvent(new DragEvent("drop", place))
      })
      const image = page.locator(".editor-image img")
      await image.waitFor()
      await page.waitForFunction(
        () => document.querySelector<HTMLImageElement>(".editor-image img")?.naturalWidth === 300
      )
      await image.hover()
      const handle = (await page.locator(".editor-resize").boundingBox())!
      await page.mouse.move(handle.x + 3, handle.y + 10)
      await page.mouse.down()
      await page.mouse.move(handle.x - 47, handle.y + 10)
      await page.mouse.up()
      expect(await save(page)).toBe("Saved")
      expect(await scene.markdownOf(ids)).toMatch(
        /^Text\n\n<figure><img src="\/files\/\w+" alt="" width="200"><figcaption><\/figcaption><\/figure>\n$/
      )
      await screenshot(page, "uploaded")
    })
  })
})

describe("the Markdown view", () => {
  it("changes the blocks that are edited, and can be undone", async () => {
    const ids = await scene.createPage("One\n\n*  odd\n\nTwo[^1]\n\n[^1]: Note\n")
    const before = await scene.markdownOf(ids)
    await scene.withPage(async (page) => {
      await open(page, ids)
      await page.getByRole("button", { name: "Markdown" }).click()
      const source = page.getByRole("textbox", { name: "Markdown" })
      await source.fill((await source.inputValue()).replace("One", "# One\n\nNew").replace("Note", "Other"))
      await screenshot(page, "markdown")
      await page.getByRole("button", { name: "Markdown" }).click()
      expect(await save(page)).toBe("Saved")
      expect(await scene.markdownOf(ids)).toBe(before.replace("One", "# One\n\nNew").replace("Note", "Other"))
      await page.keyboard.press("Control+z")
      await page.keyboard.press("Control+z")
      expect(await save(page)).toBe("Saved")
      expect(await scene.markdownOf(ids)).toBe(before)
    })
  })
})

describe("the custom element", () => {
  it("edits a document in the language of the page, and reports changes", async () => {
    await scene.withPage(async (page) => {
      const changes = await page.evaluate(async () => {
        document.documentElement.lang = "fr"
        const element = document.createElement("lectern-editor")
        const leaf = { object: "leaf", text: "Bonjour", marks: [] }
        const nodes = [{ object: "block", type: "paragraph", nodes: [{ object: "text", leaves: [leaf] }] }]
        element.document = { object: "document", data: {}, nodes } as never
        let count = 0
        element.addEventListener("lectern-change", () => count++)
        document.body.append(element)
        while (element.editor === undefined) await new Promise((resolve) => setTimeout(resolve, 20))
        const { view } = element.editor
        view.dispatch(view.state.tr.insertText("!", 8))
        return { count, document: JSON.stringify(element.document) }
      })
      expect(changes.count).toBe(1)
      expect(changes.document).toContain("Bonjour!")
      await page.getByRole("textbox", { name: "Texte de la page" }).waitFor()
    })
  })
})

describe("the text", () => {
  it("is a textbox with a name, and the list of blocks is its active descendant", async () => {
    const ids = await scene.createPage("")
    await scene.withPage(async (page) => {
      await open(page, ids)
      const text = page.getByRole("textbox", { name: "Text of the page" })
      await text.click()
      await page.keyboard.type("/tab")
      const option = page.getByRole("option", { name: "Tabs" })
      await option.waitFor()
      expect(await text.getAttribute("aria-activedescendant")).toBe(await option.getAttribute("id"))
      expect(await option.getAttribute("aria-selected")).toBe("true")
      await page.keyboard.press("Escape")
      expect(await text.getAttribute("aria-activedescendant")).toBeNull()
    })
  })

  it("fits on a phone, in a right-to-left page, in another language", async () => {
    const ids = await scene.createPage(blocksPage)
    await scene.withPage(
      async (page) => {
        await page.evaluate(() => {
          document.documentElement.dir = "rtl"
        })
        await open(page, { ...ids, language: "de" })
        await page.waitForTimeout(500)
        expect(
          await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth
          )
        ).toBeLessThanOrEqual(0)
        await page.getByRole("textbox", { name: "Text der Seite" }).waitFor()
        await putCursor(page, "This is")
        await page.keyboard.press("Shift+End")
        await page.locator(".editor-toolbar").waitFor()
        await screenshot(page, "phone-rtl")
      },
      { viewport: { width: 390, height: 844 }, hasTouch: true }
    )
  })

  it("displays changes against another version: words, and blocks", async () => {
    const ids = await scene.createPage("One two three\n\nGone\n\nSame\n")
    await scene.withPage(async (page) => {
      await open(page, ids)
      await page.evaluate(() => {
        const { editor } = window.host
        const base = editor!.document()
        const { state } = editor!.view
        editor!.view.dispatch(state.tr.insertText("2", 5, 8).delete(13, 19))
        editor!.showChanges(base)
      })
      expect(await page.locator("ins").innerText()).toBe("2")
      expect(await page.locator(".editor-deleted").innerText()).toBe("two")
      expect(await page.locator(".editor-deleted-block").innerText()).toBe("Gone")
      await screenshot(page, "changes")
    })
  })

  it("has comments on selected words, which move with them and remain when the words are removed", async () => {
    const ids = await scene.createPage("One two three\n\nOther\n")
    await scene.withPage(async (page) => {
      await open(page, ids)
      await putCursor(page, "two")
      await page.keyboard.press("Control+Shift+ArrowRight")
      await page.getByRole("button", { name: "Comment" }).click()
      await page.getByLabel("New comment").fill("Why two?")
      await page.getByRole("button", { name: "Post" }).click()
      await page.locator(".editor-commented").waitFor()
      expect((await page.locator(".editor-commented").innerText()).trim()).toBe("two")
      await screenshot(page, "comments")
      await putCursor(page, "One")
      await page.keyboard.type("Now ")
      expect((await page.locator(".editor-commented").innerText()).trim()).toBe("two")
      await open(page, ids)
      await page.locator(".editor-commented").waitFor()
      await page.evaluate(() => {
        const { view } = window.host.editor!
        view.dispatch(view.state.tr.delete(1, view.state.doc.child(0).nodeSize - 1))
        window.host.editor!.toggleComments()
      })
      await page.getByText("The text of this comment was removed.").waitFor()
    })
  })
})
