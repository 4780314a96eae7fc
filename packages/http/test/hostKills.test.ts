/** Programs of hosts that are killed in transactions over their rows and Lectern's: both are stored, or neither. */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { fileURLToPath } from "node:url"
import { createWorkspace } from "@lectern/core"
import { runs } from "@lectern/harness"
import { createTestDatabase } from "@lectern/harness/postgres"
import { postgres } from "@lectern/storage-pg"
import { sqlite } from "@lectern/storage-sqlite"
import * as fc from "fast-check"
import pg from "pg"
import { expect, inject, it, onTestFinished } from "vitest"
import { contentOf } from "../../storage-sql/test/support/hostTransactions.ts"

const program = fileURLToPath(new URL("support/killedHost.ts", import.meta.url))
const table = "CREATE TABLE tickets (id TEXT PRIMARY KEY)"

/** Opens a database with the table of the host, and returns how to read it and to open the workspace in it. */
const openDatabase = async (kind: string) => {
  if (kind === "sqlite") {
    const folder = mkdtempSync(join(tmpdir(), "lectern-host-kills-"))
    const filename = join(folder, "app.db")
    const database = new DatabaseSync(filename)
    onTestFinished(() => {
      database.close()
      rmSync(folder, { recursive: true })
    })
    database.exec(table)
    const tickets = async () =>
      database
        .prepare("SELECT id FROM tickets")
        .all()
        .map(({ id }) => String(id))
    return { name: filename, tickets, storage: sqlite({ filename, prefix: "lectern_" }) }
  }
  const url = await createTestDatabase(inject("postgres"))
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  onTestFinished(() => pool.end())
  await pool.query(table)
  const tickets = async () =>
    (await pool.query<{ id: string }>("SELECT id FROM tickets")).rows.map(({ id }) => id)
  return { name: url, tickets, storage: postgres({ url, schema: "lectern" }) }
}

/** Runs the program until it has acknowledged some pairs, and kills it after a further delay. Returns the acknowledged pairs. */
const runAndKill = (args: ReadonlyArray<string>, count: number, delayMs: number) =>
  new Promise<ReadonlyArray<string>>((resolve, reject) => {
    const child = spawn(process.execPath, ["--conditions=@lectern/source", program, ...args], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    let printed = ""
    let isStopping = false
    child.stdout.on("data", (text: Buffer) => {
      printed += text.toString()
      if (isStopping || printed.split("\n").length <= count) return
      isStopping = true
      setTimeout(() => child.kill("SIGKILL"), delayMs)
    })
    child.once("error", reject)
    child.once("exit", (code) => {
      if (code !== null) reject(new Error(`The program ended with the code ${code}.`))
      else resolve(printed.split("\n").slice(0, -1))
    })
  })

it.each(["sqlite", "postgresql", "joined"])(
  "a killed program has stored the rows of both, or of neither: %s",
  async (kind) => {
    const { name, tickets, storage } = await openDatabase(kind)
    const workspace = createWorkspace({ storage })
    onTestFinished(() => workspace.dispose())
    const user = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
    const organization = await workspace.administration.createOrganization({
      administrator: user,
      input: { title: "Acme" }
    })
    const acknowledged: Array<string> = []
    let round = 0
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 0, max: 40 }),
        async (count, delayMs) => {
          round += 1
          acknowledged.push(
            ...(await runAndKill([name, kind, user, organization, `${round}`], count, delayMs))
          )
          const stored = (await tickets()).toSorted()
          const { titles, events, audited } = await contentOf(workspace, user, organization)
          expect(titles).toEqual(stored)
          expect([events, audited]).toEqual([stored.length, stored.length])
          expect(acknowledged.filter((pair) => !stored.includes(pair))).toEqual([])
        }
      ),
      { ...runs(6), endOnFailure: true }
    )
  }
)
