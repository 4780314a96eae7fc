/** The admission to connections: limits per use, order of arrival, and no lost connection. */
import { runs } from "@lectern/harness"
import { Effect, Exit, Fiber } from "effect"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { Admission, type Use } from "../src/Admission.ts"

const use = fc.oneof(
  fc.constant<Use>({ kind: "transaction" }),
  fc.constantFrom("a", "b").map((table): Use => ({ kind: "read", table }))
)
const step = fc.oneof(
  { weight: 3, arbitrary: use.map((use) => ({ kind: "acquire" as const, use })) },
  { weight: 2, arbitrary: fc.nat(20).map((index) => ({ kind: "release" as const, index })) },
  { weight: 1, arbitrary: fc.nat(20).map((index) => ({ kind: "interrupt" as const, index })) }
)

it("admits within the limits, leaves a connection for reads of other tables, and loses none", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 8 }),
      fc.array(step, { maxLength: 60 }),
      (maxConnections, steps) =>
        Effect.runPromise(
          Effect.gen(function* () {
            const admission = new Admission({ maxConnections, maxWaiting: 1_000, acquireMs: 60_000 })
            const callers: Array<{ readonly use: Use; readonly fiber: Fiber.Fiber<void, unknown> }> = []
            const admitted = () =>
              callers.filter(({ fiber }) => {
                const exit = fiber.pollUnsafe()
                return exit !== undefined && Exit.isSuccess(exit)
              })
            const take = (caller: (typeof callers)[number]) => callers.splice(callers.indexOf(caller), 1)
            for (const step of steps) {
              if (step.kind === "acquire") {
                const fiber = yield* Effect.forkChild(admission.acquire(step.use), { startImmediately: true })
                callers.push({ use: step.use, fiber })
              } else if (step.kind === "release") {
                const caller = admitted()[step.index]
                if (caller === undefined) continue
                take(caller)
                admission.release(caller.use)
              } else {
                const caller = callers.filter(({ fiber }) => fiber.pollUnsafe() === undefined)[step.index]
                if (caller === undefined) continue
                yield* Fiber.interrupt(caller.fiber)
                take(caller)
              }
              yield* Effect.yieldNow
              const uses = admitted().map(({ use }) => use)
              expect(uses.length).toBeLessThanOrEqual(maxConnections)
              expect(admission.waitingCount).toBe(callers.length - uses.length)
              const readsOf = (table: string) =>
                uses.filter((use) => use.kind === "read" && use.table === table).length
              if (maxConnections < 3) continue
              // Reads of the third table are admitted unless both others and transactions are in use.
              const transactions = uses.length - readsOf("a") - readsOf("b")
              for (const table of ["a", "b"]) {
                expect(transactions + readsOf(table)).toBeLessThan(maxConnections)
              }
            }
            while (callers.length > 0) {
              const [caller] = admitted()
              expect(caller).toBeDefined()
              take(caller!)
              admission.release(caller!.use)
              yield* Effect.yieldNow
            }
          })
        )
    ),
    runs(200)
  )
})
