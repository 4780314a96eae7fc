/** Reverting single blocks of a document. */

import { runs } from "@lectern/harness"
import { fromMarkdown, normalize, revertBlocks, toMarkdown } from "@lectern/markdown/document"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

type Document = ReturnType<typeof fromMarkdown>
type Block = Document["nodes"][number]

const word = fc.constantFrom("alpha", "beta", "gamma", "delta", "epsilon", "zeta")
const words = fc.array(word, { minLength: 1, maxLength: 3 }).map((all) => all.join(" "))

const block = fc.oneof(
  { weight: 4, arbitrary: words },
  words.map((text) => `## ${text}`),
  words.map((text) => `\`\`\`ts\n${text}\n\`\`\``),
  words.map((text) => `> ${text}`),
  fc
    .array(words, { minLength: 1, maxLength: 3 })
    .map((all) => `{% hint style="info" %}\n${all.join("\n\n")}\n{% endhint %}`),
  fc.array(words, { minLength: 1, maxLength: 3 }).map((all) => {
    const tabs = all.map((text, index) => `{% tab title="${index}" %}\n${text}\n{% endtab %}`)
    return `{% tabs %}\n${tabs.join("\n\n")}\n{% endtabs %}`
  }),
  fc.array(words, { minLength: 1, maxLength: 3 }).map((items) => items.map((item) => `- ${item}`).join("\n"))
)

type Edit = (blocks: ReadonlyArray<string>) => ReadonlyArray<string>

const place = fc.nat({ max: 20 })
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(place, block).map(
    ([at, added]): Edit =>
      (all) =>
        all.toSpliced(at % (all.length + 1), 0, added)
  ),
  place.map(
    (at): Edit =>
      (all) =>
        all.toSpliced(at % Math.max(1, all.length), 1)
  ),
  fc.tuple(place, block).map(
    ([at, other]): Edit =>
      (all) =>
        all.toSpliced(at % Math.max(1, all.length), 1, other)
  ),
  fc.tuple(place, place).map(
    ([from, to]): Edit =>
      (all) => {
        const moved = all[from % Math.max(1, all.length)]
        if (moved === undefined) return all
        return all.toSpliced(from % all.length, 1).toSpliced(to % all.length, 0, moved)
      }
  )
)

/** An earlier version of a document and the current one. */
const versions: fc.Arbitrary<readonly [base: Document, current: Document]> = fc
  .tuple(fc.array(block, { maxLength: 8 }), fc.array(edit, { maxLength: 4 }))
  .map(([base, edits]) => {
    const current = edits.reduce<ReadonlyArray<string>>((all, change) => change(all), base)
    const parse = (blocks: ReadonlyArray<string>) => fromMarkdown(normalize(blocks.join("\n\n")))
    return [parse(base), parse(current)]
  })

const keysOf = (nodes: ReadonlyArray<object>): ReadonlyArray<string> =>
  nodes.flatMap((node) => {
    const {
      object,
      type,
      key,
      nodes: children = []
    } = node as {
      readonly object: string
      readonly type: string
      readonly key?: string
      readonly nodes?: ReadonlyArray<object>
    }
    if (object !== "block" || type === "code-line") return []
    return [...(key === undefined ? [] : [key]), ...keysOf(children)]
  })

const contents = ({ nodes }: Document) =>
  nodes.map((node: Block) => toMarkdown({ object: "document", data: {}, nodes: [node] }))

const check = (property: fc.IProperty<unknown>) => fc.assert(property as fc.IProperty<[unknown]>, runs(300))

describe("reverting blocks", () => {
  it("of every key results in the earlier version", () => {
    check(
      fc.property(versions, ([base, current]) => {
        let document = current
        // The first pass reverts changes, and the second restores the deleted blocks whose keys named changes.
        for (let pass = 0; pass < 3; pass++) {
          const all = [...new Set([...keysOf(document.nodes), ...keysOf(base.nodes)])]
          document = fromMarkdown(toMarkdown(revertBlocks(document, base, all).document))
        }
        expect(toMarkdown(document)).toBe(toMarkdown(base))
      })
    )
  })

  it("of no key, or without a difference, changes nothing", () => {
    check(
      fc.property(versions, ([base, current]) => {
        expect(revertBlocks(current, base, [])).toEqual({
          document: current,
          isChanged: false,
          unknownKeys: []
        })
        expect(revertBlocks(base, base, keysOf(base.nodes)).isChanged).toBe(false)
      })
    )
  })

  it("of one key changes no other block", () => {
    check(
      fc.property(versions, place, ([base, current], index) => {
        const keys = current.nodes.map(({ key }) => key!)
        const at = index % Math.max(1, keys.length)
        if (keys.length === 0) return
        const before = contents(current)
        const after = contents(revertBlocks(current, base, [keys[at]!]).document)
        const others = [before.slice(0, at), before.slice(at + 1)]
        // The block is replaced, removed, moved, unchanged, or the key names a deleted block, which is restored.
        const isOneBlock =
          (after.length === before.length &&
            before.every((text, other) => other === at || text === after[other])) ||
          after.join("\0") === others.flat().join("\0") ||
          [...after].sort().join("\0") === [...before].sort().join("\0") ||
          after.some((_, restored) => after.toSpliced(restored, 1).join("\0") === before.join("\0"))
        expect([before, after, isOneBlock]).toEqual([before, after, true])
      })
    )
  })

  const revert = (base: string, current: string, ...keys: ReadonlyArray<string>) =>
    toMarkdown(revertBlocks(fromMarkdown(current), fromMarkdown(base), keys).document)

  it("removes added, replaces changed, restores deleted and moves back moved blocks", () => {
    const base = "One.\n\nTwo.\n\nThree.\n"
    expect(revert(base, "One.\n\nNew.\n\nTwo.\n\nThree.\n", "1")).toBe(base)
    expect(revert(base, "One.\n\nSecond.\n\nThird.\n", "1")).toBe("One.\n\nTwo.\n\nThird.\n")
    expect(revert(base, "One.\n\nThree.\n", "1")).toBe(base)
    expect(revert(base, "Three.\n\nOne.\n\nTwo.\n", "0")).toBe(base)
    expect(revert(base, "", "0", "2")).toBe("One.\n\nThree.\n")
    expect(revert("", base, "1")).toBe("One.\n\nThree.\n")
  })

  it("reverts items of lists and blocks of quotes separately", () => {
    expect(revert("- a\n- b\n- c\n", "- a\n- changed\n- c\n- d\n", "0.1")).toBe("- a\n- b\n- c\n- d\n")
    expect(revert("- a\n- b\n- c\n", "- a\n- changed\n- c\n- d\n", "0.3")).toBe("- a\n- changed\n- c\n")
    expect(revert("> One.\n>\n> Two.\n", "> First.\n>\n> Second.\n", "0.1")).toBe("> First.\n>\n> Two.\n")
  })

  it("restores the definitions and footnotes that restored blocks need, and no others", () => {
    const base =
      "See [it][one][^1].\n\nSee [two][two].\n\n[one]: https://one.example\n\n[two]: https://two.example\n\n[^1]: Note.\n"
    const reverted = revert(base, "Nothing.\n\nSee nothing.\n", "0")
    expect(reverted).toContain("https://one.example")
    expect(reverted).toContain("[^1]: Note.")
    expect(reverted).not.toContain("two.example")
  })

  it("reports the keys that no block has", () => {
    const { unknownKeys } = revertBlocks(fromMarkdown("One."), fromMarkdown("One.\n\nTwo."), [
      "0",
      "1",
      "2",
      "x"
    ])
    expect(unknownKeys).toEqual(["2", "x"])
  })
})
