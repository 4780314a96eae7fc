/**
 * Writes ZIP archives as a stream, one file at a time. Text is compressed; stored files, which are mostly compressed images,
 * are not. Sizes and checksums follow the bytes of a file, so that nothing is buffered.
 */

import { callPlatform } from "@lectern/kernel"
import { Effect, Stream } from "effect"

/** A file of an archive. */
export interface ArchivedFile<E> {
  /** The path, separated by slashes. */
  readonly path: string
  /** The bytes of text, or a stream of bytes. */
  readonly content: Uint8Array | Stream.Stream<Uint8Array, E>
}

/** The limits of the format without its 64-bit extension. */
export const zipLimits = { files: 65_535, bytes: 4 * 1024 ** 3 - 1 } as const

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = (value & 1) === 1 ? (value >>> 1) ^ 0xedb8_8320 : value >>> 1
  return value >>> 0
})

const updateChecksum = (checksum: number, bytes: Uint8Array): number => {
  let value = ~checksum >>> 0
  for (const byte of bytes) value = (value >>> 8) ^ table[(value ^ byte) & 0xff]!
  return ~value >>> 0
}

/** Creates bytes from little-endian fields. */
const fields = (...values: ReadonlyArray<readonly [value: number, length: 2 | 4]>): Uint8Array => {
  const bytes = new Uint8Array(values.reduce((sum, [, length]) => sum + length, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [value, length] of values) {
    if (length === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += length
  }
  return bytes
}

const concatenate = (...parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const deflate = (bytes: Uint8Array): Effect.Effect<Uint8Array> =>
  callPlatform(async () => {
    const stream = new Blob([new Uint8Array(bytes)])
      .stream()
      .pipeThrough(new CompressionStream("deflate-raw"))
    return new Uint8Array(await new Response(stream).arrayBuffer())
  })

/** The flags of every file: its sizes follow its bytes, and its name is in UTF-8. */
const flags = 0x0808

/** The earliest date that the format can represent, so that archives of equal content are equal. */
const [time, date] = [0, 0x0021]

const encoder = new TextEncoder()

/** An entry of the directory at the end of the archive. */
interface Entry {
  readonly name: Uint8Array
  readonly method: number
  checksum: number
  packedSize: number
  size: number
  readonly offset: number
}

const directoryEntry = ({ name, method, checksum, packedSize, size, offset }: Entry): Uint8Array =>
  concatenate(
    fields(
      [0x0201_4b50, 4],
      [20, 2],
      [20, 2],
      [flags, 2],
      [method, 2],
      [time, 2],
      [date, 2],
      [checksum, 4],
      [packedSize, 4],
      [size, 4],
      [name.length, 2],
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 4],
      [offset, 4]
    ),
    name
  )

/** Returns the bytes of an archive of files, which must be within `zipLimits`. */
export const writeZip = <E>(files: Stream.Stream<ArchivedFile<E>, E>): Stream.Stream<Uint8Array, E> =>
  Stream.suspend(() => {
    const entries: Array<Entry> = []
    let offset = 0
    const counted = (bytes: Uint8Array): Uint8Array => {
      offset += bytes.length
      return bytes
    }
    const writeFile = ({ path, content }: ArchivedFile<E>): Stream.Stream<Uint8Array, E> => {
      const name = encoder.encode(path)
      const isText = content instanceof Uint8Array
      const entry: Entry = { name, method: isText ? 8 : 0, checksum: 0, packedSize: 0, size: 0, offset }
      entries.push(entry)
      const header = fields(
        [0x0403_4b50, 4],
        [20, 2],
        [flags, 2],
        [entry.method, 2],
        [time, 2],
        [date, 2],
        [0, 4],
        [0, 4],
        [0, 4],
        [name.length, 2],
        [0, 2]
      )
      const measure = (bytes: Uint8Array): void => {
        entry.checksum = updateChecksum(entry.checksum, bytes)
        entry.size += bytes.length
      }
      const packed: Stream.Stream<Uint8Array, E> = isText
        ? Stream.fromEffect(
            Effect.map(deflate(content), (bytes) => {
              measure(content)
              return bytes
            })
          )
        : Stream.tap(content, (bytes) => Effect.sync(() => measure(bytes)))
      const body = Stream.map(packed, (bytes) => {
        entry.packedSize += bytes.length
        return counted(bytes)
      })
      const descriptor = Stream.suspend(() =>
        Stream.make(
          counted(fields([0x0807_4b50, 4], [entry.checksum, 4], [entry.packedSize, 4], [entry.size, 4]))
        )
      )
      return Stream.make(counted(concatenate(header, name))).pipe(
        Stream.concat(body),
        Stream.concat(descriptor)
      )
    }
    const end = Stream.suspend(() => {
      const start = offset
      const directory = concatenate(...entries.map(directoryEntry))
      const count = entries.length
      const last = fields(
        [0x0605_4b50, 4],
        [0, 2],
        [0, 2],
        [count, 2],
        [count, 2],
        [directory.length, 4],
        [start, 4],
        [0, 2]
      )
      return Stream.make(concatenate(directory, last))
    })
    return Stream.concat(Stream.flatMap(files, writeFile), end)
  })
