/** The writes that the kill tests draw: without faults the server accepts each kind, and each fact holds. */

import { Layer } from "effect"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { memory } from "./stores.ts"
import { expectKept, makeClient, makeWriterOptions, responseTimeoutMillis } from "./support/acknowledged.ts"
import { fakeFetcher } from "./support/fakeFetcher.ts"
import { drawnOperations } from "./support/writes/nextWrite.ts"
import { makeDraw } from "./support/writes/writes.ts"
import { startServer } from "./support.ts"

/** How many writes are drawn: several times as many as it takes until every kind was accepted. */
const maximumWrites = 2_000

it("draws writes of every kind that the server acknowledges, and expects what it shows afterwards", async () => {
  const { seed = 0 } = fc.readConfigureGlobal()
  const server = await startServer(Layer.provideMerge(await memory.make(), fakeFetcher))
  try {
    const administrator = await server.core.createUser("ada@example.com")
    const organization = await server.core.createOrganization("Acme", administrator)
    const client = makeClient(organization, "w", makeDraw(seed), {
      token: await server.tokenOf(administrator),
      ...(await makeWriterOptions(server, administrator, "w"))
    })
    const pending = new Set<string>(drawnOperations)
    for (let count = 0; pending.size > 0 && count < maximumWrites; count++) {
      const { write, status, text } = await client.write(server.url, responseTimeoutMillis)
      expect(status, `${write.operation} ${text}`).toBeLessThan(500)
      if (status !== undefined && status < 300) pending.delete(write.operation)
      if (count % 200 === 199) await expectKept([client], server.url)
    }
    expect([...pending], "Operations whose writes were always rejected.").toEqual([])
    await expectKept([client], server.url)
  } finally {
    await server.close()
  }
})
