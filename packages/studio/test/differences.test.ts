import { runs } from "@lectern/harness"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compareBlocks, compareWords, contentOf } from "../src/diff/compareBlocks.ts"
import { compareSequences } from "../src/diff/compareSequences.ts"
import { joinChunks, mergeLines } from "../src/diff/mergeLines.ts"
import { type BlockNode, textOf } from "../src/document/nodes.ts"

const lines = fc.array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 12 })

describe("the comparison of sequences", () => {
  it("contains both sequences in their order", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const changes = compareSequences(before, after, (line) => line)
        const side = (kind: "deleted" | "inserted", name: "before" | "after") =>
          changes.flatMap((change) =>
            change.kind === "same" ? [change[name]] : change.kind === kind ? [change.item] : []
          )
        expect(side("deleted", "before")).toEqual(before)
        expect(side("inserted", "after")).toEqual(after)
      }),
      runs(500)
    )
  })

  it("finds no change between equal sequences, and replaces long ones without a comparison", () => {
    fc.assert(
      fc.property(lines, (same) => {
        expect(compareSequences(same, same, (line) => line).every(({ kind }) => kind === "same")).toBe(true)
      }),
      runs(100)
    )
    const long = (prefix: string) => Array.from({ length: 3_000 }, (_, index) => `${prefix}${index}`)
    expect(compareSequences(["x", ...long("a")], ["x", ...long("b")], (line) => line)).toHaveLength(6_001)
  })
})

const leaf = (text: string, ...marks: ReadonlyArray<string>) => ({
  object: "leaf" as const,
  text,
  marks: marks.map((type) => ({ object: "mark" as const, type: type as "bold" }))
})
const paragraph = (...leaves: ReadonlyArray<ReturnType<typeof leaf>>): BlockNode => ({
  object: "block",
  type: "paragraph",
  nodes: [{ object: "text", leaves } as unknown as BlockNode]
})

describe("the comparison of documents", () => {
  it("recognizes an edited block between unchanged ones", () => {
    const [first, last] = [paragraph(leaf("The first paragraph")), paragraph(leaf("The last paragraph"))]
    const before = paragraph(leaf("Install the tool with npm"))
    const after = paragraph(leaf("Install the tool with pnpm"))
    expect(compareBlocks([first, before, last], [first, after, last])).toEqual([
      { kind: "same", blocks: [first] },
      { kind: "changed", before, after },
      { kind: "same", blocks: [last] }
    ])
  })

  it("distinguishes a new block from an edit", () => {
    const before = paragraph(leaf("Install the tool"))
    const after = paragraph(leaf("Completely different words"))
    expect(compareBlocks([before], [after]).map(({ kind }) => kind)).toEqual(["deleted", "inserted"])
  })

  it("ignores keys, and sees marks", () => {
    const plain = paragraph(leaf("A word"))
    expect(compareBlocks([{ ...plain, key: "a" }], [{ ...plain, key: "b" }])).toMatchObject([
      { kind: "same" }
    ])
    const bold = paragraph(leaf("A "), leaf("word", "bold"))
    const words = compareWords(plain.nodes ?? [], bold.nodes ?? [])
    expect(words.map(({ kind }) => kind)).toEqual(["same", "deleted", "inserted"])
    expect(contentOf(plain)).not.toBe(contentOf(bold))
  })

  it("joins words with the same change and the same marks", () => {
    const text = (
      value: string,
      marks: ReadonlyArray<{ readonly object: "mark"; readonly type: "code" }> = []
    ) => ({
      object: "text" as const,
      leaves: [{ object: "leaf" as const, text: value, marks }]
    })
    const code = text("npm run all", [{ object: "mark", type: "code" }])
    const words = compareWords([code, text(" daily.")], [code, text(" twice a week.")])
    expect(
      words.map((change) => [change.kind, textOf(change.kind === "same" ? change.after : change.item)])
    ).toEqual([
      ["same", "npm run all"],
      ["same", " "],
      ["deleted", "daily"],
      ["inserted", "twice a week"],
      ["same", "."]
    ])
  })
})

describe("the merge of lines", () => {
  it("takes the side that changed, and conflicts only where both did", () => {
    fc.assert(
      fc.property(lines, lines, (base, side) => {
        expect(joinChunks(mergeLines(base, side, base), [])).toBe(side.join("\n"))
        expect(joinChunks(mergeLines(base, base, side), [])).toBe(side.join("\n"))
        expect(joinChunks(mergeLines(base, side, side), [])).toBe(side.join("\n"))
      }),
      runs(300)
    )
  })

  it("has the chosen side of each conflict, and the other changes of both sides", () => {
    const base = ["1", "2", "3", "4", "5"]
    const theirs = ["1", "theirs", "3", "4", "5"]
    const ours = ["1", "ours", "3", "4", "5", "6"]
    const chunks = mergeLines(base, theirs, ours)
    expect(chunks.filter(({ kind }) => kind === "conflict")).toHaveLength(1)
    expect(joinChunks(chunks, ["theirs"])).toBe("1\ntheirs\n3\n4\n5\n6")
    expect(joinChunks(chunks, ["ours"])).toBe("1\nours\n3\n4\n5\n6")
    expect(joinChunks(chunks, ["both"])).toBe("1\ntheirs\nours\n3\n4\n5\n6")
    expect(joinChunks(chunks, [["edited"]])).toBe("1\nedited\n3\n4\n5\n6")
  })

  it("loses no line of either side without a choice", () => {
    fc.assert(
      fc.property(lines, lines, lines, (base, theirs, ours) => {
        const chunks = mergeLines(base, theirs, ours)
        const shown = chunks.flatMap((chunk) =>
          chunk.kind === "settled" ? chunk.lines : [...chunk.theirs, ...chunk.ours]
        )
        for (const line of [...theirs, ...ours]) {
          const isAdded = !base.includes(line)
          if (isAdded) expect(shown).toContain(line)
        }
      }),
      runs(300)
    )
  })
})
