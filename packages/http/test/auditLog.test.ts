/** The audit log over HTTP: it names exactly the commands that committed, contains no secrets, and names new addresses. */
import { join } from "node:path"
import type { AuditRecord, AuditRecordRow } from "@lectern/core"
import { Atomicity, isFastRun, runs } from "@lectern/harness"
import { operations } from "@lectern/harness/operations"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { call, runCommand, serve } from "./processes.ts"
import { memory, ruleStores, temporaryFolder } from "./stores.ts"
import { bodyOf, createFaultyWorld, type FaultyWorld } from "./support/faultyWorld.ts"
import { until } from "./support/until.ts"
import { nextWrite } from "./support/writes/nextWrite.ts"
import { makeDraw, makeWriter, type Write } from "./support/writes/writes.ts"
import { startServerOn } from "./support.ts"

const servedBy = new Map<string, string>(operations.map(({ id, serves }) => [id, serves]))

const send = (world: FaultyWorld, { method, path, body, token }: Write) =>
  world.send({
    method,
    path: `/v1${path}`,
    ...(body === undefined ? {} : { body }),
    ...(token === undefined ? {} : { token })
  })

const readRecords = async (world: FaultyWorld): Promise<ReadonlyMap<string, AuditRecordRow>> => {
  const rows = ((await world.readContents()).get("auditRecords") ?? []).map(
    (line) => Object.fromEntries(JSON.parse(line)) as AuditRecordRow
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** The strings in a value that are longer than a word and differ from ids. */
const secretsIn = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string"
    ? value.length >= 12 && !/^[0-9a-z]{30}$/.test(value)
      ? [value]
      : []
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(secretsIn)
      : []

/** The timeout of a property, in milliseconds: far longer than it takes on a busy machine. */
const timeout = 600_000 * Math.max(1, runs(1).numRuns)

describe("the audit log", () => {
  for (const { name, make } of ruleStores) {
    it(
      `names exactly the commands that committed, and nothing that they were sent, on ${name}`,
      {
        timeout
      },
      () =>
        fc.assert(
          fc.asyncProperty(
            fc.array(fc.nat(), { minLength: 20, maxLength: 60, size: "max" }),
            async (seeds) => {
              const world = await createFaultyWorld({ layer: await make() })
              const writer = makeWriter(world.organization, "w", () => 0, { elsewhere: world.elsewhere })
              const sent: Array<string> = []
              try {
                let before = await readRecords(world)
                for (const seed of seeds) {
                  const write = nextWrite({ ...writer, draw: makeDraw(seed) })
                  writer.nameCount++
                  const result = await Atomicity.runToEnd(world, send(world, write))
                  const after = await readRecords(world)
                  const added = [...after.values()].filter(({ id }) => !before.has(id))
                  const executed = added.filter(({ outcome }) => outcome === "success")
                  const isExecuted = result.outcome === "done"
                  expect([write, [...new Set(executed.map(({ operation }) => operation))]]).toEqual([
                    write,
                    isExecuted ? [servedBy.get(write.operation)] : []
                  ])
                  // A call is recorded once in each organization that it acts on.
                  expect(new Set(executed.map(({ organization }) => organization)).size).toBe(executed.length)
                  expect([...before.keys()].filter((id) => !after.has(id))).toEqual([])
                  before = after
                  const pathOf = decodeURIComponent(write.path)
                  sent.push(...secretsIn(write.body).filter((text) => !pathOf.includes(text)))
                  if (isExecuted) {
                    const body = bodyOf<{ readonly secret?: string } | undefined>(result)
                    if (typeof body?.secret === "string") sent.push(body.secret)
                    write.done?.(body as never)
                  }
                }
                const log = JSON.stringify([...before.values()])
                expect(sent.filter((text) => log.includes(JSON.stringify(text).slice(1, -1)))).toEqual([])
              } finally {
                await world.close()
              }
            }
          ),
          runs(name === "memory" ? 4 : 1)
        )
    )
  }

  it("has a record exactly if the command committed, under any fault", { timeout }, () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({ seed: fc.nat(), fault: fc.constantFrom(...Atomicity.faultKinds), at: fc.nat() }),
          {
            minLength: 10,
            maxLength: 25,
            size: "max"
          }
        ),
        async (steps) => {
          const world = await createFaultyWorld()
          const writer = makeWriter(world.organization, "w", () => 0, { elsewhere: world.elsewhere })
          try {
            for (const { seed, fault, at } of steps) {
              const write = nextWrite({ ...writer, draw: makeDraw(seed) })
              writer.nameCount++
              // Commands that number events must not leave a job for the events of others.
              await world.numberEvents()
              const before = await readRecords(world)
              // The records are among the contents, which must equal the contents after the whole command, or before it.
              const { result, violations } = await Atomicity.tryEachFault(
                world,
                send(world, write),
                ({ number }) => (number % 3 === at % 3 ? [fault] : [])
              )
              expect([write, violations]).toEqual([write, []])
              const added = [...(await readRecords(world)).values()].filter(({ id }) => !before.has(id))
              const executed = added.filter(({ outcome }) => outcome === "success")
              expect(executed.length > 0).toBe(result.outcome === "done")
              if (result.outcome === "done") write.done?.(bodyOf<never>(result))
            }
          } finally {
            await world.close()
          }
        }
      ),
      runs(1)
    )
  )
})

describe("requests over HTTP", () => {
  const open = async () => {
    const server = await startServerOn(memory, { trustedProxies: 1 })
    const ada = await server.core.createUser("ada@example.com")
    const organization = await server.core.createOrganization("Acme", ada)
    const token = await server.tokenOf(ada)
    const send = (method: string, path: string, { from = "192.0.2.1", as = token, body = {} } = {}) =>
      server.fetch(`/v1${path}`, {
        method,
        token: as,
        headers: { "x-forwarded-for": from, "x-request-id": "request-1" },
        ...(method === "GET" ? {} : { body: JSON.stringify(body) })
      })
    const list = async (query = ""): Promise<ReadonlyArray<AuditRecord>> => {
      const response = await send("GET", `/orgs/${organization}/audit-log?limit=1000&${query}`)
      return ((await response.json()) as { readonly items: ReadonlyArray<AuditRecord> }).items
    }
    return { server, organization, ada, token, send, list }
  }

  it("are recorded with the address, the token and the id of the request", async () => {
    const { organization, ada, send, list } = await open()
    const created = (await (await send("POST", `/orgs/${organization}/spaces`)).json()) as { id: string }
    const [record] = await list("operation=Spaces.create")
    expect(record).toMatchObject({
      actor: ada,
      address: "192.0.2.1",
      requestId: "request-1",
      resources: [{ type: "space", id: created.id }]
    })
    expect(record?.token).toBeDefined()
  })

  it("are recorded when a token is used from a new address, once for each network", async () => {
    const { organization, ada, send, list } = await open()
    const path = `/orgs/${organization}`
    for (const from of [
      "192.0.2.1",
      "192.0.2.1",
      "198.51.100.7",
      "2001:db8::1",
      "2001:db8::2",
      "2001:db8:0:1::1",
      "192.0.2.1"
    ]) {
      expect((await send("GET", path, { from })).status).toBe(200)
    }
    const records = await list("operation=Tokens.useFromNewAddress")
    expect(records.map(({ address, actor }) => [address, actor])).toEqual([
      ["2001:db8:0:1::1", ada],
      ["2001:db8::1", ada],
      ["198.51.100.7", ada],
      ["192.0.2.1", ada]
    ])
  })

  it("of users who are not members are in no log of the organization", async () => {
    const { organization, server, send, list } = await open()
    const eve = await server.core.createUser("eve@example.com")
    const elsewhere = await server.core.createOrganization("Elsewhere", eve)
    const as = await server.tokenOf(eve)
    // The first use of the token is recorded after its response.
    await list()
    const before = await list()
    for (let i = 0; i < 5; i++) {
      expect((await send("POST", `/orgs/${organization}/spaces`, { as })).status).toBe(404)
      expect((await send("GET", `/orgs/${organization}/audit-log`, { as })).status).toBe(404)
      expect((await send("GET", `/orgs/${organization}/audit-log/export`, { as })).status).toBe(404)
    }
    expect(await list()).toEqual(before)
    const own = await send("GET", `/orgs/${elsewhere}/audit-log?resource=${organization}`, { as })
    expect(((await own.json()) as { count: number }).count).toBe(0)
  })

  it("export the log as one JSON object per line, oldest first, with the filters of the list", async () => {
    const { organization, send, list } = await open()
    for (let i = 0; i < 3; i++) await send("POST", `/orgs/${organization}/spaces`)
    const path = `/orgs/${organization}/audit-log/export`
    const response = await send("GET", `${path}?operation=Spaces.create`)
    expect(response.headers.get("content-type")).toBe("application/jsonl; charset=utf-8")
    const lines = (await response.text()).split("\n")
    expect(lines.pop()).toBe("")
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      (await list("operation=Spaces.create")).toReversed()
    )
    expect(await list("operation=AuditLog.export")).toHaveLength(1)
    expect((await send("GET", `${path}?outcome=other`)).status).toBe(400)
    expect((await send("GET", path, { as: "unknown" })).status).toBe(401)
  })

  it("with a token that is too narrow are denied in the log of its organization", async () => {
    const { organization, send, list } = await open()
    const created = await send("POST", "/user/tokens", {
      body: { label: "Reader", readOnly: true, organization } as object
    })
    const { secret, id } = (await created.json()) as { secret: string; id: string }
    expect((await send("POST", `/orgs/${organization}/spaces`, { as: secret })).status).toBe(403)
    expect(await list("outcome=denied")).toMatchObject([
      { operation: "Spaces.create", reason: "ScopeTooNarrow", token: id }
    ])
  })
})

it.skipIf(isFastRun)(
  "the server logs the denied calls of users who are not members, at most 20 per minute",
  async () => {
    const database = `sqlite:${join(temporaryFolder(), "outsider.db")}`
    const server = await serve(database, ["--log-format", "json"])
    const env = { LECTERN_DATABASE_URL: database }
    const { items } = await call<{ items: ReadonlyArray<{ id: string }> }>(server, "/v1/orgs")
    const organization = items[0]!.id
    const { id } = await call<{ id: string }>(server, `/v1/orgs/${organization}/spaces`, {
      method: "POST",
      body: "{}"
    })
    const user = (await runCommand(["user", "create", "eve@example.com"], env)).output.trim()
    const token = (
      await runCommand(["token", "create", "eve@example.com", "--label", "Eve"], env)
    ).output.trim()
    for (let count = 0; count < 30; count++) {
      const headers = { authorization: `Bearer ${token}` }
      const response = await fetch(`${server.url}/v1/spaces/${id}`, { method: "DELETE", headers })
      expect([response.status, await response.text()]).toEqual([404, expect.any(String)])
    }
    const logged = () =>
      server
        .printed()
        .split("\n")
        .filter((line) => line.includes("denied call"))
    await until("the calls are logged", () => logged().length >= 20)
    expect(JSON.parse(logged()[0]!)).toMatchObject({
      level: "WARN",
      annotations: { operation: "Spaces.remove", reason: "SpaceNotFound", user }
    })
    const { items: denied } = await call<{ items: ReadonlyArray<unknown> }>(
      server,
      `/v1/orgs/${organization}/audit-log?outcome=denied`
    )
    expect(denied).toEqual([])
    await server.end("SIGTERM")
    expect(logged()).toHaveLength(20)
  }
)

describe("lectern audit", () => {
  it.skipIf(isFastRun)(
    "prints the calls of operators, and records backups and itself",
    { timeout: 120_000 },
    async () => {
      const folder = temporaryFolder()
      const env = { LECTERN_DATABASE_URL: `sqlite:${join(folder, "audit.db")}` }
      await runCommand(["init", "--organization", "First", "--admin-email", "root@example.com"], env)
      await runCommand(["user", "create", "ada@example.com"], env)
      const admin = ["org", "create", "Second", "--admin", "ada@example.com"]
      const organization = (await runCommand(admin, env)).output.trim()
      expect((await runCommand(["backup", "--to", join(folder, "backups")], env)).code).toBe(0)
      expect((await runCommand(["backup", "--to", join(folder, "backups"), "--dry-run"], env)).code).toBe(0)

      const ofWorkspace = (await runCommand(["audit"], env)).output.trim().split("\n")
      expect(ofWorkspace.map((line) => line.split("  ").slice(1, 4))).toEqual(
        [
          "ApiTokens.create",
          "Administration.bootstrap",
          "Administration.createUser",
          "Administration.createOrganization",
          "Backups.create"
        ].map((operation) => ["success", operation, "operator"])
      )
      const { output, code } = await runCommand(["audit", "--organization", organization, "--json"], env)
      expect(code).toBe(0)
      const records = output
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as AuditRecord)
      expect(records).toMatchObject([{ operation: "Administration.createOrganization", organization }])
      const own = (await runCommand(["audit", "--operation", "WorkspaceAuditLog.export"], env)).output
      expect(own.trim().split("\n")).toHaveLength(1)
      const invalid = await runCommand(["audit", "--outcome", "other"], env)
      expect([invalid.code, invalid.errors]).toEqual([1, expect.stringContaining("outcome")])
    }
  )
})
