import { expect, it } from "vitest"
import { readMarkdown } from "../src/imports/readMarkdown.ts"

const convert = (text: string): string =>
  readMarkdown({ bytes: new TextEncoder().encode(text), mark: "mark", base: "https://example.com/page" })
    .markdown

it("converts alerts of GitHub and callouts of Obsidian to hints", () => {
  expect(convert("Before.\n> [!NOTE]\n> A **note**.\n>\n> More.\nAfter.\n")).toBe(
    'Before.\n\n{% hint style="info" %}\nA **note**.\n\nMore.\n{% endhint %}\n\nAfter.\n'
  )
  expect(convert("> [!warning]- Careful\n> Text.\n")).toBe(
    '{% hint style="warning" %}\n**Careful**\n\nText.\n{% endhint %}\n'
  )
})

it("retains quotes and code that are not alerts", () => {
  for (const text of ["> A quote.\n> [!NOTE]\n", "```\n> [!NOTE]\n> Code.\n```\n", "A [!NOTE] in text.\n"])
    expect(convert(text)).toBe(text)
})
