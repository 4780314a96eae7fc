/**
 * Simulates workspaces with other seeds until a time has passed, and prints statistics.
 *
 * `npm run simulate -- [--minutes 1] [--seed 1] [--commands 100] [--faults 30] [--keep 3,7]`. With `--keep`, only these calls and
 * faults of the seed occur, as the output of a failure states. Each failure is shrunk. The exit code is 1 if a rule was violated, or
 * if something was never reached.
 */
import { parseArgs } from "node:util"
import {
  defaultPlanSize,
  describeFailure,
  findUnreached,
  makePlan,
  shrinkSimulation,
  simulate
} from "../packages/testkit/src/simulation/index.ts"

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    seed: { type: "string", default: "1" },
    commands: { type: "string", default: String(defaultPlanSize.commands) },
    faults: { type: "string", default: String(defaultPlanSize.faults) },
    keep: { type: "string" }
  }
})
const size = { commands: Number(values.commands), faults: Number(values.faults) }
const firstSeed = Number(values.seed)
const reached = new Map<string, number>()
let commands = 0
let simulations = 0
let failures = 0

if (values.keep !== undefined) {
  const keep = values.keep === "none" ? [] : values.keep.split(",").map(Number)
  const result = await simulate({ seed: firstSeed, size, keep })
  const plan = makePlan(firstSeed, size)
  const failed = { plan: { ...plan, items: keep.map((index) => plan.items[index]!) }, kept: keep, result }
  console.log(describeFailure({ seed: firstSeed, size }, failed))
  process.exit(result.violation === undefined ? 0 : 1)
}

const secondsOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1e6

const end = performance.now() + Number(values.minutes) * 60_000
const started = process.cpuUsage()
let shrinkingSeconds = 0
for (let seed = firstSeed; performance.now() < end; seed++) {
  const result = await simulate({ seed, size })
  simulations++
  commands += result.commands
  for (const [what, count] of result.reached) reached.set(what, (reached.get(what) ?? 0) + count)
  if (result.violation === undefined) continue
  failures++
  const before = process.cpuUsage()
  console.error(describeFailure({ seed, size }, await shrinkSimulation({ seed, size }, result)))
  shrinkingSeconds += secondsOf(process.cpuUsage(before))
}

const seconds = secondsOf(process.cpuUsage(started)) - shrinkingSeconds
for (const [what, count] of [...reached].sort(([a], [b]) => (a < b ? -1 : 1))) {
  console.log(`${String(count).padStart(8)}  ${what}`)
}
const unreached = findUnreached(reached, simulations)
for (const what of unreached) console.error(`never reached: ${what}`)
console.log(
  `${simulations} simulations, ${commands} commands in ${seconds.toFixed(1)} s of CPU time: ${(commands / seconds).toFixed(0)} commands per CPU-second; ${failures} failed.`
)
if (failures > 0 || unreached.length > 0) process.exit(1)
