/** Tables of contents with as many entries as an import can have pages. */
import { buildRepositoryTree, readLayout } from "@lectern/formats"
import { NotReadable, readSummary } from "@lectern/formats/threads"
import { describe, expect, it } from "vitest"

interface Entry {
  readonly destination?: string
  readonly title: string
  readonly entries: ReadonlyArray<Entry>
}

const readTableOfContents = (text: string): ReadonlyArray<Entry> =>
  readSummary(new TextEncoder().encode(text))

/** Returns the entries with their depths. */
const flat = (entries: ReadonlyArray<Entry>, depth = 0): ReadonlyArray<readonly [number, string]> =>
  entries.flatMap((entry) => [
    [depth, entry.destination ?? entry.title] as const,
    ...flat(entry.entries, depth + 1)
  ])

/** Writes entries with the depths that a function returns. */
const write = (count: number, depthOf: (index: number) => number, indentation = 2): string =>
  `# Table of contents\n\n${Array.from({ length: count }, (_, index) => `${" ".repeat(indentation * depthOf(index))}* [\`Page_${index}\`](folder_of/page_${index}.md)\n`).join("")}`

const shapes: ReadonlyArray<readonly [string, (index: number) => number]> = [
  ["flat", () => 0],
  ["nested", (index) => index % 4],
  ["below one page", (index) => (index === 0 ? 0 : 1)],
  ["below two pages", (index) => Math.min(index, 2)]
]

describe("a table of contents", () => {
  it.each(shapes)("of 3,500 entries has all of them, %s", (_, depthOf) => {
    const expected = Array.from({ length: 3500 }, (_, index) => [
      depthOf(index),
      `folder_of/page_${index}.md`
    ])
    expect(flat(readTableOfContents(write(3500, depthOf)))).toEqual(expected)
  })

  it("has the entries of its parts, with other indentation and with groups", () => {
    // The shorter text is parsed as a whole.
    const depthOf = (index: number) => index % 4
    const entries = flat(readTableOfContents(write(1000, depthOf, 4)))
    expect(flat(readTableOfContents(write(3400, depthOf, 4))).slice(0, 1000)).toEqual(entries)
    const text = Array.from(
      { length: 40 },
      (_, index) => `## Group ${index}\n\n* [P](p-${index}.md)\n\n`
    ).join("")
    expect(flat(readTableOfContents(text.repeat(50)))).toEqual(
      Array.from({ length: 50 }, () => flat(readTableOfContents(text))).flat()
    )
  })

  it("has all entries if titles contain brackets and colons, and if labels are defined elsewhere", () => {
    const titled = write(3500, (index) => Math.min(index, 1)).replaceAll("[`Page", "[A \\[b\\]: `Page")
    expect(flat(readTableOfContents(titled))).toHaveLength(3500)
    const labeled = `${"* [Page][label]\n".repeat(1500)}\n[label]: page.md\n`
    expect(new Set(flat(readTableOfContents(labeled)).map(([, title]) => title))).toEqual(new Set(["Page"]))
  })

  it("fails if it cannot be parsed, and is never empty instead", () => {
    const unparsed = `~~~\n~~~\n${"1. [x](y.md)\n".repeat(12_000)}`
    expect(() => readTableOfContents(unparsed)).toThrow(NotReadable)
  })
})

describe("the entries of a table of contents", () => {
  it("with URLs that browsers execute are reported, and no pages", () => {
    const text = [
      "* [Script](javascript:alert(1))",
      "* [Letters](JavaScript:alert(1))",
      "* [Data](data:text/html,x)",
      "* [Old](vbscript:x)",
      "* ```yaml",
      "  type: link",
      "  title: Settings",
      "  target:",
      "    kind: url",
      "    url: javascript:alert(1)",
      "  ```",
      "* [Site](https://example.com/)",
      "* [Any](//example.com/)",
      "* [Mail](mailto:ada@example.com)",
      "* [Call](tel:+15550100)"
    ].join("\n")
    const layout = readLayout(undefined, [])
    const summary = readSummary(new TextEncoder().encode(text))
    const { nodes, problems } = buildRepositoryTree(summary, { layout, pages: [], resolve: () => undefined })
    expect(nodes.map(({ title }) => title)).toEqual(["Site", "Any", "Mail", "Call"])
    expect(problems.map(({ resource }) => resource)).toEqual(["Script", "Letters", "Data", "Old", "Settings"])
  })
})
