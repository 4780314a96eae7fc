/**
 * Measures the disk space of installations, and fails if one is over its budget: the packages of the repository without the tools of tests;
 * all packages of Lectern in a host, from tarballs; and `@lectern/core` with `@lectern/storage-sqlite`. A budget may only fall.
 */
import { execFileSync } from "node:child_process"
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** The maximum sizes in MiB, as `du` counts them. */
const budgets = { repository: 350, host: 150, core: 77 } as const

const embeddedCore = [
  "core",
  "kernel",
  "model",
  "formats",
  "content",
  "access",
  "markdown",
  "storage-sql",
  "storage-sqlite"
]

/** The folders that tools write next to packages. */
const caches = [".cache", ".vite", ".vitest-cache"]

/** Returns the size of a folder on disk in bytes. Symbolic links are not followed. */
const sizeOf = (path: string, excluded: ReadonlyArray<string> = []): number => {
  const stats = lstatSync(path)
  // Windows does not count blocks.
  const own = stats.blocks === undefined ? stats.size : stats.blocks * 512
  if (!stats.isDirectory()) return own
  return readdirSync(path)
    .filter((name) => !excluded.includes(name))
    .reduce((sum, name) => sum + sizeOf(join(path, name)), own)
}

const megabytes = (bytes: number): number => bytes / 1024 / 1024

const packageSizes = (folder: string): ReadonlyArray<readonly [name: string, bytes: number]> =>
  readdirSync(folder)
    .filter((name) => !caches.includes(name))
    .map((name) => [name, sizeOf(join(folder, name))] as const)
    .sort(([, a], [, b]) => b - a)

const npm = (cwd: string, ...args: ReadonlyArray<string>): string =>
  execFileSync("npm", args, { cwd, encoding: "utf8", shell: process.platform === "win32" })

const install = (folder: string, dependencies: ReadonlyArray<string>): string => {
  mkdirSync(folder)
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }))
  npm(folder, "install", "--silent", "--no-audit", "--no-fund", "--prefer-offline", ...dependencies)
  return join(folder, "node_modules")
}

const problems: Array<string> = []

const check = (name: keyof typeof budgets, folder: string): void => {
  const size = megabytes(sizeOf(folder, caches))
  const largest = packageSizes(folder)
    .slice(0, 6)
    .map(([name, bytes]) => `${name} ${megabytes(bytes).toFixed(0)}`)
  console.log(
    `${name}: ${size.toFixed(0)} MiB, at most ${budgets[name]}. The largest: ${largest.join(", ")}.`
  )
  if (size > budgets[name])
    problems.push(`${name}: ${size.toFixed(0)} MiB are over the budget of ${budgets[name]}.`)
}

check("repository", "node_modules")
const folder = mkdtempSync(join(tmpdir(), "lectern-sizes-"))
try {
  execFileSync("npx", ["tsc", "-b"], { stdio: "inherit", shell: process.platform === "win32" })
  execFileSync(process.execPath, ["scripts/stage-packages.ts"], { stdio: "inherit" })
  const tarballs = readdirSync("packages").map((name) => {
    const packed = npm(join("packages", name, "package"), "pack", "--silent", "--pack-destination", folder)
    return [name, join(folder, packed.trim().split("\n").at(-1)!)] as const
  })
  check("host", install(join(folder, "host"), [...tarballs.map(([, path]) => path), "express", "pg"]))
  const ofCore = tarballs.filter(([name]) => embeddedCore.includes(name)).map(([, path]) => path)
  check("core", install(join(folder, "core"), [...ofCore, "effect"]))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
