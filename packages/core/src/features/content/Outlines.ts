/**
 * Stores and caches the outlines of Markdown by the hash of the Markdown, so that reports on a whole space parse only
 * changed Markdown.
 */

import { catchUnreadable, MarkdownEngine } from "@lectern/formats"
import {
  type BlobHash,
  blobs,
  cacheShare,
  hashOf,
  Records,
  type StorageUnavailable,
  Table,
  Where
} from "@lectern/kernel"
import { isCheapToParse, newLengthOf } from "@lectern/markdown/document"
import type { Reference } from "@lectern/markdown/outline"
import { type Outline, outlineOf, verbatimOutline } from "@lectern/markdown/outline"
import { Context, Effect, Layer } from "effect"
import { LRUCache } from "lru-cache"
import { ContentStore } from "./ContentStore.ts"

/** The stored part of an outline: its references and anchors. The text of its sections is in the search index. */
export interface StoredOutline {
  readonly anchors: ReadonlyArray<string>
  readonly references: ReadonlyArray<Reference>
}

const outlineColumns = { hash: Table.text<BlobHash>(), outline: Table.json<StoredOutline>() }
interface OutlineRow extends Table.RowOf<typeof outlineColumns> {}

/** Stored outlines by the hash of the Markdown. They are deleted with its blob. */
export const outlines: Table.Table<"outlines", OutlineRow, "hash"> = Table.make("outlines", {
  columns: outlineColumns,
  locking: Table.withoutLocks,
  key: ["hash"],
  references: { hash: { table: () => blobs, onRemove: "cascade" } }
})

/** The maximum size of the cache of outlines, in bytes. */
const outlineCacheBytes = 16 * 1024 * 1024

/** The maximum size of the cache of outlines with the text of their sections, in bytes. */
const fullOutlineCacheBytes = 8 * 1024 * 1024

/** The number of characters that are parsed in a transaction. More are parsed before it. */
const maximumParsedInTransaction = 1_000

/** The estimated size of an outline in memory, per anchor and per reference, and of an empty one, in bytes. */
const [bytesPerAnchor, bytesPerReference, bytesPerOutline] = [60, 250, 200]

const sizeOfOutline = ({ anchors, references }: StoredOutline): number =>
  bytesPerOutline + anchors.length * bytesPerAnchor + references.length * bytesPerReference

const sizeOfFullOutline = (outline: Outline): number =>
  outline.sections.reduce(
    (size, { title, text }) => size + bytesPerAnchor + 2 * (title.length + text.length),
    sizeOfOutline(outline)
  )

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The number of blobs or rows per query. */
const outlineBatchSize = 500

/** Writes batches of rows, between which other fibers run. */
export const inBatches = <A, E>(
  all: ReadonlyArray<A>,
  write: (some: ReadonlyArray<A>) => Effect.Effect<void, E>
): Effect.Effect<void, E> =>
  Effect.forEach(
    Array.from({ length: Math.ceil(all.length / outlineBatchSize) }, (_, index) => index * outlineBatchSize),
    (at) => {
      const written = write(all.slice(at, at + outlineBatchSize))
      return at === 0 ? written : Effect.andThen(Effect.yieldNow, written)
    },
    { discard: true }
  )

/** Returns the part of an outline that is stored. */
export const storedPartOf = ({ anchors, references }: Outline): StoredOutline => ({ anchors, references })

const makeParsers = Effect.gen(function* () {
  const convert = yield* MarkdownEngine

  const parseLongText = (bytes: Uint8Array): Effect.Effect<Outline, StorageUnavailable> =>
    catchUnreadable(convert("outline", { bytes }), () =>
      Effect.succeed(verbatimOutline(decoder.decode(bytes)))
    )

  /** Extracts the outline of Markdown, by the engine of the host if that is expensive. */
  const parseOutline = (text: string): Effect.Effect<Outline, StorageUnavailable> =>
    isCheapToParse(text) ? Effect.sync(() => outlineOf(text)) : parseLongText(encoder.encode(text))

  return { parseLongText, parseOutline }
})

const makeWrites = Effect.gen(function* () {
  const records = yield* Records
  const content = yield* ContentStore
  const { parseOutline } = yield* makeParsers

  /** Outlines with the text of their sections, which the edit, the search index and a merge of one version need. */
  const fullOutlines = new LRUCache<BlobHash, Outline>({
    maxSize: yield* cacheShare(fullOutlineCacheBytes),
    sizeCalculation: sizeOfFullOutline
  })

  /** Extracts the outlines of the Markdown at the hashes, without the stored outlines. */
  const parseAll = Effect.fnUntraced(function* (
    hashes: ReadonlyArray<BlobHash>
  ): Effect.fn.Return<Map<BlobHash, Outline>, StorageUnavailable> {
    const found = new Map<BlobHash, Outline>()
    const missing: Array<BlobHash> = []
    for (const hash of hashes) {
      const outline = fullOutlines.get(hash)
      if (outline === undefined) missing.push(hash)
      else found.set(hash, outline)
    }
    for (let at = 0; at < missing.length; at += outlineBatchSize) {
      const some = missing.slice(at, at + outlineBatchSize)
      const texts = yield* content.texts.getMany(some)
      for (const [index, hash] of some.entries()) {
        const outline = yield* parseOutline(texts[index]!)
        found.set(hash, outline)
        fullOutlines.set(hash, outline)
        // Imports parse hundreds of pages. Yielding lets other fibers run.
        if (index % 10 === 9) yield* Effect.yieldNow
      }
    }
    return found
  })

  return {
    /** Extracts the outlines of the Markdown at the hashes, without the stored outlines. */
    parseAll,

    /**
     * Returns an effect that extracts the outline of new Markdown before the transaction that writes it. Returns `undefined`
     * if little of the text is new, so that its transaction can extract it.
     */
    prepare: (markdown: string): Effect.Effect<void, StorageUnavailable> | undefined =>
      markdown.length <= maximumParsedInTransaction || newLengthOf(markdown) <= maximumParsedInTransaction
        ? undefined
        : Effect.suspend(() => {
            const hash = hashOf(encoder.encode(markdown))
            return fullOutlines.has(hash)
              ? Effect.void
              : Effect.map(parseOutline(markdown), (outline) => {
                  fullOutlines.set(hash, outline)
                })
          }),

    /**
     * Extracts and stores the outlines of new Markdown, in the transaction that writes it. `parsed` has outlines that
     * were extracted before the transaction. Returns the outlines of all hashes.
     */
    write: Effect.fnUntraced(function* (
      hashes: ReadonlyArray<BlobHash>,
      parsed: ReadonlyMap<BlobHash, Outline> = new Map()
    ): Effect.fn.Return<ReadonlyMap<BlobHash, Outline>, StorageUnavailable> {
      const found = new Map<BlobHash, Outline>()
      const unparsed: Array<BlobHash> = []
      for (const hash of new Set(hashes)) {
        const outline = parsed.get(hash)
        if (outline === undefined) unparsed.push(hash)
        else found.set(hash, outline)
      }
      for (const [hash, outline] of yield* parseAll(unparsed)) found.set(hash, outline)
      const rows = [...found].map(([hash, outline]) => ({ hash, outline: storedPartOf(outline) }))
      yield* inBatches(rows, (some) => records.insertMissingUncounted(outlines, some))
      return found
    })
  }
})

const makeReads = Effect.gen(function* () {
  const records = yield* Records
  const content = yield* ContentStore
  const { parseLongText, parseOutline } = yield* makeParsers

  const cache = new LRUCache<BlobHash, StoredOutline>({
    maxSize: yield* cacheShare(outlineCacheBytes),
    sizeCalculation: sizeOfOutline
  })

  return {
    /**
     * Extracts the outline of long Markdown, in UTF-8, by the engine of the host. If the Markdown exceeds the limits of the
     * engine, the outline has its text only.
     */
    parseLongText,

    /** Extracts the outline of Markdown: by the engine of the host if it is expensive to parse. */
    parse: parseOutline,

    /** Returns the stored parts of the outlines at the hashes. Missing outlines are extracted, but not stored. */
    getMany: Effect.fnUntraced(function* (
      hashes: Iterable<BlobHash>
    ): Effect.fn.Return<ReadonlyMap<BlobHash, StoredOutline>, StorageUnavailable> {
      const found = new Map<BlobHash, StoredOutline>()
      const missing: Array<BlobHash> = []
      for (const hash of new Set(hashes)) {
        const outline = cache.get(hash)
        if (outline === undefined) missing.push(hash)
        else found.set(hash, outline)
      }
      for (let at = 0; at < missing.length; at += outlineBatchSize) {
        const some = missing.slice(at, at + outlineBatchSize)
        for (const { hash, outline } of yield* records.find(outlines, { where: Where.isIn("hash", some) })) {
          found.set(hash, outline)
        }
        const notStored = some.filter((hash) => !found.has(hash))
        const texts = notStored.length === 0 ? [] : yield* content.texts.getMany(notStored)
        for (const [index, hash] of notStored.entries()) {
          found.set(hash, storedPartOf(yield* parseOutline(texts[index]!)))
        }
        for (const hash of some) cache.set(hash, found.get(hash)!)
      }
      return found
    }),

    /**
     * Removes the outlines of Markdown that pages had before, except for the Markdown that they have now. Other content with the
     * same Markdown parses it when a report needs it.
     */
    removeReplaced: (
      before: ReadonlySet<BlobHash>,
      now: Iterable<BlobHash>
    ): Effect.Effect<void, StorageUnavailable> => {
      const remaining = new Set(now)
      const removed = [...before].filter((hash) => !remaining.has(hash))
      return inBatches(removed, (some) => records.removeUncounted(outlines, Where.isIn("hash", some)))
    }
  }
})

const makeOutlines = Effect.gen(function* () {
  return { ...(yield* makeWrites), ...(yield* makeReads) }
})

/** The methods of {@link Outlines}. */
export interface OutlinesService extends Effect.Success<typeof makeOutlines> {}

/** Extracts, stores and caches outlines. */
export class Outlines extends Context.Service<Outlines, OutlinesService>()("@lectern/core/Outlines") {
  static readonly layer: Layer.Layer<Outlines, never, Records | ContentStore> = Layer.effect(
    Outlines,
    makeOutlines
  )
}
