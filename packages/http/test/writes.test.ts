/** The writes of the kill tests: a server without faults acknowledges every kind, and the facts hold. */

import { Layer } from "effect"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { memory } from "./stores.ts"
import {
  createWriterOptions,
  expectAcknowledged,
  makeClient,
  responseTimeoutMillis
} from "./support/acknowledged.ts"
import { findings } from "./support/doctorFindings.ts"
import { fakeFetcher } from "./support/fakeFetcher.ts"
import { generatedOperations } from "./support/writes/nextWrite.ts"
import { makeDraw } from "./support/writes/writes.ts"
import { startServer } from "./support.ts"

/** The maximum number of writes: several times as many as are usually needed to cover all operations. */
const maximumWrites = 4_000

it("acknowledges writes of every operation, after which their facts hold", async () => {
  const { seed = 0 } = fc.readConfigureGlobal()
  const server = await startServer(Layer.provideMerge(await memory.make(), fakeFetcher))
  try {
    const administrator = await server.core.createUser("ada@example.com")
    const organization = await server.core.createOrganization("Acme", administrator)
    const client = makeClient(organization, "w", makeDraw(seed), {
      token: await server.tokenOf(administrator),
      ...(await createWriterOptions(server, administrator, "w", organization))
    })
    const pending = new Set<string>(generatedOperations)
    for (let count = 0; pending.size > 0 && count < maximumWrites; count++) {
      const { write, status, text } = await client.write(server.url, responseTimeoutMillis)
      expect(status, `${write.operation} ${text}`).toBeLessThan(500)
      if (status !== undefined && status < 300) pending.delete(write.operation)
      if (count % 200 === 199) await expectAcknowledged([client], server.url)
    }
    expect([...pending], "Operations whose writes were always rejected.").toEqual([])
    await expectAcknowledged([client], server.url)
    expect(await server.core.runtime.runPromise(findings)).toEqual([])
  } finally {
    await server.close()
  }
})
