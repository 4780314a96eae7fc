/** Stores the bodies and the files of a repository. */

import { type BlobHash, chunkSize, hashOf, type StorageUnavailable } from "@lectern/kernel"
import type { Outline } from "@lectern/markdown/outline"
import { Effect, Stream } from "effect"
import type { PlanServices } from "./planRepository.ts"

/** The functions that store bytes. */
export interface StoredBytes {
  /** The outlines of the stored bodies. */
  readonly outlines: ReadonlyMap<BlobHash, Outline>
  /** Stores a body with its outline, unless its hash is `before`. Returns its hash; undefined for an empty body. */
  readonly storeBody: (
    text: string,
    before: BlobHash | undefined
  ) => Effect.Effect<BlobHash | undefined, StorageUnavailable>
  /** Stores a file, and returns its hash. */
  readonly storeSource: (bytes: Uint8Array) => Effect.Effect<BlobHash, StorageUnavailable>
}

const encoder = new TextEncoder()

/** Creates the functions that store the bytes of an import. */
export const makeStoredBytes = ({
  store,
  outlines
}: Pick<PlanServices, "store" | "outlines">): StoredBytes => {
  const parsed = new Map<BlobHash, Outline>()
  return {
    outlines: parsed,
    storeBody: Effect.fnUntraced(function* (text, before) {
      if (text === "") return undefined
      const bytes = encoder.encode(text)
      const hash = hashOf(bytes)
      if (hash === before) return hash
      yield* store.blobs.put([bytes])
      parsed.set(hash, yield* outlines.parse(text))
      return hash
    }),
    storeSource: Effect.fnUntraced(function* (bytes) {
      if (bytes.length <= chunkSize) return (yield* store.blobs.put([bytes]))[0]!
      const stored = yield* store.files.write(Stream.make(bytes))
      yield* store.files.link(stored)
      return stored.hash
    })
  }
}
