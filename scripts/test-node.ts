/**
 * Runs the tests of `npm test` on another major version of Node, which it installs from the registry:
 * `npm run test:node -- 22 [arguments of vitest]`. The scripts of npm always run on the Node of the repository.
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"

const [major, ...parameters] = process.argv.slice(2)
if (major === undefined || !/^\d+$/.test(major)) {
  console.error("The first argument must be a major version of Node, as in `npm run test:node -- 22`.")
  process.exit(2)
}

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = join(root, "node_modules", ".cache", `node-${major}`)
const programs = join(folder, "node_modules", "node", "bin")
const node = join(programs, process.platform === "win32" ? "node.exe" : "node")

/** Runs a program, and exits with its code if it fails. */
const run = (command: string, args: ReadonlyArray<string>, options: { cwd: string; path?: string }): void => {
  const { PATH = "" } = process.env
  const { status, error } = spawnSync(command, args, {
    cwd: options.cwd,
    stdio: "inherit",
    shell: process.platform === "win32" && command === "npm",
    env: { ...process.env, PATH: options.path === undefined ? PATH : `${options.path}${delimiter}${PATH}` }
  })
  if (error !== undefined) throw error
  if (status !== 0) process.exit(status ?? 1)
}

if (!existsSync(node)) {
  mkdirSync(folder, { recursive: true })
  // The install script of the package `node` downloads the binary of the platform.
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, allowScripts: { node: true } }))
  run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", `node@${major}`], { cwd: folder })
}
run(node, ["--version"], { cwd: root })
const vitest = join(root, "node_modules", "vitest", "vitest.mjs")
// Programs that tests start by name run on the same Node.
run(node, [vitest, "run", "--config", "vitest.fast.config.ts", ...parameters], { cwd: root, path: programs })
