/** The actions of writers in the editor, for tests in a browser. */
import type { Page } from "playwright-core"
import { expect } from "vitest"
import type { PageIds } from "./scene.ts"

/** Opens a page of the server in the editor. */
export const open = async (
  page: Page,
  ids: PageIds & { readonly language?: string; readonly times?: object }
): Promise<void> => {
  await page.evaluate((options) => window.host.open(options), ids)
}

/** Loads the page of the host again, and opens the page of the server. */
export const reload = async (page: Page, ids: PageIds): Promise<void> => {
  await page.reload()
  await page.waitForSelector("html[data-ready]", { state: "attached" })
  await open(page, ids)
}

/** Saves, and returns the status. */
export const save = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    await window.host.editor!.save()
    return window.host.editor!.status()._tag
  })

/** Waits until the browser has stored the text that the server does not have. */
export const untilStored = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => {
    const status = window.host.editor!.status()
    return status._tag !== "Saved" && status.isStored
  })
}

/** Closes a tab, and waits until the browser has ended its editor: it releases the lock of the editor some time later. */
export const closeTab = async (tab: Page, other: Page): Promise<void> => {
  const countEditors = async (): Promise<number> => {
    const { held = [] } = await navigator.locks.query()
    return held.filter(({ name }) => name?.startsWith("lectern-editor/")).length
  }
  const before = await other.evaluate(countEditors)
  await tab.close()
  await expect.poll(() => other.evaluate(countEditors)).toBeLessThan(before)
}

/** Moves the cursor to the start of the first match of a string. */
export const putCursor = (page: Page, text: string): Promise<void> =>
  page.evaluate(async (wanted) => {
    const { view } = window.host.editor!
    let found: number | undefined
    view.state.doc.descendants((node, position) => {
      const at = node.isText ? node.text!.indexOf(wanted) : -1
      if (found === undefined && at >= 0) found = position + at
    })
    if (found === undefined) throw new Error(`The text ${wanted} is not in the document.`)
    const { TextSelection } = window.host
    view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, found)))
    view.focus()
    // ProseMirror restores the selection 20 ms after the focus: it would undo that of a key in between. Timers keep their order.
    await new Promise((resolve) => setTimeout(resolve, 25))
  }, text)

/** Chooses the first block for a query in the menu that opens after a slash. */
export const choose = async (page: Page, query: string): Promise<void> => {
  await page.keyboard.type(`/${query}`)
  await page.locator(".editor-suggestions [role=option][aria-selected=true]").waitFor()
  await page.keyboard.press("Enter")
}

/** Pastes data of the clipboard. */
export const paste = (page: Page, data: Readonly<Record<string, string>>): Promise<void> =>
  page.evaluate((entries) => {
    const transfer = new DataTransfer()
    for (const [type, text] of Object.entries(entries)) transfer.setData(type, text)
    const event = new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true })
    window.host.editor!.view.dom.dispatchEvent(event)
  }, data)

/** Copies the selection, and returns the data of the clipboard. */
export const copy = (page: Page): Promise<Readonly<Record<string, string>>> =>
  page.evaluate(() => {
    const transfer = new DataTransfer()
    const event = new ClipboardEvent("copy", { clipboardData: transfer, bubbles: true, cancelable: true })
    window.host.editor!.view.dom.dispatchEvent(event)
    return Object.fromEntries(transfer.types.map((type) => [type, transfer.getData(type)]))
  })
