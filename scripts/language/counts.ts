/** The committed counts of findings per folder, which only fall. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { folderOf } from "./examine.ts"
import { type Finding, type Measure, measures } from "./Finding.ts"

/** Counts of findings by folder and measure. A folder without findings is absent. */
export type Counts = ReadonlyMap<string, Readonly<Record<Measure, number>>>

const none: Readonly<Record<Measure, number>> = { public: 0, undocumented: 0, citations: 0, internal: 0 }

/** Counts findings by folder. */
export const countFindings = (findings: ReadonlyArray<Finding>): Counts => {
  const counts = new Map<string, Record<Measure, number>>()
  for (const { file, measure } of findings) {
    const folder = folderOf(file)
    const row = counts.get(folder) ?? { ...none }
    row[measure] += 1
    counts.set(folder, row)
  }
  return counts
}

/** The count of a folder. */
export const countOf = (counts: Counts, folder: string, measure: Measure): number =>
  counts.get(folder)?.[measure] ?? 0

/** The count of all folders. */
export const totalOf = (counts: Counts, measure: Measure): number =>
  [...counts.values()].reduce((total, row) => total + row[measure], 0)

/** A count that is higher than the committed one. */
export interface Rise {
  readonly folder: string
  readonly measure: Measure
  readonly before: number
  readonly now: number
}

/** The folders whose counts have risen. */
export const risesOf = (before: Counts, now: Counts): ReadonlyArray<Rise> =>
  [...now.keys()].sort().flatMap((folder) =>
    measures.flatMap((measure) => {
      const rise = {
        folder,
        measure,
        before: countOf(before, folder, measure),
        now: countOf(now, folder, measure)
      }
      return rise.now > rise.before ? [rise] : []
    })
  )

/** The rises that an update rejects: the rises in folders that had counts, and all if the total has risen. */
export const rejectedRises = (before: Counts, now: Counts): ReadonlyArray<Rise> =>
  risesOf(before, now).filter(
    ({ folder, measure }) => before.has(folder) || totalOf(now, measure) > totalOf(before, measure)
  )

const parseRow = (line: string): readonly [folder: string, counts: Readonly<Record<Measure, number>>] => {
  const [folder = "", ...fields] = line.split(/\s+/)
  const counts = fields.map((field) => field.split("="))
  return [
    folder,
    { ...none, ...Object.fromEntries(counts.map(([measure, count]) => [measure, Number(count)])) }
  ]
}

/**
 * Reads committed counts, or returns undefined if the file does not exist. Of a folder with two lines, which a merge in
 * git leaves, the lower counts are used.
 */
export const readCounts = (file: string): Counts | undefined => {
  if (!existsSync(file)) return undefined
  const counts = new Map<string, Readonly<Record<Measure, number>>>()
  for (const line of readFileSync(file, "utf8").split("\n")) {
    if (line === "" || line.startsWith("#")) continue
    const [folder, row] = parseRow(line)
    const other = counts.get(folder) ?? row
    const lower = measures.map((measure) => [measure, Math.min(row[measure], other[measure])])
    counts.set(folder, { ...none, ...Object.fromEntries(lower) })
  }
  return counts
}

const header =
  "# Findings of `npm run check:language` by folder. Lowered by `npm run check:language -- --update`."

/** Writes counts, a line per folder, so that changes of different folders merge without conflicts. */
export const writeCounts = (file: string, counts: Counts): void => {
  const lines = [...counts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([folder, row]) =>
      [
        folder,
        ...measures.filter((measure) => row[measure] > 0).map((measure) => `${measure}=${row[measure]}`)
      ].join(" ")
    )
  writeFileSync(file, `${[header, ...lines].join("\n")}\n`)
}
