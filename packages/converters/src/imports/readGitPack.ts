/**
 * Reads packfiles of Git within limits. The sizes of all objects are counted before they are allocated, because a small
 * packfile can declare deltas and compressed objects of any size.
 */
import { inflateSync } from "node:zlib"
import { importBounds } from "@lectern/formats/threads"
import { unpacksToMore } from "./archivePaths.ts"
import {
  type GitObject,
  hashLength,
  hashObject,
  malformed,
  type ObjectType,
  objectTypes
} from "./gitObjects.ts"

/** The length of the header of a packfile: its signature, its version, and the number of objects. */
const headerLength = 12

const offsetDelta = 6
const referenceDelta = 7

/** An object in a packfile: its content, or its difference from another object. */
interface PackedObject {
  readonly offset: number
  readonly bytes: Uint8Array
  /** The type, or the offset or the hash of the object that the bytes are a delta of. */
  readonly of: ObjectType | { readonly offset: number } | { readonly oid: string }
}

/** Counts the bytes of objects. Throws `NotReadable` if there are too many. */
const makeAllowance = (unpackedBytes: number): ((size: number) => void) => {
  let remaining = unpackedBytes
  return (size) => {
    remaining -= size
    if (remaining < 0) throw unpacksToMore("a Git repository whose files unpack", unpackedBytes)
  }
}

/** Reads a number of 7 bits per byte, the lowest first. */
const readSize = (bytes: Uint8Array, start: number): readonly [size: number, end: number] => {
  let [size, scale, at] = [0, 1, start]
  for (;;) {
    const byte = bytes[at++]
    if (byte === undefined || scale > 2 ** 42) throw malformed()
    size += (byte & 0x7f) * scale
    scale *= 128
    if (byte < 0x80) return [size, at]
  }
}

/** Inflates the data at an offset, which has exactly this size. Returns it with the offset of its end. */
const inflateAt = (bytes: Uint8Array, at: number, size: number): readonly [Uint8Array, number] => {
  try {
    const inflated: unknown = inflateSync(bytes.subarray(at), {
      info: true,
      maxOutputLength: Math.max(size, 1),
      chunkSize: Math.min(Math.max(size, 64), 64 * 1024)
    })
    // With `info`, the result also has the engine, which counts the bytes that it has read.
    const { buffer, engine } = inflated as {
      readonly buffer: Uint8Array
      readonly engine: { readonly bytesWritten: number }
    }
    if (buffer.length !== size) throw malformed()
    return [buffer, at + engine.bytesWritten]
  } catch {
    throw malformed()
  }
}

/** Reads the object at an offset. Returns it with the offset of its end. */
const readPacked = (
  bytes: Uint8Array,
  offset: number,
  spend: (size: number) => void
): readonly [PackedObject, number] => {
  const first = bytes[offset]
  if (first === undefined) throw malformed()
  const type = (first >> 4) & 7
  let [size, at] = [first & 15, offset + 1]
  if (first >= 0x80) {
    const [high, end] = readSize(bytes, at)
    size += high * 16
    at = end
  }
  let of: PackedObject["of"]
  if (type === offsetDelta) {
    let distance = -1
    for (let isLast = false; !isLast; ) {
      const byte = bytes[at++]
      if (byte === undefined || distance > bytes.length) throw malformed()
      distance = (distance + 1) * 128 + (byte & 0x7f)
      isLast = byte < 0x80
    }
    of = { offset: offset - distance }
  } else if (type === referenceDelta) {
    of = { oid: Buffer.from(bytes.subarray(at, at + hashLength)).toString("hex") }
    at += hashLength
  } else {
    const known: ObjectType | undefined = objectTypes[type as keyof typeof objectTypes]
    if (known === undefined) throw malformed()
    of = known
  }
  spend(size)
  const [content, end] = inflateAt(bytes, at, size)
  return [{ offset, bytes: content, of }, end]
}

/** Applies a delta: instructions that copy parts of the base, or insert bytes. */
const applyDelta = (base: Uint8Array, delta: Uint8Array, spend: (size: number) => void): Uint8Array => {
  const [baseSize, afterBase] = readSize(delta, 0)
  const [size, start] = readSize(delta, afterBase)
  if (baseSize !== base.length) throw malformed()
  spend(size)
  const result = new Uint8Array(size)
  let length = 0
  const append = (part: Uint8Array, expected: number): void => {
    if (part.length !== expected || length + expected > size) throw malformed()
    result.set(part, length)
    length += expected
  }
  for (let at = start; at < delta.length; ) {
    const instruction = delta[at++]!
    if (instruction === 0) throw malformed()
    if (instruction < 0x80) {
      append(delta.subarray(at, at + instruction), instruction)
      at += instruction
      continue
    }
    let [from, count] = [0, 0]
    for (let index = 0; index < 4; index++) {
      if ((instruction & (1 << index)) !== 0) from += (delta[at++] ?? 0) * 2 ** (8 * index)
    }
    for (let index = 0; index < 3; index++) {
      if ((instruction & (16 << index)) !== 0) count += (delta[at++] ?? 0) * 2 ** (8 * index)
    }
    if (count === 0) count = 0x10000
    append(base.subarray(from, from + count), count)
  }
  if (length !== size) throw malformed()
  return result
}

/** Returns the objects of a packfile by their hashes. Throws `NotReadable`. */
export const readPack = (
  bytes: Uint8Array,
  unpackedBytes: number = importBounds.unpackedBytes
): ReadonlyMap<string, GitObject> => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < headerLength + hashLength || view.getUint32(0) !== 0x5041_434b) throw malformed()
  if (view.getUint32(4) !== 2) throw malformed()
  const count = view.getUint32(8)
  const spend = makeAllowance(unpackedBytes)
  const objects = new Map<string, GitObject>()
  const byOffset = new Map<number, GitObject>()
  /** Deltas that wait for their base, by its offset or its hash. */
  const waiting = new Map<number | string, Array<PackedObject>>()

  /** Adds an object, and all deltas that are based on it. */
  const add = (offset: number, object: GitObject): void => {
    const added: Array<readonly [number, GitObject]> = [[offset, object]]
    for (let next = added.pop(); next !== undefined; next = added.pop()) {
      const [at, current] = next
      const oid = hashObject(current)
      objects.set(oid, current)
      byOffset.set(at, current)
      for (const key of [at, oid]) {
        for (const delta of waiting.get(key) ?? []) {
          added.push([
            delta.offset,
            { type: current.type, bytes: applyDelta(current.bytes, delta.bytes, spend) }
          ])
        }
        waiting.delete(key)
      }
    }
  }

  let at = headerLength
  for (let index = 0; index < count; index++) {
    const [packed, end] = readPacked(bytes, at, spend)
    at = end
    if (typeof packed.of === "string") {
      add(packed.offset, { type: packed.of, bytes: packed.bytes })
      continue
    }
    const base = "oid" in packed.of ? objects.get(packed.of.oid) : byOffset.get(packed.of.offset)
    if (base !== undefined) {
      add(packed.offset, { type: base.type, bytes: applyDelta(base.bytes, packed.bytes, spend) })
      continue
    }
    const key = "oid" in packed.of ? packed.of.oid : packed.of.offset
    const others = waiting.get(key)
    if (others === undefined) waiting.set(key, [packed])
    else others.push(packed)
  }
  return objects
}
