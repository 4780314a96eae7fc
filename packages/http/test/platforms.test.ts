/** Paths and files on the other platforms. The tests of `storage-sqlite` run on them. */
import { join, posix, win32 } from "node:path"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { syncFolder } from "../../lectern/src/backup/packs.ts"
import { sqliteFilename } from "../../lectern/src/settings/DatabaseUrl.ts"
import { temporaryFolder } from "./stores.ts"

const segments = fc.array(fc.stringMatching(/^[a-z0-9 ._-]{1,8}[a-z]$/), { minLength: 1, maxLength: 4 })

const drives = fc.stringMatching(/^[A-Za-z]:$/)

it("the URL of a SQLite file contains any absolute path of Windows, with slashes or backslashes", () => {
  fc.assert(
    fc.property(drives, segments, (drive, path) => {
      const file = win32.join(`${drive}\\`, ...path)
      const withSlashes = file.replaceAll("\\", "/")
      expect(sqliteFilename(`sqlite:${file}`, "win32")).toBe(file)
      for (const prefix of ["sqlite:", "sqlite:/", "sqlite:///"]) {
        const decoded = sqliteFilename(prefix + withSlashes, "win32")
        expect([win32.isAbsolute(decoded), win32.normalize(decoded)]).toEqual([true, win32.normalize(file)])
      }
    })
  )
})

it("the URL of a SQLite file contains any path of POSIX, absolute with one slash or three", () => {
  fc.assert(
    fc.property(segments, (path) => {
      const file = posix.join("/", ...path)
      expect(sqliteFilename(`sqlite:${file}`, "linux")).toBe(file)
      expect(sqliteFilename(`sqlite://${file}`, "linux")).toBe(file)
      expect(sqliteFilename(`sqlite:${posix.join(...path)}`, "linux")).toBe(posix.join(...path))
    })
  )
})

it("writes the entries of a folder to the disk, except on Windows", async () => {
  const missing = join(temporaryFolder(), "missing")
  await expect(syncFolder(missing, "linux")).rejects.toThrow("ENOENT")
  await expect(syncFolder(missing, "win32")).resolves.toBeUndefined()
})
