/** Links of blocks: each can be rewritten, without any other change, and is a reference of the page. */

import { runs } from "@lectern/harness"
import { rewriteLinks, wellFormed } from "@lectern/markdown/document"
import { outlineOf } from "@lectern/markdown/outline"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { page } from "./support/pages.ts"

const newUrl = (index: number) => `https://new.example/${index}`

/** Rewrites all links. Returns the number of links, and the links in the text of a block, which has the link itself. */
const rewriteAll = (markdown: string) => {
  const lines = markdown.split("\n")
  const labels = new Set<number>()
  let count = 0
  const rewritten = rewriteLinks(markdown, (node) => {
    if (node.type === "tag" && node.name === "include") return undefined
    // The text of an autolink is its destination.
    const source = markdown.slice(node.position?.start.offset, node.position?.end.offset)
    if (node.type === "link" && !source.startsWith("[")) return undefined
    const before = lines.slice(0, node.position!.start.line - 1).findLast((line) => !/^[\s>]*$/.test(line))
    if (node.type === "link" && /\{% (?:content-ref|openapi[\w-]*) /.test(before ?? "")) labels.add(count)
    return newUrl(count++)
  })
  return { rewritten, count, labels }
}

describe("rewritten links", () => {
  it("are the references of a generated page, once each", () => {
    fc.assert(
      fc.property(page, (markdown) => {
        const { rewritten, count, labels } = rewriteAll(wellFormed(markdown))
        const found = outlineOf(rewritten).references.flatMap(({ ref }) =>
          ref.kind === "url" && ref.url.startsWith("https://new.example/") ? [ref.url] : []
        )
        const expected = Array.from({ length: count }, (_, index) => index).filter((at) => !labels.has(at))
        expect([...found].sort()).toEqual(expected.map(newUrl).sort())
      }),
      runs(300)
    )
  })

  it("change no other byte of a generated page", () => {
    fc.assert(
      fc.property(page, (markdown) => {
        const source = wellFormed(markdown)
        const written: Array<string> = []
        const { rewritten } = rewriteAll(source)
        rewriteLinks(source, ({ url }) => {
          written.push(url)
          return undefined
        })
        const urls = [...new Set(written)].sort((one, other) => other.length - one.length)
        const without = (text: string) =>
          urls.reduce(
            (rest, url) => rest.replaceAll(url, "@"),
            text.replace(/https:\/\/new\.example\/\d+/g, "@")
          )
        expect(without(rewritten)).toBe(without(source))
        expect(rewriteLinks(source, ({ url }) => url)).toBe(source)
      }),
      runs(300)
    )
  })

  it.each([
    ['<a href="a.md" class="button primary">a.md</a>', '<a href="b" class="button primary">a.md</a>'],
    ["<a data-mention href='a.md'>a.md</a>", "<a data-mention href='b'>a.md</a>"],
    ['<img src="a.png" alt="src=\'a.png\'">', '<img src="b" alt="src=\'a.png\'">'],
    [
      '<figure><picture><source srcset="a.png" media="(x)"><img src="c.png" alt=""></picture></figure>',
      '<figure><picture><source srcset="b" media="(x)"><img src="b" alt=""></picture></figure>'
    ],
    [
      '<table><tbody><tr><td><a href="a.md?x=1&#x26;y">a.md</a></td></tr></tbody></table>',
      '<table><tbody><tr><td><a href="b">a.md</a></td></tr></tbody></table>'
    ],
    ['{% embed url="a.md" %}', '{% embed url="b" %}'],
    ["> {% file src='a.md' %}", "> {% file src='b' %}"],
    [
      '{% openapi src="a.json" path="/a.json" method="get" %}',
      '{% openapi src="b" path="/a.json" method="get" %}'
    ],
    ['{% include "a/b.md" %}', '{% include "b" %}'],
    ['{% @x/y title="url=" url="a.md" %}', '{% @x/y title="url=" url="b" %}'],
    ['[a.md](<a.md> "a.md")', '[a.md](<b> "a.md")'],
    ['```\n<a href="a.md">\n{% embed url="a.md" %}\n```', '```\n<a href="a.md">\n{% embed url="a.md" %}\n```']
  ])("in %s are replaced in their place", (markdown, expected) => {
    expect(rewriteLinks(markdown, () => "b")).toBe(expected)
  })

  it("are encoded for their place", () => {
    expect(rewriteLinks('<a href="a">a</a>\n\n{% embed url="a" %}', () => 'x?a=1&b="2"')).toBe(
      '<a href="x?a=1&amp;b=&quot;2&quot;">a</a>\n\n{% embed url="x?a=1&b=%222%22" %}'
    )
  })
})
