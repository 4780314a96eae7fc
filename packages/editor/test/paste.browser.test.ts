/** Pastes data of other programs, which is constructed like the data that they write to the clipboard. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { copy, open, paste, putCursor, save } from "./support/acts.ts"
import { type Scene, startScene } from "./support/scene.ts"

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

const word = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta name=Generator content="Microsoft Word 15">
<style>p.MsoNormal {margin:0cm}</style></head><body lang=EN-US><!--StartFragment-->
<p class=MsoTitle>Report<o:p></o:p></p>
<p class=MsoNormal>Some <b>bold</b> and <i style='mso-bidi-font-style:normal'>italic</i> text.<o:p></o:p></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>First<o:p></o:p></p>
<p class=MsoListParagraphCxSpMiddle style='margin-left:72.0pt;mso-list:l0 level2 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>o<span>&nbsp; </span></span><![endif]>Nested<o:p></o:p></p>
<p class=MsoListParagraphCxSpLast style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span>&nbsp; </span></span><![endif]>Second<o:p></o:p></p>
<p class=MsoNormal>Then:<o:p></o:p></p>
<p class=MsoListParagraph style='mso-list:l1 level1 lfo2'><![if !supportLists]><span style='mso-list:Ignore'>1.<span>&nbsp; </span></span><![endif]>One<o:p></o:p></p>
<p class=MsoListParagraph style='mso-list:l1 level1 lfo2'><![if !supportLists]><span style='mso-list:Ignore'>2.<span>&nbsp; </span></span><![endif]>Two<o:p></o:p></p>
<!--EndFragment--></body></html>
Version:0.9 StartHTML:0000`

const docs = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1"><h2 dir="ltr" style="line-height:1.38"><span style="font-size:16pt;font-weight:400">Plan</span></h2>
<p dir="ltr"><span style="font-weight:400;font-style:normal">Plain, </span><span style="font-weight:700">bold</span><span style="font-weight:400">, </span><span style="font-style:italic">italic</span><span> and </span><a href="https://www.google.com/url?q=https://example.com/a&amp;sa=D"><span style="color:#1155cc;text-decoration:underline">a link</span></a></p>
<ul><li dir="ltr" aria-level="1"><p dir="ltr"><span>One</span></p></li><li dir="ltr" aria-level="1"><p dir="ltr"><span>Two</span></p></li></ul></b><br class="Apple-interchange-newline">`

const sheet = `<meta charset='utf-8'><google-sheets-html-origin><style type="text/css">td {border: 1px solid #ccc}</style><table xmlns="http://www.w3.org/1999/xhtml" cellspacing="0"><colgroup><col width="100"/><col width="100"/></colgroup><tbody><tr><td>Name</td><td>Count</td></tr><tr><td>Pages</td><td style="text-align:right">12</td></tr></tbody></table></google-sheets-html-origin>`

const notion = `<meta charset='utf-8'><ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span class="to-do-children-checked">Done</span></li></ul><ul class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span>Open</span></li></ul><blockquote>Quoted</blockquote><pre class="code"><code class="language-js">let a = 1
let b = 2</code></pre>`

const confluence = `<div data-panel-type="warning"><p>Take care.</p></div><p>After</p>`

interface Case {
  readonly data: Readonly<Record<string, string>>
  readonly markdown: string
}

const cases: Readonly<Record<string, Case>> = {
  "Word: a title, marks, and lists that are paragraphs": {
    data: { "text/html": word, "text/plain": "Report" },
    markdown:
      "# Report\n\nSome **bold** and *italic* text.\n\n- First\n  - Nested\n- Second\n\nThen:\n\n1. One\n2. Two\n"
  },
  "Google Docs: a heading, marks, a redirected link, a list": {
    data: { "text/html": docs, "text/plain": "Plan" },
    markdown: "## Plan\n\nPlain, **bold**, *italic* and [a link](https://example.com/a)\n\n- One\n- Two\n"
  },
  "a spreadsheet: a table whose first row is its header": {
    data: { "text/html": sheet, "text/plain": "Name\tCount\nPages\t12" },
    markdown: "| Name | Count |\n| --- | --- |\n| Pages | 12 |\n"
  },
  "Notion: tasks, a quote, code with its lines": {
    data: { "text/html": notion, "text/plain": "x" },
    markdown: "- [x] Done\n- [ ] Open\n\n> Quoted\n\n```js\nlet a = 1\nlet b = 2\n```\n"
  },
  "Confluence: a panel": {
    data: { "text/html": confluence, "text/plain": "x" },
    markdown: '{% hint style="warning" %}\nTake care.\n{% endhint %}\n\nAfter\n'
  },
  "Markdown, with the blocks of Lectern": {
    data: {
      "text/plain":
        '## Title\n\n- **a**\n- [x](https://a.b)\n\n{% hint style="info" %}\nNote\n{% endhint %}\n'
    },
    markdown: '## Title\n\n- **a**\n- [x](https://a.b)\n\n{% hint style="info" %}\nNote\n{% endhint %}\n'
  },
  "plain text with lines": { data: { "text/plain": "one\n\ntwo" }, markdown: "one\n\ntwo\n" },
  "a URL": { data: { "text/plain": "https://example.com/a" }, markdown: "<https://example.com/a>\n" },
  "hostile HTML": {
    data: {
      "text/html":
        '<p onclick="alert(1)">a <a href="javascript:alert(1)">b</a></p><script>alert(1)</script><iframe src="https://example.com"></iframe><p data-lectern-node="hint" data-lectern-attributes="{">c</p>',
      "text/plain": "x"
    },
    markdown: "a b\n\nc\n"
  }
}

const normalize = (markdown: string): string =>
  markdown
    .replace(/ +\|/g, " |")
    .replace(/\| -+ /g, "| --- ")
    .replace(/\n{3,}/g, "\n\n")
    .replace(/^(https:\S+)$/m, "<$1>")

describe("a paste", () => {
  for (const [name, { data, markdown }] of Object.entries(cases)) {
    it(`of ${name}`, async () => {
      const ids = await scene.createPage("")
      await scene.withPage(async (page) => {
        await open(page, ids)
        await page.locator(".editor-content").click()
        await paste(page, data)
        await page.waitForFunction(() => window.host.editor!.view.state.doc.textContent !== "")
        expect(await save(page)).toBe("Saved")
        expect(normalize(await scene.markdownOf(ids))).toBe(markdown)
      })
    })
  }

  it("of a URL on selected text links the text", async () => {
    const ids = await scene.createPage("word")
    await scene.withPage(async (page) => {
      await open(page, ids)
      await putCursor(page, "word")
      await page.keyboard.press("Shift+End")
      await page.waitForFunction(() => !window.host.editor!.view.state.selection.empty)
      await paste(page, { "text/plain": "https://example.com/a" })
      expect(await save(page)).toBe("Saved")
      expect(await scene.markdownOf(ids)).toBe("[word](https://example.com/a)")
    })
  })

  it("of content that was copied in the editor has every block and attribute; plain text is Markdown", async () => {
    const source =
      '{% tabs %}\n{% tab title="npm" icon="box" %}\n| A | B |\n| :-: | --- |\n| **1** | 2 |\n{% endtab %}\n{% endtabs %}\n\n$$\nx\n$$\n\n![Alt](https://example.com/a.png)\n'
    const ids = await scene.createPage(source)
    const empty = await scene.createPage("")
    await scene.withPage(async (page) => {
      await open(page, ids)
      await page.locator(".editor-content").focus()
      await page.keyboard.press("Control+a")
      // The Markdown engine is loaded when the browser has time.
      await expect
        .poll(async () => (await copy(page))["text/plain"], { timeout: 30_000 })
        .toContain('{% tab title="npm" icon="box" %}')
      const data = await copy(page)
      await open(page, empty)
      await page.locator(".editor-content").focus()
      await paste(page, data)
      expect(await save(page)).toBe("Saved")
      expect(await scene.markdownOf(empty)).toBe(await scene.markdownOf(ids))
    })
  })
})
