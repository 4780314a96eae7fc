import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freshDatabase } from "@lectern/testkit/postgres"
import { describe, expect, inject, it, onTestFinished } from "vitest"
import { call, type ServerProcess, serve } from "./processes.ts"

const databases = [
  {
    name: "SQLite",
    make: async () => {
      const folder = mkdtempSync(join(tmpdir(), "lectern-"))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      return `sqlite:${join(folder, "lectern.db")}`
    }
  },
  { name: "PostgreSQL", make: () => freshDatabase(inject("postgres")) }
]

interface Listed {
  readonly items: ReadonlyArray<{ readonly id: string; readonly title: string }>
  readonly count: number
}

/** Writes without pause, until the server is gone; answers what was acknowledged. */
const writeUntilItDies = async (server: ServerProcess, organization: string, writers: number) => {
  const acknowledged = new Map<string, string>()
  const write = async (writer: number) => {
    for (let i = 0; ; i++) {
      try {
        const title = `${writer}-${i}`
        const body = JSON.stringify({ title })
        const { id } = await call<{ id: string }>(server, `/v1/orgs/${organization}/spaces`, {
          method: "POST",
          body
        })
        acknowledged.set(id, title)
        await call(server, `/v1/spaces/${id}`, {
          method: "PATCH",
          body: JSON.stringify({ title: `${title}!` })
        })
        acknowledged.set(id, `${title}!`)
      } catch {
        return
      }
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
  return acknowledged
}

describe("a process that is killed in a burst of writes loses nothing that it acknowledged", () => {
  for (const { name, make } of databases) {
    it(`on ${name}`, async () => {
      const database = await make()
      for (let round = 0; round < 3; round++) {
        const server = await serve(database)
        const { items } = await call<Listed>(server, "/v1/orgs")
        const organization = items[0]!.id
        const before = (await call<Listed>(server, `/v1/orgs/${organization}/spaces?limit=0`)).count
        setTimeout(() => server.end("SIGKILL"), 300 + 150 * round)
        const acknowledged = await writeUntilItDies(server, organization, 8)
        expect(acknowledged.size).toBeGreaterThan(5)

        const again = await serve(database)
        const kept = new Map<string, string>()
        let page = ""
        do {
          const listed = await call<Listed & { next?: { page: string } }>(
            again,
            `/v1/orgs/${organization}/spaces?limit=1000${page}`
          )
          for (const { id, title } of listed.items) kept.set(id, title)
          page = listed.next === undefined ? "" : `&page=${listed.next.page}`
          if (page === "") expect(listed.count).toBe(kept.size)
        } while (page !== "")
        expect(kept.size).toBeGreaterThanOrEqual(before + acknowledged.size)
        for (const [id, title] of acknowledged) {
          // The last write to a space may have been stored without having been acknowledged.
          expect([title, `${title}!`]).toContain(kept.get(id))
        }
        expect(await again.end("SIGTERM")).toBe(0)
      }
    })
  }
})
