/**
 * Runs the property-based tests repeatedly for a given time, each round with another seed:
 * `npm run test:long -- --minutes 30 [--seed 7] [arguments of vitest]`. The first round runs all tests, later rounds only the
 * files with properties. `LECTERN_TEST_RUNS`, 3 by default, multiplies the cases of each property in a round.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"

const { values, positionals } = parseArgs({
  options: { minutes: { type: "string", default: "10" }, seed: { type: "string" } },
  allowPositionals: true
})
const minutes = Number(values.minutes)
const firstSeed =
  values.seed === undefined ? crypto.getRandomValues(new Int32Array(1))[0]! : Number(values.seed)
if (!(minutes > 0) || !Number.isInteger(firstSeed)) {
  console.error("--minutes must be a number above 0, and --seed a whole number")
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), "lectern-long-"))
const propertyFileList = join(folder, "properties")
const deadline = performance.now() + minutes * 60_000
let files: ReadonlyArray<string> = positionals
let round = 0
let exitCode = 0
for (; exitCode === 0 && performance.now() < deadline; round++) {
  const seed = (firstSeed + round) | 0
  console.log(`\nRound ${round + 1}: LECTERN_TEST_SEED=${seed} npx vitest run ${files.join(" ")}`)
  const vitest = spawn("vitest", ["run", ...files], {
    stdio: "inherit",
    env: {
      ...process.env,
      LECTERN_TEST_RUNS: process.env.LECTERN_TEST_RUNS ?? "3",
      LECTERN_TEST_SEED: String(seed),
      ...(round === 0 ? { LECTERN_TEST_PROPERTIES: propertyFileList } : {})
    }
  })
  const timer = setTimeout(() => vitest.kill("SIGINT"), deadline - performance.now())
  const [vitestExitCode] = (await once(vitest, "exit")) as [number | null]
  clearTimeout(timer)
  if (performance.now() >= deadline) break
  exitCode = vitestExitCode ?? 1
  if (exitCode === 0 && round === 0) files = readFileSync(propertyFileList, "utf8").trim().split("\n")
}
rmSync(folder, { recursive: true })
console.log(
  exitCode === 0
    ? `\nNo failure in ${minutes} minutes: ${round} complete rounds from seed ${firstSeed}`
    : `\nRound ${round} failed. Its seed is printed above.`
)
process.exit(exitCode)
