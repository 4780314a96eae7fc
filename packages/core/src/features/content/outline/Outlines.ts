/**
 * The outlines of texts, each made once: they are kept by the hashes of the texts, in the store and in memory, so that
 * whoever looks through a whole space takes no text apart again that did not change.
 */
import { Context, Effect, Layer } from "effect"
import { LRUCache } from "lru-cache"
import {
  type BlobHash,
  blobs,
  Records,
  type StorageUnavailable,
  Table,
  Where
} from "../../../kernel/storage/index.ts"
import { ImportReader } from "../../conversion/ImportReader.ts"
import { ContentStore } from "../ContentStore.ts"
import { type Outline, outlineOf, type Reference, verbatimOutline } from "./Outline.ts"

/** What is kept of an outline: what a text refers to, and the anchors in it. Its words are in the search index. */
export interface KeptOutline {
  readonly anchors: ReadonlyArray<string>
  readonly references: ReadonlyArray<Reference>
}

const outlineColumns = { hash: Table.text<BlobHash>(), outline: Table.json<KeptOutline>() }
interface OutlineRow extends Table.RowOf<typeof outlineColumns> {}

/** Outlines by the texts that they are of. They go with them. */
export const outlines: Table.Table<"outlines", OutlineRow, "hash"> = Table.make("outlines", {
  columns: outlineColumns,
  key: ["hash"],
  references: { hash: { table: () => blobs, onRemove: "cascade" } }
})

/** How many outlines are kept in memory. */
const keptInMemory = 50_000

/** Texts of more characters are taken apart where imports are read, in a thread if the host has one: it takes a while. */
const longText = 50_000

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** How many texts are read together. */
const outlineBatchSize = 500

/** What is kept of an outline. */
export const keptOf = ({ sections, references }: Outline): KeptOutline => ({
  anchors: sections.flatMap(({ anchor }) => (anchor === "" ? [] : [anchor])),
  references
})

const makeOutlines = Effect.gen(function* () {
  const records = yield* Records
  const content = yield* ContentStore
  const reader = yield* ImportReader
  const known = new LRUCache<BlobHash, KeptOutline>({ max: keptInMemory })

  /** Takes a text apart where imports are read. Of one that is too hard, the words are known and nothing else. */
  const takeApartElsewhere = (bytes: Uint8Array): Effect.Effect<Outline> =>
    Effect.catch(
      reader === undefined
        ? Effect.try({ try: () => outlineOf(decoder.decode(bytes)), catch: () => undefined })
        : reader("outline", { bytes }),
      () => Effect.succeed(verbatimOutline(decoder.decode(bytes)))
    )

  const takeApart = (text: string): Effect.Effect<Outline> =>
    text.length <= longText ? Effect.sync(() => outlineOf(text)) : takeApartElsewhere(encoder.encode(text))

  /** Takes texts apart, however often that was done before. */
  const anew = Effect.fnUntraced(function* (
    hashes: ReadonlyArray<BlobHash>
  ): Effect.fn.Return<Map<BlobHash, Outline>, StorageUnavailable> {
    const found = new Map<BlobHash, Outline>()
    for (let at = 0; at < hashes.length; at += outlineBatchSize) {
      const some = hashes.slice(at, at + outlineBatchSize)
      const texts = yield* content.texts.getMany(some)
      for (const [index, hash] of some.entries()) {
        found.set(hash, yield* takeApart(texts[index]!))
        // An import writes hundreds: others come in between.
        if (index % 10 === 9) yield* Effect.yieldNow
      }
    }
    return found
  })

  return {
    takeApartElsewhere,
    anew,

    /**
     * Takes texts apart that were written just now, but for those that somebody did already, and keeps what came of it:
     * part of the write's transaction.
     */
    write: Effect.fnUntraced(function* (
      hashes: ReadonlyArray<BlobHash>,
      ready: ReadonlyMap<BlobHash, Outline> = new Map()
    ): Effect.fn.Return<ReadonlyMap<BlobHash, Outline>, StorageUnavailable> {
      const found = new Map<BlobHash, Outline>()
      const all: Array<BlobHash> = []
      for (const hash of new Set(hashes)) {
        const outline = ready.get(hash)
        if (outline === undefined) all.push(hash)
        else found.set(hash, outline)
      }
      for (const [hash, outline] of yield* anew(all)) found.set(hash, outline)
      const rows = [...found].map(([hash, outline]) => ({ hash, outline: keptOf(outline) }))
      yield* records.insertMissing(outlines, rows)
      return found
    }),

    /** The outlines of texts, by their hashes. One that was never kept is made from its text. */
    of: Effect.fnUntraced(function* (
      hashes: Iterable<BlobHash>
    ): Effect.fn.Return<ReadonlyMap<BlobHash, KeptOutline>, StorageUnavailable> {
      const found = new Map<BlobHash, KeptOutline>()
      const missing: Array<BlobHash> = []
      for (const hash of new Set(hashes)) {
        const outline = known.get(hash)
        if (outline === undefined) missing.push(hash)
        else found.set(hash, outline)
      }
      for (let at = 0; at < missing.length; at += outlineBatchSize) {
        const some = missing.slice(at, at + outlineBatchSize)
        for (const { hash, outline } of yield* records.find(outlines, { where: Where.isIn("hash", some) })) {
          found.set(hash, outline)
        }
        const unkept = some.filter((hash) => !found.has(hash))
        const texts = unkept.length === 0 ? [] : yield* content.texts.getMany(unkept)
        for (const [index, hash] of unkept.entries()) {
          found.set(hash, keptOf(yield* takeApart(texts[index]!)))
        }
        for (const hash of some) known.set(hash, found.get(hash)!)
      }
      return found
    })
  }
})

/** The methods of {@link Outlines}. */
export interface OutlinesService extends Effect.Success<typeof makeOutlines> {}

/** See the module's comment. */
export class Outlines extends Context.Service<Outlines, OutlinesService>()("@lectern/core/Outlines") {
  static readonly layer: Layer.Layer<Outlines, never, Records | ContentStore> = Layer.effect(
    Outlines,
    makeOutlines
  )
}
