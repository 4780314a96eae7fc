/** The merge of footnotes and definitions: what one side adds or changes is in the result. */

import { runs } from "@lectern/harness"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { mergeData } from "../src/saving/mergeData.ts"
import type { JsonObject } from "../src/schema/attributes.ts"

const notesOf = (texts: Readonly<Record<string, string>>): JsonObject => ({
  footnotes: Object.entries(texts).map(([label, text]) => ({ label, nodes: [text] }))
})

const textsOf = ({ footnotes }: JsonObject): Readonly<Record<string, ReadonlyArray<string>>> =>
  Object.fromEntries(
    (
      footnotes as unknown as ReadonlyArray<{ readonly label: string; readonly nodes: ReadonlyArray<string> }>
    ).map(({ label, nodes }) => [label, nodes])
  )

const texts = fc.dictionary(fc.constantFrom("1", "2", "note"), fc.constantFrom("a", "b", "c"), {
  noNullPrototype: true
})

describe("the data of a merged document", () => {
  it("has every footnote that a side added or changed, and none that a side removed unchanged", () => {
    fc.assert(
      fc.property(texts, texts, texts, (base, mine, theirs) => {
        const merged = textsOf(mergeData(notesOf(base), notesOf(mine), notesOf(theirs)))
        for (const label of ["1", "2", "note"]) {
          const [before, one, other] = [base[label], mine[label], theirs[label]]
          for (const side of [one, other])
            if (side !== undefined && side !== before) expect(merged[label]).toContain(side)
          if (one === before && other === undefined) expect(merged[label]).toBeUndefined()
          if (other === before && one === undefined) expect(merged[label]).toBeUndefined()
        }
      }),
      runs(200)
    )
  })

  it("is that of the other person if the writer did not change it, in its order", () => {
    const theirs = { ...notesOf({ z: "1", "2": "b" }), definitions: { a: "x" } }
    expect(mergeData({}, {}, theirs)).toEqual(theirs)
  })
})
