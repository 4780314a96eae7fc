/**
 * The content of one revision, for reading: pages in their tree, files, reusable contents.
 *
 * A `Draft` is the same with changes on top, which nobody else sees before they are written as a new map.
 */
import { Effect } from "effect"
import type { BlobHash, StorageUnavailable } from "../../kernel/storage/index.ts"
import {
  type FileRecord,
  idOf,
  keys,
  type PageRecord,
  type Placed,
  prefixes,
  type ReusableContentRecord,
  within
} from "../../model/content/ContentRecord.ts"
import type { FileId } from "../../model/content/File.ts"
import type { PageId } from "../../model/content/Page.ts"
import type { ReusableContentId } from "../../model/content/ReusableContent.ts"
import type { MerkleMaps, Range } from "./MerkleMap.ts"
import type { Json } from "./MerkleNode.ts"

/** What a tree is read through: a map, or a map with changes on top. */
export interface Entries {
  readonly get: (key: string) => Effect.Effect<Json | undefined, StorageUnavailable>
  readonly range: (
    range: Range
  ) => Effect.Effect<ReadonlyArray<readonly [key: string, value: Json]>, StorageUnavailable>
}

/** The deepest that pages can be nested. It bounds every way up, should a tree ever be broken. */
export const deepest = 100

const makeTree = (entries: Entries) => {
  const get = <A>(key: string) => entries.get(key) as Effect.Effect<A | undefined, StorageUnavailable>
  const list = <A>(range: Range) =>
    Effect.map(entries.range(range), (found) => found as unknown as ReadonlyArray<readonly [string, A]>)

  /** Pages in the index by place: only their ids and positions are in it. */
  const siblings = (range: Range) =>
    Effect.map(list<null>(range), (found) =>
      found.map(([key]) => {
        const [, , position, id] = key.split("/")
        return { id: id as PageId, position: position! }
      })
    )
  const first = (range: Range) => Effect.map(siblings(range), (found) => found[0])

  const page = (id: PageId | string) => get<PageRecord>(keys.page(id))

  return {
    page,
    file: (id: FileId) => get<FileRecord>(keys.file(id)),
    reusableContent: (id: ReusableContentId) => get<ReusableContentRecord>(keys.reusableContent(id)),

    /** All pages, in no order that means anything. */
    pages: Effect.suspend(() =>
      Effect.map(list<PageRecord>(within(prefixes.pages)), (found) =>
        found.map(([key, page]): Placed => ({ id: idOf(key) as PageId, page }))
      )
    ),

    /** Files, the one that came last first, before one with this id. */
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

    /** All reusable contents, in the order in which they came. */
    reusableContents: Effect.suspend(() =>
      Effect.map(list<ReusableContentRecord>(within(prefixes.reusableContents)), (found) =>
        found.map(([key, content]) => [idOf(key) as ReusableContentId, content] as const)
      )
    ),

    /** The pages under one (the empty text for the root), in order. */
    children: (parent: PageId | "", options: Pick<Range, "direction" | "limit"> = {}) =>
      siblings({ ...within(prefixes.children(parent)), ...options }),

    /** The pages under a parent from one position to another, both included. */
    between: (parent: PageId | "", from: string, to: string) =>
      siblings({ from: keys.place(parent, from, ""), to: within(keys.place(parent, to, "")).to }),

    /** The page under a parent that follows one. */
    next: (parent: PageId | "", position: string, id: string) =>
      first({
        ...within(prefixes.children(parent)),
        from: `${keys.place(parent, position, id)}\0`,
        limit: 1
      }),

    /** The page under a parent that stands before one. */
    previous: (parent: PageId | "", position: string, id: string) =>
      first({
        from: prefixes.children(parent),
        to: keys.place(parent, position, id),
        direction: "desc",
        limit: 1
      }),

    /** The page of a slug under a parent. */
    bySlug: (parent: PageId | "", slug: string) => get<PageId>(keys.slug(parent, slug)),

    /** The pages above one, nearest first. */
    above: Effect.fnUntraced(function* (
      of: PageRecord
    ): Effect.fn.Return<ReadonlyArray<Placed>, StorageUnavailable> {
      const found: Array<Placed> = []
      for (let parent = of.parent; parent !== "" && found.length < deepest; ) {
        const above: PageRecord | undefined = yield* page(parent)
        if (above === undefined) break
        found.push({ id: parent, page: above })
        parent = above.parent
      }
      return found
    })
  }
}

/** The content of a revision. */
export interface Tree extends ReturnType<typeof makeTree> {}

/** The content that a root names. */
export const readTree = (maps: MerkleMaps, root: BlobHash): Tree =>
  makeTree({ get: (key) => maps.get(root, key), range: (range) => maps.range(root, range) })

/** Content with changes on top. */
export interface Draft extends Tree {
  /** Puts an entry, or takes it away. */
  readonly set: (key: string, value: Json | undefined) => void
  /** Writes the changes; the answer is the root of the map that has them. */
  readonly write: Effect.Effect<BlobHash, StorageUnavailable>
}

/** A draft on top of what a root names. */
export const draft = (maps: MerkleMaps, root: BlobHash): Draft => {
  const changes = new Map<string, Json | undefined>()

  const range = Effect.fnUntraced(function* (
    asked: Range
  ): Effect.fn.Return<ReadonlyArray<readonly [string, Json]>, StorageUnavailable> {
    const { from, to, direction = "asc", limit } = asked
    const changed = [...changes].filter(([key]) => key >= from && key < to)
    if (changed.length === 0) return yield* maps.range(root, asked)
    const below = yield* maps.range(root, {
      ...asked,
      ...(limit === undefined ? {} : { limit: limit + changed.length })
    })
    const sign = direction === "asc" ? 1 : -1
    return [
      ...below.filter(([key]) => !changes.has(key)),
      ...changed.filter((entry): entry is [string, Json] => entry[1] !== undefined)
    ]
      .sort(([a], [b]) => (a < b ? -sign : sign))
      .slice(0, limit)
  })

  return {
    ...makeTree({
      get: (key) => (changes.has(key) ? Effect.succeed(changes.get(key)) : maps.get(root, key)),
      range
    }),
    set: (key, value) => {
      changes.set(key, value)
    },
    write: Effect.suspend(() => maps.write(root, changes))
  }
}
