/** A server that is killed while clients send requests with idempotency keys: a repetition has the effect once. */
import { join } from "node:path"
import { createTestDatabase } from "@lectern/harness/postgres"
import { expect, inject, it } from "vitest"
import { adminToken, call, type ServerProcess, serve } from "./processes.ts"
import { temporaryFolder } from "./stores.ts"

const databases = [
  { name: "SQLite", make: async () => `sqlite:${join(temporaryFolder(), "lectern.db")}` },
  { name: "PostgreSQL", make: () => createTestDatabase(inject("postgres")) }
]

/** The number of concurrent clients, and of requests before the server is killed. */
const [clientCount, requestsBeforeKill] = [6, 60]

interface Created {
  readonly key: string
  /** The id of the created space. Undefined if no response arrived. */
  readonly id: string | undefined
}

for (const { name, make } of databases) {
  it(`a repetition of every request has the effect once, after a kill on ${name}`, {
    timeout: 120_000
  }, async () => {
    const database = await make()
    const server = await serve(database)
    const { items } = await call<{ items: ReadonlyArray<{ id: string }> }>(server, "/v1/orgs")
    const path = `/v1/orgs/${items[0]!.id}/spaces`
    const create = async ({ url }: ServerProcess, key: string): Promise<string> => {
      const response = await fetch(url + path, {
        method: "POST",
        headers: {
          authorization: `Bearer ${adminToken}`,
          "content-type": "application/json",
          "idempotency-key": key
        },
        body: JSON.stringify({ title: key })
      })
      expect(response.status).toBe(201)
      return ((await response.json()) as { readonly id: string }).id
    }

    const sent: Array<Created> = []
    let isKilled = false
    const sendUntilKilled = async (client: number) => {
      for (let number = 0; !isKilled; number++) {
        const key = `${client}-${number}`
        const id = await create(server, key).catch((cause: unknown) => {
          // The error of `fetch` when the connection is lost.
          if (cause instanceof TypeError) return undefined
          throw cause
        })
        sent.push({ key, id })
        if (sent.length >= requestsBeforeKill && !isKilled) {
          isKilled = true
          server.end("SIGKILL")
        }
      }
    }
    await Promise.all(Array.from({ length: clientCount }, (_, client) => sendUntilKilled(client)))
    expect(sent.length).toBeGreaterThanOrEqual(requestsBeforeKill)

    const restarted = await serve(database)
    for (const { key, id } of sent) {
      const repeated = await create(restarted, key)
      if (id !== undefined) expect([key, repeated]).toEqual([key, id])
    }
    const spaces = await call<{ items: ReadonlyArray<{ title: string }> }>(restarted, `${path}?limit=1000`)
    expect(spaces.items.map(({ title }) => title).sort()).toEqual(sent.map(({ key }) => key).sort())
  })
}
