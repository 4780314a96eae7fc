/** `npm run hostile`: prints the cost of every attack, and fails if one exceeds the budget. Arguments select by text. */
import { attacks, formatOutcome, runAttacks, tableHeader } from "./run.ts"

const filters = process.argv.slice(2)
const selected = attacks.filter(
  ({ name, parser }) => filters.length === 0 || filters.some((filter) => `${parser} ${name}`.includes(filter))
)
console.log(tableHeader)
const outcomes = await runAttacks(selected, (outcome) => console.log(formatOutcome(outcome)))
const failed = outcomes.filter(({ violations }) => violations.length > 0)
console.log(`${outcomes.length} attacks, ${failed.length} over the budget`)
process.exitCode = failed.length === 0 ? 0 : 1
