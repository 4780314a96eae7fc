/** Chunks of files: columns of bytes hold a chunk, and rows are read without them. */
import { chunkSize } from "@lectern/core"
import { Effect } from "effect"
import { expect } from "vitest"
import { type ConformanceTest, exampleTest } from "./ConformanceTest.ts"
import { eq, insertRows, listColumn, removeRows } from "./examples.ts"
import { folders, notes } from "./tables.ts"
import { makeFolder, makeNote } from "./values.ts"

/** The number of chunks of the file. */
const count = 4

/** Creates bytes with every value, which differ from each other chunk. */
const chunkOf = (number: number, length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, at) => (at + (at >> 8) + number * 7) & 0xff)

/** The chunks of a file: all of the size of a chunk except for the last. */
const chunks = Array.from({ length: count }, (_, number) =>
  chunkOf(number, number === count - 1 ? 12_345 : chunkSize)
)

const insertChunks = Effect.gen(function* () {
  yield* insertRows(folders, makeFolder("1"))
  for (const [number, image] of chunks.entries()) yield* insertRows(notes, makeNote("1", number, { image }))
})

/** Conformance tests of chunks of files. */
export const chunkTests: ReadonlyArray<ConformanceTest> = [
  exampleTest(
    "a column of bytes holds a chunk of a file, and returns its bytes",
    Effect.gen(function* () {
      yield* insertChunks
      const found = (yield* listColumn(notes, "image", { orderBy: ["number"] })) as ReadonlyArray<Uint8Array>
      expect(found.map((bytes) => bytes.length)).toEqual(chunks.map(({ length }) => length))
      for (const [number, bytes] of found.entries()) {
        expect(Buffer.compare(bytes, chunks[number]!), `chunk ${number}`).toBe(0)
      }
    })
  ),
  exampleTest(
    "a chunk is read and removed by its key, and the others remain",
    Effect.gen(function* () {
      yield* insertChunks
      yield* removeRows(notes, eq("number", 1))
      const [last] = (yield* listColumn(notes, "image", {
        where: eq("number", count - 1)
      })) as ReadonlyArray<Uint8Array>
      expect(Buffer.compare(last!, chunks[count - 1]!)).toBe(0)
      expect(yield* listColumn(notes, "number", { orderBy: ["number"] })).toEqual([0, 2, 3])
    })
  )
]
