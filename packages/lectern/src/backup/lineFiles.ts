/** Compressed files of lines, which are read and written as streams. */
import { once } from "node:events"
import { createReadStream, createWriteStream } from "node:fs"
import { pipeline } from "node:stream/promises"
import { createZstdCompress, createZstdDecompress } from "node:zlib"
import { type LinesDigest, makeLinesHash } from "@lectern/core"

/** Only the owner reads and writes backups: they contain the secrets of the workspace. */
export const privateFileMode = 0o600

/** The length of the text that is compressed in one step, in characters. */
const batchLength = 256 * 1024

/** A file of lines that is being written. */
export interface LineWriter {
  /** Adds lines, which contain no line feed. */
  readonly write: (lines: ReadonlyArray<string>) => Promise<void>
  /** Writes the file to the disk, and returns the digest of its lines. */
  readonly close: () => Promise<LinesDigest>
  /** Closes the file without completing it. */
  readonly abort: () => void
}

/** Creates a file of lines, compressed with Zstandard. */
export const createLineWriter = (path: string): LineWriter => {
  const hash = makeLinesHash()
  const compressor = createZstdCompress()
  const written = pipeline(compressor, createWriteStream(path, { mode: privateFileMode, flush: true }))
  // An error is reported by the next call.
  let failure: unknown
  written.catch((error: unknown) => {
    failure = error
  })
  let text = ""
  const flush = async () => {
    if (failure !== undefined) throw failure
    const batch = text
    text = ""
    if (batch !== "" && !compressor.write(batch)) await Promise.race([once(compressor, "drain"), written])
  }
  return {
    write: async (lines) => {
      for (const line of lines) {
        hash.add(line)
        text += `${line}\n`
        if (text.length >= batchLength) await flush()
      }
    },
    close: async () => {
      await flush()
      compressor.end()
      await written
      return hash.result()
    },
    abort: () => {
      compressor.destroy()
    }
  }
}

/** Reads the lines of a file of {@link createLineWriter}, in batches of at most 500. Rejects if it is not compressed text. */
export async function* readLines(path: string): AsyncGenerator<ReadonlyArray<string>> {
  const input = createReadStream(path)
  const decompressor = createZstdDecompress()
  const copied = pipeline(input, decompressor)
  copied.catch(() => {})
  decompressor.setEncoding("utf8")
  let rest = ""
  try {
    for await (const chunk of decompressor as AsyncIterable<string>) {
      const lines = (rest + chunk).split("\n")
      rest = lines.pop()!
      for (let at = 0; at < lines.length; at += 500) yield lines.slice(at, at + 500)
    }
    if (rest !== "") throw new Error("The last line is incomplete.")
  } finally {
    decompressor.destroy()
    input.destroy()
  }
}
