/** A copy of the repository, so that planted bugs do not change the files of the working tree. */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { copyFileSync, lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { repository } from "./patches.ts"

/** The folder of the copy. Not in `node_modules`: Vite and Node do not transform TypeScript there. */
export const copyFolder = join(
  tmpdir(),
  `lectern-mutants-${createHash("sha256").update(repository).digest("hex").slice(0, 8)}`
)

/** Copies a file of the repository, which removes the bug that was planted in it. */
export const restoreFile = (file: string): void => {
  mkdirSync(dirname(join(copyFolder, file)), { recursive: true })
  copyFileSync(join(repository, file), join(copyFolder, file))
}

const isFile = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true

/** Links the packages of a folder `node_modules`. The packages of the workspace are relative links, to the folders of the copy. */
const linkPackages = (folder: string): void => {
  const source = join(repository, folder)
  const target = join(copyFolder, folder)
  mkdirSync(target, { recursive: true })
  for (const name of readdirSync(source)) {
    // Vitest has its caches there.
    if (name === ".cache" || name.startsWith(".vite")) continue
    if (name !== "@lectern") {
      symlinkSync(join(source, name), join(target, name))
      continue
    }
    mkdirSync(join(target, name))
    for (const one of readdirSync(join(source, name))) {
      symlinkSync(readlinkSync(join(source, name, one)), join(target, name, one))
    }
  }
}

/** Creates the copy again: all files that Git tracks or does not ignore, and links to the packages. */
export const createCopy = (): void => {
  rmSync(copyFolder, { recursive: true, force: true })
  const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], {
    cwd: repository,
    encoding: "utf8",
    maxBuffer: 64 * 2 ** 20
  })
  for (const file of files.split("\0")) if (file !== "" && isFile(join(repository, file))) restoreFile(file)
  linkPackages("node_modules")
  for (const name of readdirSync(join(repository, "packages"))) {
    const folder = join("packages", name, "node_modules")
    if (lstatSync(join(repository, folder), { throwIfNoEntry: false }) !== undefined) linkPackages(folder)
  }
}
