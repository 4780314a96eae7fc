/** Properties of differences between lines, and of three-way merges of text. */

import { runs } from "@lectern/harness"
import { diffLines, mergeTexts, mergeTextsInSteps } from "@lectern/markdown/merge"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

describe("differences between lines", () => {
  const numbers = fc.array(fc.nat({ max: 4 }), { maxLength: 40 })

  const hunksOf = (base: ReadonlyArray<number>, side: ReadonlyArray<number>) => {
    const steps = diffLines(Int32Array.from(base), Int32Array.from(side), 5)
    for (;;) {
      const step = steps.next()
      if (step.done === true) return step.value
    }
  }

  /** The smallest number of lines to remove and add, computed from a table of all prefixes. */
  const distance = (base: ReadonlyArray<number>, side: ReadonlyArray<number>): number => {
    let previous = Array.from({ length: side.length + 1 }, (_, i) => i)
    for (const [i, line] of base.entries()) {
      const next = [i + 1]
      for (const [j, other] of side.entries()) {
        next.push(line === other ? previous[j]! : Math.min(previous[j + 1]!, next[j]!) + 1)
      }
      previous = next
    }
    return previous.at(-1)!
  }

  it("make the side of the base, with the fewest lines removed and added", () =>
    fc.assert(
      fc.property(numbers, numbers, (base, side) => {
        const result: Array<number> = []
        let [at, edits] = [-1, 0]
        for (const { start, end, sideStart, sideEnd } of hunksOf(base, side)) {
          // An unchanged line separates it from the previous one.
          expect(start).toBeGreaterThan(at)
          result.push(...base.slice(Math.max(at, 0), start), ...side.slice(sideStart, sideEnd))
          expect(result).toHaveLength(sideEnd)
          edits += end - start + sideEnd - sideStart
          at = end
        }
        expect([...result, ...base.slice(Math.max(at, 0))]).toEqual(side)
        expect(edits).toBe(distance(base, side))
      }),
      runs(500)
    ))
})

describe("a merge of text", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 8 }).map((all) => all.join("\n"))

  it("with an unchanged side returns the other side, and of equal sides that side", () =>
    fc.assert(
      fc.property(lines, lines, (base, side) => {
        expect(mergeTexts(base, base, side)).toEqual({ _tag: "Merged", text: side })
        expect(mergeTexts(base, side, base)).toEqual({ _tag: "Merged", text: side })
        expect(mergeTexts(base, side, side)).toEqual({ _tag: "Merged", text: side })
      })
    ))

  it("has the paragraphs that either side changed, added or removed, unless adjacent paragraphs conflict", () =>
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom("keep", "edit", "add", "remove"), fc.boolean()), { maxLength: 12 }),
        (all) => {
          const textOf = (side: boolean | undefined) =>
            all
              .flatMap(([edit, editor], index) => {
                const own = `Paragraph ${index}.`
                if (side !== undefined && side !== editor) return [own]
                switch (side === undefined ? "keep" : edit) {
                  case "edit":
                    return [`Changed ${index}.`]
                  case "add":
                    return [own, `Added ${index}.`]
                  case "remove":
                    return []
                  default:
                    return [own]
                }
              })
              .join("\n\n")
          const both = all
            .flatMap(([edit], index) =>
              edit === "edit"
                ? [`Changed ${index}.`]
                : edit === "add"
                  ? [`Paragraph ${index}.`, `Added ${index}.`]
                  : edit === "remove"
                    ? []
                    : [`Paragraph ${index}.`]
            )
            .join("\n\n")
          const merged = mergeTexts(textOf(undefined), textOf(true), textOf(false))
          // Edits of adjacent paragraphs by different sides conflict. Every other merge has all edits.
          if (merged._tag === "Merged") expect(merged.text).toBe(both)
          const editors = all.map(([edit, editor]) => (edit === "keep" ? undefined : editor))
          const isConflicting = editors.some(
            (editor, i) => editor !== undefined && editors[i + 1] === !editor
          )
          if (!isConflicting) expect(merged._tag).toBe("Merged")
        }
      ),
      runs(500)
    ))

  it("has the edits at both ends of long inputs, also if all lines are equal", () => {
    const blank = "\n".repeat(50_000)
    expect(mergeTexts(blank, `first${blank}`, `${blank}last`)).toEqual({
      _tag: "Merged",
      text: `first${blank}last`
    })
    const prose = Array.from({ length: 20_000 }, (_, i) => `Line ${i}.\n`).join("\n")
    expect(mergeTexts(prose, `First.\n${prose}`, `${prose}\nLast.`)).toEqual({
      _tag: "Merged",
      text: `First.\n${prose}\nLast.`
    })
  })

  it("returns the same if the sides are exchanged", () =>
    fc.assert(
      fc.property(lines, lines, lines, (base, one, other) => {
        const [a, b] = [mergeTexts(base, one, other), mergeTexts(base, other, one)]
        expect(a._tag).toBe(b._tag)
        if (a._tag === "Merged") expect(a).toEqual(b)
      })
    ))

  it("takes long inputs in steps, so that others can run", () => {
    const base = Array.from({ length: 100_000 }, (_, i) => `Line ${i}.`)
    const steps = mergeTextsInSteps(
      base.join("\n"),
      base.map((line, i) => (i % 7 === 0 ? `One ${line}` : line)).join("\n"),
      base.map((line, i) => (i % 7 === 3 ? `Other ${line}` : line)).join("\n")
    )
    let count = 0
    let step = steps.next()
    for (; step.done !== true; step = steps.next()) count++
    expect(step.value._tag).toBe("Merged")
    expect(count).toBeGreaterThan(20)
  })
})

describe("a merge of the words of a line", () => {
  const word = fc.constantFrom("one", "two", "three", "**four**", "five,", "six.", "[seven](eight.md)")
  const sentence = fc.array(fc.tuple(word, fc.constantFrom("keep", "primary", "change")), {
    minLength: 1,
    maxLength: 12
  })
  const textOf = (
    words: typeof sentence extends fc.Arbitrary<infer A> ? A : never,
    sides: ReadonlyArray<string>
  ) =>
    words.map(([text, editor], at) => (sides.includes(editor) ? `${editor}${at}` : `${text}${at}`)).join(" ")

  it("has the words that either side changed, unless both changed adjacent words", () =>
    fc.assert(
      fc.property(sentence, (words) => {
        const merged = mergeTexts(textOf(words, []), textOf(words, ["primary"]), textOf(words, ["change"]))
        const touches = words.some(([, editor], at) => {
          const next = words[at + 1]?.[1]
          return editor !== "keep" && next !== undefined && next !== "keep" && editor !== next
        })
        if (touches) expect(merged._tag).toBe("Conflict")
        else expect(merged).toEqual({ _tag: "Merged", text: textOf(words, ["primary", "change"]) })
      }),
      runs(500)
    ))

  it.each([
    ["a fenced code block", "```ts\n", "\n```"],
    ["a code block in a list item", "- ~~~\n  ", "\n  ~~~"],
    ["indented code", "    ", ""],
    ["math", "$$\n", "\n$$"],
    ["a table", "| a |\n| - |\n| ", " |"],
    ["HTML", '<p align="center">', "</p>"],
    ["a block tag", '{% hint style="', '" %}'],
    ["a definition of a link", "[label]: /", ' "Title"']
  ])("is a conflict in %s", (_, before, after) => {
    const around = (text: string) => `${before}${text}${after}`
    const merged = mergeTexts(around("one two three"), around("1 two three"), around("one two 3"))
    expect(merged._tag).toBe("Conflict")
  })

  it("merges paragraphs, headings, list items and quotes, also after a code block", () => {
    for (const start of ["", "# ", "- ", "1. ", "> ", "```\ncode\n```\n", "$$a$$\n"]) {
      expect(mergeTexts(`${start}one two three`, `${start}1 two three`, `${start}one two 3`)).toEqual({
        _tag: "Merged",
        text: `${start}1 two 3`
      })
    }
  })

  it("merges the tag of a block with a change of the lines next to it", () => {
    const hint = (style: string, text: string) =>
      `Before\n{% hint style="${style}" %}\n${text}\n{% endhint %}\nAfter`
    expect(mergeTexts(hint("info", "Text"), hint("danger", "Text"), hint("info", "Other\nlines"))).toEqual({
      _tag: "Merged",
      text: hint("danger", "Other\nlines")
    })
    const details = (open: string, summary: string, text: string) =>
      `<details${open}>\n<summary>${summary}</summary>\n${text}\n</details>`
    expect(mergeTexts(details("", "A", "1"), details(" open", "A", "2"), details("", "B", "1"))).toEqual({
      _tag: "Merged",
      text: details(" open", "B", "2")
    })
  })

  it("has the blocks that either side changed, unless both changed the same block", () => {
    const block = fc.tuple(
      fc.constantFrom("keep", "primary", "change", "both"),
      fc.constantFrom("hint", "tab", "text")
    )
    const textOf = (blocks: ReadonlyArray<readonly [string, string]>, sides: ReadonlyArray<string>) =>
      blocks
        .map(([editor, kind], at) => {
          const value = sides.find((side) => side === editor || editor === "both") ?? "base"
          return kind === "text" ? `${value}-${at}` : `{% ${kind} id="${at}" title="${value}" %}`
        })
        .join("\n")
    fc.assert(
      fc.property(fc.array(block, { maxLength: 8 }), (blocks) => {
        // Consecutive lines of text are one block.
        const separate = blocks.filter(([, kind], at) => kind !== "text" || blocks[at - 1]?.[1] !== "text")
        const merged = mergeTexts(
          textOf(separate, []),
          textOf(separate, ["primary"]),
          textOf(separate, ["change"])
        )
        if (separate.some(([editor]) => editor === "both")) expect(merged._tag).toBe("Conflict")
        else expect(merged).toEqual({ _tag: "Merged", text: textOf(separate, ["primary", "change"]) })
      }),
      runs(500)
    )
  })

  it("is a conflict if a side adds or removes a tag, or in the lines of a code block", () => {
    const hint = '{% hint style="info" %}\nText\n{% endhint %}'
    expect(mergeTexts(hint, "Text", hint.replace("Text", "Other"))._tag).toBe("Conflict")
    const code = (tag: string, text: string) => `\`\`\`\n{% ${tag} %}\n${text}\n\`\`\``
    expect(mergeTexts(code("a", "b"), code("c", "b"), code("a", "d"))._tag).toBe("Conflict")
  })

  it("names the block of a conflict", () => {
    const page = (text: string) =>
      `{% tabs %}\n{% tab title="A" %}\n{% file src="a" %}\n{% endtab %}\n{% endtabs %}\n\n{% hint %}\n${text}\n{% endhint %}`
    expect(mergeTexts(page("a"), page("b"), page("c"))).toMatchObject({
      regions: [{ line: 8, block: "hint" }]
    })
    expect(mergeTexts("a", "b", "c")).toEqual({
      _tag: "Conflict",
      regions: [{ line: 1, base: ["a"], primary: ["b"], change: ["c"] }]
    })
  })

  it("is a conflict if a side also added a line", () => {
    expect(mergeTexts("* one two three", "- one two three", "* one two 3\n* four")._tag).toBe("Conflict")
  })
})
