/**
 * Writes every generated file and every golden file again, in the order in which they depend on each other. `npm run check` and the
 * tests report a stale one; this command refreshes all of them. The tests compare with these files, so review their changes.
 */
import { spawnSync } from "node:child_process"

/** The scripts of `package.json` that generate files. The examples come first, because the OpenAPI document has them. */
const generators = [
  "examples",
  "descriptions",
  "events",
  "fetch-client",
  "reference",
  "editor:assets",
  "graphs"
]

/** The tests that write their golden files if `LECTERN_UPDATE_GOLDEN` is set. */
const goldenTests = [
  "packages/core/test/operations.test.ts",
  "packages/core/test/grants.test.ts",
  "packages/markdown/test/blocks.test.ts",
  "packages/http/test/locks.test.ts",
  "packages/http/test/queries.test.ts"
]

/** The tests that write the images of screens. */
const imageTests = [
  "packages/studio/test/everyScreen.browser.test.ts",
  "packages/studio/test/writersHour.browser.test.ts"
]

const run = (command: string, ...args: ReadonlyArray<string>): void => {
  console.log(`> ${command} ${args.join(" ")}`)
  const { status } = spawnSync(command, args, {
    stdio: "inherit",
    env: { ...process.env, LECTERN_UPDATE_GOLDEN: "1" }
  })
  if (status !== 0) process.exit(status ?? 1)
}

run("npx", "tsc", "-b")
for (const generator of generators) run("npm", "run", "--silent", generator)
run("npx", "vitest", "run", ...goldenTests)
run("npx", "vitest", "run", "--config", "vitest.browser.config.ts", ...imageTests)
run("npx", "biome", "check", "--write", ".")
