/** The content of revisions: that it is whole, and that its pages are a tree (decision D7). */
import { Effect } from "effect"
import {
  type Check,
  type DoctorRecords,
  type Examination,
  examination,
  type Light,
  type Problem,
  type Scan
} from "../../../kernel/doctor/Check.ts"
import { byId, inBatches, rowsWith } from "../../../kernel/doctor/lookups.ts"
import { hashOf } from "../../../kernel/storage/Blobs.ts"
import { type BlobHash, blobs, type StorageUnavailable } from "../../../kernel/storage/index.ts"
import { revisions } from "../../../model/content/Revision.ts"
import { emptyRoot } from "../MerkleMap.ts"
import { type FlawKind, flawsOf } from "./contentFlaws.ts"
import { nodeReader } from "./NodeReader.ts"
import { reachableBlobs } from "./ReachableBlobs.ts"
import { type Differences, differences } from "./revisionDifferences.ts"

export const bytes: Check = {
  name: "blob-bytes",
  says: "What is at a hash are the bytes that have it.",
  source: "storage/Blobs.ts"
}

export const reaches: Check = {
  name: "content-reaches",
  says: "Whatever the content of a revision names by its hash is there: its nodes, the texts of its pages, the bytes of its files.",
  source: "D7"
}

export const map: Check = {
  name: "content-map",
  says: "The map of a revision is written and divided as its keys say, so that equal contents have equal hashes.",
  source: "content/MerkleMap.ts"
}

export const records: Check = {
  name: "content-records",
  says: "What the map of a revision holds are the records of pages, files and reusable contents, and the indexes of pages.",
  source: "content/records.ts"
}

export const indexes: Check = {
  name: "content-indexes",
  says: "The indexes by place and by slug have the pages of a revision in them, each at its own place, and nothing else.",
  source: "content/records.ts"
}

export const slugs: Check = {
  name: "content-slugs",
  says: "The slugs of the pages under one parent are unique.",
  source: "D7"
}

export const order: Check = {
  name: "content-order",
  says: "No two pages of one parent have the same position.",
  source: "content/edit/pagePlacement.ts"
}

export const tree: Check = {
  name: "content-tree",
  says: "The pages of a revision are a tree: under documents and groups that are there, none below itself, groups at the root.",
  source: "D7"
}

const checkOf: Record<FlawKind, Check> = { records, indexes, slugs, order, tree }

/** How many revisions are read side by side: what each made new is in memory then. */
const revisionsAtOnce = 16

/** How many blobs are in memory together: a file has as many bytes as a request may. */
const blobsAtOnce = 16

/** The hashes that the records of what differs name. */
const namedBy = ({ entries }: Differences): ReadonlyArray<BlobHash> =>
  [...entries.values()].flatMap(({ after }) => {
    const { body, hash } = (after ?? {}) as { readonly body?: unknown; readonly hash?: unknown }
    return [body, hash].filter((one): one is BlobHash => typeof one === "string")
  })

/** Those of the hashes at which there are bytes. */
const there = Effect.fnUntraced(function* (
  store: DoctorRecords,
  hashes: Iterable<BlobHash>
): Effect.fn.Return<ReadonlySet<BlobHash>, StorageUnavailable> {
  return new Set((yield* rowsWith(store, blobs, "hash", hashes, ["hash"])).map(({ hash }) => hash))
})

/** The content that a revision is compared with: of the one that it was made from, where that is an older one. */
const baseOf = ({ id, parents }: Light<typeof revisions>): string | undefined =>
  parents[0] !== undefined && parents[0] < id ? parents[0] : undefined

const ofRevisions: Examination = examination(
  revisions,
  [reaches, map, records, indexes, slugs, order, tree],
  Effect.fnUntraced(function* (tools, rows) {
    const { records: store } = tools
    const nodes = tools.state(nodeReader)
    const reached = tools.state(reachableBlobs)
    const bases = yield* byId(store, revisions, rows.map(baseOf), ["root"])
    const all = yield* differences(
      nodes,
      rows.map((row) => ({ before: bases.get(baseOf(row) ?? "")?.root ?? emptyRoot, after: row.root }))
    )
    const named = all.map(namedBy)
    const known = yield* there(store, named.flat())
    const problems: Array<Problem> = []
    for (const [index, row] of rows.entries()) {
      const { fresh, missing, malformed, entries } = all[index]!
      for (const hash of [...fresh, ...named[index]!]) reached.add(hash)
      const absent = [...missing, ...new Set(named[index]!.filter((hash) => !known.has(hash)))]
      problems.push(
        ...absent.map((hash) => ({ check: reaches, row, message: `names ${hash}, and there are no bytes` })),
        ...[...new Set(malformed)].map((message) => ({ check: map, row, message: `has the node ${message}` }))
      )
      // Of a map that cannot be read it is not known what is in it.
      if (missing.length > 0 || malformed.length > 0) continue
      for (const { kind, message } of yield* flawsOf(nodes, row.root, entries)) {
        problems.push({ check: checkOf[kind], row, message })
      }
    }
    return problems
  }),
  { atOnce: revisionsAtOnce, isLong: true, spoils: ({ space }) => space }
)

const ofBlobs: Examination = examination(
  blobs,
  [bytes],
  Effect.fnUntraced(function* ({ records: store }, rows) {
    const problems: Array<Problem> = []
    for (const list of inBatches(rows.map(({ hash }) => hash))) {
      for (const row of yield* rowsWith(store, blobs, "hash", list, ["hash", "bytes"])) {
        if (hashOf(row.bytes) === row.hash) continue
        problems.push({ check: bytes, row: { hash: row.hash }, message: "has bytes with another hash" })
      }
    }
    return problems
  }),
  { atOnce: blobsAtOnce, isLong: true, spoils: ({ hash }) => hash }
)

/** The pass over the content of revisions. */
export const revisionScan: Scan = {
  what: "content of revisions",
  over: revisions,
  examinations: [ofRevisions]
}

/** The pass over bytes, which counts those that no content reaches. */
export const blobScan: Scan = {
  what: "bytes",
  over: blobs,
  examinations: [ofBlobs],
  countBlobs: (tools, rows) => {
    const reachable = tools.state(reachableBlobs)
    return {
      blobs: rows.length,
      unreached: rows.filter(({ hash }) => !reachable.has(hash as BlobHash)).length
    }
  }
}
