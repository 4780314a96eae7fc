/**
 * The order of the collections and spaces in a container. Each has a fractional key that sorts between the keys of its
 * neighbors, so that a move updates one row.
 */

import { type Caller, type GrantedReader, roleOn } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import { type CollectionRow, collections, type SpaceRow, spaces } from "@lectern/kernel/tables"
import type { CollectionId } from "@lectern/model/collections"
import { InvalidInput } from "@lectern/model/errors"
import type { OrganizationId } from "@lectern/model/organizations"
import { isAtLeast } from "@lectern/model/roles"
import type { Pointer, Position } from "@lectern/model/spaces"
import { Effect } from "effect"
import { generateKeyBetween, generateNKeysBetween } from "fractional-indexing"

/** Identifies a container: a collection, or the root of an organization if `parent` is null. */
export interface ContainerRef {
  readonly organization: OrganizationId
  readonly parent: CollectionId | null
}

/** The columns that siblings share. */
interface Sibling {
  readonly id: string
  readonly organization: OrganizationId
  readonly parent: CollectionId | null
  readonly position: string
}

/** Finds the last key in a container; null if it is empty. Spaces in the trash retain their keys. */
const lastKey = (records: GrantedReader, container: ContainerRef) =>
  neighbor(records, container, "desc", undefined, undefined)

/**
 * Finds the nearest key after (`asc`) or before (`desc`) `from`, or the first or last key if `from` is undefined.
 * Ignores the item with the id `moving`.
 */
const neighbor = Effect.fnUntraced(function* (
  records: GrantedReader,
  container: ContainerRef,
  direction: "asc" | "desc",
  from: string | undefined,
  moving: string | undefined
): Effect.fn.Return<string | null, StorageUnavailable> {
  const beyond: Where.Where<Sibling> =
    from === undefined
      ? Where.all
      : direction === "asc"
        ? Where.gt("position", from)
        : Where.lt("position", from)
  const where = Where.and<Sibling>(
    Where.eq("organization", container.organization),
    Where.is("parent", container.parent),
    beyond,
    moving === undefined ? Where.all : Where.not(Where.eq("id", moving))
  )
  const options = { orderBy: ["position"], direction } as const
  const found = yield* records.zipConcurrent(
    records.first(collections, { ...options, where: where as Where.Where<CollectionRow> }),
    records.first(spaces, { ...options, where: where as Where.Where<SpaceRow> })
  )
  const keys = found.flatMap((row) => (row === undefined ? [] : [row.position]))
  if (keys.length < 2) return keys[0] ?? null
  return keys[0]! < keys[1]! === (direction === "asc") ? keys[0]! : keys[1]!
})

/** Generates a key at the end of a container. */
export const keyAtEnd = (records: GrantedReader, container: ContainerRef) =>
  Effect.map(lastKey(records, container), (last) => generateKeyBetween(last, null))

/** Generates `count` keys, in order, at the end of a container. */
export const keysAtEnd = (records: GrantedReader, container: ContainerRef, count: number) =>
  Effect.map(lastKey(records, container), (last) => generateNKeysBetween(last, null, count))

/** Generates a key directly after a sibling. Ignores the item with the id `moving`. */
export const keyAfter = (records: GrantedReader, sibling: Sibling, moving?: string) =>
  Effect.map(neighbor(records, sibling, "asc", sibling.position, moving), (next) =>
    generateKeyBetween(sibling.position, next)
  )

/** Generates a key directly before a sibling. Ignores the item with the id `moving`. */
const keyBefore = (records: GrantedReader, sibling: Sibling, moving: string) =>
  Effect.map(neighbor(records, sibling, "desc", sibling.position, moving), (previous) =>
    generateKeyBetween(previous, sibling.position)
  )

/**
 * Generates the key for a position, at the end of the container if the position is undefined. Fails with `InvalidInput`
 * if the position names an item that is not in the container, that the caller cannot see, or that is the moving item
 * itself, and if its `after` does not come before its `before`.
 */
export const keyAt = Effect.fnUntraced(function* (
  records: GrantedReader,
  caller: Caller,
  container: ContainerRef,
  position: Position | undefined,
  moving: string
): Effect.fn.Return<string, InvalidInput | StorageUnavailable> {
  const sibling = Effect.fnUntraced(function* (field: "before" | "after", pointer: Pointer) {
    const row =
      pointer.type === "space"
        ? yield* records.get(spaces, { id: pointer.space })
        : yield* records.get(collections, { id: pointer.collection })
    const isInContainer =
      row !== undefined &&
      row.id !== moving &&
      row.organization === container.organization &&
      row.parent === container.parent &&
      !("deletedAt" in row && row.deletedAt !== null) &&
      isAtLeast(roleOn(caller, row), "read")
    if (!isInContainer)
      return yield* InvalidInput.at(`position.${field}`, "must name another item of the same parent")
    return row as Sibling
  })
  const before = position?.before === undefined ? undefined : yield* sibling("before", position.before)
  const after = position?.after === undefined ? undefined : yield* sibling("after", position.after)
  if (after !== undefined) {
    if (before !== undefined && before.position <= after.position) {
      return yield* InvalidInput.at(
        "position",
        "must name an item `after` that comes before the item `before`"
      )
    }
    return yield* keyAfter(records, after, moving)
  }
  return before === undefined
    ? yield* Effect.map(neighbor(records, container, "desc", undefined, moving), (last) =>
        generateKeyBetween(last, null)
      )
    : yield* keyBefore(records, before, moving)
})
