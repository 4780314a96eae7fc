/** Outlines of Markdown with HTML: their words and references, also for adversarial input. */

import { runs } from "@lectern/harness"
import { outlineOf } from "@lectern/markdown/outline"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { withCpuTime } from "./support/cpuTime.ts"
import { page } from "./support/pages.ts"

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
      { title: "Inner", anchor: "inner", text: "words\nLabel\ncaption\na.ts" },
      { title: "Inner", anchor: "inner", text: "code", isCode: true },
      { title: "Inner", anchor: "inner", text: "text text" }
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

describe("blocks", () => {
  it("yield the text that readers see, in its order", () => {
    const markdown = [
      "<details>\n\n<summary>Summary <b>bold</b></summary>\n\nBody\n\n</details>",
      "{% stepper %}\n{% step %}\n### Step title\n\nStep text\n{% endstep %}\n{% endstepper %}",
      '<figure><img src="/files/a" alt="Alt"><figcaption><p>Caption</p></figcaption></figure>',
      '<a href="/pages/one" class="button primary">Label</a>',
      '{% code title="a.ts" %}\n```ts\nlet a\n```\n{% endcode %}',
      '{% openapi-operation spec="petstore" path="/pets" method="get" %}\n{% endopenapi-operation %}',
      '{% updates %}\n{% update date="2026-01-31" tags="new,fixes" %}\nChange\n{% endupdate %}\n{% endupdates %}',
      "<!-- comment -->\n",
      "<section>\n<style>p { color: red }</style><script>let x</script>Words\n</section>"
    ].join("\n\n")
    expect(outlineOf(markdown).sections).toEqual([
      { title: "", anchor: "", text: "Summary bold\nBody" },
      {
        title: "Step title",
        anchor: "step-title",
        text: "Step text\nAlt Caption\nLabel\na.ts"
      },
      { title: "Step title", anchor: "step-title", text: "let a", isCode: true },
      {
        title: "Step title",
        anchor: "step-title",
        text: "GET /pets\n2026-01-31 new fixes\nChange\nWords"
      }
    ])
    expect(refsOf(markdown)).toEqual([
      { kind: "file", file: "a" },
      { kind: "page", page: "one" },
      { kind: "openapi", spec: "petstore" }
    ])
  })

  const cards = [
    '<table data-view="cards"><thead><tr><th>Title</th><th><select><option value="o1" label="New" color="red"></option></select></th>',
    '<th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="files"></th></tr></thead>',
    '<tbody><tr><td><strong>First</strong></td><td><span data-option="o1">New</span></td><td><a href="/pages/one">one</a></td><td><a href="/files/two">two</a></td></tr>',
    '<tr><td><a href="/pages/three">Second</a></td><td></td><td><a href="https://example.com">Elsewhere</a></td><td></td></tr></tbody></table>'
  ].join("")

  it("yield the cells of cards by row, and the targets and covers without their text", () => {
    expect(wordsOf(cards)).toEqual(["Title\nFirst\nNew\nSecond"])
    expect(refsOf(cards)).toEqual([
      { kind: "page", page: "one" },
      { kind: "file", file: "two" },
      { kind: "page", page: "three" },
      { kind: "url", url: "https://example.com" }
    ])
  })

  it("yield the ids of headings and of elements as anchors", () => {
    const markdown =
      '## Own <a href="#custom" id="custom"></a>\n\nText <a id="inline"></a> more\n\n<div id="block">x</div>\n\n## Next {#other}'
    expect(outlineOf(markdown).sections.at(-1)?.title).toBe("Next")
    expect(outlineOf(markdown).anchors).toEqual(["custom", "next-other", "inline", "block", "other"])
  })

  it("yield no tags if they follow an escaped tag in the same item of a list", () => {
    const markdown = [
      "- `{% hint %}`",
      "",
      "  - \\{% endhint %}",
      "",
      '    {% openapi-operation spec="alpha" path="/" method="post" %}',
      "    {% endopenapi-operation %}",
      ""
    ].join("\n")
    expect(wordsOf(markdown)).toEqual(["{% hint %}\n{% endhint %}\nPOST /"])
  })

  it("yield no tags, on generated pages", () => {
    fc.assert(
      fc.property(page, (markdown) => {
        // Code shows tags as they are written, and an escaped tag is text. Words in place of both preserve the blocks.
        const withoutShownTags = markdown
          .replaceAll("`{% hint %}`", "`code`")
          .replaceAll("\\{% endhint %}", "text")
        for (const { title, text, isCode } of outlineOf(withoutShownTags).sections) {
          if (isCode) continue
          expect(`${title}\n${text}`).not.toMatch(/\{%|%\}|<\/?(?:div|section|p|a|img)\b/)
        }
      }),
      runs(300)
    )
  })
})
