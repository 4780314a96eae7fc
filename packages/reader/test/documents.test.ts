/** The rendering of documents. */
import { runs } from "@lectern/harness"
import fc from "fast-check"
import { afterAll, describe, expect, it } from "vitest"
import { sanitizeMathMl } from "../src/highlight/mathMl.ts"
import { hostileMarkdown, hostileOpenApi } from "./support/hostileMarkdown.ts"
import { executableParts } from "./support/inspectHtml.ts"
import { blocksPage, petstore } from "./support/pages.ts"
import { openPieces, renderMarkdown } from "./support/renderMarkdown.ts"

const pieces = openPieces()
afterAll(() => pieces.close())

describe("a document", () => {
  it("of any author yields no executable element, attribute or URL", async () => {
    await fc.assert(
      fc.asyncProperty(hostileMarkdown, hostileOpenApi, async (markdown, openApi) => {
        const { content } = await renderMarkdown(markdown, { pieces, openApi })
        expect(executableParts(content.text)).toEqual([])
      }),
      runs(300)
    )
  })

  it("with every block renders every block", async () => {
    const { content, outline } = await renderMarkdown(blocksPage, { pieces, openApi: petstore })
    for (const part of [
      "<strong>bold</strong>",
      'class="hint warning"',
      'role="tablist"',
      'class="stepper"',
      'class="cards"',
      'class="rating"',
      "<math",
      'class="columns"',
      '<details class="expandable"',
      "youtube-nocookie.com/embed/dQw4w9WgXcQ",
      'class="link-card"',
      'class="update"',
      'class="method method-put"',
      'class="t-keyword"',
      "annotation-body"
    ]) {
      expect(content.text).toContain(part)
    }
    expect(outline.map(({ text }) => text)).toContain("Tables and cards")
    expect(executableParts(content.text)).toEqual([])
  })

  it("has headings without gaps between their levels, and unique ids", async () => {
    const markdown = fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.constantFrom("A", "B", "A B")), {
      maxLength: 12
    })
    await fc.assert(
      fc.asyncProperty(markdown, async (headings) => {
        const source = headings.map(([level, text]) => `${"#".repeat(level)} ${text}`).join("\n\n")
        const { content } = await renderMarkdown(source)
        const levels = Array.from(content.text.matchAll(/<h([1-6])/g), ([, level]) => Number(level))
        levels.reduce((before, level) => {
          expect(level).toBeLessThanOrEqual(before + 1)
          expect(level).toBeGreaterThan(1)
          return level
        }, 1)
        const ids = Array.from(content.text.matchAll(/ id="([^"]*)"/g), ([, id]) => id)
        expect(new Set(ids).size).toBe(ids.length)
      })
    )
  })

  it("that contains its own OpenAPI block in a description terminates", async () => {
    const block = '{% openapi-operation spec="s" path="/pets" method="get" %}\n{% endopenapi-operation %}'
    const openApi = { ...petstore, paths: { "/pets": { get: { description: `${block}\n\n${block}` } } } }
    const { content } = await renderMarkdown(block, { openApi })
    expect(content.text.match(/class="api-operation"/g)).toHaveLength(1)
  })
})

describe("code", () => {
  it("reflows the lines of its source, and breaks a line only where its Markdown has a hard break", async () => {
    const { content } = await renderMarkdown("One\ntwo\\\nthree\n\n- four\n  five")
    expect(content.text.match(/<br>/g)).toHaveLength(1)
    expect(content.text).toMatch(/One\s+two<br>\s*three/)
    expect(content.text).toMatch(/four\s+five/)
  })

  it("that exceeds the time limit is displayed as plain text, and the next code has colors", async () => {
    const slow = openPieces({ timeLimitMs: 1 })
    const piece = { kind: "code", syntax: "ts", text: "const a: Array<string> = []\n".repeat(2_000) } as const
    const { pieces: results } = await slow.render([piece], 60_000)
    expect([...results.values()]).toEqual([null])
    await slow.close()
    const { content } = await renderMarkdown("```ts\nconst a = 1\n```", { pieces })
    expect(content.text).toContain('<span class="t-keyword">const</span>')
  })

  it("of an unknown language is displayed as it is written", async () => {
    const { content } = await renderMarkdown("```unknown\n<b>&\n```", { pieces })
    expect(content.text).toContain("&lt;b&gt;&amp;")
  })
})

describe("MathML", () => {
  it.each([
    "<math><mtext><script>x</script></mtext></math>",
    '<math><mi onclick="x">a</mi></math>',
    '<math><a href="javascript:x">a</a></math>',
    "<math><mi>a</math>",
    "<img src=x>",
    "<math><mi>a</mi><"
  ])("rejects or cleans %s", (source) => {
    expect(executableParts(sanitizeMathMl(source) ?? "")).toEqual([])
  })

  it("retains formulas without their style attributes", () => {
    expect(sanitizeMathMl('<math display="block"><mi style="color:red;padding:0">a</mi></math>')).toBe(
      '<math display="block"><mi mathcolor="red">a</mi></math>'
    )
  })
})
