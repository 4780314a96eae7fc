/**
 * Typed access to the content of a revision: its pages in their tree, its files and its reusable contents.
 *
 * A `Draft` adds changes in memory. They are visible through the draft only, until they are written as a new map.
 */

import type { BlobHash, StorageUnavailable } from "@lectern/kernel"
import {
  type FileRecord,
  idOf,
  keys,
  type PageRecord,
  type Placed,
  prefixes,
  type ReusableContentRecord,
  type SourceRecord,
  within
} from "@lectern/kernel/tables"
import type { FileId, PageId, ReusableContentId } from "@lectern/model/content"
import { Effect } from "effect"
import type { MerkleMaps, Range } from "./MerkleMap.ts"
import type { Json } from "./MerkleNode.ts"
import { SortedKeys } from "./SortedKeys.ts"

/** The entries that a tree reads: a map, or a map with changes. */
export interface Entries {
  /** Returns the value of a key, or `undefined`. */
  readonly get: (key: string) => Effect.Effect<Json | undefined, StorageUnavailable>
  /** Returns the entries of a range of keys. */
  readonly range: (
    range: Range
  ) => Effect.Effect<ReadonlyArray<readonly [key: string, value: Json]>, StorageUnavailable>
}

/**
 * The maximum depth of pages. Edits permit less; merges can exceed that limit. It also bounds every walk to the root,
 * so that a cycle in corrupt content cannot loop.
 */
export const maximumDepth = 100

const listOf =
  (entries: Entries) =>
  <A>(range: Range) =>
    Effect.map(entries.range(range), (found) => found as unknown as ReadonlyArray<readonly [string, A]>)

/** The places of pages among their siblings. */
const placesOf = (entries: Entries) => {
  const list = listOf(entries)

  /** Reads the index by place, which has the ids and positions of pages. */
  const siblings = (range: Range) =>
    Effect.map(list<null>(range), (found) =>
      found.map(([key]) => {
        const [, , position, id] = key.split("/")
        return { id: id as PageId, position: position! }
      })
    )
  const first = (range: Range) => Effect.map(siblings(range), (found) => found[0])

  return {
    /** Returns the ids and positions of the children of a page in order. An empty string is the root. */
    children: (parent: PageId | "", options: Pick<Range, "direction" | "limit"> = {}) =>
      siblings({ ...within(prefixes.children(parent)), ...options }),

    /** Returns the children of a parent whose positions are from `from` to `to`, inclusively. */
    between: (parent: PageId | "", from: string, to: string) =>
      siblings({ from: keys.place(parent, from, ""), to: within(keys.place(parent, to, "")).to }),

    /** Returns the next sibling of a page, or `undefined`. */
    next: (parent: PageId | "", position: string, id: string) =>
      first({
        ...within(prefixes.children(parent)),
        from: `${keys.place(parent, position, id)}\0`,
        limit: 1
      }),

    /** Returns the previous sibling of a page, or `undefined`. */
    previous: (parent: PageId | "", position: string, id: string) =>
      first({
        from: prefixes.children(parent),
        to: keys.place(parent, position, id),
        direction: "desc",
        limit: 1
      })
  }
}

const makeTree = (entries: Entries) => {
  const get = <A>(key: string) => entries.get(key) as Effect.Effect<A | undefined, StorageUnavailable>
  const list = listOf(entries)

  const page = (id: PageId | string) => get<PageRecord>(keys.page(id))

  return {
    /** Returns a page by its id, or `undefined`. */
    page,

    /** Returns a file by its id, or `undefined`. */
    file: (id: FileId) => get<FileRecord>(keys.file(id)),

    /** Returns a reusable content by its id, or `undefined`. */
    reusableContent: (id: ReusableContentId) => get<ReusableContentRecord>(keys.reusableContent(id)),

    /** All pages, in an unspecified order. */
    pages: Effect.suspend(() =>
      Effect.map(list<PageRecord>(within(prefixes.pages)), (found) =>
        found.map(([key, page]): Placed => ({ id: idOf(key) as PageId, page }))
      )
    ),

    /** Returns at most `limit` files, newest first, starting after the file with the id `before`. */
    files: (before?: string, limit?: number) =>
      Effect.map(
        list<FileRecord>({
          ...within(prefixes.files),
          ...(before === undefined ? {} : { to: keys.file(before) }),
          ...(limit === undefined ? {} : { limit }),
          direction: "desc"
        }),
        (found) => found.map(([key, file]) => [idOf(key) as FileId, file] as const)
      ),

    /** All reusable contents, oldest first. */
    reusableContents: Effect.suspend(() =>
      Effect.map(list<ReusableContentRecord>(within(prefixes.reusableContents)), (found) =>
        found.map(([key, content]) => [idOf(key) as ReusableContentId, content] as const)
      )
    ),

    /** Returns a file of an imported repository that is not content by its path, or `undefined`. */
    source: (path: string) => get<SourceRecord>(keys.source(path)),

    /** All files of an imported repository that are not content, with their paths, in their order. */
    sources: Effect.suspend(() =>
      Effect.map(list<SourceRecord>(within(prefixes.sources)), (found) =>
        found.map(([key, source]) => [key.slice(prefixes.sources.length), source] as const)
      )
    ),

    ...placesOf(entries),

    /** Returns the id of the child of a parent with a slug, or `undefined`. */
    bySlug: (parent: PageId | "", slug: string) => get<PageId>(keys.slug(parent, slug)),

    /** Returns the ancestors of a page, its parent first. */
    above: Effect.fnUntraced(function* (
      record: PageRecord
    ): Effect.fn.Return<ReadonlyArray<Placed>, StorageUnavailable> {
      const found: Array<Placed> = []
      for (let parent = record.parent; parent !== "" && found.length < maximumDepth; ) {
        const ancestor: PageRecord | undefined = yield* page(parent)
        if (ancestor === undefined) break
        found.push({ id: parent, page: ancestor })
        parent = ancestor.parent
      }
      return found
    })
  }
}

/** Read access to the content of a revision. */
export interface Tree extends ReturnType<typeof makeTree> {}

/** Returns the tree of the map with a root hash. */
export const readTree = (maps: MerkleMaps, root: BlobHash): Tree =>
  makeTree({ get: (key) => maps.get(root, key), range: (range) => maps.range(root, range) })

/** A value of a key: a record, or an entry of an index. */
export type EntryValue = Json | PageRecord | FileRecord | ReusableContentRecord | SourceRecord

/** A tree with changes in memory. Draft methods read the changed content. */
export interface Draft extends Tree {
  /** Sets the value of a key, or removes the key if the value is undefined. */
  readonly set: (key: string, value: EntryValue | undefined) => void
  /** Writes a map with the changes and returns its root hash. */
  readonly write: Effect.Effect<BlobHash, StorageUnavailable>
}

/** The number of stored entries that a bounded range of a draft reads in addition, because changes can replace or remove them. */
const spareEntries = 8

/** Reads ranges of a map with changes. */
const makeDraftRange = (
  maps: MerkleMaps,
  root: BlobHash,
  changes: ReadonlyMap<string, Json | undefined>,
  changedKeys: SortedKeys
) => {
  /** Returns the first entries that the changes set in a range. */
  const setIn = ({ from, to, direction, limit }: Range): ReadonlyArray<readonly [string, Json]> => {
    const found: Array<readonly [string, Json]> = []
    const keysOfRange =
      direction === "desc" ? changedKeys.descending(from, to) : changedKeys.ascending(from, to)
    for (const key of keysOfRange) {
      const value = changes.get(key)
      if (value !== undefined) found.push([key, value])
      if (found.length === limit) break
    }
    return found
  }

  /** Returns the first entries of a range that the changes neither replace nor remove. */
  const unchangedIn = Effect.fnUntraced(function* (
    requested: Range
  ): Effect.fn.Return<ReadonlyArray<readonly [string, Json]>, StorageUnavailable> {
    const { limit = Number.POSITIVE_INFINITY } = requested
    for (let size = limit + spareEntries; ; size *= 4) {
      const stored = yield* maps.range(root, { ...requested, limit: size })
      const unchanged = stored.filter(([key]) => !changes.has(key))
      if (unchanged.length >= limit || stored.length < size) return unchanged
    }
  })

  // A batch with many changes reads the last sibling for each of them, so that it takes linear time only if this does not.
  return Effect.fnUntraced(function* (
    requested: Range
  ): Effect.fn.Return<ReadonlyArray<readonly [string, Json]>, StorageUnavailable> {
    const { direction = "asc", limit } = requested
    if (changes.size === 0) return yield* maps.range(root, requested)
    const sign = direction === "asc" ? 1 : -1
    return [...(yield* unchangedIn(requested)), ...setIn(requested)]
      .sort(([a], [b]) => (a < b ? -sign : sign))
      .slice(0, limit)
  })
}

/** Creates a draft of the content of the map with a root hash. */
export const makeDraft = (maps: MerkleMaps, root: BlobHash): Draft => {
  const changes = new Map<string, Json | undefined>()
  const changedKeys = new SortedKeys()

  return {
    ...makeTree({
      get: (key) => (changes.has(key) ? Effect.succeed(changes.get(key)) : maps.get(root, key)),
      range: makeDraftRange(maps, root, changes, changedKeys)
    }),
    set: (key, value) => {
      if (!changes.has(key)) changedKeys.add(key)
      // Records are interfaces of JSON, which lack the index signature of its type.
      changes.set(key, value as Json | undefined)
    },
    write: Effect.suspend(() => maps.write(root, changes))
  }
}
