/** Runs every attack, and reports the attacks that exceed the budget. */
import { type Attack, maximumBytes } from "./Attack.ts"
import { fileAttacks } from "./attacks/files.ts"
import { gitAttacks } from "./attacks/git.ts"
import { jsonAttacks } from "./attacks/json.ts"
import { markdownAttacks } from "./attacks/markdown.ts"
import { mcpAttacks } from "./attacks/mcp.ts"
import { operationAttacks } from "./attacks/operations.ts"
import { samlAttacks } from "./attacks/saml.ts"
import { urlAttacks } from "./attacks/urls.ts"
import { type Budget, budgetOf, type Cost, calibrate, measure } from "./measure.ts"
import { startScene } from "./scene.ts"

/** Every attack. */
export const attacks: ReadonlyArray<Attack> = [
  ...jsonAttacks,
  ...markdownAttacks,
  ...samlAttacks,
  ...fileAttacks,
  ...gitAttacks,
  ...urlAttacks,
  ...mcpAttacks,
  ...operationAttacks
]

/** The result of an attack: its lowest cost in up to five attempts, and how it exceeds the budget. */
export interface Outcome {
  readonly attack: Attack
  readonly cost: Cost
  readonly budget: Budget
  readonly violations: ReadonlyArray<string>
}

/** A response may have this many bytes, and twice the size of the request. */
const responseAllowance = 64 * 1024

const violationsOf = ({ costs }: Attack, cost: Cost, budget: Budget): ReadonlyArray<string> => [
  ...(cost.requestBytes > maximumBytes * 1.1 ? ["the request is too large"] : []),
  ...(cost.heldMs > budget.heldMs ? [`held the event loop for ${Math.round(cost.heldMs)} ms`] : []),
  ...(cost.cpuMs > budget.cpuMs ? [`took ${Math.round(cost.cpuMs)} ms of CPU time`] : []),
  ...(cost.memoryMb > budget.memoryMb ? [`took ${Math.round(cost.memoryMb)} MB of memory`] : []),
  ...(cost.responseBytes > (costs?.responseBytes ?? responseAllowance + 2 * cost.requestBytes)
    ? [`returned ${cost.responseBytes} bytes`]
    : []),
  ...(cost.statuses.some((status) => status >= 500 && status !== 502)
    ? [`failed with ${cost.statuses.join(", ")}`]
    : [])
]

/** An attack is repeated if it exceeds the budget: other programs on the machine delay the probes too. */
const maximumAttempts = 5

/** The time between attempts, in milliseconds. */
const pauseMs = 1_000

/** Runs attacks against one server, and passes each outcome to `report`. */
export const runAttacks = async (
  selected: ReadonlyArray<Attack>,
  report: (outcome: Outcome) => void
): Promise<ReadonlyArray<Outcome>> => {
  const scene = await startScene()
  try {
    const outcomes: Array<Outcome> = []
    for (const attack of selected) {
      let outcome: Outcome | undefined
      for (let attempt = 0; attempt < maximumAttempts; attempt++) {
        const before = calibrate()
        const cost = await measure(scene, attack)
        const after = calibrate()
        const calibration = {
          elapsedMs: Math.max(before.elapsedMs, after.elapsedMs),
          cpuMs: Math.max(before.cpuMs, after.cpuMs)
        }
        const budget = budgetOf(calibration, attack.costs)
        const next = { attack, cost, budget, violations: violationsOf(attack, cost, budget) }
        if (outcome === undefined || next.violations.length <= outcome.violations.length) outcome = next
        if (next.violations.length === 0) break
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
      outcomes.push(outcome!)
      report(outcome!)
    }
    return outcomes
  } finally {
    await scene.close()
  }
}

const column = (value: number, width: number): string => Math.round(value).toString().padStart(width)

/** The header of the table of outcomes. */
export const tableHeader = "parser        held  of   cpu   of    MB    in kB   out kB  statuses  attack"

/** Formats one outcome as a line of the table. */
export const formatOutcome = ({ attack, cost, budget, violations }: Outcome): string =>
  `${attack.parser.padEnd(12)}${column(cost.heldMs, 6)}${column(budget.heldMs, 5)}${column(cost.cpuMs, 6)}${column(budget.cpuMs, 5)}${column(cost.memoryMb, 6)}${column(cost.requestBytes / 1000, 9)}${column(cost.responseBytes / 1000, 9)}  ${cost.statuses.join(" ").padEnd(8)}  ${attack.name}${violations.length === 0 ? "" : `: ${violations.join(", ")}`}`
