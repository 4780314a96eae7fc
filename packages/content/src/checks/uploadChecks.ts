/** Checks uploads: that the bytes of complete ones exist. */

import { type Check, type Examination, examination, type Scan } from "@lectern/kernel"
import { stagedUploads } from "@lectern/kernel/tables"
import { Effect } from "effect"
import { findExistingBlobs } from "./findExistingBlobs.ts"
import { reachableBlobs } from "./ReachableBlobs.ts"

const uploadCheck: Check = {
  name: "staged-uploads",
  invariant: "The bytes of an upload exist until it expires.",
  source: "docs/decisions/0063-uploads.md"
}

const uploadExamination: Examination = examination(
  stagedUploads,
  [uploadCheck],
  Effect.fnUntraced(function* ({ records, state }, rows) {
    const reachable = state(reachableBlobs)
    const hashes = rows.flatMap(({ hash }) => hash ?? [])
    for (const hash of hashes) reachable.add(hash)
    const existing = yield* findExistingBlobs(records, hashes)
    return rows.flatMap(({ id, hash }) =>
      hash === null || existing.has(hash)
        ? []
        : [{ check: uploadCheck, row: { id }, message: `references the blob ${hash}, which is missing` }]
    )
  })
)

/** Scans uploads. It must run before the scans of files of several chunks and of blobs. */
export const uploadScan: Scan = { what: "uploads", over: stagedUploads, examinations: [uploadExamination] }
