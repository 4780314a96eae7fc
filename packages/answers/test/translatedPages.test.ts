// cspell:disable
/** The translations of pages: they preserve everything except for words, for any answer of a model. */
import { readFileSync } from "node:fs"
import { runs } from "@lectern/harness"
import { fromMarkdown, toMarkdown } from "@lectern/markdown/document"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { AnyNode } from "../src/translation/texts/AnyNode.ts"
import { hasSameStructure } from "../src/translation/texts/structure.ts"
import {
  answering,
  contextOf,
  footnote,
  pieces,
  translateMarkdown,
  translateWords
} from "./support/translated.ts"

const wholePage = [...pieces, footnote].join("\n\n")

/** A page of some of the pieces, in any order. */
const pages = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 12 })
  .map((chosen) => [...chosen, footnote].join("\n\n"))

/** Everything on a page that can be a target: URLs, links, code. */
const fixedPartsOf = (markdown: string): ReadonlyArray<string> =>
  [
    ...markdown.matchAll(
      /https?:\/\/[^\s)"<>]+|\]\([^)]*\)|`[^`]+`|\{%[^%]*%\}|\$\$[^$]+\$\$|class="expression">[^<]*/g
    )
  ]
    .map(([part]) => part.replace(/title="(?:First tab|[A-Z]+ [A-Z]+)"/, ""))
    .toSorted()

describe("a translation", () => {
  it("that is the source leaves every byte", () => {
    const context = contextOf(answering(({ text }) => text))
    fc.assert(
      fc.property(pages, (markdown) => {
        const { page, markdown: translated } = translateMarkdown(context, markdown)
        expect(page.untranslated).toEqual([])
        expect(translated).toBe(toMarkdown(fromMarkdown(markdown)))
      }),
      runs(30)
    )
  })

  it("changes every word of a page, and only words", () => {
    const upper = translateWords((word) => word.toUpperCase())
    const { page, markdown } = translateMarkdown(contextOf(answering(upper)), wholePage)
    expect(page.untranslated).toEqual([])
    expect([page.title, page.description]).toEqual(["THE TITLE", "THE DESCRIPTION"])
    const source = fromMarkdown(wholePage)
    for (const [index, block] of page.document!.nodes.entries()) {
      expect(hasSameStructure(source.nodes[index] as AnyNode, block as AnyNode, source.data)).toBe(true)
    }
    expect(fixedPartsOf(markdown)).toEqual(fixedPartsOf(toMarkdown(source)))
    for (const words of [
      "PLAIN WORDS",
      "**BOLD**",
      "LINK TO A PAGE](install.md)",
      "FIRST TAB",
      "A CAPTION"
    ]) {
      expect(markdown).toContain(words)
    }
    for (const kept of [
      "`code here`",
      "const untouched",
      "space.vars.version",
      "raw HTML stays",
      "src/a.ts"
    ]) {
      expect(markdown).toContain(kept)
    }
    expect(markdown).toContain("THE NOTE WITH WORDS")
    const displayed = markdown.replace(/```[\s\S]*?```|\{%[^%]*%\}/g, "")
    expect(displayed).not.toMatch(/(?<![\w.`/"])(?:words|item|step|cell|caption)(?![\w.`])/)
  })

  it("keeps the anchors of headings, which links refer to", () => {
    const upper = translateWords((word) => `${word}x`)
    const { page } = translateMarkdown(
      contextOf(answering(upper)),
      "## Getting started\n\n[See](#getting-started)."
    )
    const [heading] = page.document!.nodes as ReadonlyArray<AnyNode>
    const stored = toMarkdown(page.document!)
    expect(stored).toContain("Gettingx startedx")
    expect(stored).toContain('id="getting-started"')
    expect(heading!.type).toBe("heading-2")
  })

  it("has the placeholders of links and code in another order", () => {
    const source = "Click [here](a.md) or run `npm ci` now."
    const context = contextOf(
      answering(({ text }) => (text.includes("Click") ? "Maintenant <2/> ou <1>ici</1>." : text))
    )
    expect(translateMarkdown(context, source).markdown).toBe("Maintenant `npm ci` ou [ici](a.md).\n")
  })

  it("has the terms of the glossary, regardless of the words of the model", () => {
    const terms = [
      { source: "change request", translation: "demande de changement" },
      { source: "change", translation: "changement" },
      { source: "space", translation: "espace" }
    ]
    const context = contextOf(
      answering(({ text }) =>
        text.replace(/<(\d+)>[^<]*<\/\1>/g, "<$1>WRONG</$1>").replace("Open", "Ouvrez")
      ),
      terms
    )
    const { markdown } = translateMarkdown(
      context,
      "Open a **change request** of the Space. A spaceship is none."
    )
    expect(markdown).toBe("Ouvrez a **demande de changement** of the Espace. A spaceship is none.\n")
  })
})

/** Answers of a hostile model to `Click <1>here</1> or run <2/> now.` Each is rejected. */
const attempts: Readonly<Record<string, string>> = {
  nothing: " ",
  "a missing placeholder": "Cliquez <1>ici</1>.",
  "a placeholder twice": "<1>ici</1> <1>ici</1> <2/>",
  "a placeholder that does not exist": "<1>ici</1> <2/> <3/>",
  "a placeholder in another one": "<1>ici <2/></1>",
  "a placeholder that does not end": "<1>ici <2/>",
  "a placeholder that does not begin": "ici</1> <2/>",
  "a link without text": "Cliquez <1> </1> <2/>",
  "code as a link": "<1>ici</1> <2>rm -rf</2>",
  HTML: "<script>alert(1)</script> <1>ici</1> <2/>",
  "an image": "<img src=x onerror=alert(1)> <1>ici</1> <2/>",
  "a URL, with `://`": "<1>ici</1> <2/> https://evil.example/?q=1",
  "a host name that begins with `www.`": "<1>www.evil.example</1> <2/>",
  "an e-mail address": "<1>ici</1> <2/> root@evil.example",
  "a `javascript:` URL": "<1>ici</1> <2/> javascript:alert(1)",
  "a `data:` URL": "<1>ici</1> <2/> data:text/html,x",
  "a `vbscript:` URL": "<1>ici</1> <2/> vbscript:x",
  "a `mailto:` URL": "<1>ici</1> <2/> mailto:root",
  "an `xmpp:` URL": "<1>ici</1> <2/> xmpp:root",
  "an escaped URL": "<1>ici</1> <2/> https:&#47;&#47;evil.example https://evil.example",
  "a line break": "<1>ici</1> <2/>\n\n# Titre",
  "a change of the direction of text": "<1>ici</1> <2/> \u202eevil",
  "an endless string": `<1>ici</1> <2/> ${"mot ".repeat(5_000)}`
}

describe("a hostile model", () => {
  const source = "Click [here](a.md) or run `npm ci` now."
  for (const [name, answer] of Object.entries(attempts)) {
    it(`that answers with ${name} changes nothing, and the text is reported`, () => {
      const context = contextOf(answering(({ text }) => (text.includes("Click") ? answer : text)))
      const { page, markdown } = translateMarkdown(context, source)
      expect(markdown).toBe(`${source}\n`)
      expect(page.untranslated.map(({ text }) => text)).toEqual(["Click <1>here</1> or run <2/> now."])
    })
  }

  it("adds no link, no code and no block with any text", () => {
    const hostile = fc.array(
      fc.constantFrom(
        ..."<1> </1> <2/> <3/> <1/> ** * _ ` ``` [x](https://evil.example) ![x](y) # ## - 1. > | $$ $$x$$ {% %}".split(
          " "
        ),
        ...'{% embed url="x" %}|<b>|</b>|&lt;script&gt;|[^1]|:rocket:|\\|~~|<!-- |@user|<code class="expression">x</code>'.split(
          "|"
        ),
        "mot",
        " ",
        "日本語"
      ),
      { maxLength: 25 }
    )
    fc.assert(
      fc.property(pages, hostile, (markdown, words) => {
        const context = contextOf(
          // Sometimes with the right placeholders, so that the rest of the text is accepted.
          answering(({ text, hash }) =>
            hash < "W" ? `${text} ${words.filter((word) => !/^<\/?\d/.test(word)).join("")}` : words.join("")
          )
        )
        const { page, markdown: translated } = translateMarkdown(context, markdown)
        const [stored, source] = [fromMarkdown(translated), fromMarkdown(toMarkdown(fromMarkdown(markdown)))]
        expect(stored.nodes.map(({ type }) => type)).toEqual(source.nodes.map(({ type }) => type))
        for (const [index, block] of page.document!.nodes.entries()) {
          expect(hasSameStructure(source.nodes[index] as AnyNode, block as AnyNode, source.data)).toBe(true)
        }
        expect(translated).not.toContain("](https://evil.example)")
      }),
      runs(40)
    )
  })
})

it("the guide lists every attempt", () => {
  const guide = readFileSync(new URL("../../../docs/guides/translations.md", import.meta.url), "utf8")
  const [, table = ""] = guide.split("| answer | rejected because |\n")
  const listed = Array.from(table.matchAll(/^\| (?<name>[^|-][^|]*?) +\|/gm), (match) =>
    match.groups!.name!.toLowerCase()
  )
  expect(listed.toSorted()).toEqual(
    Object.keys(attempts)
      .map((name) => name.toLowerCase())
      .toSorted()
  )
})
