/** Each block in a browser: it is inserted, text is typed into it, it is saved, and it is the same after a reload. */
import { mkdirSync } from "node:fs"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { open, reload, save } from "./support/acts.ts"
import { type Scene, startScene } from "./support/scene.ts"

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

/** The folder for screenshots, if they are requested. */
const folder = process.env.LECTERN_SCREENSHOTS
if (folder !== undefined) mkdirSync(folder, { recursive: true })

const documentOf = (page: Page): Promise<unknown> => page.evaluate(() => window.host.editor!.document())

/** Chooses a block in the menu that opens after a slash. */
const choose = async (page: Page, query: string): Promise<void> => {
  await page.keyboard.type(`/${query}`)
  await page.locator(".editor-suggestions [role=option][aria-selected=true]").waitFor()
  await page.keyboard.press("Enter")
}

type Act = (page: Page) => Promise<void>

const type =
  (text: string): Act =>
  (page) =>
    page.keyboard.type(text)

const press =
  (...keys: ReadonlyArray<string>): Act =>
  async (page) => {
    for (const key of keys) await page.keyboard.press(key)
  }

const fill =
  (label: string, value: string): Act =>
  async (page) => {
    await page.locator(".editor-settings").getByLabel(label, { exact: true }).fill(value)
  }

const pick =
  (label: string, query: string, option: string): Act =>
  async (page) => {
    await page.locator(".editor-popover").getByLabel(label, { exact: true }).fill(query)
    await page.locator(".editor-popover [role=option]", { hasText: option }).first().click()
  }

const done: Act = (page) => page.locator(".editor-settings button[type=submit]").click()

/** A block: how it is inserted, and the Markdown of the page. */
interface Case {
  readonly query?: string
  readonly acts: ReadonlyArray<Act>
  readonly markdown: RegExp
}

const cases: Readonly<Record<string, Case>> = {
  paragraph: { acts: [type("Some text.")], markdown: /^Some text\.\n$/ },
  "heading 1": { query: "heading 1", acts: [type("Title")], markdown: /^# Title\n$/ },
  "heading 2": {
    query: "heading 2",
    acts: [type("Title"), press("Enter"), type("Text")],
    markdown: /^## Title\n\nText\n$/
  },
  quote: { query: "quote", acts: [type("Said")], markdown: /^> Said\n$/ },
  code: {
    query: "code",
    acts: [type("a(1)"), press("Enter"), type("  b")],
    markdown: /^```\na\(1\)\n {2}b\n```\n$/
  },
  divider: { query: "divider", acts: [], markdown: /^\*\*\*\n|^---\n/ },
  "bulleted list": {
    query: "bulleted",
    acts: [type("One"), press("Enter"), type("Two"), press("Enter", "Tab"), type("Nested")],
    markdown: /^- One\n- Two\n {2}- Nested\n$/
  },
  "numbered list": {
    query: "numbered",
    acts: [type("One"), press("Enter"), type("Two")],
    markdown: /^1\. One\n2\. Two\n$/
  },
  "task list": {
    query: "task",
    acts: [type("One"), press("Enter"), type("Two"), press("Control+Enter")],
    markdown: /^- \[ \] One\n- \[x\] Two\n$/
  },
  hint: {
    query: "hint",
    acts: [type("Note")],
    markdown: /^\{% hint style="info" %\}\nNote\n\{% endhint %\}\n$/
  },
  warning: {
    query: "warning",
    acts: [type("Note")],
    markdown: /^\{% hint style="warning" %\}\nNote\n\{% endhint %\}\n$/
  },
  tabs: {
    query: "tabs",
    acts: [type("First")],
    markdown: /\{% tabs %\}\n\{% tab title="1" %\}\nFirst\n\{% endtab %\}/
  },
  stepper: {
    query: "stepper",
    acts: [type("Do it")],
    markdown: /\{% stepper %\}\n\{% step %\}\nDo it\n\{% endstep %\}/
  },
  columns: {
    query: "columns",
    acts: [type("Left")],
    markdown: /\{% columns %\}\n\{% column %\}\nLeft\n\{% endcolumn %\}/
  },
  expandable: {
    query: "expandable",
    acts: [type("Question"), press("Enter"), type("Answer")],
    markdown: /<details>\n\n<summary>Question<\/summary>\n\nAnswer\n\n<\/details>/
  },
  table: {
    query: "table",
    acts: [type("A"), press("Tab"), type("B"), press("Tab"), type("C"), press("Tab"), type("1")],
    markdown: /^\| A +\| B +\| C +\|\n\|[ -]+\|[ -]+\|[ -]+\|\n\| 1 +\|/
  },
  cards: { query: "cards", acts: [type("Title")], markdown: /<table data-view="cards">[\s\S]*Title/ },
  formula: {
    query: "formula",
    acts: [fill("Formula in TeX", "x^2"), done],
    markdown: /^\$\$\nx\^2\n\$\$\n$/
  },
  diagram: { query: "diagram", acts: [], markdown: /^```mermaid\ngraph TD\n {2}A --> B\n```\n/ },
  embed: {
    query: "embed",
    acts: [fill("URL", "https://example.com/v"), done],
    markdown: /\{% embed url="https:\/\/example.com\/v" %\}/
  },
  image: {
    query: "image",
    acts: [fill("Image", "https://example.com/a.png"), press("Tab"), fill("Alternative text", "A cat"), done],
    markdown:
      /<figure><img src="https:\/\/example.com\/a.png" alt="A cat"><figcaption><\/figcaption><\/figure>/
  },
  file: {
    query: "file",
    acts: [fill("File", "https://example.com/a.pdf"), press("Tab"), done],
    markdown: /\{% file src="https:\/\/example.com\/a.pdf" %\}/
  },
  "page link": {
    query: "page link",
    acts: [pick("Target", "inst", "Installation"), done],
    markdown: /\{% content-ref url="\/pages\/\w+" %\}/
  },
  updates: {
    query: "updates",
    acts: [type("News")],
    markdown: /\{% updates[^%]*%\}\n\{% update[^%]*%\}\nNews\n\{% endupdate %\}/
  },
  condition: {
    query: "condition",
    acts: [fill("Condition", "visitor.claims.admin"), done, type("Secret")],
    markdown: /\{% if visitor.claims.admin %\}\nSecret\n\{% endif %\}/
  },
  "api operation": {
    query: "api operation",
    acts: [fill("Specification", "petstore"), fill("Path", "/pets"), done],
    markdown: /\{% openapi-operation spec="petstore" path="\/pets" method="get" %\}/
  },
  integration: {
    query: "integration",
    acts: [fill("Integration", "mermaid"), fill("Block", "diagram"), done],
    markdown: /\{% @mermaid\/diagram/
  },
  bold: { acts: [type("a **bold** word")], markdown: /^a \*\*bold\*\* word\n$/ },
  "inline code": { acts: [type("a `x` b")], markdown: /^a `x` b\n$/ },
  "mark keys": {
    acts: [press("Control+i"), type("it"), press("Control+i"), type(" no")],
    markdown: /^\*it\* no\n$/
  },
  "inline formula": { acts: [type("a $$x$$ b")], markdown: /^a \$\$x\$\$ b\n$/ },
  emoji: {
    acts: [
      type(":rocket"),
      async (page) => void (await page.locator(".editor-option").first().waitFor()),
      press("Enter")
    ],
    markdown: /^:rocket:\n$/
  },
  link: {
    acts: [
      type("read me"),
      press("Shift+Control+ArrowLeft", "Control+k"),
      pick("Link", "inst", "Installation")
    ],
    markdown: /^read \[me\]\(\/pages\/\w+\)\n$/
  },
  mention: {
    acts: [
      type("See @inst"),
      async (page) => page.locator(".editor-option", { hasText: "Installation" }).click()
    ],
    markdown: /^See \[\w+\]\(\/pages\/\w+ "mention"\)|^See <a [^>]*>/
  },
  "hard break": { acts: [type("a"), press("Shift+Enter"), type("b")], markdown: /^a\\\nb\n$|^a {2}\nb\n$/ }
}

describe("a writer", () => {
  for (const [name, { query, acts, markdown }] of Object.entries(cases)) {
    it(`inserts, saves and reopens: ${name}`, async () => {
      const ids = await scene.createPage("")
      await scene.withPage(async (page) => {
        await open(page, ids)
        await page.locator(".editor-content").click()
        if (query !== undefined) await choose(page, query)
        for (const act of acts) await act(page)
        expect(await save(page)).toBe("Saved")
        expect(await scene.markdownOf(ids)).toMatch(markdown)
        if (folder !== undefined)
          await page.screenshot({ path: `${folder}/${name.replaceAll(" ", "-")}.png` })
        await reload(page, ids)
        const saved = await documentOf(page)
        // A page that is opened and saved without a change has the same bytes.
        const before = await scene.markdownOf(ids)
        expect(await save(page)).toBe("Saved")
        expect(await scene.markdownOf(ids)).toBe(before)
        expect(JSON.stringify(saved)).not.toBe(JSON.stringify({ object: "document", data: {}, nodes: [] }))
      })
    })
  }
})
