/** The counting of requests for rate limits. */

import { makeMovableClock } from "@lectern/harness"
import { Clock, Effect } from "effect"
import { RateLimiter } from "effect/persistence"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { type ConsumeQuota, makeQuotas, quotasOf } from "../src/server/limits/quotas.ts"

const requests = fc.array(
  fc.record({ key: fc.constantFrom("a", "b"), requests: fc.integer({ min: 0, max: 3 }) }),
  { maxLength: 20 }
)

/** Consumes in one minute, and returns the remaining requests after each, or "exceeded". */
const consumeAll = (
  consume: ConsumeQuota,
  limit: number,
  consumed: ReadonlyArray<{ readonly key: string; readonly requests: number }>
) =>
  Effect.withFiber((fiber) =>
    Effect.forEach(consumed, ({ key, requests }) => {
      const quota = consume(fiber, key, limit, requests)
      return Effect.map(
        Effect.isEffect(quota) ? quota : Effect.succeed(quota),
        ({ isExceeded, remaining }) => (isExceeded ? "exceeded" : remaining)
      )
    })
  )

it("counts as the limiter of Effect does on its store in memory", () =>
  fc.assert(
    fc.asyncProperty(fc.integer({ min: 3, max: 10 }), requests, async (limit, consumed) => {
      const limiter = RateLimiter.make.pipe(Effect.provide(RateLimiter.layerStoreMemory))
      const [counted, expected] = await Effect.runPromise(
        Effect.all([
          consumeAll(makeQuotas(undefined), limit, consumed),
          Effect.flatMap(limiter, (made) => consumeAll(quotasOf(made), limit, consumed))
        ]).pipe(Effect.provideService(Clock.Clock, makeMovableClock().clock))
      )
      expect(counted).toEqual(expected)
    })
  ))
