/**
 * Checks the properties again and again, each time from another seed, for as long as asked:
 * `npm run test:long -- --minutes 30 [--seed 7] [what vitest takes]`. The first round has all tests, those after it
 * the files that have properties. `LECTERN_TEST_RUNS` gives each property more cases in a round.
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
const first = values.seed === undefined ? crypto.getRandomValues(new Int32Array(1))[0]! : Number(values.seed)
if (!(minutes > 0) || !Number.isInteger(first)) {
  console.error("--minutes takes a number above 0, and --seed a whole number")
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), "lectern-long-"))
const list = join(folder, "properties")
const until = performance.now() + minutes * 60_000
let files: ReadonlyArray<string> = positionals
let round = 0
let code = 0
for (; code === 0 && performance.now() < until; round++) {
  const seed = (first + round) | 0
  console.log(`\nRound ${round + 1}: LECTERN_TEST_SEED=${seed} npx vitest run ${files.join(" ")}`)
  const vitest = spawn("vitest", ["run", ...files], {
    stdio: "inherit",
    env: {
      ...process.env,
      LECTERN_TEST_SEED: String(seed),
      ...(round === 0 ? { LECTERN_TEST_PROPERTIES: list } : {})
    }
  })
  const timer = setTimeout(() => vitest.kill("SIGINT"), until - performance.now())
  const [ended] = (await once(vitest, "exit")) as [number | null]
  clearTimeout(timer)
  if (performance.now() >= until) break
  code = ended ?? 1
  if (code === 0 && round === 0) files = readFileSync(list, "utf8").trim().split("\n")
}
rmSync(folder, { recursive: true })
console.log(
  code === 0
    ? `\nNothing failed in ${minutes} minutes: ${round} rounds, from seed ${first}${round === 0 ? "; the first one did not end" : ""}`
    : `\nRound ${round} failed: its seed is above`
)
process.exit(code)
