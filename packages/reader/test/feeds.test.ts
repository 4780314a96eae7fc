/** Feeds of changelogs, and the differences of pages. */
import { boundedFromMarkdown } from "@lectern/formats/threads"
import { runs } from "@lectern/harness"
import * as fc from "fast-check"
import { parse } from "parse5"
import { SaxesParser } from "saxes"
import { describe, expect, it } from "vitest"
import { toXhtml } from "../src/export/toXhtml.ts"
import { escapeText } from "../src/html/Html.ts"
import { compareWords, renderDiff } from "../src/preview/renderDiff.ts"
import { changelogEntries, type Feed, writeFeed } from "../src/site/feeds.ts"

const changelog = `{% updates %}
{% update date="2026-01-31" tags="new" %}
## Version 2 & more

Everything is **better**.

* One
* Two
{% endupdate %}

{% update date="soon" %}
Text without a heading.
{% endupdate %}
{% endupdates %}
`

describe("the entries of a changelog", () => {
  it("have the heading, the date and the text of each update", () => {
    expect(changelogEntries(boundedFromMarkdown(changelog), "https://example.com/log")).toEqual([
      {
        title: "Version 2 & more",
        url: "https://example.com/log#update-2026-01-31",
        time: "2026-01-31T00:00:00.000Z",
        summary: "Everything is better.\nOne\nTwo"
      },
      {
        title: "soon",
        url: "https://example.com/log#update-soon",
        time: undefined,
        summary: "Text without a heading."
      }
    ])
    expect(changelogEntries(boundedFromMarkdown("Text\n"), "https://example.com/")).toBeUndefined()
  })
})

describe("a feed", () => {
  it.each(["rss", "atom"] as const)("escapes its text, in %s", (format) => {
    const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(text, text, (title, summary) => {
        const feed: Feed = {
          title,
          url: "https://example.com/?a=1&b=2",
          feedUrl: `https://example.com/${format}.xml`,
          language: "en",
          entries: [{ title, url: "https://example.com/a", time: "2026-01-31T00:00:00.000Z", summary }]
        }
        const written = writeFeed(format, feed)
        const elements = [...written.matchAll(/<([a-z:]+)[ >/]/gi)].map(([, name]) => name)
        expect(new Set(elements)).toEqual(
          new Set(
            [
              ...writeFeed(format, {
                ...feed,
                title: "t",
                entries: [{ ...feed.entries[0]!, title: "t", summary: summary === "" ? "" : "s" }]
              }).matchAll(/<([a-z:]+)[ >/]/gi)
            ].map(([, name]) => name)
          )
        )
        expect(parse(written)).toBeDefined()
      }),
      runs(50)
    )
  })
})

/** Text of any UTF-16 code units: also controls, U+FFFE and lone surrogates. */
const anyText = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xffff }),
      fc.constantFrom(0, 0xb, 0x1f, 0x7f, 0x85, 0xd800, 0xdfff, 0xfffe, 0xffff, 0x3c, 0x26, 0x22)
    ),
    { minLength: 1, maxLength: 20 }
  )
  .map((units) => String.fromCharCode(...units))

/** The text of a document, which must be well-formed XML. */
const textOfXml = (xml: string): string => {
  let found = ""
  const parser = new SaxesParser()
  parser.on("error", (error) => {
    throw error
  })
  parser.on("text", (text) => (found += text))
  parser.write(xml).close()
  return found
}

describe("XML of any text", () => {
  it("is well-formed, and has every character that XML permits", () => {
    fc.assert(
      fc.property(
        anyText,
        anyText,
        fc.constantFrom("rss" as const, "atom" as const),
        (title, text, format) => {
          const entry = { title, url: `https://example.com/${text}`, time: undefined, summary: text }
          const feed: Feed = {
            title: text,
            url: "https://example.com/",
            feedUrl: `https://example.com/${title}`,
            language: title,
            entries: [entry]
          }
          const found = textOfXml(writeFeed(format, feed))
          const permitted = Array.from(text).filter((character) => {
            const point = character.codePointAt(0)!
            const isSurrogate = point >= 0xd800 && point <= 0xdfff
            return (
              point >= 0x20 && !(point >= 0x7f && point < 0xa0) && !isSurrogate && (point & ~1) !== 0xfffe
            )
          })
          for (const character of permitted) expect(found).toContain(character)
          const body = parse(`<p title="${escapeText(title)}">${escapeText(text)}</p>`)
          const links = { link: () => title, image: () => text }
          textOfXml(`<body>${toXhtml(body, links)}</body>`)
        }
      ),
      {
        ...runs(300),
        examples: [
          ["a\uFFFEb", "\uFFFF", "rss"],
          ["\uD800", "x\uDC00", "atom"]
        ]
      }
    )
  })
})

describe("the differences of a page", () => {
  const line = fc
    .array(fc.constantFrom("one", "two", "three", "four", "-", "é", "42"), { maxLength: 12 })
    .map((words) => words.join(" "))

  it("mark the words that differ, and contain both lines", () => {
    fc.assert(
      fc.property(line, line, (before, after) => {
        const compared = compareWords(before, after)
        if (compared === undefined) return
        expect(compared.before.map(({ text }) => text).join("")).toBe(before)
        expect(compared.after.map(({ text }) => text).join("")).toBe(after)
        const same = (parts: typeof compared.before) =>
          parts
            .filter((part) => !part.isChanged)
            .map(({ text }) => text)
            .join("")
        expect(same(compared.before)).toBe(same(compared.after))
      }),
      runs(200)
    )
  })

  it("name pages instead of their ids", () => {
    const html = renderDiff(
      "See [a](/pages/p1) now.\n",
      "See [a](/pages/p2) then.\n",
      (id) => ({ p1: "Setup", p2: "Use" })[id]
    ).text
    expect(html).not.toContain("/pages/")
    expect(html).toMatch(/<del><span>− See \[a\]\(“<mark>Setup<\/mark>”\) <mark>now<\/mark>/)
    expect(html).toMatch(/<ins><span>\+ See \[a\]\(“<mark>Use<\/mark>”\) <mark>then<\/mark>/)
  })
})
