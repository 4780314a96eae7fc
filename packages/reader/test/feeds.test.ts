/** Feeds of changelogs, and the differences of pages. */
import { boundedFromMarkdown } from "@lectern/formats/threads"
import { runs } from "@lectern/harness"
import * as fc from "fast-check"
import { parse } from "parse5"
import { describe, expect, it } from "vitest"
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
