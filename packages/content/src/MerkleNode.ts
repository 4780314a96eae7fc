/** The nodes of Merkle maps: their encoding, and the ranks of keys, which determine the boundaries between nodes. */
import type { BlobHash } from "@lectern/kernel"

/** A value: JSON whose object keys are sorted when it is encoded, so that equal values have equal bytes. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }

/**
 * A node. At level 0, it has the entries of the map. Above, its values are the hashes of nodes of the level below, and
 * its keys are the lower bounds of their keys.
 */
export interface Node {
  /** The fan-out of the map, which all of its nodes have in common. */
  readonly fanOut: FanOut
  readonly level: number
  readonly keys: ReadonlyArray<string>
  readonly values: ReadonlyArray<Json>
}

/**
 * The average number of entries of a node. Maps that were created before differences between nodes were stored have a fan-out of
 * 4, which they retain: another fan-out would write all of their nodes again. All other maps have 32, which needs half as many
 * levels, and so half as many rows per edit.
 */
export type FanOut = 4 | 32

/** The fan-out of new maps. */
export const newFanOut: FanOut = 32

/** The number of bits of a key's hash per rank. With 2, one key in four begins a node. */
const bitsOfRank: Readonly<Record<FanOut, number>> = { 4: 2, 32: 5 }

/**
 * Returns the rank of a key: it begins nodes at all levels below its rank. The hash (FNV-1a with a final mix) is part
 * of the storage format and must not change.
 */
export const rankOf = (key: string, fanOut: FanOut): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
  hash ^= hash >>> 16
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  hash ^= hash >>> 16
  return hash === 0 ? 16 : Math.floor((31 - Math.clz32(hash & -hash)) / bitsOfRank[fanOut])
}

/** Sorts the keys of all objects in a value, and removes fields that are undefined. */
export const sortKeys = (value: Json): Json => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(sortKeys)
  const fields = value as { readonly [key: string]: Json }
  return Object.fromEntries(
    Object.keys(fields)
      .sort()
      .filter((key) => fields[key] !== undefined)
      .map((key) => [key, sortKeys(fields[key]!)])
  )
}

/** The root of the empty map: the hash of `[0,""]`. Its blob is never stored. */
export const emptyRoot = "bbY4_k0vkc5t9dxbSO7_wUKvk7yEflL_b3EUA7dTL3A" as BlobHash

/** Whether two values are equal. Most nodes have the values of the nodes that they replaced, and not copies. */
export const isEqual = (one: Json | undefined, other: Json | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && JSON.stringify(one) === JSON.stringify(other))

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The length of the common prefix of all keys, which is that of the first and the last. */
const commonPrefixLength = (keys: ReadonlyArray<string>): number => {
  const [first, last] = [keys[0] ?? "", keys.at(-1) ?? ""]
  let length = 0
  while (length < first.length && first[length] === last[length]) length++
  return length
}

/** The byte before the JSON of nodes with a fan-out of 32. Processes of earlier versions, which only read such nodes, ignore it. */
const wideMark = " "

/** Encodes a node as JSON: `[level, prefix, [rest of the key, value], …]`, after a space if its fan-out is 32 and it has entries. */
export const encodeNode = ({ fanOut, level, keys, values }: Node): Uint8Array => {
  const length = keys.length < 2 ? 0 : commonPrefixLength(keys)
  const entries = keys.map((key, i) => [key.slice(length), values[i]])
  const json = JSON.stringify([level, (keys[0] ?? "").slice(0, length), ...entries])
  // Empty nodes are equal in all maps, so that every empty map is `emptyRoot`.
  return encoder.encode(fanOut === 4 || keys.length === 0 ? json : wideMark + json)
}

/** Decodes a node. Throws if the bytes are not JSON of that form. */
export const decodeNode = (bytes: Uint8Array): Node => {
  const [level, prefix, ...entries] = JSON.parse(decoder.decode(bytes)) as [
    number,
    string,
    ...Array<[string, Json]>
  ]
  return {
    fanOut: bytes[0] === wideMark.charCodeAt(0) ? 32 : 4,
    level,
    keys: entries.map(([rest]) => prefix + rest),
    values: entries.map(([, value]) => value)
  }
}

/** Returns the index of the first key that is greater than or equal to `key`. */
export const lowerBound = (keys: ReadonlyArray<string>, key: string): number => {
  let [low, high] = [0, keys.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (keys[middle]! < key) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the index of the child whose range contains `key`, or -1 if `key` precedes all children. */
export const childIndexOf = (node: Node, key: string): number => {
  const at = lowerBound(node.keys, key)
  return node.keys[at] === key ? at : at - 1
}

/** The hashes of the children of a node above level 0. */
export const childrenOf = (node: Node): ReadonlyArray<BlobHash> =>
  node.values as ReadonlyArray<unknown> as ReadonlyArray<BlobHash>
