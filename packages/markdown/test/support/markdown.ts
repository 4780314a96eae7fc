/** Markdown for tests: the files of packages, and arbitraries. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import fc from "fast-check"
import type { BlockContent, ListItem, PhrasingContent, Root } from "mdast"

const repository = fileURLToPath(new URL("../../../../", import.meta.url))

/** The folders of installed packages. */
const folders = ["node_modules", "testing/node_modules"].map((folder) => join(repository, folder))

const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return filesIn(path)
      return entry.name.endsWith(".md") ? [path] : []
    })

/** Returns every `every`-th Markdown file of `node_modules` with fewer than 100,000 characters. */
export const corpus = (every: number): ReadonlyArray<{ readonly path: string; readonly text: string }> =>
  folders
    .flatMap(filesIn)
    .filter((_, index) => index % every === 0)
    .map((path) => ({ path: path.slice(repository.length), text: readFileSync(path, "utf8") }))
    .filter(({ text }) => text.length < 100_000)

/** Markers of the dialect, and text that interferes with them. */
const atoms =
  `* ** _ __ ~ ~~ \` \`\` a é 1 . ! [ ] ( ) : + = $ " ' \\ & &amp; | |-| --- === --> <!-- <b> </b> <div> # ##
  [a] [a](b) [*a*](b) ![a](b) ![a][a] [^1] www.a.b http://a.b a@b.c <http://a.b> /pages/x #y`
    .split(/\s+/)
    .concat([
      " ",
      "  ",
      "\n",
      "\n\n",
      "    ",
      "\t",
      "\r\n",
      "\\\n",
      "- ",
      "1. ",
      "2) ",
      "> ",
      "# ",
      "```\n",
      "- [ ] ",
      "- [x] "
    ])
    .concat([
      "[^1]: x",
      "[a]: b\n",
      "> [!NOTE]\n> ",
      "|a|b|\n|-|:-|\n",
      '{% include "/reusable-contents/a" %}',
      "\u00a0",
      "b c"
    ])

/** Random sequences of markers, most of which are unusual Markdown. */
export const randomMarkers = fc
  .array(fc.constantFrom(...atoms), { maxLength: 16 })
  .map((parts) => parts.join(""))

/** Complete and incomplete tables with URLs and e-mail addresses, also in quotes and lists. */
export const randomTables = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "a",
        "|",
        "|",
        "-",
        ":-",
        "-|-",
        "|-|\n",
        "a|b\n",
        "\n",
        "\n",
        "\n\n",
        "> ",
        "- ",
        "  ",
        "\t"
      ),
      fc.constantFrom("1. ", "[^a]: ", "# ", "*", "`", "\\", "<b>", "===\n", "```\n"),
      fc.constantFrom(
        "@",
        "a@b.c",
        "mailto:a@b.cd",
        "www.a.bc",
        "http://b.c",
        "Http:",
        "é@b.c ",
        "_a-b+c@d-e.fg"
      )
    ),
    { maxLength: 24 }
  )
  .map((parts) => parts.join(""))

const word = fc.string({ minLength: 1, maxLength: 8 }).map((text) => ({ type: "text" as const, value: text }))
const url = fc.constantFrom(
  "/pages/p1",
  "/pages/p1#at",
  "/files/f1",
  "#here",
  "https://example.com/a_b?c=d",
  "../x y"
)

const space: PhrasingContent = { type: "text", value: " " }

const { phrasing } = fc.letrec<{ phrasing: PhrasingContent }>((tie) => {
  const inside = fc
    .array(tie("phrasing"), { minLength: 1, maxLength: 3 })
    .map((nodes) => nodes.flatMap((node, index) => (index === 0 ? [node] : [space, node])))
  return {
    phrasing: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      word,
      fc.string({ minLength: 1, maxLength: 6 }).map((value) => ({ type: "inlineCode" as const, value })),
      fc.record({ type: fc.constant("image" as const), url, alt: fc.string({ maxLength: 5 }) }),
      fc.record({
        type: fc.constant("link" as const),
        url,
        children: fc.array(word, { minLength: 1, maxLength: 2 })
      }),
      inside.map((children) => ({ type: "emphasis" as const, children })),
      inside.map((children) => ({ type: "strong" as const, children })),
      inside.map((children) => ({ type: "delete" as const, children }))
    )
  }
})

/** Phrases that are separated by spaces. {@link randomMarkers} has adjacent markers. */
const line = fc
  .array(phrasing, { minLength: 1, maxLength: 4 })
  .map((nodes) =>
    nodes.flatMap((node, index): Array<PhrasingContent> => (index === 0 ? [node] : [space, node]))
  )

const { block } = fc.letrec<{ block: BlockContent; item: ListItem }>((tie) => ({
  item: fc
    .record({
      checked: fc.constantFrom(null, null, true, false),
      spread: fc.boolean(),
      children: fc.array(tie("block"), { maxLength: 2 })
    })
    .map((fields) => ({ type: "listItem" as const, ...fields })),
  block: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    line.map((children) => ({ type: "paragraph" as const, children })),
    fc.record({
      type: fc.constant("heading" as const),
      depth: fc.constantFrom(1, 2, 3, 4, 5, 6),
      children: line
    }),
    fc.constant({ type: "thematicBreak" as const }),
    fc.record({
      type: fc.constant("code" as const),
      lang: fc.constantFrom(null, "ts"),
      value: fc.string({ maxLength: 30, unit: fc.constantFrom("a", "`", "\n", " ", "~") })
    }),
    fc
      .constantFrom("<div>", "<!-- a\n\nb -->", "<custom>")
      .map((value) => ({ type: "html" as const, value })),
    fc.array(fc.array(line, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 3 }).map((rows) => ({
      type: "table" as const,
      align: ["left" as const, null],
      children: rows.map((cells) => ({
        type: "tableRow" as const,
        children: cells.map((children) => ({ type: "tableCell" as const, children }))
      }))
    })),
    fc.array(tie("block"), { maxLength: 3 }).map((children) => ({ type: "blockquote" as const, children })),
    fc.record({
      type: fc.constant("list" as const),
      ordered: fc.boolean(),
      start: fc.nat(100),
      spread: fc.boolean(),
      children: fc.array(tie("item"), { minLength: 1, maxLength: 3 })
    })
  )
}))

/** Random syntax trees with all nodes of the dialect. Their text is typical Markdown. */
export const tree = fc.array(block, { maxLength: 4 }).map((children): Root => ({ type: "root", children }))
