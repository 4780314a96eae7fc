/** Arbitrary inline nodes, in the form in which Markdown returns them. */
import type { JsonDocument } from "@lectern/model/document"
import fc from "fast-check"

type Paragraph = Extract<JsonDocument["nodes"][number], { readonly type: "paragraph" }>
type Inline = Paragraph["nodes"][number]
type Leaf = Extract<Inline, { readonly object: "text" }>["leaves"][number]
type Mark = Leaf["marks"][number]

const colors = ["default", "red", "$primary", "purple"] as const
const mark: fc.Arbitrary<Mark> = fc.oneof(
  fc
    .constantFrom("bold", "italic", "strikethrough", "keyboard", "superscript", "subscript")
    .map((type) => ({ object: "mark" as const, type: type as "bold" })),
  fc
    .record({ text: fc.constantFrom(...colors), background: fc.constantFrom(...colors) })
    .map((data) => ({ object: "mark" as const, type: "color" as const, data }))
)

const marks = fc.uniqueArray(mark, { maxLength: 2, selector: (mark) => JSON.stringify(mark) })

const pieces = [
  "a",
  "b c",
  "$",
  "$$",
  ":",
  ":smile:",
  "<b>",
  "&amp;",
  "*",
  "_",
  "\\",
  "é",
  "7",
  "`",
  "[x]",
  "^",
  "]("
]
const words = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(""))
const formula = fc
  .array(fc.constantFrom("x", "\\frac{1}{2}", "\\\\", "*", "_", "$", "$$", "$$$", " y", "`", "<", "&", "|"), {
    minLength: 1,
    maxLength: 4
  })
  .map((parts) => parts.join(""))

const ref = fc.constantFrom(
  { kind: "page" as const, page: "p1" },
  { kind: "anchor" as const, anchor: "here", page: "p1", space: "s1" },
  { kind: "user" as const, user: "u1" },
  { kind: "url" as const, url: 'https://x.y/z?a="b"&c=<d>|e' },
  { kind: "url" as const, url: "../a b.md" }
)
const imageRef = fc.constantFrom(
  { kind: "file" as const, file: "f1" },
  { kind: "url" as const, url: ".gitbook/assets/a (1).png" }
)
const length = fc.constantFrom(12, 0.5, { unit: "%", value: 40 })

const optional = <A>(arbitrary: fc.Arbitrary<A>) => fc.option(arbitrary, { nil: undefined })

const atom = (type: string, data: fc.Arbitrary<object>): fc.Arbitrary<Inline> =>
  fc.tuple(data, marks).map(([data, marks]) => {
    const fields = { ...data, ...(marks.length > 0 ? { marks } : {}) }
    // JSON omits the fields that are undefined.
    return JSON.parse(JSON.stringify({ object: "inline", type, isVoid: true, data: fields })) as Inline
  })

const icon = fc.constantFrom("gear", "arrow-up", "smile")

const node: fc.Arbitrary<Inline> = fc.oneof(
  atom("inline-math", fc.record({ formula })),
  atom("emoji", fc.record({ code: fc.constantFrom("1f604", "274c", "1f468-200d-1f4bb", "e000") })),
  atom("icon", fc.record({ icon })),
  atom("expression", fc.record({ expression: words.map((text) => `x${text}y`) })),
  atom("mention", fc.record({ ref, text: optional(words.map((text) => `x${text}y`)) })),
  atom(
    "button",
    fc.record({
      label: words.map((text) => `x${text}y`),
      kind: fc.constantFrom("primary", "secondary"),
      icon: optional(icon),
      ref
    })
  ),
  atom(
    "inline-image",
    fc.record({
      ref: imageRef,
      refDark: optional(imageRef),
      alt: optional(fc.constantFrom("a", 'say "hi" | <b> & go')),
      width: optional(length),
      height: optional(length),
      size: optional(fc.constantFrom("line", "original"))
    })
  )
)

/** Text between the nodes, so that each stays a node of its own. It starts and ends with a word. */
const leaf: fc.Arbitrary<Leaf> = fc
  .tuple(words, marks)
  .map(([text, marks]) => ({ object: "leaf", text: `w${text}w`, marks }))

/** The text of a paragraph between nodes: words around nodes that adjoin them, or that have spaces around them. */
export const anyInlines: fc.Arbitrary<ReadonlyArray<Inline>> = fc
  .tuple(leaf, fc.array(fc.tuple(node, fc.boolean(), leaf), { minLength: 1, maxLength: 3 }))
  .map(([first, rest]) => {
    const inlines: Array<Inline> = [{ object: "text", leaves: [first] }]
    for (const [node, hasSpaces, leaf] of rest) {
      const last = inlines.at(-1)!
      const space: Leaf = { object: "leaf", text: " ", marks: [] }
      if (hasSpaces && last.object === "text") inlines[inlines.length - 1] = joined([...last.leaves, space])
      inlines.push(node, joined(hasSpaces ? [space, leaf] : [leaf]))
    }
    return inlines
  })

const joined = (leaves: ReadonlyArray<Leaf>): Extract<Inline, { readonly object: "text" }> => {
  const result: Array<Leaf> = []
  for (const leaf of leaves) {
    const last = result.at(-1)
    if (last !== undefined && JSON.stringify(last.marks) === JSON.stringify(leaf.marks)) {
      result[result.length - 1] = { ...last, text: last.text + leaf.text }
    } else result.push(leaf)
  }
  return { object: "text", leaves: result }
}

/** A document with one paragraph. */
export const documentOf = (nodes: ReadonlyArray<Inline>): JsonDocument => ({
  object: "document",
  data: {},
  nodes: [{ object: "block", type: "paragraph", isVoid: false, nodes }]
})
