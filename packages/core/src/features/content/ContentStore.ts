/** Where the content of all revisions is: their maps, and the texts and bytes that these name. */
import { Context, Effect, Layer } from "effect"
import { type BlobHash, type BlobReader, Blobs, type StorageUnavailable } from "../../kernel/storage/index.ts"
import { type MerkleMaps, makeMerkleMap } from "./MerkleMap.ts"
import { decodeNode, type Node } from "./MerkleNode.ts"

/** How much of the maps of revisions is kept in memory, in bytes as stored. */
const nodesKept = 64 * 1024 * 1024

/** How much of the texts of pages is kept in memory, in bytes. */
const textsKept = 32 * 1024 * 1024

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** The content of all revisions, by parts. */
export interface ContentStoreService {
  readonly maps: MerkleMaps
  /** The nodes of maps. */
  readonly nodes: BlobReader<Node>
  /** The Markdown of pages. */
  readonly texts: BlobReader<string>
  /** Stores Markdown. An empty string has no blob. */
  readonly putText: (text: string) => Effect.Effect<BlobHash | undefined, StorageUnavailable>
  readonly blobs: Blobs["Service"]
}

/** The store of the content of all revisions. */
export class ContentStore extends Context.Service<ContentStore, ContentStoreService>()(
  "@lectern/core/ContentStore"
) {
  static readonly layer: Layer.Layer<ContentStore, never, Blobs> = Layer.effect(
    ContentStore,
    Effect.map(Blobs, (blobs) => {
      const nodes = blobs.reader(decodeNode, nodesKept)
      const texts = blobs.reader((bytes) => decoder.decode(bytes), textsKept)
      const put = Effect.fnUntraced(function* (text: string) {
        const bytes = encoder.encode(text)
        const [hash] = yield* blobs.put([bytes])
        texts.keep(hash!, text, bytes)
        return hash
      })
      return {
        blobs,
        texts,
        nodes,
        maps: makeMerkleMap(blobs, nodes),
        putText: (text: string) => (text === "" ? Effect.succeed(undefined) : put(text))
      }
    })
  )
}
