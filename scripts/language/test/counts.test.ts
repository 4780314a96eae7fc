/** The ratchet: counts fall, and never rise. */
import { appendFileSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { countFindings, readCounts, rejectedRises, risesOf, totalOf, writeCounts } from "../counts.ts"
import type { Measure } from "../Finding.ts"

const counts = (places: Readonly<Record<string, number>>, measure: Measure = "internal") =>
  countFindings(
    Object.entries(places).flatMap(([folder, count]) =>
      Array.from({ length: count }, () => ({
        file: `${folder}/a.ts`,
        line: 1,
        rule: "keep",
        measure,
        found: "",
        instead: ""
      }))
    )
  )

describe("the committed counts", () => {
  it("fail for a folder that has risen, even if another one has fallen", () => {
    expect(risesOf(counts({ a: 2, b: 5 }), counts({ a: 3, b: 1 }))).toEqual([
      { folder: "a", measure: "internal", before: 2, now: 3 }
    ])
    expect(risesOf(counts({ a: 2 }), counts({ a: 1 }))).toEqual([])
  })

  it("count each measure separately", () => {
    expect(risesOf(counts({ a: 2 }, "internal"), counts({ a: 1 }, "public"))).toEqual([
      { folder: "a", measure: "public", before: 0, now: 1 }
    ])
  })

  it("are not raised by an update", () => {
    expect(rejectedRises(counts({ a: 2, b: 5 }), counts({ a: 3, b: 1 }))).toHaveLength(1)
  })

  it("move with files to a new folder, if the total does not rise", () => {
    expect(rejectedRises(counts({ a: 5 }), counts({ b: 5 }))).toEqual([])
    expect(rejectedRises(counts({ a: 5 }), counts({ b: 6 }))).toHaveLength(1)
    expect(rejectedRises(counts({ a: 5 }), counts({ a: 5, b: 1 }))).toHaveLength(1)
  })

  it("are read as written, and as the lower ones if a merge has left two lines", () => {
    const folder = mkdtempSync(join(tmpdir(), "lectern-counts-"))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, "counts.txt")
    expect(readCounts(file)).toBeUndefined()
    const written = new Map([...counts({ a: 2 }), ...counts({ b: 3 }, "public")])
    writeCounts(file, written)
    expect(readCounts(file)).toEqual(written)
    expect(totalOf(written, "public")).toBe(3)
    appendFileSync(file, "a internal=1 citations=4\n")
    expect(readCounts(file)).toEqual(new Map([...counts({ a: 1 }), ...counts({ b: 3 }, "public")]))
  })
})
