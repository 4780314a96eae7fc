/**
 * Checks the repository: `npm run check`. It runs the parts below in order, and stops at the first that fails, which prints the
 * command that repairs it. A part that has succeeded on the same files is skipped; `--all` skips none. A checkout without Git
 * skips none either.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { performance } from "node:perf_hooks"

/** Patterns of the paths that parts read. */
const anyPath = /./
const sources =
  /^((packages\/[^/]+|harness)\/(src|package\.json|tsconfig)|scripts\/|examples\/|testing\/|docs\/|package(-lock)?\.json|tsconfig|CONTRIBUTING\.md)/
const typed = /\.(tsx?|json)$/

/** The parts, as scripts of `package.json`, with the paths that they read. */
const parts: ReadonlyArray<readonly [script: string, inputs: RegExp]> = [
  ["check:types", typed],
  ["check:lint", anyPath],
  ["check:unused", anyPath],
  ["check:imports", sources],
  ["check:mutants", anyPath],
  ["check:declarations", sources],
  ["check:bundles", sources],
  ["check:generated", sources],
  ["check:hovers", sources],
  ["check:language", anyPath],
  ["check:spelling", anyPath]
]

const cache = "node_modules/.cache/lectern/check.json"

const git = (...args: ReadonlyArray<string>): ReadonlyArray<string> =>
  execFileSync("git", args, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 })
    .split("\0")
    .filter(Boolean)

const digest = (content: string | Buffer): string => createHash("sha256").update(content).digest("hex")

/** Returns a digest of the content of each file of the repository; undefined without Git. */
const readFiles = (): ReadonlyMap<string, string> | undefined => {
  if (!existsSync(".git")) return undefined
  const files = new Map<string, string>()
  for (const entry of git("ls-files", "-s", "-z")) {
    const [, object = "", , path = ""] = /^\d+ (\w+) (\d)\t(.*)$/s.exec(entry) ?? []
    files.set(path, object)
  }
  // Paths that differ from the index, and paths that are not tracked.
  for (const path of git("ls-files", "-z", "--modified", "--others", "--exclude-standard")) {
    const isFile = lstatSync(path, { throwIfNoEntry: false })?.isFile() === true
    files.set(path, isFile ? digest(readFileSync(path)) : "")
  }
  return files
}

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>
}

const succeeded: Record<string, string> =
  process.argv.includes("--all") || !existsSync(cache) ? {} : JSON.parse(readFileSync(cache, "utf8"))
const files = readFiles()

/** Identifies the inputs of a part, its command, and the version of Node. */
const identify = (command: string, inputs: RegExp): string | undefined =>
  files &&
  digest(
    JSON.stringify([
      process.version,
      command,
      [...files].filter(([path]) => inputs.test(path)).sort(([one], [other]) => (one < other ? -1 : 1))
    ])
  )

for (const [script, inputs] of parts) {
  const command = scripts[script]!
  const identity = identify(command, inputs)
  if (identity !== undefined && succeeded[script] === identity) {
    console.log(`> ${script}: unchanged`)
    continue
  }
  const start = performance.now()
  console.log(`> ${script}: ${command}`)
  const { status } = spawnSync(command, {
    shell: true,
    stdio: "inherit",
    env: {
      ...process.env,
      PATH: `${join(process.cwd(), "node_modules/.bin")}${delimiter}${process.env.PATH}`
    }
  })
  if (status !== 0) process.exit(status ?? 1)
  console.log(`  ${((performance.now() - start) / 1000).toFixed(1)} s`)
  if (identity === undefined) continue
  succeeded[script] = identity
  mkdirSync(dirname(cache), { recursive: true })
  writeFileSync(cache, JSON.stringify(succeeded))
}
