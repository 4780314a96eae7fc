/** The log of events while several processes commit and are killed: a cursor never skips an event. */
import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { EventLog, type EventRow } from "@lectern/core"
import { createTestDatabase } from "@lectern/harness/postgres"
import { Effect } from "effect"
import { describe, expect, inject, it, onTestFinished } from "vitest"
import { temporaryFolder } from "./stores.ts"
import { findings, storageAt } from "./support/doctorFindings.ts"
import { programFile } from "./support/programFile.ts"
import { readAllEvents } from "./support/projection.ts"
import { startServer } from "./support.ts"

const program = programFile(new URL("./support/eventsProcess.ts", import.meta.url))

/** The number of events that the readers read, and after how many of them a writer is killed. */
const wantedEvents = 400
const killEvery = 60

const databases = [
  { name: "PostgreSQL", writers: 3, make: () => createTestDatabase(inject("postgres")) },
  { name: "SQLite", writers: 2, make: async () => join(temporaryFolder(), "lectern.db") }
]

describe("while processes commit concurrently and are killed", () => {
  for (const { name, writers, make } of databases) {
    it(`readers with cursors receive the same events, in order and without a gap, on ${name}`, {
      timeout: 240_000
    }, async () => {
      const database = await make()
      const server = await startServer(
        storageAt(database.startsWith("postgres") ? database : `sqlite:${database}`)
      )
      const user = await server.core.createUser("ada@example.com")
      const organization = await server.core.createOrganization("Acme", user)
      const children = new Set<ChildProcess>()
      onTestFinished(async () => {
        for (const child of children) child.kill("SIGKILL")
        await server.close()
      })
      const start = () => {
        const args = ["--conditions=@lectern/source", program, "write", database, organization, user]
        children.add(spawn(process.execPath, args, { stdio: "inherit" }))
      }
      for (let i = 0; i < writers; i++) start()

      const { runPromise } = server.core.runtime
      const readFrom = async (onEvent: (event: EventRow, count: number) => void) => {
        const received: Array<EventRow> = []
        while (received.length < wantedEvents) {
          const after = received.at(-1)?.sequence ?? 0
          const page = await runPromise(Effect.flatMap(EventLog, (log) => log.read(after, {}, 7)))
          // The processes that commit need the cores of the machine too.
          if (page.length === 0) await setTimeout(5)
          for (const event of page) {
            received.push(event)
            onEvent(event, received.length)
          }
        }
        return received
      }
      const killOne = (_: EventRow, count: number) => {
        if (count % killEvery !== 0) return
        const [child] = children
        child?.kill("SIGKILL")
        children.delete(child!)
        start()
      }
      const [first, second] = await Promise.all([readFrom(killOne), readFrom(() => {})])
      for (const child of children) {
        const exited = new Promise((resolve) => child.once("exit", resolve))
        child.kill("SIGKILL")
        await exited
      }
      const all = await runPromise(readAllEvents)
      const ids = all.map(({ id }) => id)
      expect(first.map(({ id }) => id)).toEqual(ids.slice(0, first.length))
      expect(second.map(({ id }) => id)).toEqual(ids.slice(0, second.length))
      // The titles of each space are ascending: the events of a resource are in the order of its commits.
      const titles = Map.groupBy(
        all.filter(({ type }) => type === "space.updated"),
        ({ data }) => data.id
      )
      expect(titles.size).toBeGreaterThanOrEqual(writers)
      for (const [, events] of titles) {
        const numbers = events.map(({ data }) => Number(data.title))
        expect(numbers).toEqual(numbers.map((_, index) => index))
      }
      expect(await runPromise(findings)).toEqual([])
    })
  }
})
