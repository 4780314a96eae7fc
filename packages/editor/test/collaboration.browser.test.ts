/** Several people in a browser, on a server: presence, and edits that readers see immediately. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { putCursor, save } from "./support/acts.ts"
import { type Scene, startScene } from "./support/scene.ts"

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

describe("the content of a space", () => {
  it("is changed only after the writer has chosen to edit what readers see", async () => {
    const ids = await scene.createPage("First\n")
    await scene.withPage(async (page) => {
      await page.evaluate((options) => window.host.open({ ...options, asksForLiveEdits: true }), ids)
      const text = page.locator(".editor-content")
      expect(await text.getAttribute("contenteditable")).toBe("false")
      await page.keyboard.press("Tab")
      await page.keyboard.type("lost")
      expect(await text.innerText()).toBe("First")
      await page.getByRole("button", { name: "Edit the published text" }).press("Enter")
      // The focus moves to the text, and the notice about the effect of an edit remains visible.
      await page.keyboard.type("My ")
      await page.getByText("Readers see changes when they are saved").first().waitFor()
      expect(await save(page)).toBe("Saved")
      expect(await scene.markdownOf(ids)).toBe("My First\n")
    })
  })

  it("cannot be edited in a space that is locked, also by a request", async () => {
    const ids = await scene.createPage("First\n")
    await scene.workspace.as(scene.user).spaces.update({ space: ids.space, input: { editMode: "locked" } })
    await scene.withPage(async (page) => {
      await page.evaluate((options) => window.host.open(options), ids)
      expect(await page.locator(".editor-content").getAttribute("contenteditable")).toBe("false")
      expect(await page.getByRole("note").innerText()).toContain("in a change request")
      expect(await page.getByRole("button", { name: "Edit the published text" }).count()).toBe(0)
    })
  })
})

describe("people who have the same page open", () => {
  it("see the names of each other, whether they write, and when they leave", async () => {
    const ids = await scene.createPage("First\n")
    const bob = await scene.createPerson("Bob")
    const { changeRequest } = await scene.createChangeRequest(ids)
    const here = { ...ids, changeRequest }
    await scene.withPage(async (one) => {
      await one.evaluate((options) => window.host.open(options), here)
      await scene.withPage(async (other) => {
        await other.evaluate((options) => window.host.open(options), { ...here, token: bob.token })
        await other.getByText(/Also here: /).waitFor()
        await putCursor(other, "First")
        await other.keyboard.type("Now ")
        // The next announcement of the first editor.
        await one.evaluate(() => document.dispatchEvent(new Event("visibilitychange")))
        await one.getByText("Also here: Bob (editing)").waitFor()
      })
      await one.waitForFunction(async () => {
        document.dispatchEvent(new Event("visibilitychange"))
        return document.querySelector(".editor-status-others")!.textContent === ""
      })
    })
  })
})

describe("consecutive automatic saves of the editor", () => {
  it("are one revision of the change request", async () => {
    const ids = await scene.createPage("First\n")
    const { changeRequest, revision } = await scene.createChangeRequest(ids)
    await scene.withPage(async (page) => {
      await page.evaluate((options) => window.host.open(options), { ...ids, changeRequest })
      await putCursor(page, "First")
      for (const word of ["One ", "two ", "three "]) {
        await page.keyboard.type(word)
        expect(await save(page)).toBe("Saved")
      }
      const as = scene.workspace.as(scene.user)
      const { revision: last } = await as.changeRequests.get({ space: ids.space as never, changeRequest })
      const { parents } = await as.content.getRevision({
        content: { space: ids.space as never, revision: last }
      })
      expect(parents).toEqual([revision])
    })
  })
})
