/**
 * Installs the tools of tests and checks, which have a lock file of their own, `testing/package-lock.json`: `npm run tools`. `npm test` and
 * `npm run check` do so by themselves. It returns immediately if the tools of both lock files are installed.
 *
 * Programs resolve the tools from `node_modules` of the repository, which links to `testing/node_modules`. A package that both lock files have
 * in the same version is removed from the latter, so that tests and packages share one instance of it, such as of React.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const packages = join(root, "node_modules")
const tools = join(root, "testing/node_modules")
const marker = join(packages, ".cache/lectern/tools")

interface Manifest {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
}

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest

/** Identifies the contents of both lock files. */
const identify = (): string =>
  ["package-lock.json", "testing/package-lock.json"]
    .reduce((hash, file) => hash.update(readFileSync(join(root, file))), createHash("sha256"))
    .digest("hex")

/** Returns the names of the packages directly in a folder of packages. */
const namesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) =>
      name.startsWith("@") ? readdirSync(join(folder, name)).map((inner) => `${name}/${inner}`) : [name]
    )

/** Removes the tools that the repository has in the same version. */
const removeShared = (): void => {
  for (const name of namesIn(tools)) {
    const own = join(packages, name)
    if (!existsSync(join(own, "package.json")) || lstatSync(own).isSymbolicLink()) continue
    if (readManifest(own).version === readManifest(join(tools, name)).version) {
      rmSync(join(tools, name), { recursive: true })
    }
  }
}

const link = (path: string, target: string, type: "dir" | "file"): void => {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) rmSync(path)
  if (existsSync(path)) return
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(
    process.platform === "win32" ? target : relative(dirname(path), target),
    path,
    process.platform === "win32" && type === "dir" ? "junction" : type
  )
}

/** Links the tools that the tests import, and their commands. */
const linkTools = (): void => {
  for (const name of Object.keys(readManifest(join(root, "testing")).dependencies)) {
    const target = join(tools, name)
    if (existsSync(target)) link(join(packages, name), target, "dir")
  }
  for (const command of readdirSync(join(tools, ".bin"))) {
    const target = join(tools, ".bin", command)
    // The commands of removed packages are the commands of the repository.
    if (existsSync(target)) link(join(packages, ".bin", command), target, "file")
  }
}

const run = (command: string, args: ReadonlyArray<string>, cwd: string): void => {
  execFileSync(command, args, { cwd, stdio: "inherit", shell: process.platform === "win32" })
}

const identity = identify()
// `npm install` removes the links, but not the marker.
const isLinked = lstatSync(join(packages, "vitest"), { throwIfNoEntry: false })?.isSymbolicLink() === true
if (!existsSync(marker) || readFileSync(marker, "utf8") !== identity) {
  console.log("Installing the tools of the tests: testing/package-lock.json.")
  run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], join(root, "testing"))
  removeShared()
  linkTools()
  run(join(packages, ".bin/tsc"), ["-b"], root)
  mkdirSync(dirname(marker), { recursive: true })
  writeFileSync(marker, identity)
} else if (!isLinked) linkTools()
