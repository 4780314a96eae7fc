/**
 * Each block and inline node in a browser: it is inserted by the keyboard, text is typed into it, it is saved, it is the same after
 * a reload, it is changed and saved again, and readers receive it.
 */
import { mkdirSync } from "node:fs"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { blockKinds } from "../src/commands/blockKinds.ts"
import { en } from "../src/messages/en.ts"
import { schema } from "../src/schema/schema.ts"
import { choose, open, putCursor, reload, save } from "./support/acts.ts"
import { readings } from "./support/readings.ts"
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

/** Selects the inline node before the cursor, opens its settings, and fills a field. */
const refill =
  (label: string, value: string): Act =>
  async (page) => {
    await page.keyboard.press("ArrowLeft")
    await page.waitForFunction(() => "node" in window.host.editor!.view.state.selection)
    await page.keyboard.press("Enter")
    await fill(label, value)(page)
    await done(page)
  }

/** Selects the typed text, and presses a button of the toolbar. */
const format =
  (name: string): Act =>
  async (page) => {
    await page.keyboard.press("Shift+Home")
    await page.locator(".editor-toolbar").getByRole("button", { name, exact: true }).press("Enter")
  }

/** A block: how it is inserted, and the Markdown of the page. */
interface Case {
  readonly query?: string
  readonly acts: ReadonlyArray<Act>
  readonly markdown: RegExp
}

const cases: Readonly<Record<string, Case>> = {
  paragraph: { query: "paragraph", acts: [type("Some text.")], markdown: /^Some text\.\n$/ },
  "heading 1": { query: "heading 1", acts: [type("Title")], markdown: /^# Title\n$/ },
  "heading 3": { query: "heading 3", acts: [type("Title")], markdown: /^### Title\n$/ },
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
  danger: {
    query: "danger",
    acts: [type("Note")],
    markdown: /^\{% hint style="danger" %\}\nNote\n\{% endhint %\}\n$/
  },
  success: {
    query: "success",
    acts: [type("Note")],
    markdown: /^\{% hint style="success" %\}\nNote\n\{% endhint %\}\n$/
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
  drawing: { query: "drawing", acts: [fill("Alternative text", "A plan"), done], markdown: /A plan/ },
  "reusable content": {
    query: "reusable",
    acts: [pick("Reusable content", "sha", "Shared"), done],
    // The page of the API has the content.
    markdown: /^Shared text\n$/
  },
  "api webhook": {
    query: "api webhook",
    acts: [fill("Specification", "petstore"), fill("Name", "petAdded"), done],
    markdown: /\{% openapi-webhook spec="petstore" name="petAdded" method="post" %\}/
  },
  "api schemas": {
    query: "api schemas",
    acts: [fill("Specification", "petstore"), fill("Schemas, separated by commas", "Pet"), done],
    markdown: /\{% openapi-schemas spec="petstore" schemas="Pet"/
  },
  button: {
    query: "button",
    acts: [
      fill("Label", "Buy"),
      async (page) =>
        void (await page.locator(".editor-settings").getByLabel("Style").selectOption("secondary")),
      fill("Target", "https://example.com"),
      press("Tab"),
      done
    ],
    markdown: /^<a href="https:\/\/example.com" class="button secondary">Buy<\/a>/
  },
  icon: {
    query: "icon",
    acts: [fill("Icon", "gear"), done, refill("Icon", "rocket")],
    markdown: /^<i class="fa-rocket">:rocket:<\/i>/
  },
  "inline formula of the menu": {
    query: "inline formula",
    acts: [fill("Formula in TeX", "y"), done, refill("Formula in TeX", "z")],
    markdown: /data-tag="math" data-formula="z"/
  },
  "inline image": {
    query: "inline image",
    acts: [fill("Image", "https://example.com/i.png"), press("Tab"), done, type(" text")],
    markdown: /example\.com\/i\.png/
  },
  expression: {
    query: "expression",
    acts: [fill("Expression", "visitor.claims.plan"), done, type(" text")],
    markdown: /<code class="expression">visitor\.claims\.plan<\/code>/
  },
  "other marks": {
    acts: [
      press("Control+Shift+x"),
      type("a"),
      press("Control+Shift+x"),
      type(" "),
      press("Control+Shift+k"),
      type("b"),
      press("Control+Shift+k"),
      type(" "),
      press("Control+."),
      type("c"),
      press("Control+."),
      type(" "),
      press("Control+,"),
      type("d"),
      press("Control+,"),
      type(" end")
    ],
    markdown: /^~~a~~ <kbd>b<\/kbd> <sup>c<\/sup> <sub>d<\/sub> end\n$/
  },
  color: {
    acts: [
      type("a"),
      format("Color"),
      async (page) =>
        page.locator(".editor-popover").getByRole("button", { name: "Red" }).first().press("Enter"),
      press("End"),
      type(" b")
    ],
    markdown: /^<mark style="color:red;">a b<\/mark>/
  },
  note: {
    acts: [
      type("a"),
      format("Note"),
      async (page) => page.locator(".editor-popover textarea").fill("A note"),
      async (page) => page.locator(".editor-popover .editor-primary").press("Enter"),
      press("End"),
      type(" b")
    ],
    markdown: /^\[a\]\(#user-content-fn-1\)\[\^1\]/
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

/** The names of the nodes and marks that occur in the tests. */
const seen = new Set<string>()

const note = async (page: Page): Promise<void> => {
  const names = await page.evaluate(() => {
    const found: Array<string> = []
    window.host.editor!.view.state.doc.descendants((node) => {
      found.push(node.type.name, ...node.marks.map(({ type }) => type.name))
    })
    return found
  })
  for (const name of names) seen.add(name)
}

describe("a writer", () => {
  for (const [name, { query, acts, markdown }] of Object.entries(cases)) {
    it(`inserts, saves, reopens and changes, and readers receive: ${name}`, async () => {
      const ids = await scene.createPage("")
      await scene.withPage(async (page) => {
        await open(page, ids)
        await page.locator(".editor-content").click()
        if (query !== undefined) await choose(page, query)
        for (const act of acts) await act(page)
        expect(await save(page)).toBe("Saved")
        expect(await scene.markdownOf(ids)).toMatch(markdown)
        await note(page)
        if (folder !== undefined)
          await page.screenshot({ path: `${folder}/${name.replaceAll(" ", "-")}.png` })
        await reload(page, ids)
        const saved = await documentOf(page)
        // A page that is opened and saved without a change has the same bytes.
        const before = await scene.markdownOf(ids)
        expect(await save(page)).toBe("Saved")
        expect(await scene.markdownOf(ids)).toBe(before)
        expect(JSON.stringify(saved)).not.toBe(JSON.stringify({ object: "document", data: {}, nodes: [] }))
        const { change, html } = readings[name]!
        if (change !== undefined) {
          await putCursor(page, change)
          await page.keyboard.type("new ")
          expect(await save(page)).toBe("Saved")
          expect(await scene.markdownOf(ids)).toContain(`new ${change}`)
        }
        expect(await scene.readerHtml(ids)).toMatch(html)
      })
    })
  }

  it("can insert every block and inline node that the menu has", () => {
    const queries = new Set(Object.values(cases).flatMap(({ query }) => (query === undefined ? [] : [query])))
    const titles = blockKinds.map(({ id }) => en.blocks[id]!.toLowerCase())
    expect(titles.filter((title) => ![...queries].some((query) => title.includes(query)))).toEqual([])
  })

  it("has inserted every node and mark of the schema, apart from nodes that only other programs write", () => {
    // Markdown without a form in the editor, and API blocks of earlier versions.
    const others = [
      "opaque",
      "opaque_inline",
      "inline_html",
      "footnote",
      "footnote_reference",
      "soft_break",
      "swagger"
    ]
    const names = [...Object.keys(schema.nodes), ...Object.keys(schema.marks)]
    expect(names.filter((name) => name !== "doc" && !seen.has(name)).sort()).toEqual(others.sort())
  })
})
