/** The forms of code in Markdown. */
import { runs } from "@lectern/harness"
import * as fc from "fast-check"
import { afterAll, describe, expect, it } from "vitest"
import { openPieces, renderMarkdown } from "./support/renderMarkdown.ts"

const pieces = await openPieces()
afterAll(() => pieces.close())

const plainText = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")

const codeIn = (html: string): string => plainText(/<code[^>]*>([\s\S]*?)<\/code>/.exec(html)![1]!)

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

describe("code in HTML", () => {
  it("has its colors, title, line numbers, marks and annotations", async () => {
    const { content } = await renderMarkdown(
      '<pre class="language-ts" data-title="main.ts" data-overflow="wrap" data-line-numbers><code class="lang-ts">const a = 1\n<strong>const b = <a data-footnote-ref href="#user-content-fn-1">a &#x3C; 2</a>\n</strong>const c = 3\n</code></pre>\n\n[^1]: The note.\n',
      { pieces }
    )
    const html = content.text
    expect(html).toContain('<figure class="code numbered wraps">')
    expect(html).toContain("<figcaption>main.ts</figcaption>")
    expect(html).toContain('data-copy="code"')
    expect(html).toContain('class="t-keyword"')
    expect(html).toMatch(/<strong>/)
    expect(html).toContain('<a href="#fn-1" role="doc-noteref">')
    expect(html).toContain('id="fn-1"')
    expect(html).not.toContain("user-content")
    expect(codeIn(html)).toBe("const a = 1\nconst b = a < 2\nconst c = 3")
  })

  it("has the same text and colors as a fence, for all marks", async () => {
    const word = fc.constantFrom("const", "a", "=", "1", "<b>", "'x'", "&", "{", "}", "//", "é")
    const part = fc.record({
      text: fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(" ")),
      tag: fc.constantFrom("", "strong", "em", "a")
    })
    const lines = fc.array(fc.array(part, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(lines, async (code) => {
        const text = code.map((line) => line.map((one) => one.text).join("")).join("\n")
        const marked = code
          .map((line) =>
            line
              .map(({ text: own, tag }) => {
                const attributes = tag === "a" ? ' data-footnote-ref href="#user-content-fn-1"' : ""
                return tag === "" ? escaped(own) : `<${tag}${attributes}>${escaped(own)}</${tag}>`
              })
              .join("")
          )
          .join("\n")
        const html = await renderMarkdown(
          `<pre class="language-ts"><code class="lang-ts">${marked}\n</code></pre>`,
          { pieces }
        )
        const fence = await renderMarkdown(`\`\`\`ts\n${text}\n\`\`\``, { pieces })
        expect(codeIn(html.content.text)).toBe(codeIn(fence.content.text))
        expect(new Set(html.content.text.match(/t-\w+/g))).toEqual(
          new Set(fence.content.text.match(/t-\w+/g))
        )
      }),
      runs(30)
    )
  })

  it("that contains more than code stays HTML", async () => {
    const { content } = await renderMarkdown("<pre><code>a</code> and <code>b</code></pre>\n")
    expect(content.text).not.toContain("<figure")
    expect(content.text).toContain("and")
  })
})
