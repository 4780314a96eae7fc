/** Checks the content of revisions: that nothing is missing, that maps are canonical, and that pages form a tree. */

import {
  type BlobHash,
  blobs,
  byId,
  type Check,
  type Examination,
  examination,
  hashOf,
  inBatches,
  type Light,
  type Problem,
  type Scan
} from "@lectern/kernel"
import { revisions } from "@lectern/kernel/tables"
import { Effect } from "effect"
import { emptyRoot } from "../MerkleNode.ts"
import { automaticSaveExamination } from "./automaticSaveChecks.ts"
import { type FlawKind, findContentFlaws } from "./contentFlaws.ts"
import { findExistingBlobs } from "./findExistingBlobs.ts"
import { nodeReader } from "./NodeReader.ts"
import { reachableBlobs } from "./ReachableBlobs.ts"
import { readBlobs } from "./readBlobs.ts"
import { type Differences, findDifferences } from "./revisionDifferences.ts"

const blobBytesCheck: Check = {
  name: "blob-bytes",
  invariant: "The bytes of a blob have the hash that they are stored under.",
  source: "kernel/storage/Blobs.ts"
}

const referencesCheck: Check = {
  name: "content-reaches",
  invariant:
    "Everything that the content of a revision references by hash exists: nodes, Markdown of pages, bytes of files.",
  source: "docs/decisions/0009-content-and-revisions.md"
}

const mapCheck: Check = {
  name: "content-map",
  invariant:
    "The map of a revision is canonical: its keys determine its nodes and their encoding, so that equal contents have equal hashes.",
  source: "content/MerkleMap.ts"
}

const recordsCheck: Check = {
  name: "content-records",
  invariant:
    "The map of a revision contains valid records of pages, files and reusable contents, and the indexes of pages.",
  source: "model/content/ContentRecord.ts"
}

const indexesCheck: Check = {
  name: "content-indexes",
  invariant: "The indexes by place and by slug contain exactly the pages of a revision.",
  source: "model/content/ContentRecord.ts"
}

const slugsCheck: Check = {
  name: "content-slugs",
  invariant: "The slugs of the pages under one parent are unique.",
  source: "docs/decisions/0009-content-and-revisions.md"
}

const orderCheck: Check = {
  name: "content-order",
  invariant: "No two pages of one parent have the same position.",
  source: "content/edit/pagePlacement.ts"
}

const treeCheck: Check = {
  name: "content-tree",
  invariant:
    "The pages of a revision form a tree: parents exist and are documents or groups, there are no cycles, and groups are at the root.",
  source: "docs/decisions/0009-content-and-revisions.md"
}

const checkOf: Record<FlawKind, Check> = {
  records: recordsCheck,
  indexes: indexesCheck,
  slugs: slugsCheck,
  order: orderCheck,
  tree: treeCheck
}

/** The number of revisions that are compared concurrently. Their differences are in memory. */
const revisionBatchSize = 16

/** The number of blobs per batch, which are in memory together. Each can be as large as a request. */
const blobBatchSize = 16

/** The hashes that changed records reference. */
const referencesOf = ({ entries }: Differences): ReadonlyArray<BlobHash> =>
  [...entries.values()].flatMap(({ after }) => {
    const { body, hash, source } = (after ?? {}) as { readonly [field: string]: unknown }
    return [body, hash, source].filter((reference): reference is BlobHash => typeof reference === "string")
  })

/** The id of the revision that a revision is compared with: its first parent, if it is older. */
const baseOf = ({ id, parents }: Light<typeof revisions>): string | undefined =>
  parents[0] !== undefined && parents[0] < id ? parents[0] : undefined

const revisionExamination: Examination = examination(
  revisions,
  [referencesCheck, mapCheck, recordsCheck, indexesCheck, slugsCheck, orderCheck, treeCheck],
  Effect.fnUntraced(function* (tools, rows) {
    const { records: store } = tools
    const nodes = tools.state(nodeReader)
    const reachable = tools.state(reachableBlobs)
    const bases = yield* byId(store, revisions, rows.map(baseOf), ["root"])
    const all = yield* findDifferences(
      nodes,
      rows.map((row) => ({ before: bases.get(baseOf(row) ?? "")?.root ?? emptyRoot, after: row.root }))
    )
    const references = all.map(referencesOf)
    const existing = yield* findExistingBlobs(store, references.flat())
    const problems: Array<Problem> = []
    for (const [index, row] of rows.entries()) {
      const { newNodes, missing, malformed, entries } = all[index]!
      for (const hash of [...newNodes, ...references[index]!]) reachable.add(hash)
      const absent = [...missing, ...new Set(references[index]!.filter((hash) => !existing.has(hash)))]
      problems.push(
        ...absent.map((hash) => ({
          check: referencesCheck,
          row,
          message: `references the blob ${hash}, which is missing`
        })),
        ...[...new Set(malformed)].map((message) => ({
          check: mapCheck,
          row,
          message: `has the malformed node ${message}`
        }))
      )
      // The entries of an unreadable map are unknown.
      if (missing.length > 0 || malformed.length > 0) continue
      for (const { kind, message } of yield* findContentFlaws(nodes, row.root, entries)) {
        problems.push({ check: checkOf[kind], row, message })
      }
    }
    return problems
  }),
  { maximumRows: revisionBatchSize, isLong: true, corruptedIdOf: ({ space }) => space }
)

const blobExamination: Examination = examination(
  blobs,
  [blobBytesCheck],
  Effect.fnUntraced(function* ({ records: store }, rows) {
    const problems: Array<Problem> = []
    for (const list of inBatches(rows.map(({ hash }) => hash))) {
      for (const [hash, bytes] of yield* readBlobs(store, list)) {
        if (bytes !== undefined && hashOf(bytes) === hash) continue
        problems.push({
          check: blobBytesCheck,
          row: { hash },
          message:
            bytes === undefined ? "has bytes that cannot be decoded" : "has bytes with a different hash"
        })
      }
    }
    return problems
  }),
  { maximumRows: blobBatchSize, isLong: true, corruptedIdOf: ({ hash }) => hash }
)

/** Scans the content of all revisions. */
export const revisionScan: Scan = {
  what: "content of revisions",
  over: revisions,
  examinations: [revisionExamination, automaticSaveExamination]
}

/** Scans all blobs, and counts the unreachable ones. It must run after {@link revisionScan}. */
export const blobScan: Scan = {
  what: "blobs",
  over: blobs,
  examinations: [blobExamination],
  countBlobs: (tools, rows) => {
    const reachable = tools.state(reachableBlobs)
    return {
      blobs: rows.length,
      unreached: rows.filter(({ hash }) => !reachable.has(hash as BlobHash)).length
    }
  }
}
