/** The `lectern` command, in processes of its own: settings, accounts, databases, logs and graceful shutdown. */
import { once } from "node:events"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { type IncomingMessage, request } from "node:http"
import type { AddressInfo } from "node:net"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { text } from "node:stream/consumers"
import { createTestDatabase } from "@lectern/harness/postgres"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest"
import { adminToken, call, runCommand, serve } from "./processes.ts"
import { until } from "./support/until.ts"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "lectern-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/**
 * Sends only the head of a POST request. `isUnderWay` resolves once the server has begun to handle it, which it
 * reports by `100 Continue`; `sendBody` sends the body and returns the body of the response.
 */
const beginRequest = (url: URL) => {
  const headers = {
    authorization: `Bearer ${adminToken}`,
    "content-type": "application/json",
    expect: "100-continue"
  }
  const outgoing = request(url, { method: "POST", headers })
  const response = once(outgoing, "response") as Promise<[IncomingMessage]>
  outgoing.flushHeaders()
  return {
    isUnderWay: once(outgoing, "continue"),
    sendBody: async (body: string): Promise<unknown> => {
      outgoing.end(body)
      const [incoming] = await response
      return JSON.parse(await text(incoming))
    }
  }
}

const database = (name: string) => `sqlite:${join(folder, name)}`

describe("the lectern command", () => {
  it("prints its help, with every subcommand and setting", async () => {
    const { code, output } = await runCommand(["--help"])
    expect(code).toBe(0)
    for (const name of ["serve", "init", "migrate", "org", "user", "token", "doctor"])
      expect(output).toContain(name)
    const help = await runCommand(["serve", "--help"])
    for (const name of [
      "--database-url",
      "LECTERN_DATABASE_PREFIX",
      "--database-schema",
      "--database-prepared-statements",
      "LECTERN_JOB_CONCURRENCY",
      "LECTERN_EVENT_RETENTION_DAYS",
      "LECTERN_TOKEN_LIFETIME_DAYS",
      "--max-token-lifetime-days",
      "LECTERN_PUBLIC_URL",
      "--fetch-allow",
      "LECTERN_SECRET"
    ]) {
      expect(help.output).toContain(name)
    }
  })

  it("creates accounts, organizations and tokens, and revokes tokens", async () => {
    const env = { LECTERN_DATABASE_URL: database("people.db") }
    const init = await runCommand(
      ["init", "--organization", "First", "--admin-email", "root@example.com"],
      env
    )
    expect(init.output).toMatch(/Created the organization "First".*\n[\s\S]*lectern_[\w-]{43}/)
    expect((await runCommand(["init"], env)).output).toContain("is not empty. Nothing was created.")

    const user = (await runCommand(["user", "create", "ada@example.com", "--name", "Ada"], env)).output.trim()
    expect(user).toMatch(/^[0-9a-z]{30}$/)
    const organization = (
      await runCommand(["org", "create", "Second", "--admin", "ada@example.com"], env)
    ).output.trim()
    const token = (
      await runCommand(["token", "create", "ada@example.com", "--label", "Script"], env)
    ).output.trim()
    expect(token).toMatch(/^lectern_[\w-]{43}$/)

    const server = await serve(env.LECTERN_DATABASE_URL)
    const listed = async () =>
      fetch(`${server.url}/v1/orgs`, { headers: { authorization: `Bearer ${token}` } })
    expect(((await (await listed()).json()) as { items: ReadonlyArray<unknown> }).items).toMatchObject([
      { id: organization }
    ])

    const past = [
      "token",
      "create",
      "ada@example.com",
      "--label",
      "Past",
      "--expires",
      "2020-01-01T00:00:00Z"
    ]
    expect(await runCommand(past, env)).toMatchObject({
      code: 1,
      errors: expect.stringContaining("expiresAt must be in the future.")
    })

    const list = (await runCommand(["token", "list", "ada@example.com"], env)).output
    expect(list).toMatch(/^[0-9a-z]{30} {2}Script {2}last used 20.* {2}expires never/)
    await runCommand(["token", "revoke", list.slice(0, 30), "--yes"], env)
    // Another process revoked it, with immediate effect in this one.
    expect((await listed()).status).toBe(401)
    await server.end("SIGTERM")
  })

  it("serves under its public URL: in Location, in the OpenAPI document and in the policy of /docs", async () => {
    const publicUrl = "https://docs.acme.example/api"
    const server = await serve(database("public.db"), [], {}, { LECTERN_PUBLIC_URL: `${publicUrl}/` })
    const headers = { authorization: `Bearer ${adminToken}`, "content-type": "application/json" }
    const { items } = (await (await fetch(`${server.url}/v1/orgs`, { headers })).json()) as {
      items: ReadonlyArray<{ id: string }>
    }
    const teams = `/v1/orgs/${items[0]!.id}/teams`
    const created = await fetch(server.url + teams, {
      method: "PUT",
      headers,
      body: JSON.stringify({ title: "Team" })
    })
    expect(created.headers.get("location")).toMatch(new RegExp(`^${publicUrl}${teams}/`))
    const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as { servers: unknown }
    expect(document.servers).toEqual([{ url: publicUrl }])
    const reference = await fetch(`${server.url}/docs`)
    expect(reference.headers.get("content-security-policy")).toContain(
      "connect-src 'self' https://docs.acme.example;"
    )
    await server.end("SIGTERM")
  })

  it("rejects an invalid setting with one line, before it starts", async () => {
    const cases: ReadonlyArray<readonly [Record<string, string>, ReadonlyArray<string>, RegExp]> = [
      [{ LECTERN_PORT: "http" }, [], /^lectern: LECTERN_PORT must be .*"http"\.\n$/],
      [{}, ["--port", "99999"], /^lectern: --port must be a port, 0 to 65535\. It is "99999"\.\n$/],
      [{ LECTERN_DATABASE_URL: "mysql://x" }, [], /^lectern: LECTERN_DATABASE_URL must be sqlite:.*\n$/],
      [
        { LECTERN_ADMIN_TOKEN: "short-secret" },
        [],
        /^lectern: LECTERN_ADMIN_TOKEN must have at least 32 characters\.\n$/
      ],
      [
        { LECTERN_SECRET_FILE: "/nothing" },
        [],
        /^lectern: LECTERN_SECRET_FILE: the file \/nothing cannot be read\.\n$/
      ],
      [{ LECTERN_PUBLIC_URL: "ftp://x" }, [], /^lectern: LECTERN_PUBLIC_URL must be an http or https URL/],
      [
        { LECTERN_LOG_FORMAT: "xml" },
        [],
        /^lectern: LECTERN_LOG_FORMAT must be "auto" or "pretty" or "json"/
      ],
      [
        { LECTERN_DATABASE_PREFIX: "1a" },
        [],
        /^lectern: LECTERN_DATABASE_PREFIX must be 1 to 63 ASCII letters.* It is "1a"\.\n$/
      ],
      [{}, ["--database-prefix", "SQLite_x"], /^lectern: --database-prefix must be .* sqlite_\. It is/],
      [{}, ["--database-prefix", 'a"b'], /^lectern: --database-prefix must be/],
      [
        { LECTERN_DATABASE_SCHEMA: "lectern" },
        [],
        /^lectern: LECTERN_DATABASE_SCHEMA applies to PostgreSQL only, .* Use LECTERN_DATABASE_PREFIX instead/
      ],
      [
        { LECTERN_DATABASE_MAX_CONNECTIONS: "20" },
        [],
        /^lectern: LECTERN_DATABASE_MAX_CONNECTIONS applies to PostgreSQL only, .* Remove it\.\n$/
      ],
      [
        { LECTERN_DATABASE_URL: "postgres://u:p@127.0.0.1:1/x" },
        ["--database-lock-timeout-ms", "0"],
        /^lectern: --database-lock-timeout-ms must be an integer from 1 to 2147483647\. It is "0"\.\n$/
      ],
      [
        { LECTERN_DATABASE_URL: "postgres://u:p@127.0.0.1:1/x" },
        ["--database-prefix", "lectern_"],
        /^lectern: --database-prefix applies to SQLite only, .* Use LECTERN_DATABASE_SCHEMA instead/
      ],
      [
        { LECTERN_DATABASE_URL: "postgres://u:p@127.0.0.1:1/x" },
        ["--database-schema", "pg_lectern"],
        /^lectern: --database-schema must be 1 to 63 .* It is "pg_lectern"\.\n$/
      ],
      [
        { LECTERN_DATABASE_URL: "postgres://u:p@127.0.0.1:1/x" },
        [],
        /^lectern: The database .*cannot be opened/
      ]
    ]
    for (const [env, args, line] of cases) {
      const { code, errors } = await runCommand(["serve", ...args], {
        LECTERN_DATABASE_URL: "sqlite::memory:",
        ...env
      })
      expect(errors).toMatch(line)
      expect(errors).not.toContain("short-secret")
      expect(code).toBe(1)
    }
  })

  it("stores the workspace in a SQLite file of another program, with a prefix", async () => {
    const file = join(folder, "shared.app.db")
    const host = new DatabaseSync(file)
    onTestFinished(() => host.close())
    host.exec(`CREATE TABLE "users" ("name" TEXT); INSERT INTO "users" VALUES ('Ada')`)
    const url = `sqlite:${file}`

    const withoutPrefix = await runCommand(["migrate"], { LECTERN_DATABASE_URL: url })
    expect(withoutPrefix.errors).toMatch(
      /table "users".* On the command line, set LECTERN_DATABASE_PREFIX\.\n$/
    )
    expect(withoutPrefix.code).toBe(1)

    const server = await serve(url, ["--database-prefix", "lectern_"])
    expect(server.printed()).toContain("(prefix lectern_)")
    expect((await call<{ count: number }>(server, "/v1/orgs")).count).toBe(1)
    await server.end("SIGTERM")
    const doctor = await runCommand(["doctor"], {
      LECTERN_DATABASE_URL: url,
      LECTERN_DATABASE_PREFIX: "lectern_"
    })
    expect(doctor.output).toMatch(/^No problems found\. Checked \d+ rows\./)

    expect(host.prepare(`SELECT "name" FROM "users"`).all()).toEqual([{ name: "Ada" }])
    expect(host.prepare(`SELECT count(*) AS "count" FROM "lectern_users"`).get()).toEqual({ count: 1 })
    const { names } = host
      .prepare(`SELECT group_concat("name") AS "names" FROM sqlite_schema WHERE "name" NOT LIKE 'lectern%'`)
      .get() as { names: string }
    expect(names.split(",").filter((name) => !name.startsWith("sqlite_"))).toEqual(["users"])
  })

  it("stores the workspace in a schema of a PostgreSQL database", async () => {
    const url = await createTestDatabase(inject("postgres"))
    const env = { LECTERN_DATABASE_URL: url, LECTERN_DATABASE_SCHEMA: "docs" }
    expect((await runCommand(["migrate"], env)).output).toMatch(/\(schema docs\) is up to date\.\n$/)
    expect((await runCommand(["doctor"], env)).output).toContain("No problems found.")
    const pool = new pg.Pool({ connectionString: url })
    onTestFinished(() => pool.end())
    const { rows } = await pool.query(
      `SELECT DISTINCT schemaname FROM pg_tables WHERE schemaname IN ('public', 'docs')`
    )
    expect(rows).toEqual([{ schemaname: "docs" }])
  })

  it("reads secrets from files", async () => {
    const file = join(folder, "token")
    writeFileSync(file, `${adminToken}\n`)
    const { code, output } = await runCommand(["init"], {
      LECTERN_DATABASE_URL: database("platform.db"),
      LECTERN_ADMIN_TOKEN_FILE: file
    })
    expect(code).toBe(0)
    expect(output).not.toMatch(/API token|not shown again|lectern_/)
    const server = await serve(database("platform.db"))
    expect(await call<{ email: string }>(server, "/v1/user")).toMatchObject({ email: "admin@lectern.local" })
    await server.end("SIGTERM")
  })

  it("prints and returns links with the port that the system has chosen", async () => {
    const server = await serve(database("any-port.db"))
    const { port } = new URL(server.url)
    expect(server.printed().match(/(?<=127\.0\.0\.1:)\d+/g)).toEqual([port, port, port])
    const { items } = await call<{ items: ReadonlyArray<{ id: string }> }>(server, "/v1/orgs")
    const { urls } = await call<{ urls: { location: string } }>(server, `/v1/orgs/${items[0]!.id}`)
    expect(new URL(urls.location).port).toBe(port)
    await server.end("SIGTERM")
  })

  it("reports a port that is in use", async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve))
    const { port } = other.address() as AddressInfo
    const { code, errors } = await runCommand(["serve", "--port", String(port)], {
      LECTERN_DATABASE_URL: "sqlite::memory:"
    })
    expect(errors).toBe(`lectern: Cannot listen on 127.0.0.1:${port}: another program uses this port.\n`)
    expect(code).toBe(1)
    other.close()
  })

  it("creates one organization when several processes start on one new database", async () => {
    const shared = database("shared.db")
    const servers = await Promise.all([serve(shared), serve(shared), serve(shared)])
    for (const server of servers) {
      expect((await call<{ count: number }>(server, "/v1/orgs")).count).toBe(1)
      await server.end("SIGTERM")
    }
  })

  it("logs one line of JSON per request with --log-format json, without the query", async () => {
    const server = await serve(database("logged.db"), ["--log-format", "json", "--log-level", "info"])
    let printed = ""
    server.child.stdout?.on("data", (chunk) => {
      printed += chunk
    })
    await fetch(`${server.url}/v1/spaces/any?secret=1`, { headers: { "x-request-id": "abc" } })
    await server.end("SIGTERM")
    const lines = printed.split("\n").filter((line) => line.startsWith("{"))
    const logged = lines
      .map((line) => JSON.parse(line))
      .find(({ message }) => JSON.stringify(message).includes("request"))
    expect(logged.annotations).toMatchObject({
      method: "GET",
      route: "/v1/spaces/:spaceId",
      status: 401,
      requestId: "abc",
      durationMillis: expect.any(Number)
    })
    // Neither the query nor a token is in the log.
    expect(printed).not.toContain("secret=1")
  })

  it("completes pending requests before it stops", async () => {
    const server = await serve(database("graceful.db"))
    const { items } = await call<{ items: ReadonlyArray<{ id: string }> }>(server, "/v1/orgs")
    const path = `/v1/orgs/${items[0]!.id}/spaces`
    const creating = beginRequest(new URL(path, server.url))
    await creating.isUnderWay
    const ended = server.end("SIGTERM")
    await until("the server accepts no connection", () =>
      fetch(`${server.url}/healthz`, { headers: { connection: "close" } }).then(
        () => false,
        () => true
      )
    )
    expect(await creating.sendBody(JSON.stringify({ title: "Late" }))).toMatchObject({ title: "Late" })
    expect(await ended).toBe(0)
  })
})

describe("the database of a host application", () => {
  it("is not used by any command, unless it is named as Lectern's own", async () => {
    const env = { DATABASE_URL: database("host.db") }
    for (const args of [
      ["serve", "--port", "0"],
      ["migrate"],
      ["seed", "--demo"],
      ["doctor"],
      ["org", "create", "Acme", "--admin", "ada@example.com"],
      ["info"]
    ]) {
      const { code, errors } = await runCommand(args, env)
      expect([args, code]).toEqual([args, 1])
      expect(errors).toMatch(/^lectern: DATABASE_URL is set.*Set LECTERN_DATABASE_URL or --database-url/)
    }
    expect(existsSync(join(folder, "host.db"))).toBe(false)
    const { code } = await runCommand(["migrate", "--database-url", database("own.db")], env)
    expect(code).toBe(0)
  })

  it("prints the help of a command after `help`", async () => {
    const { code, output } = await runCommand(["help", "doctor"])
    expect(code).toBe(0)
    expect(output).toContain("lectern doctor")
  })
})
