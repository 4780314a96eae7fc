/** Concurrent clients that write to a server whose store fails, conflicts, delays and loses connections. */
import type { RecordsAdapter } from "@lectern/core"
import { runs } from "@lectern/harness"
import { Fault, FaultyStorage } from "@lectern/testkit"
import { Layer } from "effect"
import * as fc from "fast-check"
import { beforeEach, expect, it, vi } from "vitest"
import { ruleStores } from "./stores.ts"
import {
  type Client,
  createWriterOptions,
  expectAcknowledged,
  makeClient,
  responseTimeoutMillis
} from "./support/acknowledged.ts"
import { findings } from "./support/doctorFindings.ts"
import { fakeFetcher } from "./support/fakeFetcher.ts"
import { makeDraw } from "./support/writes/writes.ts"
import { startServer, type TestServer } from "./support.ts"

/** The number of concurrent clients, and the number of writes of each. */
const [clientCount, writesPerClient] = [5, 20]

const faultKinds = {
  fail: Fault.fail,
  conflict: Fault.conflict,
  reset: Fault.reset,
  delay: (where: Fault.StepPredicate) => Fault.delay(where, "3 millis")
}

/** A fault, and the number of store steps between the previous fault and this one. */
interface TimedFault {
  readonly kind: keyof typeof faultKinds
  readonly after: number
}

const timedFault: fc.Arbitrary<TimedFault> = fc.record({
  kind: fc.constantFrom(...(Object.keys(faultKinds) as Array<keyof typeof faultKinds>)),
  after: fc.integer({ min: 1, max: 60 })
})

/** A fault that repeats a sequence of faults. */
const repeatedFaults = (faults: ReadonlyArray<TimedFault>): Fault.Fault => {
  let next = 0
  let left = faults[0]!.after
  return {
    times: Number.POSITIVE_INFINITY,
    at: (step) => --left <= 0 && faultKinds[faults[next]!.kind](Fault.at.any).at(step),
    run: (step, store) => {
      const { kind } = faults[next]!
      next = (next + 1) % faults.length
      left = faults[next]!.after
      return faultKinds[kind](Fault.at.any).run(step, store)
    }
  }
}

// Silences the log, which has an entry for each injected failure.
beforeEach(() => void vi.spyOn(console, "log").mockImplementation(() => {}))

/** Runs a test with a server on a store and several clients. Afterwards, verifies the acknowledged facts and runs the doctor. */
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
    for (let number = 0; number < clientCount; number++) {
      const options = await createWriterOptions(server, user, `c${number}`, organization)
      clients.push(makeClient(organization, `c${number}`, makeDraw(seed + number), { token, ...options }))
    }
    await use(server, clients)
    await expectAcknowledged(clients, server.url)
    expect(await server.core.runtime.runPromise(findings)).toEqual([])
  } finally {
    await server.close()
  }
}

/** Sends the writes of all clients; returns the responses that violate the contract. */
const invalidResponses = async (clients: ReadonlyArray<Client>, url: string, timeout: () => number) => {
  const invalid: Array<string> = []
  const send = async (client: Client) => {
    for (let i = 0; i < writesPerClient; i++) {
      const millis = timeout()
      const { write, status, text } = await client.write(url, millis)
      const hasDisconnected = status === undefined && millis < responseTimeoutMillis
      if (!hasDisconnected && (status === undefined || (status >= 500 && status !== 503))) {
        invalid.push(`${write.method} ${write.path}: ${status} ${text}`)
      }
    }
  }
  await Promise.all(clients.map(send))
  return invalid
}

for (const { name, make } of ruleStores) {
  it(`retains acknowledged writes and all invariants under faults and concurrent clients, on ${name}`, () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(timedFault, { minLength: 1, maxLength: 30 }),
        fc.nat(),
        async (faults, seed) => {
          const faulty = FaultyStorage.make(await make())
          await withClients(faulty.layer, seed, async (server, clients) => {
            faulty.inject(repeatedFaults(faults))
            expect(await invalidResponses(clients, server.url, () => responseTimeoutMillis)).toEqual([])
            faulty.heal()
          })
        }
      ),
      runs(1)
    ))

  it(`serves the other clients when clients disconnect during their requests, and retains all invariants, on ${name}`, () =>
    fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        await withClients(await make(), seed, async (server, clients) => {
          const draw = makeDraw(seed)
          const timeout = () => (draw(3) === 0 ? responseTimeoutMillis : 1 + draw(25))
          expect(await invalidResponses(clients, server.url, timeout)).toEqual([])
          // Disconnected clients hold no resources that later requests need.
          expect(await invalidResponses(clients, server.url, () => responseTimeoutMillis)).toEqual([])
        })
      }),
      runs(1)
    ))
}
