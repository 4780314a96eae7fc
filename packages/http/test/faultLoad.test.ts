/** Several clients that write at once, through a server whose store fails, conflicts, delays and loses its connection. */
import type { RecordsAdapter } from "@lectern/core"
import { runs } from "@lectern/harness"
import { Fault, FaultyStorage } from "@lectern/testkit"
import { Layer } from "effect"
import * as fc from "fast-check"
import { beforeEach, expect, it, vi } from "vitest"
import { memory, stores } from "./stores.ts"
import {
  type Client,
  expectKept,
  makeClient,
  makeWriterOptions,
  responseTimeoutMillis
} from "./support/acknowledged.ts"
import { findings } from "./support/doctorFindings.ts"
import { fakeFetcher } from "./support/fakeFetcher.ts"
import { makeDraw } from "./support/writes/writes.ts"
import { startServer, type TestServer } from "./support.ts"

/** How many clients write at once, and how many writes each of them sends. */
const [clientsAtOnce, writesOfEach] = [5, 20]

const makers = {
  fail: Fault.fail,
  conflict: Fault.conflict,
  reset: Fault.reset,
  delay: (where: Fault.StepPredicate) => Fault.delay(where, "3 millis")
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
    run: (step, store) => {
      const { kind } = gusts[next]!
      next = (next + 1) % gusts.length
      left = gusts[next]!.after
      return makers[kind](Fault.at.any).run(step, store)
    }
  }
}

// Each failure is logged, as it should be: here that is of no use to anybody.
beforeEach(() => void vi.spyOn(console, "log").mockImplementation(() => {}))

/** A server over a store, and clients of an organization in it, until the use of them has ended. */
const withClients = async (
  storage: Layer.Layer<RecordsAdapter, unknown>,
  seed: number,
  use: (server: TestServer, clients: ReadonlyArray<Client>) => Promise<void>
) => {
  const server = await startServer(Layer.provideMerge(storage, fakeFetcher))
  try {
    const user = await server.core.createUser("ada@example.com")
    const organization = await server.core.createOrganization("Acme", user)
    const token = await server.tokenOf(user)
    const clients: Array<Client> = []
    for (let number = 0; number < clientsAtOnce; number++) {
      const options = await makeWriterOptions(server, user, `c${number}`)
      clients.push(makeClient(organization, `c${number}`, makeDraw(seed + number), { token, ...options }))
    }
    await use(server, clients)
    await expectKept(clients, server.url)
    expect(await server.core.runtime.runPromise(findings)).toEqual([])
  } finally {
    await server.close()
  }
}

/** Has each client send its writes; answers what must not have been answered. */
const wrongOf = async (clients: ReadonlyArray<Client>, url: string, timeout: () => number) => {
  const wrong: Array<string> = []
  const send = async (client: Client) => {
    for (let i = 0; i < writesOfEach; i++) {
      const millis = timeout()
      const { write, status, text } = await client.write(url, millis)
      const hasGone = status === undefined && millis < responseTimeoutMillis
      if (!hasGone && (status === undefined || (status >= 500 && status !== 503))) {
        wrong.push(`${write.method} ${write.path}: ${status} ${text}`)
      }
    }
  }
  await Promise.all(clients.map(send))
  return wrong
}

for (const { name, make } of [memory, ...stores]) {
  it(`whatever fails while many write on ${name}, what was acknowledged is there, and all is whole`, () =>
    fc.assert(
      fc.asyncProperty(fc.array(gust, { minLength: 1, maxLength: 30 }), fc.nat(), async (gusts, seed) => {
        const faulty = FaultyStorage.make(await make())
        await withClients(faulty.layer, seed, async (server, clients) => {
          faulty.inject(storm(gusts))
          expect(await wrongOf(clients, server.url, () => responseTimeoutMillis)).toEqual([])
          faulty.heal()
        })
      }),
      runs(1)
    ))

  it(`though clients go away in the middle of what they ask for, others are answered on ${name}, and all is whole`, () =>
    fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        await withClients(await make(), seed, async (server, clients) => {
          const draw = makeDraw(seed)
          const timeout = () => (draw(3) === 0 ? responseTimeoutMillis : 1 + draw(25))
          expect(await wrongOf(clients, server.url, timeout)).toEqual([])
          // None of those who have gone holds what the next need.
          expect(await wrongOf(clients, server.url, () => responseTimeoutMillis)).toEqual([])
        })
      }),
      runs(1)
    ))
}
