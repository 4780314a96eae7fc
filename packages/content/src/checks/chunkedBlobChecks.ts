/** Checks files of several chunks: that their chunks exist and have the hash of the whole. */

import {
  type Check,
  type ChunkedBlobRow,
  chunkedBlobs,
  type Examination,
  examination,
  type Problem,
  type Scan
} from "@lectern/kernel"
import { makeSha256 } from "@lectern/kernel/sha256"
import { Effect } from "effect"
import { Base64Url } from "effect/encoding"
import { reachableBlobs } from "./ReachableBlobs.ts"
import { readBlobs } from "./readBlobs.ts"

const chunkedBlobCheck: Check = {
  name: "chunked-blobs",
  invariant:
    "The chunks of a file exist, have the declared sizes, and together have the hash that the file is stored under.",
  source: "docs/decisions/0043-chunked-files.md"
}

/** Describes the flaw of the chunk at an index; undefined if it has the expected size. */
const chunkFlaw = (
  { size, chunkSize }: Pick<ChunkedBlobRow, "size" | "chunkSize">,
  index: number,
  bytes: Uint8Array | undefined
): string | undefined => {
  if (bytes === undefined) return `lists the chunk ${index}, which is missing`
  const expected = Math.min(chunkSize, size - index * chunkSize)
  return bytes.length === expected
    ? undefined
    : `lists the chunk ${index} of ${bytes.length} bytes instead of ${expected}`
}

const chunkedBlobExamination: Examination = examination(
  chunkedBlobs,
  [chunkedBlobCheck],
  Effect.fnUntraced(function* ({ records, state }, rows) {
    const reachable = state(reachableBlobs)
    const problems: Array<Problem> = []
    for (const row of rows) {
      if (reachable.has(row.hash)) for (const chunk of row.chunks) reachable.add(chunk)
      const digest = makeSha256()
      let flaw =
        row.chunks.length === Math.ceil(row.size / row.chunkSize)
          ? undefined
          : `lists ${row.chunks.length} chunks for ${row.size} bytes`
      for (const [index, hash] of row.chunks.entries()) {
        if (flaw !== undefined) break
        // One at a time, so that memory stays flat.
        const chunk = (yield* readBlobs(records, [hash])).get(hash)
        flaw = chunkFlaw(row, index, chunk)
        if (chunk !== undefined) digest.add(chunk)
      }
      if (flaw === undefined && Base64Url.encode(digest.result()) !== row.hash) {
        flaw = "has chunks with a different hash"
      }
      if (flaw !== undefined)
        problems.push({ check: chunkedBlobCheck, row: { hash: row.hash }, message: flaw })
    }
    return problems
  }),
  { maximumRows: 8, isLong: true, corruptedIdOf: ({ hash }) => hash }
)

/** Scans the files of several chunks. It must run between the scans of revisions and uploads and that of blobs. */
export const chunkedBlobScan: Scan = {
  what: "files of several chunks",
  over: chunkedBlobs,
  examinations: [chunkedBlobExamination]
}
