/** Outlines of Markdown with HTML: their words and references, also for adversarial input. */
import { outlineOf } from "@lectern/core"
import { describe, expect, it } from "vitest"
import { withCpuTime } from "./support/cpuTime.ts"

const wordsOf = (markdown: string) => outlineOf(markdown).sections.map(({ text }) => text)
const refsOf = (markdown: string) => outlineOf(markdown).references.map(({ ref }) => ref)

describe("tags in Markdown", () => {
  it("yield the words and references of their blocks, without the tags", () => {
    const markdown = [
      '{% tabs %}\n{% tab title="First tab" %}\n## Inner\n\n{% hint style="info" %}\nwords\n{% endhint %}\n{% endtab %}\n{% endtabs %}',
      '{% content-ref url="/pages/one" %}\n[Label](/pages/one)\n{% endcontent-ref %}',
      '{% embed url="https://example.com/" %}\ncaption\n{% endembed %}',
      '{% file src="/files/two" %}',
      '{% include "/reusable-contents/three" %}',
      '{% code title="a.ts" %}\n```\ncode\n```\n{% endcode %}',
      "{% unknown %}\n\ntext {% unknown %} text"
    ].join("\n\n")
    expect(outlineOf(markdown).sections).toEqual([
      { title: "", anchor: "", text: "First tab" },
      { title: "Inner", anchor: "inner", text: "words\nLabel\ncaption\na.ts\ncode\ntext text" }
    ])
    expect(refsOf(markdown)).toEqual([
      { kind: "page", page: "one" },
      { kind: "url", url: "https://example.com/" },
      { kind: "file", file: "two" },
      { kind: "reusable-content", reusableContent: "three" }
    ])
  })
})

describe("HTML in Markdown", () => {
  it("yields its words, and the targets of its links and images", () => {
    const html = [
      "<div>",
      '<a class="x" href="/pages/one#part">one &amp; only</a> <b>bold</b>',
      "<img alt='less < more' src='/files/two'><a>nowhere</a>",
      "</div>"
    ].join("\n")
    expect(wordsOf(html)).toEqual(["one & only bold nowhere"])
    expect(refsOf(html)).toEqual([
      { kind: "anchor", page: "one", anchor: "part" },
      { kind: "file", file: "two" }
    ])
  })

  it("retains words next to a `<` that does not begin a tag", () => {
    expect(wordsOf("<div>\na < b and <i>c</i>\n</div>")).toEqual(["a < b and c"])
  })

  // Quadratic work takes more than a minute.
  for (const [name, text] of Object.entries({
    signs: "<".repeat(400_000),
    tags: "<a ".repeat(130_000),
    addresses: "<a\nhref=".repeat(50_000),
    quotes: '<a "'.repeat(100_000),
    closed: '<"x" '.repeat(80_000)
  })) {
    it(`is parsed in CPU time proportional to its length: ${name}`, () => {
      const { value: outline, cpuMillis } = withCpuTime(() => outlineOf(`<div>\n${text}`))
      expect(outline.sections.length).toBeLessThanOrEqual(1)
      expect(cpuMillis).toBeLessThan(20_000)
    })
  }
})
