/** Several clients that write at once, through a server whose store fails, conflicts, delays and loses its connection. */
import { Fault, FaultyStorage, runs } from "@lectern/testkit"
import { Layer } from "effect"
import * as fc from "fast-check"
import { beforeEach, expect, it, vi } from "vitest"
import { memory, stores } from "./stores.ts"
import { expectKept, makeClient } from "./support/acknowledged.ts"
import { findings } from "./support/examined.ts"
import { fetched } from "./support/fetched.ts"
import { drawing } from "./support/load.ts"
import { startServer } from "./support.ts"

/** How many clients write at once, and how many writes each of them sends. */
const [clientsAtOnce, writesOfEach] = [5, 20]

/** No answer takes so long, in milliseconds, however busy the machine is. */
const patienceMillis = 20_000

const makers = {
  fail: Fault.fail,
  conflict: Fault.conflict,
  reset: Fault.reset,
  delay: (where: Fault.At) => Fault.delay(where, "3 millis")
}

/** What goes wrong, so many steps after what went wrong before. */
interface Gust {
  readonly kind: keyof typeof makers
  readonly after: number
}

const gust: fc.Arbitrary<Gust> = fc.record({
  kind: fc.constantFrom(...(Object.keys(makers) as Array<keyof typeof makers>)),
  after: fc.integer({ min: 1, max: 60 })
})

/** One thing after the other goes wrong, over and over. */
const storm = (gusts: ReadonlyArray<Gust>): Fault.Fault => {
  let next = 0
  let left = gusts[0]!.after
  return {
    times: Number.POSITIVE_INFINITY,
    at: (step) => --left <= 0 && makers[gusts[next]!.kind](Fault.at.any).at(step),
    does: (step, store) => {
      const { kind } = gusts[next]!
      next = (next + 1) % gusts.length
      left = gusts[next]!.after
      return makers[kind](Fault.at.any).does(step, store)
    }
  }
}

// Each failure is logged, as it should be: here that is of no use to anybody.
beforeEach(() => void vi.spyOn(console, "log").mockImplementation(() => {}))

for (const { name, make } of [memory, ...stores]) {
  it(`whatever fails while many write on ${name}, what was acknowledged is there, and all is whole`, () =>
    fc.assert(
      fc.asyncProperty(fc.array(gust, { minLength: 1, maxLength: 30 }), fc.nat(), async (gusts, seed) => {
        const faulty = FaultyStorage.make(await make())
        const server = await startServer(Layer.provideMerge(faulty.layer, fetched))
        try {
          const user = await server.core.createUser("ada@example.com")
          const organization = await server.core.createOrganization("Acme", user)
          const token = await server.tokenOf(user)
          const clients = Array.from({ length: clientsAtOnce }, (_, number) =>
            makeClient(organization, `c${number}`, drawing(seed + number), { token })
          )
          const wrong: Array<string> = []
          faulty.inject(storm(gusts))
          await Promise.all(
            clients.map(async (client) => {
              for (let i = 0; i < writesOfEach; i++) {
                const { write, status, text } = await client.write(server.url, patienceMillis)
                if (status === undefined || (status >= 500 && status !== 503)) {
                  wrong.push(`${write.method} ${write.path}: ${status} ${text}`)
                }
              }
            })
          )
          faulty.heal()
          expect(wrong).toEqual([])
          await expectKept(clients, server.url)
          expect(await server.core.runtime.runPromise(findings)).toEqual([])
        } finally {
          await server.close()
        }
      }),
      runs(1)
    ))
}
