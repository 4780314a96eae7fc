/** Properties of writing a document over the Markdown that it was read from: nothing changes but the changed blocks. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { isFastRun, isLongRun, runs } from "@lectern/harness"
import {
  fromMarkdown,
  normalize,
  parse,
  stringify,
  toMarkdown,
  updateMarkdown,
  wellFormed
} from "@lectern/markdown/document"
import type { Block, JsonDocument } from "@lectern/model/document"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { documentEssence } from "./support/documentEssence.ts"
import { corpus, randomMarkers, randomTables, tree } from "./support/markdown.ts"

/** Blocks in the styles that people write, which the serializer writes in another style. */
const writtenBlocks: ReadonlyArray<string> = [
  "A paragraph with *emphasis*, _more_, __strong__ words and a [link](<b.md> 'Title').",
  "Two lines  \nwith a break, <https://example.com> and https://example.org.",
  "A [reference][one], a [collapsed][] one and a footnote[^note].",
  "Title\n=====",
  "Part ##\n---",
  "### Closed ###",
  "* Star\n* List\n  * Nested\n\n    With a paragraph",
  "+ Plus\n\n+ Loose",
  "-   Wide\n-   Markers",
  "3) Three\n4) Four",
  "1. One\n1. One again\n   1. Nested",
  "- [ ] To do\n- [X] Done",
  "> A quote\nwith a lazy line\n>\n> * and a list",
  "~~~js title\nconst a = 1\n~~~",
  "    indented code\n\n    in two parts",
  "* * *",
  "___",
  "| Name  | Value |\n|:------|------:|\n| a     | `b`   |",
  "Name | Value\n--- | ---\na | b",
  "<div>\n  Raw *HTML*\n</div>",
  '<figure><img src="a.png" alt=""><figcaption>Text</figcaption></figure>',
  '![Image](a.png)\n![Another](b.png "Caption")',
  '{% hint style="info" %}\nA hint with a [link](c.md)\n\n* and a list\n{% endhint %}',
  '{% tabs %}\n{% tab title="One" %}\nFirst\n{% endtab %}\n\n{% tab title="Two" %}\nSecond\n{% endtab %}\n{% endtabs %}',
  '{% embed url="https://example.com/watch?v=1" %}',
  "<details>\n\n<summary>More</summary>\n\nHidden *text*\n\n</details>",
  "$$\na \\\\ b * c\n$$",
  "[one]: <one.md>  'One'",
  "[collapsed]: b.md",
  "[^note]: A footnote\n\n    with two paragraphs"
]

const separators = fc.constantFrom("\n\n", "\n\n", "\n\n\n", "\n \n")

/** Markdown of blocks, in which each block is present at most once. */
const writtenPage = fc
  .record({
    blocks: fc.shuffledSubarray([...writtenBlocks], { minLength: 1, maxLength: 9 }),
    separators: fc.array(separators, { minLength: 10, maxLength: 10 }),
    end: fc.constantFrom("", "\n", "\n\n\n"),
    lineEnding: fc.constantFrom("\n", "\n", "\r\n"),
    start: fc.constantFrom("", "", "\uFEFF", "\n\n")
  })
  .map(({ blocks, separators, end, lineEnding, start }) => {
    const text = blocks.map((block, index) => (index === 0 ? "" : separators[index]!) + block).join("")
    return start + (text + end).replaceAll("\n", lineEnding)
  })

const anyMarkdown = fc.oneof(
  writtenPage,
  randomMarkers,
  randomTables,
  tree.map((root) => stringify(root))
)

/** A document as a client receives it and sends it back. */
const sent = (document: JsonDocument): JsonDocument => JSON.parse(JSON.stringify(document))

/** The Markdown of the pages in the folder that `LECTERN_TEST_CORPUS` names. */
const corpusPages = (): ReadonlyArray<{ readonly path: string; readonly text: string }> => {
  const folder = process.env.LECTERN_TEST_CORPUS
  if (folder === undefined) return []
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => ({ path, text: readFileSync(join(folder, path), "utf8") }))
}

const paragraph = (text: string): Block => ({
  object: "block",
  type: "paragraph",
  nodes: [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }]
})

/** The range that differs between two strings, without their common start and end. */
const differenceOf = (before: string, after: string) => {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  const rest = Math.min(before.length, after.length) - start
  while (end < rest && before.at(-1 - end) === after.at(-1 - end)) end++
  return { removed: before.slice(start, before.length - end), added: after.slice(start, after.length - end) }
}

type WithNodes = Block & { readonly nodes: ReadonlyArray<Block> }

/** Returns a document whose block at a path of indexes is replaced. */
const withBlocks = (
  document: JsonDocument,
  path: ReadonlyArray<number>,
  replace: (siblings: ReadonlyArray<Block>, index: number) => ReadonlyArray<Block>
): JsonDocument => {
  const change = (
    nodes: ReadonlyArray<Block>,
    [index, ...rest]: ReadonlyArray<number>
  ): ReadonlyArray<Block> => {
    if (rest.length === 0) return replace(nodes, index!)
    return nodes.map((node, at) =>
      at === index ? ({ ...node, nodes: change((node as WithNodes).nodes, rest) } as Block) : node
    )
  }
  return { ...document, nodes: change(document.nodes, path) }
}

const update = (markdown: string, change: (document: JsonDocument) => JsonDocument): string =>
  updateMarkdown(markdown, change(sent(fromMarkdown(markdown))))

describe("a document that is written over its Markdown", () => {
  it("changes no byte if it is unchanged", () => {
    fc.assert(
      fc.property(anyMarkdown, (markdown) => {
        expect(updateMarkdown(markdown, sent(fromMarkdown(markdown)))).toBe(markdown)
      }),
      runs(1500)
    )
  })

  it("changes no byte of the files in node_modules and of the corpus if it is unchanged", () => {
    const files = [...corpus(isLongRun ? 1 : isFastRun ? 48 : 24), ...corpusPages()]
    expect(files.length).toBeGreaterThan(isFastRun ? 20 : 50)
    const changed = files.filter(({ text }) => updateMarkdown(text, sent(fromMarkdown(text))) !== text)
    expect(changed.map(({ path }) => path)).toEqual([])
  })

  it("has the meaning of the document, over any Markdown", () => {
    fc.assert(
      fc.property(anyMarkdown, anyMarkdown, (markdown, other) => {
        const document = fromMarkdown(other)
        const accepted = [document, fromMarkdown(toMarkdown(document))].map(documentEssence)
        expect(accepted).toContainEqual(
          documentEssence(fromMarkdown(updateMarkdown(markdown, sent(document))))
        )
      }),
      runs(600)
    )
  })

  it("changes only the bytes of a block that is edited", () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(
          writtenBlocks.filter((block) => !block.startsWith("[")),
          { maxLength: 5 }
        ),
        fc.shuffledSubarray(
          writtenBlocks.filter((block) => !block.startsWith("[")),
          { maxLength: 5 }
        ),
        fc.constantFrom("\n", "\r\n"),
        (before, after, lineEnding) => {
          // Headings separate the edited paragraph from text that would continue it.
          const pageWith = (text: string) =>
            [...before, "# Before", text, "# After", ...after].join("\n\n").replaceAll("\n", lineEnding) +
            lineEnding
          const edited = update(pageWith("The old text."), (document) => ({
            ...document,
            nodes: document.nodes.map((node) =>
              JSON.stringify(node).includes("The old text.") ? paragraph("Other words.") : node
            )
          }))
          expect(edited).toBe(pageWith("Other words."))
        }
      ),
      runs(400)
    )
  })

  it("changes only the bytes of a block that is edited, on each page of the corpus", () => {
    const otherWords = [{ object: "text", leaves: [{ object: "leaf", text: "Other words", marks: [] }] }]
    for (const { path, text } of [...corpus(40), ...corpusPages()]) {
      const markdown = wellFormed(text)
      const [first] = parse(markdown).children
      if (first?.type !== "heading") continue
      const { removed, added } = differenceOf(
        markdown,
        update(markdown, (document) =>
          withBlocks(document, [0], (nodes) => nodes.with(0, { ...nodes[0], nodes: otherWords } as Block))
        )
      )
      const source = markdown.slice(first.position?.start.offset, first.position?.end.offset)
      expect([path, source.includes(removed), added.length <= "## Other words\n---".length]).toEqual([
        path,
        true,
        true
      ])
    }
  })

  it("detects a serializer that changes other blocks", () => {
    const normalizing = (markdown: string) => toMarkdown(fromMarkdown(markdown))
    expect(() =>
      fc.assert(
        fc.property(anyMarkdown, (markdown) => expect(normalizing(markdown)).toBe(markdown)),
        { numRuns: 50, seed: 1 }
      )
    ).toThrow()
  })
})

describe("an edited document", () => {
  const insertAfter = (text: string) => (nodes: ReadonlyArray<Block>, index: number) =>
    nodes.toSpliced(index + 1, 0, paragraph(text))
  const replaceBy = (text: string) => (nodes: ReadonlyArray<Block>, index: number) =>
    nodes.toSpliced(index, 1, paragraph(text))
  const remove = (nodes: ReadonlyArray<Block>, index: number) => nodes.toSpliced(index, 1)
  const edit = (
    markdown: string,
    path: ReadonlyArray<number>,
    replace: Parameters<typeof withBlocks>[2]
  ): string => update(markdown, (document) => withBlocks(document, path, replace))

  it.each([
    ["a quote", "> Old\n> lines\n>\n> * star\n", [0, 0], "> New\n>\n> * star\n"],
    ["a list", "* One\n* Old\n  * Three\n", [0, 1, 0], "* One\n* New\n  * Three\n"],
    ["a numbered list", "7)  One\n8)  Old\n", [0, 1, 0], "7)  One\n8)  New\n"],
    ["a list in a quote", "> 1. One\n> 2. Old\n", [0, 0, 1, 0], "> 1. One\n> 2. New\n"],
    ["a task", "* [X] Old\n* [ ] Other\n", [0, 0, 0], "* [X] New\n* [ ] Other\n"]
  ])("is edited inside of %s", (_, markdown, path, expected) => {
    expect(edit(markdown, path, replaceBy("New"))).toBe(expected)
  })

  it("writes new blocks between unchanged ones", () => {
    expect(edit("Title\n===\nText\n", [0], insertAfter("New"))).toBe("Title\n===\n\nNew\n\nText\n")
    expect(edit("> * a\n>\n> ***\n", [0, 0], insertAfter("New"))).toBe("> * a\n>\n> New\n>\n> ***\n")
    expect(edit("A\r\n\r\n* b\r\n", [0], insertAfter("New"))).toBe("A\r\n\r\nNew\r\n\r\n* b\r\n")
  })

  it("deletes blocks with their separator", () => {
    expect(edit("# A\n\n\nOld\n\n* b\n", [1], remove)).toBe("# A\n\n* b\n")
    expect(edit("Old\n\n* b\n\n\n", [0], remove)).toBe("* b\n\n\n")
    expect(edit("1) a\n2) b\n3) c\n", [0, 0], remove)).toBe("1) b\n3) c\n")
    // Several blocks at the start leave no empty lines.
    const markdown = "# A\n\n* b\n\nOld\n\n\nLast\n"
    const document = fromMarkdown(markdown)
    for (const [count, expected] of [
      [2, "Old\n\n\nLast\n"],
      [3, "Last\n"]
    ] as const)
      expect(updateMarkdown(markdown, { ...document, nodes: document.nodes.slice(count) })).toBe(expected)
  })

  it("writes new items with the marker of their list", () => {
    const addItem = (nodes: ReadonlyArray<Block>, index: number) => {
      const list = nodes[index] as WithNodes
      const item = { ...list.nodes.at(-1)!, nodes: [paragraph("new")] } as Block
      return nodes.with(index, { ...list, nodes: [...list.nodes, item] } as Block)
    }
    expect(edit("+ a\n+ b\n", [0], addItem)).toBe("+ a\n+ b\n+ new\n")
    expect(edit("> 4)  a\n>\n> 5)  b\n", [0, 0], addItem)).toContain("5)  b\n>\n> 6) new\n")
    expect(edit("* [x] a\n", [0], addItem)).toBe("* [x] a\n* [x] new\n")
  })

  it("changes only the state of a checkbox", () => {
    const markdown = "* [ ] __a__\n* [X] b\n"
    const check = (nodes: ReadonlyArray<Block>, index: number) =>
      nodes.with(index, { ...nodes[index], data: { checked: true } } as Block)
    expect(edit(markdown, [0, 0], check)).toBe("* [x] __a__\n* [X] b\n")
  })

  it("is written in the style of the Markdown", () => {
    const markdown = "* a\n\n~~~\nb\n~~~\n\n_c_ and __d__\n"
    const added = fromMarkdown("- e\n\n```\nf\n```\n\n*g* and **h**\n").nodes.map(
      (node) => sent({ ...fromMarkdown(""), nodes: [node] }).nodes[0]!
    )
    expect(update(markdown, (document) => ({ ...document, nodes: [...document.nodes, ...added] }))).toBe(
      `${markdown}\n* e\n\n~~~\nf\n~~~\n\n_g_ and __h__\n`
    )
  })

  it("preserves, changes, adds and deletes definitions and footnotes", () => {
    const markdown = "[a] and [b][]\n\n[b]: <b.md>  'B'\n[a]:   a.md\n[d]:   d.md\n\n* x[^1]\n\n[^1]:   Old\n"
    const change = (data: (data: JsonDocument["data"]) => JsonDocument["data"]) =>
      update(markdown, (document) => ({ ...document, data: data(document.data) }))
    const changed = change(({ definitions, ...data }) => ({
      ...data,
      definitions: definitions!.map((one) => (one.label === "d" ? { ...one, title: "New" } : one))
    }))
    expect(changed).toBe(markdown.replace("[d]:   d.md", '[d]: d.md "New"'))
    expect(
      change((data) => ({ ...data, definitions: [...data.definitions!, { label: "c", url: "c.md" }] }))
    ).toBe(`${markdown.trimEnd()}\n\n[c]: c.md\n`)
    expect(
      change(({ footnotes, ...data }) => ({
        ...data,
        footnotes: [{ ...footnotes![0]!, nodes: [paragraph("New")] }]
      }))
    ).toBe(markdown.replace("Old", "New"))
  })

  it("contains the text that is added to the leaf of a line break", () => {
    const cell = (text: string) =>
      `<table data-view="cards"><thead><tr><th></th></tr></thead><tbody><tr><td>${text}</td></tr></tbody></table>\n`
    const pages = [
      "<br>\n",
      "a<br>\n",
      "a<br>b\n",
      "a  \nb\n",
      "a\\\nb\n",
      "**a<br>b**\n",
      "* a<br>b\n",
      cell("a<br>b")
    ]
    const word = fc.constantFrom("", "w1", "w2 w3")
    fc.assert(
      fc.property(fc.constantFrom(...pages), word, word, (markdown, before, after) => {
        const text = JSON.stringify(fromMarkdown(markdown)).replace(
          /"text":"\\n"/,
          () => `"text":${JSON.stringify(`${before}\n${after}`)}`
        )
        const edited = updateMarkdown(markdown, JSON.parse(text) as JsonDocument)
        for (const added of [before, after]) expect(edited).toContain(added)
        if (before === "" && after === "") expect(edited).toBe(markdown)
      }),
      runs(100)
    )
  })

  it("without a form in Markdown is normalized", () => {
    const markdown = "* a\n\nb\n"
    const empty = { ...paragraph(""), nodes: [] } as Block
    expect(edit(markdown, [1], (nodes) => [...nodes, empty])).toBe(markdown)
    expect(updateMarkdown(markdown, fromMarkdown(""))).toBe("")
    expect(updateMarkdown("", fromMarkdown("a"))).toBe("a\n")
    expect(normalize(edit(markdown, [1], replaceBy("* c\n\nd")))).toContain("\\* c")
  })

  it("has no empty lines for paragraphs that were empty when it was saved before text was written into them", () => {
    const empty = { ...paragraph(""), nodes: [] } as Block
    const save = (
      markdown: string,
      nodes: (current: ReadonlyArray<Block>) => ReadonlyArray<Block>
    ): string => {
      const document = fromMarkdown(markdown)
      return updateMarkdown(markdown, { ...document, nodes: nodes(document.nodes) })
    }
    const pause = fc.record({ place: fc.nat(), kind: fc.constantFrom("write", "write on", "clear") })
    fc.assert(
      fc.property(fc.array(pause, { minLength: 1, maxLength: 8 }), (pauses) => {
        let markdown = "First\n\nLast\n"
        let count = 2
        for (const [index, { place, kind }] of pauses.entries()) {
          if (kind === "clear" && count > 1) {
            markdown = save(markdown, (nodes) => nodes.with(place % count, empty))
            count--
            continue
          }
          const at = place % (count + 1)
          const text = paragraph(`Text ${index}`)
          // The writer pauses in a new paragraph, and after the text with another new paragraph.
          markdown = save(markdown, (nodes) => nodes.toSpliced(at, 0, empty))
          const added = kind === "write on" ? [text, empty] : [text]
          markdown = save(markdown, (nodes) => nodes.toSpliced(at, 0, ...added))
          count++
        }
        expect(markdown).not.toMatch(/^\n|\n{3}|\n\n$/)
        expect(fromMarkdown(markdown).nodes.length).toBe(count)
      }),
      runs(30)
    )
  })
})
