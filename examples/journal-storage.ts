/**
 * A store that is not SQL: a journal, a file in which each line has the changes of a commit. Its rows are in memory. It is a template
 * for key-value stores and object stores: replace `load` and `commit`.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
  writeSync
} from "node:fs"
import { type RecordsAdapter, StorageUnavailable, type Table } from "@lectern/core"
import { MemoryStorage, type RowChanges } from "@lectern/testkit"
import { Effect, Layer } from "effect"

/** Encodes bytes, which JSON does not have. */
const encode = (changes: ReadonlyArray<RowChanges>): string =>
  JSON.stringify(changes, (_, value: unknown) =>
    value instanceof Uint8Array ? { $bytes: Buffer.from(value).toString("base64") } : value
  )

const decode = (line: string): ReadonlyArray<RowChanges> =>
  JSON.parse(line, (_, value: unknown) =>
    typeof value === "object" && value !== null && "$bytes" in value
      ? Uint8Array.from(Buffer.from(String(value.$bytes), "base64"))
      : value
  ) as ReadonlyArray<RowChanges>

/** Reads the complete lines, and removes an incomplete last one: the process ended before its commit was acknowledged. */
const readJournal = (filename: string): ReadonlyArray<RowChanges> => {
  if (!existsSync(filename)) return []
  const text = readFileSync(filename, "utf8")
  const end = text.lastIndexOf("\n") + 1
  if (end < text.length) truncateSync(filename, Buffer.byteLength(text.slice(0, end)))
  return text.slice(0, end).split("\n").slice(0, -1).flatMap(decode)
}

const unavailable = (cause: unknown): StorageUnavailable =>
  new StorageUnavailable({ reason: "Unreachable", detail: "The journal cannot be read or written.", cause })

/** Appends a line, which is on the disk when this returns. */
const append = (file: number, line: string): void => {
  const bytes = Buffer.from(`${line}\n`)
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
  fsyncSync(file)
}

/** Returns a store in a journal. One process can open it at a time. */
export const journalStorage = (
  filename: string,
  tables?: ReadonlyArray<Table.AnyTable>
): Layer.Layer<RecordsAdapter, StorageUnavailable> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const changes = yield* Effect.try({ try: () => readJournal(filename), catch: unavailable })
      const file = yield* Effect.acquireRelease(
        Effect.try({ try: () => openSync(filename, "a"), catch: unavailable }),
        (opened) => Effect.sync(() => closeSync(opened))
      )
      let failed: unknown
      return MemoryStorage.persisted(
        {
          load: Effect.succeed(changes),
          commit: (committed) =>
            Effect.try({
              try: () => {
                // After a failure, it is unknown how much of a line was written: only a restart removes it.
                if (failed !== undefined) throw failed
                append(file, encode(committed))
              },
              catch: (cause) => {
                failed = cause
                return unavailable(cause)
              }
            })
        },
        tables
      )
    })
  )

/** Rewrites a journal that is not open as one line, without the changes that later ones replaced. */
export const compact = (filename: string): void => {
  const tables = new Map<string, { rows: Map<string, RowChanges["put"][number][1]>; lastGenerated: number }>()
  for (const { table, put, removed, lastGenerated } of readJournal(filename)) {
    const found = tables.get(table) ?? { rows: new Map(), lastGenerated: 0 }
    tables.set(table, found)
    for (const [key, row] of put) found.rows.set(key, row)
    for (const key of removed) found.rows.delete(key)
    found.lastGenerated = lastGenerated
  }
  const changes = [...tables].map(
    ([table, { rows, lastGenerated }]): RowChanges => ({ table, put: [...rows], removed: [], lastGenerated })
  )
  writeFileSync(`${filename}.new`, `${encode(changes)}\n`, { flush: true })
  renameSync(`${filename}.new`, filename)
}
