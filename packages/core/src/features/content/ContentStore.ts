/** Stores the content of revisions: their Merkle maps, and the Markdown and files that these refer to by hash. */

import { decodeNode, type MerkleMaps, makeMerkleMap, type Node } from "@lectern/content"
import {
  type BlobHash,
  type BlobReader,
  Blobs,
  ChunkedBlobs,
  cacheShare,
  type Records,
  type StorageUnavailable
} from "@lectern/kernel"
import { Context, Effect, Layer } from "effect"
import { type AddedBytes, makeAddedBytes } from "./contentBytes.ts"

/** The maximum size of the cache of map nodes, in bytes as stored. */
const nodeCacheBytes = 64 * 1024 * 1024

/** The maximum size of the cache of Markdown, in bytes. */
const textCacheBytes = 32 * 1024 * 1024

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** The methods of {@link ContentStore}. */
export interface ContentStoreService {
  /** Reads, writes and compares the maps of revisions. */
  readonly maps: MerkleMaps
  /**
   * Returns the bytes of the versions of Markdown and files that `after` has, and neither `before` nor `other`. Fails with
   * `Forbidden` if the organization would exceed its quota.
   */
  readonly addedBytes: AddedBytes
  /** Reads nodes of maps through a cache of 64 MiB. */
  readonly nodes: BlobReader<Node>
  /** Reads the Markdown of pages and reusable contents through a cache of 32 MiB. */
  readonly texts: BlobReader<string>
  /**
   * Stores Markdown and returns its hash; undefined for an empty string, which is not stored. `previous` is the hash of the
   * Markdown that it replaces: a small change is stored as the difference.
   */
  readonly putText: (
    text: string,
    previous?: BlobHash
  ) => Effect.Effect<BlobHash | undefined, StorageUnavailable>
  /** Reads and writes bytes of at most one chunk, without a cache. */
  readonly blobs: Blobs["Service"]
  /** Reads and writes files of any size. */
  readonly files: ChunkedBlobs["Service"]
}

/** Stores and caches the content of revisions. */
export class ContentStore extends Context.Service<ContentStore, ContentStoreService>()(
  "@lectern/core/ContentStore"
) {
  static readonly layer: Layer.Layer<ContentStore, never, Blobs | Records> = Layer.effect(
    ContentStore,
    Effect.gen(function* () {
      const [blobs, files] = yield* Effect.all([Blobs, ChunkedBlobs])
      const nodes = blobs.reader("content nodes", decodeNode, yield* cacheShare(nodeCacheBytes))
      const texts = blobs.reader(
        "page texts",
        (bytes) => decoder.decode(bytes),
        yield* cacheShare(textCacheBytes)
      )
      const maps = makeMerkleMap(blobs, nodes)
      const makeAdded = yield* makeAddedBytes
      const putMarkdown = Effect.fnUntraced(function* (text: string, previous: BlobHash | undefined) {
        const bytes = encoder.encode(text)
        const [hash] = yield* blobs.put([bytes], [previous])
        texts.put(hash!, text, bytes)
        return hash
      })
      return {
        blobs,
        files,
        texts,
        nodes,
        maps,
        addedBytes: makeAdded(maps, blobs),
        putText: (text: string, previous?: BlobHash) =>
          text === "" ? Effect.succeed(undefined) : putMarkdown(text, previous)
      }
    })
  ).pipe(Layer.provide(ChunkedBlobs.layer))
}
