/** Archives with adversarial content are rejected with the reason, or imported without the files in question. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { gzipSync } from "node:zlib"
import { importReader } from "@lectern/converters"
import { runs } from "@lectern/harness"
import { Effect } from "effect"
import * as fc from "fast-check"
import { strToU8, zipSync } from "fflate"
import { describe, expect, it, onTestFinished } from "vitest"

const reader = importReader()

/** Returns the files of a tar archive, or the message of its error. */
const readTar = (bytes: Uint8Array) =>
  Effect.runPromise(
    reader("tar", { bytes }).pipe(
      Effect.map(({ files, skipped }) => ({
        files: Object.fromEntries(files.map((file) => [file.path, new TextDecoder().decode(file.bytes)])),
        skipped
      })),
      Effect.catchTag("NotReadable", ({ message }) => Effect.succeed(message))
    )
  )

/** Returns the central directory of a ZIP archive with the number of its entries. */
const directoryOf = (archive: Uint8Array) => {
  const end = archive.length - 22
  const view = new DataView(archive.buffer, archive.byteOffset)
  const start = view.getUint32(end + 16, true)
  return { bytes: archive.slice(start, end), count: view.getUint16(end + 10, true) }
}

const readIndex = (input: { readonly bytes: Uint8Array; readonly count: number }) =>
  Effect.runPromise(
    reader("zipIndex", input).pipe(
      Effect.map(({ entries, skipped }) => ({ paths: entries.map(({ path }) => path), skipped })),
      Effect.catchTag("NotReadable", ({ message }) => Effect.succeed(message))
    )
  )

/** Creates a header of a tar archive, and the content of a file. */
const tarEntry = (name: string, content: string, type = "0"): Buffer => {
  const header = Buffer.alloc(512)
  header.write(name, 0, 100, "latin1")
  header.write("0000644\0", 100)
  header.write(`${content.length.toString(8).padStart(11, "0")}\0`, 124)
  header.write("        ", 148)
  header.write(type, 156)
  header.write("ustar\x0000", 257)
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, "0")}\0 `,
    148
  )
  return Buffer.concat([header, Buffer.from(content.padEnd(Math.ceil(content.length / 512) * 512, "\0"))])
}

const tar = (...entries: ReadonlyArray<Buffer>): Buffer => Buffer.concat([...entries, Buffer.alloc(1024)])

describe("a tar archive", () => {
  it("is read as the tar command writes it, with long names, and without links", async () => {
    const folder = mkdtempSync(join(tmpdir(), "archives-"))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const long = `${"long-name/".repeat(15)}page.md`
    const files = {
      "README.md": "# Start\n",
      [long]: "# Long\n",
      "Ünïcode.md": "x".repeat(2000),
      "empty.md": ""
    }
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    symlinkSync("/etc/passwd", join(folder, "link.md"))
    for (const options of [["--format=gnu"], ["--format=posix"], ["--format=gnu", "-z"]]) {
      const bytes = execFileSync("tar", ["-c", ...options, "-C", folder, "."])
      expect(await readTar(bytes)).toEqual({
        files,
        skipped: [{ path: "link.md", reason: "The file is a link or a device." }]
      })
    }
  })

  it.each([
    ["a path outside of it", tar(tarEntry("../../etc/passwd", "x")), /outside of the archive/],
    ["an absolute path", tar(tarEntry("/etc/passwd", "x")), /outside of the archive/],
    [
      "two files of one path",
      tar(tarEntry("a.md", "x"), tarEntry("./a.md", "y")),
      /two files of the same path/
    ],
    ["a truncated file", tarEntry("a.md", "x".repeat(600)).subarray(0, 700), /truncated/],
    ["a malformed size", Buffer.from(tarEntry("a.md", "x")).fill("9", 124, 135), /cannot be unpacked/],
    ["no archive", Buffer.from("nothing"), /not a tar archive/],
    ["malformed gzip", Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3, 4]), /not a tar archive|cannot be unpacked/],
    ["a compression bomb", gzipSync(Buffer.alloc(200 * 1024 * 1024)), /unpacks to more than 128 MiB/]
  ])("with %s is rejected", async (_, bytes, message) => {
    expect(await readTar(new Uint8Array(bytes))).toMatch(message)
  })

  it("of any bytes is read or rejected", async () => {
    const valid = tar(tarEntry("a.md", "x"), tarEntry("b/c.md", "y".repeat(700)))
    const changes = fc.array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(changes, async (bytes) => {
        const damaged = new Uint8Array(valid)
        for (const [at, byte] of bytes) damaged[at] = byte
        const result = await readTar(damaged)
        // An unexpected error of a reader has this message.
        if (typeof result === "string") expect(result).not.toMatch(/content that cannot be read/)
      }),
      runs(100)
    )
  })
})

describe("the directory of a ZIP archive", () => {
  const valid = directoryOf(zipSync({ "a.md": strToU8("# A\n"), "b/c.md": strToU8("# C\n") }))

  it("has names in UTF-8, or in Latin-1 if they are not valid UTF-8", async () => {
    const bytes = valid.bytes.slice()
    bytes[46] = 0xe4
    expect(await readIndex({ ...valid, bytes })).toMatchObject({ paths: ["ä.md", "b/c.md"] })
  })

  it("lists symbolic links among the omitted files", async () => {
    const bytes = valid.bytes.slice()
    new DataView(bytes.buffer).setUint32(38, 0o120777 * 65_536, true)
    expect(await readIndex({ ...valid, bytes })).toEqual({
      paths: ["b/c.md"],
      skipped: [{ path: "a.md", reason: "The file is a symbolic link." }]
    })
  })

  it.each([
    ["an encrypted file", 8, 1, /encrypted/],
    ["a false signature", 0, 0, /cannot be unpacked/],
    ["a size over the limit", 27, 0x40, /unpacks to more than 128 MiB/]
  ])("with %s is rejected", async (_, at, byte, message) => {
    const bytes = valid.bytes.slice()
    bytes[at] = byte
    expect(await readIndex({ ...valid, bytes })).toMatch(message)
  })

  it("with more entries than bytes is rejected", async () => {
    expect(await readIndex({ ...valid, count: 40_000 })).toMatch(/cannot be unpacked/)
  })
})
