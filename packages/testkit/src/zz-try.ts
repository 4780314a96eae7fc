import { makePlan } from "./simulation/plan.ts"
import { simulatePlan } from "./simulation/simulate.ts"
const [first, last, commands, faults] = process.argv.slice(2).map(Number)
const reached = new Map<string, number>()
let total = 0
const begin = process.cpuUsage()
for (let seed = first!; seed <= last!; seed++) {
  const start = process.cpuUsage()
  const result = await simulatePlan(makePlan(seed, { commands: commands!, faults: faults! }))
  const used = process.cpuUsage(start)
  for (const [k, v] of result.reached) reached.set(k, (reached.get(k) ?? 0) + v)
  total += result.commands
  console.log(seed, ((used.user + used.system) / 1e6).toFixed(2), "s", result.commands, result.traceHash, result.violation === undefined ? "" : `${result.violation.rule}: ${result.violation.details.slice(0, Number(process.env.LONG ?? 900))}`)
}
const all = process.cpuUsage(begin)
console.log(total / ((all.user + all.system) / 1e6), "commands per CPU-second")
if (process.env.SHOW) console.log([...reached].sort().map(([k, v]) => `${v} ${k}`).join("\n"))
