/** Displays the same on every run: times, ids and the host of the server depend on the run. */
import type { BrowserContext, Page } from "playwright-core"

/** Formats every time as the same one. Applies to all pages of the context. */
export const fixTimes = async (context: BrowserContext): Promise<void> => {
  await context.addInitScript(() => {
    Intl.RelativeTimeFormat.prototype.format = () => "2 hours ago"
    const date = new Date("2026-03-02T09:00:00Z")
    const getter = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, "format")!.get!
    Object.defineProperty(Intl.DateTimeFormat.prototype, "format", {
      configurable: true,
      get(this: Intl.DateTimeFormat) {
        const format = getter.call(this) as Intl.DateTimeFormat["format"]
        return () => format(date)
      }
    })
  })
}

/** Replaces ids and the host of the server in the displayed text. */
export const fixTexts = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const fixed = (text: string): string =>
      text
        .replace(/\b01[0-9a-z]{20,}\b/g, (id) => "01m7".padEnd(id.length, "0"))
        .replace(/127\.0\.0\.1:\d+/g, "docs.example.com")
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.nodeValue ?? ""
      if (fixed(text) !== text) node.nodeValue = fixed(text)
    }
    for (const field of document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
      "input, textarea"
    )) {
      if (fixed(field.value) !== field.value) field.value = fixed(field.value)
    }
  })
