/** PostgreSQL runs as another user if the tests run as root, in folders that other users cannot enter. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { packageFolder, postgresUser, reachableFolder, reachablePrograms } from "../src/postgresPrograms.ts"

const user = postgresUser()

/** A folder that only its owner can enter. */
const privateFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-private-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A private folder with programs, by their names. */
const programsIn = (scripts: Readonly<Record<string, string>>) => {
  const folder = privateFolder()
  mkdirSync(join(folder, "native", "bin"), { recursive: true })
  for (const [name, text] of Object.entries(scripts)) {
    writeFileSync(join(folder, "native", "bin", name), `#!/bin/sh\n${text}\n`, { mode: 0o700 })
  }
  return folder
}

it("uses the programs of the package if the user can run them", () => {
  const open = reachablePrograms(user, packageFolder())
  expect(reachablePrograms(user, open)).toBe(open)
})

it.runIf(user !== undefined)("copies programs that the user cannot reach", () => {
  const folder = join(privateFolder(), "package")
  cpSync(packageFolder(), folder, { recursive: true, verbatimSymlinks: true })
  const copy = reachablePrograms(user, folder)
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  expect(copy).not.toContain(folder)
  expect(reachablePrograms(user, copy)).toBe(copy)
})

it.runIf(user !== undefined)("tries the next folder if a copy cannot be run", () => {
  const closed = privateFolder()
  const copy = reachablePrograms(user, programsIn({ initdb: "", postgres: "" }), [closed, "/tmp"])
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  expect(dirname(copy)).toBe("/tmp")
})

it.skipIf(process.platform === "win32")("reports the cause and the remedy if the programs do not run", () => {
  const folder = programsIn({ initdb: "", postgres: "echo a library is missing >&2; exit 127" })
  const shared = privateFolder()
  expect(() => reachablePrograms(user, folder, [shared])).toThrow(
    user === undefined ? /a library is missing.*npm rebuild/s : /EACCES.*npm rebuild.*TMPDIR/s
  )
  expect(() => reachablePrograms(undefined, folder)).toThrow(
    /ended with 127: a library is missing.*npm rebuild/s
  )
})

it.runIf(user !== undefined)("selects a folder for the data that the user can enter", () => {
  const closed = privateFolder()
  expect(reachableFolder(user, [closed, "/tmp"])).toBe("/tmp")
  expect(() => reachableFolder(user, [closed])).toThrow(/TMPDIR/)
  expect(existsSync(closed)).toBe(true)
})
