/** Attempts to lose typed text: closed tabs, two tabs, a killed server, a full storage, a sign-out, a wrong clock. */
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { closeTab, open, putCursor, save, untilStored } from "./support/acts.ts"
import { type PageIds, type Scene, startScene } from "./support/scene.ts"

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

const quick = { rest: 200, longest: 500 }

const textOf = (page: Page): Promise<string> =>
  page.evaluate(() => window.host.editor!.view.state.doc.textContent)

const typeAtEndOf = async (page: Page, text: string, typed: string): Promise<void> => {
  await putCursor(page, text)
  await page.keyboard.press("End")
  await page.keyboard.type(typed)
}

const untilStatus = (page: Page, tag: string): Promise<unknown> =>
  page.waitForFunction((wanted) => window.host.editor!.status()._tag === wanted, tag)

/** Opens the page of the host in another tab of the same browser. */
const newTab = async (page: Page): Promise<Page> => {
  const tab = await page.context().newPage()
  await tab.goto(page.url())
  await tab.waitForSelector("html[data-ready]", { state: "attached" })
  return tab
}

const untilMarkdown = async (ids: PageIds, wanted: string): Promise<void> => {
  await expect.poll(() => scene.markdownOf(ids), { timeout: 60_000 }).toBe(wanted)
}

/** Opens a page in another tab, and writes a draft there that the server does not receive. Returns the tab. */
const draftInOtherTab = async (page: Page, ids: PageIds): Promise<Page> => {
  const tab = await newTab(page)
  await open(tab, ids)
  await tab.route("**/v1/**", (route) => route.abort())
  await typeAtEndOf(tab, "First", " of one tab")
  await untilStored(tab)
  return tab
}

describe("a tab that is closed while the writer types", () => {
  it("has its text on the server, before the rest that a save waits for", async () => {
    const ids = await scene.createPage("First\n")
    await scene.withPage(async (page) => {
      const tab = await newTab(page)
      await open(tab, ids)
      await typeAtEndOf(tab, "First", " and last words")
      await tab.close({ runBeforeUnload: true })
      await untilMarkdown(ids, "First and last words\n")
    })
  })

  it("has its text in the browser if the server is away, and the next visit saves it", async () => {
    const ids = await scene.createPage("First\n")
    await scene.withPage(async (page) => {
      const tab = await newTab(page)
      await open(tab, ids)
      await page.context().route("**/v1/**", (route) => route.abort())
      await typeAtEndOf(tab, "First", " and last words")
      await untilStored(tab)
      await closeTab(tab, page)
      await page.context().unroute("**/v1/**")
      await open(page, { ...ids, times: quick })
      expect(await textOf(page)).toBe("First and last words")
      await untilMarkdown(ids, "First and last words\n")
    })
  })

  it("keeps Markdown that was typed within the delay of its view", async () => {
    const ids = await scene.createPage("First\n")
    await scene.withPage(async (page) => {
      const tab = await newTab(page)
      await open(tab, ids)
      await tab.getByRole("button", { name: "Markdown" }).click()
      await tab.getByRole("textbox", { name: "Markdown" }).press("Control+End")
      await tab.keyboard.type("Last words\n")
      await tab.close({ runBeforeUnload: true })
      await expect.poll(() => scene.markdownOf(ids), { timeout: 60_000 }).toContain("Last words")
    })
  })
})

describe("two tabs with the same page", () => {
  it("have drafts of their own: both are restored and merged after both were closed", async () => {
    const ids = await scene.createPage("First\n\nSecond\n")
    await scene.withPage(async (page) => {
      const [one, other] = [await newTab(page), await newTab(page)]
      await open(one, ids)
      await open(other, ids)
      await page.context().route("**/v1/**", (route) => route.abort())
      await typeAtEndOf(one, "First", " of one tab")
      await typeAtEndOf(other, "Second", " of the other tab")
      for (const tab of [one, other]) {
        await untilStored(tab)
        await closeTab(tab, page)
      }
      await page.context().unroute("**/v1/**")
      await open(page, { ...ids, times: quick })
      await untilMarkdown(ids, "First of one tab\n\nSecond of the other tab\n")
      // Both drafts were deleted: nothing is restored by the next visit.
      await untilStatus(page, "Saved")
      await open(page, ids)
      expect(await page.evaluate(() => window.host.editor!.status()._tag)).toBe("Saved")
    })
  })

  it("do not restore the draft of each other, and a save of one keeps the text of the other", async () => {
    const ids = await scene.createPage("First\n\nSecond\n")
    await scene.withPage(async (page) => {
      const one = await draftInOtherTab(page, ids)
      await open(page, ids)
      expect(await textOf(page)).toBe("FirstSecond")
      await typeAtEndOf(page, "Second", " of the other tab")
      expect(await save(page)).toBe("Saved")
      await closeTab(one, page)
      await open(page, { ...ids, times: quick })
      await untilMarkdown(ids, "First of one tab\n\nSecond of the other tab\n")
    })
  })
})

describe("an editor that starts while the one of a closed tab seems to be open", () => {
  it("restores the text of the tab once the browser has ended it", async () => {
    const ids = await scene.createPage("First\n\nSecond\n")
    await scene.withPage(async (page) => {
      const one = await draftInOtherTab(page, ids)
      await open(page, { ...ids, times: quick })
      expect(await textOf(page)).toBe("FirstSecond")
      await closeTab(one, page)
      await expect.poll(() => textOf(page)).toBe("First of one tabSecond")
      await untilMarkdown(ids, "First of one tab\n\nSecond\n")
    })
  })
})

describe("a server", () => {
  it("that is killed after it saved, before it responds, causes no conflict of the writer with themselves", async () => {
    const ids = await scene.createPage("First\n")
    await scene.withPage(async (page) => {
      await open(page, ids)
      let isKilled = false
      await page.route("**/v1/spaces/*/content", async (route) => {
        if (route.request().method() !== "PATCH" && route.request().method() !== "POST")
          return route.continue()
        if (isKilled) return route.continue()
        isKilled = true
        await route.fetch()
        await route.abort("connectionreset")
      })
      await typeAtEndOf(page, "First", " words")
      expect(await save(page)).toBe("Failed")
      expect(await scene.markdownOf(ids)).toBe("First words\n")
      await page.keyboard.type(" and more")
      expect(await save(page)).toBe("Saved")
      expect(await scene.markdownOf(ids)).toBe("First words and more\n")
    })
  })
})

describe("a browser", () => {
  it("whose storage is full states it, confirms that the page is closed, and saves on the server", async () => {
    const ids = await scene.createPage("First\n")
    await scene.withPage(async (page) => {
      await page.evaluate(() => {
        IDBObjectStore.prototype.put = () => {
          throw new DOMException("The quota is exceeded.", "QuotaExceededError")
        }
      })
      await open(page, ids)
      await page.route("**/v1/**", (route) => route.abort())
      await typeAtEndOf(page, "First", " words")
      expect(await save(page)).toBe("Failed")
      expect(await page.locator(".editor-status-text").innerText()).toContain("Keep this page open")
      const question = new Promise<string>((resolve) =>
        page.once("dialog", (dialog) => {
          resolve(dialog.type())
          void dialog.dismiss()
        })
      )
      await page.close({ runBeforeUnload: true })
      expect(await question).toBe("beforeunload")
      await page.unroute("**/v1/**")
      expect(await save(page)).toBe("Saved")
      expect(await scene.markdownOf(ids)).toBe("First words\n")
    })
  })

  it("whose clock was set back by a day saves as before", async () => {
    const ids = await scene.createPage("First\n")
    await scene.withPage(async (page) => {
      await page.evaluate((options) => window.host.open(options), { ...ids, times: quick })
      await typeAtEndOf(page, "First", " one")
      await page.evaluate(() => {
        const now = Date.now.bind(Date)
        Date.now = () => now() - 86_400_000
      })
      await page.keyboard.type(" two")
      await untilMarkdown(ids, "First one two\n")
    })
  })
})

describe("a sign-out in another tab", () => {
  it("leaves the text in the browser; it is saved when the writer has signed in and returns", async () => {
    const ids = await scene.createPage("First\n")
    await scene.withPage(async (page) => {
      await open(page, ids)
      await page.route("**/v1/**", (route) =>
        route.fulfill({
          status: 401,
          contentType: "application/json",
          body: '{"error":{"code":401,"message":"Sign in."}}'
        })
      )
      await typeAtEndOf(page, "First", " words")
      expect(await save(page)).toBe("Failed")
      expect(await page.locator(".editor-status-text").innerText()).toContain("you are signed out")
      await page.keyboard.type(" and more")
      await page.unroute("**/v1/**")
      await page.evaluate(() => window.dispatchEvent(new Event("focus")))
      await untilMarkdown(ids, "First words and more\n")
    })
  })
})

describe("a change of another person", () => {
  it("while the Markdown is displayed is not undone by text that is typed there, with its footnotes", async () => {
    const ids = await scene.createPage("First\n\nSecond\n")
    await scene.withPage(async (page) => {
      await open(page, ids)
      await page.getByRole("button", { name: "Markdown" }).click()
      await scene.workspace.as(scene.user).content.edit({
        content: { space: ids.space },
        input: {
          changes: [
            {
              operation: "update_page",
              page: ids.page,
              document: { markdown: "First\n\nSecond of somebody[^1]\n\n[^1]: A note\n" }
            }
          ]
        }
      })
      const source = page.getByRole("textbox", { name: "Markdown" })
      await source.press("Control+Home")
      await page.keyboard.type("My ")
      expect(await save(page)).toBe("Saved")
      await page.keyboard.type("own ")
      expect(await save(page)).toBe("Saved")
      expect(await scene.markdownOf(ids)).toBe("My own First\n\nSecond of somebody[^1]\n\n[^1]: A note\n")
    })
  })
})
