/** Counts the clicks of a person. */
import type { Page } from "playwright-core"

interface ClickWindow {
  clicks?: number
}

/** Counts the clicks on a page from now on. Returns a function that reads the number. */
export const countClicks = async (page: Page): Promise<() => Promise<number>> => {
  await page.evaluate(() => {
    const counted = window as unknown as ClickWindow
    const isCounting = counted.clicks !== undefined
    counted.clicks = 0
    if (isCounting) return
    // A press of a label also clicks its field, which is not a press of the person.
    window.addEventListener(
      "pointerdown",
      () => {
        counted.clicks = (counted.clicks ?? 0) + 1
      },
      { capture: true }
    )
  })
  return () => page.evaluate(() => (window as unknown as ClickWindow).clicks ?? 0)
}

/** Waits until the nodes of the tree can be dragged, which is loaded after the tree is displayed. */
export const untilDraggable = (page: Page): Promise<void> =>
  page.locator(".tree-grip").first().waitFor({ state: "attached" })
