/** Hundreds of deliveries, and in long runs a thousand, while the receiver and the processes that deliver are killed: none is lost. */
import { type ChildProcess, spawn } from "node:child_process"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { createWorkspace } from "@lectern/core"
import { isLongRun } from "@lectern/harness"
import { createTestDatabase } from "@lectern/harness/postgres"
import { describe, expect, inject, it, onTestFinished } from "vitest"
import { temporaryFolder } from "./stores.ts"
import { storageAt } from "./support/doctorFindings.ts"
import { programFile } from "./support/programFile.ts"
import { until } from "./support/until.ts"

const program = programFile(new URL("./support/eventsProcess.ts", import.meta.url))

/** The number of events, and after how many received requests a process or the receiver is killed. */
const eventCount = isLongRun ? 1_000 : 400
const killEvery = isLongRun ? 150 : 80

/** A receiver that restarts on the same port. */
const startReceiver = async (onRequest: (delivery: string, event: string) => void) => {
  let server: Server
  const listen = (port: number) => {
    server = createServer((request, response) => {
      let body = ""
      request.on("data", (chunk) => {
        body += chunk
      })
      request.on("end", () => {
        // It has received the event, whether or not its response arrives.
        onRequest(String(request.headers["x-lectern-delivery"]), (JSON.parse(body) as { id: string }).id)
        response.end()
      })
    })
    return new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  }
  await listen(0)
  const { port } = server!.address() as AddressInfo
  const stop = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(async () => {
    await stop()
  })
  return {
    url: `http://127.0.0.1:${port}/`,
    restart: async () => {
      await stop()
      await listen(port)
    }
  }
}

const databases = [
  { name: "two processes on PostgreSQL", workers: 2, make: () => createTestDatabase(inject("postgres")) },
  { name: "a process on SQLite", workers: 1, make: async () => join(temporaryFolder(), "lectern.db") }
]

describe("while the receiver and the senders are killed", () => {
  for (const { name, workers, make } of databases) {
    it(`${eventCount} events are delivered by ${name}, each under one id`, { timeout: 300_000 }, async () => {
      const database = await make()
      const url = database.startsWith("postgres") ? database : `sqlite:${database}`
      const workspace = createWorkspace({ storage: storageAt(url) })
      const user = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
      const organization = await workspace.administration.createOrganization({
        administrator: user,
        input: { title: "Acme" }
      })
      const ada = workspace.as(user)
      const children = new Set<ChildProcess>()
      const kill = async (child: ChildProcess) => {
        children.delete(child)
        const exited = new Promise((resolve) => child.once("exit", resolve))
        child.kill("SIGKILL")
        await exited
      }
      onTestFinished(async () => {
        await Promise.all([...children].map(kill))
        await workspace.dispose()
      })
      const start = () => {
        const args = ["--conditions=@lectern/source", program, "work", database, organization, user]
        children.add(spawn(process.execPath, args, { stdio: "inherit" }))
      }

      const deliveriesOf = new Map<string, Set<string>>()
      let requests = 0
      let restarts = 0
      let restarting: Promise<unknown> = Promise.resolve()
      const receiver = await startReceiver((delivery, event) => {
        deliveriesOf.set(event, (deliveriesOf.get(event) ?? new Set()).add(delivery))
        if (++requests % killEvery !== 0) return
        restarts++
        const [child] = children
        restarting = restarting.then(async () => {
          if (restarts % 2 === 0) return receiver.restart()
          if (child !== undefined) await kill(child)
          return start()
        })
      })
      const input = { url: receiver.url, events: ["space.updated"] }
      const { id: webhook } = await ada.webhooks.create({ organization, input })
      const { id: space } = await ada.spaces.create({ organization })
      for (let i = 0; i < workers; i++) start()
      for (let i = 0; i < eventCount; i++) await ada.spaces.update({ space, input: { title: String(i) } })
      const count = async (state: "delivered" | "failed") =>
        (await ada.webhooks.listDeliveries({ organization, webhook, input: { state, limit: 0 } })).count
      await until("every delivery has succeeded", async () => (await count("delivered")) === eventCount)
      await restarting
      expect(restarts).toBeGreaterThan(3)
      expect(await count("failed")).toBe(0)
      expect(deliveriesOf.size).toBe(eventCount)
      expect([...deliveriesOf.values()].filter((ids) => ids.size !== 1)).toEqual([])
    })
  }
})
