/**
 * Runs the test files that `npm test` omits, except the tests in a browser, in groups:
 * `npm run test:rest -- [--minutes 5]`. It starts no group after this time, and prints the names of the groups that it has not run.
 */
import { spawnSync } from "node:child_process"
import { globSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { omittedGroups } from "../testing/fastSelection.ts"

const { values } = parseArgs({ options: { minutes: { type: "string" } } })
const minutes = values.minutes === undefined ? Number.POSITIVE_INFINITY : Number(values.minutes)
if (!(minutes > 0)) {
  console.error("--minutes must be a number above 0.")
  process.exit(2)
}

const root = fileURLToPath(new URL("..", import.meta.url))
const deadline = performance.now() + minutes * 60_000
const skipped: Array<string> = []
for (const { name, files } of omittedGroups) {
  if (performance.now() >= deadline) {
    skipped.push(name)
    continue
  }
  console.log(`\n${name}`)
  const { status } = spawnSync(
    process.execPath,
    [
      join(root, "node_modules", "vitest", "vitest.mjs"),
      "run",
      ...files.flatMap((file) => globSync(file, { cwd: root }))
    ],
    { cwd: root, stdio: "inherit" }
  )
  if (status !== 0) process.exit(status ?? 1)
}
if (skipped.length > 0) console.log(`Not run, as the time is over: ${skipped.join("; ")}.`)
