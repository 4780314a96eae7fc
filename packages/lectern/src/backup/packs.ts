/**
 * Packs of blobs. A pack is a compressed file, named by its SHA-256, with a list of the hashes of its blobs next to it.
 * Packs never change, and all backups of a folder share them: a backup adds packs of the blobs that no earlier one has.
 */
import { createHash } from "node:crypto"
import { constants as fileConstants } from "node:fs"
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { zstdCompress, zstdDecompress } from "node:zlib"
import type { BlobBytes, BlobHash } from "@lectern/core"
import { privateFileMode } from "./lineFiles.ts"

/** The size of the blobs of a pack, in bytes, before compression. A larger blob is a pack of its own. */
const packSize = 16 * 1024 * 1024

/** The maximum size of a decompressed pack, in bytes. */
const maximumSize = 1024 * 1024 * 1024

const hashLength = 43
const headerLength = hashLength + 4

const packName = /^([A-Za-z0-9_-]{43})\.pack$/

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** A pack whose bytes do not match its name, or that cannot be decoded. */
export class CorruptPack extends Error {
  override readonly name = "CorruptPack"
}

/** Writes a file to the disk, under a temporary name until it is complete. */
export const writeDurably = async (path: string, content: string | Uint8Array): Promise<void> => {
  const partial = `${path}.partial`
  const file = await open(partial, "w", privateFileMode)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(partial, path)
}

/** Writes the entries of a folder to the disk. Windows writes them automatically, and rejects the call with EPERM. */
export const syncFolder = async (
  path: string,
  platform: NodeJS.Platform = process.platform
): Promise<void> => {
  if (platform === "win32") return
  const folder = await open(path, fileConstants.O_RDONLY)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

const encodeFrames = (blobs: ReadonlyArray<BlobBytes>): Uint8Array =>
  Buffer.concat(
    blobs.flatMap(({ hash, bytes }) => {
      const header = Buffer.alloc(headerLength)
      header.write(hash, "latin1")
      header.writeUInt32BE(bytes.length, hashLength)
      return [header, bytes]
    })
  )

const decodeFrames = (pack: Buffer): ReadonlyArray<BlobBytes> => {
  const blobs: Array<BlobBytes> = []
  for (let at = 0; at < pack.length; ) {
    const start = at + headerLength
    if (start > pack.length) throw new CorruptPack("A pack ends within a blob.")
    const end = start + pack.readUInt32BE(at + hashLength)
    if (end > pack.length) throw new CorruptPack("A pack ends within a blob.")
    const hash = pack.toString("latin1", at, at + hashLength) as BlobHash
    blobs.push({ hash, bytes: new Uint8Array(pack.subarray(start, end)) })
    at = end
  }
  return blobs
}

const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("base64url")

/** The packs of a folder. */
export interface Packs {
  /** Returns the names of all packs. */
  readonly list: () => Promise<ReadonlyArray<string>>
  /** Returns the hashes of the blobs in a pack. */
  readonly hashesIn: (name: string) => Promise<ReadonlyArray<BlobHash>>
  /** Reads a pack. Throws a {@link CorruptPack} if its bytes do not match its name. */
  readonly read: (name: string) => Promise<ReadonlyArray<BlobBytes>>
  /** Deletes a pack. */
  readonly remove: (name: string) => Promise<void>
  /** Creates a writer, which writes a pack whenever enough blobs were added, and the last one when it is closed. */
  readonly createWriter: () => {
    readonly add: (blobs: ReadonlyArray<BlobBytes>) => Promise<void>
    readonly close: () => Promise<void>
  }
}

/** Opens the packs of a folder, which is created when the first pack is written. */
export const openPacks = (folder: string): Packs => {
  const packFile = (name: string) => join(folder, `${name}.pack`)
  const indexFile = (name: string) => join(folder, `${name}.hashes`)

  const write = async (blobs: ReadonlyArray<BlobBytes>): Promise<void> => {
    const bytes = await compress(encodeFrames(blobs))
    const name = digestOf(bytes)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // The pack comes last: one without its list of hashes does not exist.
    await writeDurably(indexFile(name), blobs.map(({ hash }) => `${hash}\n`).join(""))
    await writeDurably(packFile(name), bytes)
    await syncFolder(folder)
  }

  return {
    list: async () => {
      const names = await readdir(folder).catch(() => [])
      return names.flatMap((name) => packName.exec(name)?.[1] ?? []).sort()
    },
    hashesIn: async (name) =>
      (await readFile(indexFile(name), "latin1"))
        .split("\n")
        .filter((line) => line !== "") as Array<BlobHash>,
    read: async (name) => {
      const bytes = await readFile(packFile(name))
      if (digestOf(bytes) !== name) throw new CorruptPack(`The file ${packFile(name)} is corrupt.`)
      return decodeFrames(await decompress(bytes, { maxOutputLength: maximumSize }))
    },
    remove: async (name) => {
      await rm(packFile(name), { force: true })
      await rm(indexFile(name), { force: true })
    },
    createWriter: () => {
      let pending: Array<BlobBytes> = []
      let size = 0
      const flush = async () => {
        const blobs = pending
        pending = []
        size = 0
        if (blobs.length > 0) await write(blobs)
      }
      return {
        add: async (blobs) => {
          for (const blob of blobs) {
            pending.push(blob)
            size += blob.bytes.length + headerLength
            if (size >= packSize) await flush()
          }
        },
        close: flush
      }
    }
  }
}
