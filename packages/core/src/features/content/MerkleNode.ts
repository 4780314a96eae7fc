/** The nodes of the map that content is kept in: how they are written, and how their keys divide them. */
import type { BlobHash } from "../../kernel/storage/index.ts"

/** A value: JSON that is written with the keys of its objects in order, so that equal values are equal bytes. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }

/** A node: entries at level 0, and above it the nodes of the level below by the first key that each may hold. */
export interface Node {
  readonly level: number
  readonly keys: ReadonlyArray<string>
  readonly values: ReadonlyArray<Json>
}

/** The node without entries. */
export const emptyNode: Node = { level: 0, keys: [], values: [] }

/** How many bits of a key's hash make one rank: one key in four begins a node. */
const bitsOfRank = 2

/** A key's rank, by a hash (FNV-1a, with its bits mixed) that is the same everywhere and for ever. */
export const rankOf = (key: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
  hash ^= hash >>> 16
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  hash ^= hash >>> 16
  return hash === 0 ? 16 : Math.floor((31 - Math.clz32(hash & -hash)) / bitsOfRank)
}

/** A value with the keys of its objects in order, and without those that are undefined. */
export const ordered = (value: Json): Json => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(ordered)
  const fields = value as { readonly [key: string]: Json }
  return Object.fromEntries(
    Object.keys(fields)
      .sort()
      .filter((key) => fields[key] !== undefined)
      .map((key) => [key, ordered(fields[key]!)])
  )
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** How much the first and the last key have in common: all between them have it too. */
const commonLength = (keys: ReadonlyArray<string>): number => {
  const [first, last] = [keys[0] ?? "", keys.at(-1) ?? ""]
  let length = 0
  while (length < first.length && first[length] === last[length]) length++
  return length
}

/** The bytes of a node: JSON, as `[level, prefix, [rest of the key, value], …]`. */
export const encode = ({ level, keys, values }: Node): Uint8Array => {
  const length = keys.length < 2 ? 0 : commonLength(keys)
  const entries = keys.map((key, i) => [key.slice(length), values[i]])
  return encoder.encode(JSON.stringify([level, (keys[0] ?? "").slice(0, length), ...entries]))
}

/** The node that bytes are of. */
export const decodeNode = (bytes: Uint8Array): Node => {
  const [level, prefix, ...entries] = JSON.parse(decoder.decode(bytes)) as [
    number,
    string,
    ...Array<[string, Json]>
  ]
  return { level, keys: entries.map(([rest]) => prefix + rest), values: entries.map(([, value]) => value) }
}

/** The place of the first key that is not below `key`. */
export const lowerBound = (keys: ReadonlyArray<string>, key: string): number => {
  let [low, high] = [0, keys.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (keys[middle]! < key) low = middle + 1
    else high = middle
  }
  return low
}

/** The place of the child that holds `key`: the last one whose first key is not above it. */
export const childOf = (node: Node, key: string): number => {
  const at = lowerBound(node.keys, key)
  return node.keys[at] === key ? at : at - 1
}

/** The nodes below one that is not at level 0. */
export const childrenOf = (node: Node): ReadonlyArray<BlobHash> =>
  node.values as ReadonlyArray<unknown> as ReadonlyArray<BlobHash>
