/**
 * Counts the bytes of content: of every version of the Markdown and the files, uncompressed. A revision adds the versions that are
 * new in it. A version that is written again counts again, until the space is counted.
 */

import { type GrantedReader, OrganizationQuotas, requireQuota } from "@lectern/access"
import type { Json, MerkleMaps } from "@lectern/content"
import type { BlobHash, Blobs, StorageUnavailable } from "@lectern/kernel"
import { type FileRecord, type PageRecord, recordOf } from "@lectern/kernel/tables"
import type { Forbidden } from "@lectern/model/errors"
import type { OrganizationId } from "@lectern/model/organizations"
import { Effect } from "effect"

/** The blobs and the file that a record of content refers to. */
export interface RecordReferences {
  /** The hashes of Markdown, and of the sources of imported pages. */
  readonly blobs: ReadonlyArray<BlobHash>
  /** The file, which can have several chunks. */
  readonly file: Pick<FileRecord, "hash" | "size"> | undefined
}

/** Returns the references of an entry of a map. */
export const referencesOf = (key: string, value: Json | undefined): RecordReferences => {
  const kind = recordOf(key)?.kind
  if (kind === undefined || value === undefined || value === null) return { blobs: [], file: undefined }
  const { body, source, hash, size } = value as Partial<PageRecord & FileRecord>
  const texts = [body, source, ...(kind === "source" ? [hash] : [])]
  return {
    blobs: texts.filter((text) => text !== undefined),
    file: kind === "file" ? { hash: hash!, size: size! } : undefined
  }
}

/** The roots of a revision and of its predecessor, and of another revision that has been counted. */
export interface CountedRoots {
  readonly before: BlobHash
  readonly after: BlobHash
  readonly other?: BlobHash
}

/** Counts the bytes that a revision adds: see {@link makeAddedBytes}. */
export type AddedBytes = (
  records: GrantedReader,
  organization: OrganizationId,
  roots: CountedRoots
) => Effect.Effect<number, Forbidden | StorageUnavailable>

/** Creates the function that counts the bytes that a revision adds, and enforces the quota of the organization. */
export const makeAddedBytes = Effect.map(
  OrganizationQuotas,
  (quotas) =>
    (maps: MerkleMaps, blobs: Blobs["Service"]): AddedBytes =>
      /**
       * Returns the bytes of the versions that `after` has, and neither `before` nor `other`. Fails with `Forbidden` if the
       * organization would exceed its quota. Call it in the transaction that adds the bytes to the row of the content.
       */
      Effect.fnUntraced(function* (
        records: GrantedReader,
        organization: OrganizationId,
        { before, after, other }: CountedRoots
      ): Effect.fn.Return<number, Forbidden | StorageUnavailable> {
        const files = new Map<BlobHash, number>()
        const texts = new Set<BlobHash>()
        for (const { key, before: old, after: value } of yield* maps.diff(before, after)) {
          const { blobs: added, file } = referencesOf(key, value)
          if (added.length === 0 && file === undefined) continue
          const known = [referencesOf(key, old)]
          if (other !== undefined) known.push(referencesOf(key, yield* maps.get(other, key)))
          for (const hash of added) if (!known.some(({ blobs }) => blobs.includes(hash))) texts.add(hash)
          if (file !== undefined && !known.some(({ file: one }) => one?.hash === file.hash)) {
            files.set(file.hash, file.size)
          }
        }
        let added = 0
        for (const size of files.values()) added += size
        for (const size of (yield* blobs.sizes(texts)).values()) added += size
        yield* requireQuota(quotas, records, organization, "bytes", added)
        return added
      })
)
