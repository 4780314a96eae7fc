/** Adversarial requests of at most 1 MB to every parser, sent to a server process. */
import { expect, it } from "vitest"
import { attacks, formatOutcome, runAttacks } from "./hostile/run.ts"

it("handles adversarial requests within a budget that is relative to the speed of the machine", async () => {
  expect(attacks.length).toBeGreaterThanOrEqual(60)
  const outcomes = await runAttacks(attacks, () => undefined)
  const failures = outcomes.filter(({ violations }) => violations.length > 0).map(formatOutcome)
  expect(failures).toEqual([])
}, 1_200_000)
