/** Runs the examples of query builders, sign-ins and frameworks. */
import { execFileSync, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { DatabaseSync } from "node:sqlite"
import { fileURLToPath } from "node:url"
import { createWorkspace } from "@lectern/core"
import { createTestDatabase } from "@lectern/harness/postgres"
import { toWebHandler } from "@lectern/http"
import { postgres } from "@lectern/storage-pg"
import { sqlite } from "@lectern/storage-sqlite"
import pg from "pg"
import { describe, expect, inject, it, onTestFinished } from "vitest"
import * as authJs from "./auth-js.ts"
import * as betterAuth from "./better-auth.ts"
import * as express from "./express-sessions.ts"
import * as nest from "./nest.ts"
import { createProject, deliver, outboxTable } from "./outbox.ts"
import * as jwt from "./own-jwt.ts"
import { createInOwnTransaction, createWithDrizzle, createWithKysely } from "./query-builders.ts"

const statusOf = (response: Response) => response.status

/** Starts a server of Node on a free port, until the test ends. */
const listen = async (listener: Parameters<typeof createServer>[1]): Promise<string> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Returns a port that is free now: Vite and Astro have no option to choose one. */
const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

describe("query builders", () => {
  it("store their rows and the spaces together, or neither, in transactions of Lectern and of the host", async () => {
    const pool = new pg.Pool({ connectionString: await createTestDatabase(inject("postgres")) })
    await pool.query("CREATE TABLE projects (name TEXT PRIMARY KEY, space TEXT NOT NULL)")
    const workspace = createWorkspace({ storage: postgres({ pool, schema: "lectern" }) })
    onTestFinished(async () => {
      await workspace.dispose()
      await pool.end()
    })
    const user = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
    const organization = await workspace.administration.createOrganization({
      administrator: user,
      input: { title: "Acme" }
    })
    const host = { workspace, user, organization }
    const stored = async () => {
      const { items } = await workspace.as(user).spaces.list({ organization })
      const { rows } = await pool.query<{ name: string; space: string }>("SELECT * FROM projects")
      expect(rows.map(({ space }) => space).toSorted()).toEqual(items.map(({ id }) => id).toSorted())
      return rows.map(({ name }) => name).toSorted()
    }
    await createWithKysely(host, "Kysely")
    await createWithDrizzle(host, "Drizzle")
    await createInOwnTransaction(host, pool, "Own")
    expect(await stored()).toEqual(["Drizzle", "Kysely", "Own"])
    await expect(createWithKysely(host, "Drizzle")).rejects.toThrow()
    await expect(createWithDrizzle(host, "Own")).rejects.toThrow()
    await expect(createInOwnTransaction(host, pool, "Kysely")).rejects.toThrow()
    expect(await stored()).toEqual(["Drizzle", "Kysely", "Own"])
  })
})

describe("an outbox in another database", () => {
  it("creates each space once, also if the process ends between the request and its deletion", async () => {
    const workspace = createWorkspace({ storage: sqlite(":memory:") })
    onTestFinished(() => workspace.dispose())
    const user = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
    const organization = await workspace.administration.createOrganization({
      administrator: user,
      input: { title: "Acme" }
    })
    const { secret } = await workspace.tokens.create({ input: { user, label: "Outbox" } })
    const database = new DatabaseSync(":memory:")
    onTestFinished(() => database.close())
    database.exec(`CREATE TABLE projects (name TEXT PRIMARY KEY, space TEXT); ${outboxTable}`)
    const handler = toWebHandler(workspace)
    let calls = 0
    const send =
      (isLost: (call: number) => boolean) =>
      async (...request: Parameters<typeof fetch>) => {
        const response = await handler(new Request(...request))
        calls += 1
        if (isLost(calls)) throw new Error("The process ends.")
        return response
      }
    const deliverBy = (isLost: (call: number) => boolean) =>
      deliver(database, { baseUrl: "http://localhost", token: secret, fetch: send(isLost) })

    createProject(database, organization, "Otters")
    createProject(database, organization, "Beavers")
    expect(() => createProject(database, organization, "Otters")).toThrow()
    await expect(deliverBy((call) => call === 2)).rejects.toThrow()
    await expect(deliverBy((call) => call === 3)).rejects.toThrow()
    await deliverBy(() => false)
    await deliverBy(() => false)
    const { items } = await workspace.as(user).spaces.list({ organization })
    expect(items.map(({ title }) => title).toSorted()).toEqual(["Beavers", "Otters"])
    const linked = database.prepare("SELECT space FROM projects").all()
    expect(linked.map(({ space }) => space).toSorted()).toEqual(items.map(({ id }) => id).toSorted())
    expect(database.prepare("SELECT * FROM outbox").all()).toEqual([])
  })
})

describe("sessions of the host", () => {
  it("of Express authenticate the API and previews, and others are redirected to its login", async () => {
    const { app, workspace } = await express.makeApp()
    onTestFinished(() => workspace.dispose())
    const url = await listen(app)
    const login = await fetch(`${url}/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "ada@example.com" })
    })
    expect(login.status).toBe(204)
    const cookie = login.headers.getSetCookie()[0]!.split(";")[0]!
    const userOf = (headers: Record<string, string>) => fetch(`${url}/docs-api/v1/user`, { headers })
    const current = (await (await userOf({ cookie })).json()) as { id: string; email: string }
    expect(current.email).toBe("ada@example.com")
    expect((await userOf({})).status).toBe(401)
    expect((await userOf({ cookie: `${cookie}x` })).status).toBe(401)

    const organization = await workspace.administration.createOrganization({
      administrator: current.id,
      input: { title: "Acme" }
    })
    const { spaces, content } = workspace.as(current.id)
    const { id } = await spaces.create({ organization, input: { title: "Handbook" } })
    await content.edit({
      content: { space: id },
      input: { changes: [{ operation: "insert_page", document: { markdown: "# Handbook" } }] }
    })
    const preview = (headers: Record<string, string>) =>
      fetch(`${url}/docs-api/s/${id}/`, { headers, redirect: "manual" })
    const page = await preview({ cookie, accept: "text/html" })
    expect([page.status, (await page.text()).includes("Handbook")]).toEqual([200, true])
    let target = new URL(`/docs-api/s/${id}/`, "https://acme.example")
    for (let redirects = 0; redirects < 3 && target.pathname.startsWith("/docs-api/"); redirects++) {
      const redirected = await fetch(url + target.pathname + target.search, {
        headers: { accept: "text/html" },
        redirect: "manual"
      })
      target = new URL(redirected.headers.get("location") ?? "", target)
    }
    expect([target.origin, target.pathname]).toEqual(["https://acme.example", "/login"])
    expect(target.searchParams.get("return")).toContain(`/docs-api/s/${id}`)
    // Pages of other origins cannot act with the cookie.
    const foreign = await fetch(`${url}/docs-api/v1/user/sessions`, {
      method: "DELETE",
      headers: { cookie, origin: "https://evil.example" }
    })
    expect(foreign.status).toBe(403)
  })

  it("of a JWT of one's own authenticate in a header and in a cookie, until they expire", async () => {
    const { workspace, handler } = jwt.makeApp()
    onTestFinished(() => workspace.dispose())
    const user = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
    const token = await jwt.issueToken(user)
    const get = (headers: Record<string, string>) =>
      handler(new Request("http://localhost/v1/user", { headers })).then(statusOf)
    expect(await get({ authorization: `Bearer ${token}` })).toBe(200)
    expect(await get({ cookie: `token=${token}` })).toBe(200)
    expect(await get({ authorization: `Bearer ${token.slice(0, -3)}abc` })).toBe(401)
    const { secret } = await workspace.tokens.create({ input: { user, label: "Program" } })
    expect(await get({ authorization: `Bearer ${secret}` })).toBe(200)
  })

  it("of Better Auth authenticate users whom their sign-up provisioned, with a role", async () => {
    const { auth, workspace, organization, handler } = await betterAuth.makeApp()
    onTestFinished(() => workspace.dispose())
    const signedUp = await auth.api.signUpEmail({
      body: { email: "ada@example.com", password: "correct horse battery", name: "Ada" },
      asResponse: true
    })
    const cookie = signedUp.headers
      .getSetCookie()
      .map((value) => value.split(";")[0])
      .join("; ")
    const get = (path: string, headers: Record<string, string>) =>
      handler(new Request(`http://localhost${path}`, { headers }))
    const user = (await (await get("/v1/user", { cookie })).json()) as { displayName: string }
    expect(user.displayName).toBe("Ada")
    const spaces = (headers: Record<string, string>) =>
      get(`/v1/orgs/${organization}/spaces`, headers).then(statusOf)
    expect([await spaces({ cookie }), await spaces({})]).toEqual([200, 401])
  })

  it("of Auth.js authenticate users who have signed in with its form", async () => {
    const { auth, workspace, handler } = authJs.makeApp()
    onTestFinished(() => workspace.dispose())
    const cookies = new Map<string, string>()
    const call = async (path: string, form?: Record<string, string>) => {
      const response = await auth(
        new Request(`http://localhost${path}`, {
          method: form === undefined ? "GET" : "POST",
          headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
          ...(form === undefined ? {} : { body: new URLSearchParams(form) })
        })
      )
      for (const header of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(header)!
        cookies.set(name!, value!)
      }
      return response
    }
    const { csrfToken } = (await (await call("/auth/csrf")).json()) as { csrfToken: string }
    const signIn = (password: string) =>
      call("/auth/callback/credentials", { csrfToken, email: "ada@example.com", password })
    const get = () =>
      handler(
        new Request("http://localhost/v1/user", {
          headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") }
        })
      )
    await signIn("wrong")
    expect((await get()).status).toBe(401)
    await signIn("correct")
    // The second sign-in finds the account of the first one.
    await signIn("correct")
    const response = await get()
    expect([response.status, ((await response.json()) as { email: string }).email]).toEqual([
      200,
      "ada@example.com"
    ])
  })
})

describe("NestJS", () => {
  it("injects the workspace, and mounts its API", async () => {
    const { app, workspace } = await nest.makeApp()
    await app.listen(0, "127.0.0.1")
    const url = await app.getUrl()
    try {
      const user = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
      const organization = await workspace.administration.createOrganization({
        administrator: user,
        input: { title: "Acme" }
      })
      const { secret } = await workspace.tokens.create({ input: { user, label: "Test" } })
      const created = await fetch(`${url}/docs-api/v1/orgs/${organization}/spaces`, {
        method: "POST",
        headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
        body: JSON.stringify({ title: "Handbook" })
      })
      expect(created.status).toBe(201)
      expect(created.headers.get("location")).toMatch(/^https:\/\/acme\.example\/docs-api\/v1\/spaces\//)
      expect(await (await fetch(`${url}/titles/${user}/${organization}`)).json()).toEqual(["Handbook"])
    } finally {
      await app.close()
    }
  })
})

/** Starts a program that serves a folder of the examples, until the test ends. Returns its URL, which it prints. */
const startProgram = async (
  folder: string,
  args: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>> = {}
): Promise<string> => {
  const server = spawn(process.execPath, args, {
    cwd: fileURLToPath(new URL(folder, import.meta.url)),
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...environment, NO_COLOR: "1" }
  })
  onTestFinished(() => void server.kill("SIGKILL"))
  return await new Promise<string>((resolve, reject) => {
    let printed = ""
    server.stdout.on("data", (text: Buffer) => {
      printed += text.toString()
      const found = /(http:\/\/(?:127\.0\.0\.1|localhost):\d+)/.exec(printed)?.[1]
      if (found !== undefined) resolve(found)
    })
    server.once("exit", () => reject(new Error(`The server ended: ${printed}`)))
  })
}

/** Expects the API under `/docs-api`, which authenticates, and a route of the application. */
const expectMounted = async (url: string): Promise<void> => {
  expect((await fetch(`${url}/docs-api/healthz`)).status).toBe(200)
  const created = await fetch(`${url}/docs-api/v1/user/tokens`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ label: "Test" })
  })
  expect(created.status).toBe(401)
  expect(await (await fetch(`${url}/titles`)).json()).toEqual([])
}

describe("SvelteKit", () => {
  it("serves the API from an endpoint", async () => {
    const port = `${await freePort()}`
    const vite = "../node_modules/vite/bin/vite.js"
    await expectMounted(
      await startProgram("svelte-kit", [vite, "--port", port, "--strictPort", "--host", "127.0.0.1"])
    )
  })
})

describe("Astro", () => {
  it("serves the API from an endpoint of its built server", async () => {
    const cwd = fileURLToPath(new URL("astro", import.meta.url))
    const env = { ...process.env, ASTRO_TELEMETRY_DISABLED: "1" }
    execFileSync(process.execPath, ["../node_modules/astro/bin/astro.mjs", "build"], {
      cwd,
      env,
      stdio: "pipe"
    })
    const port = `${await freePort()}`
    await expectMounted(
      await startProgram("astro", ["dist/server/entry.mjs"], { HOST: "127.0.0.1", PORT: port })
    )
  })
})

/** The files of each framework: an application reads all of them. */
const frameworks = {
  Effect: ["../effect-host.ts"],
  Express: ["../express.ts"],
  Fastify: ["../fastify.ts"],
  Hono: ["../web-handler.ts"],
  "Next.js": ["../next.ts"],
  NestJS: ["nest.ts"],
  SvelteKit: [
    "vite.config.ts",
    "src/lib/server/workspace.ts",
    "src/routes/docs-api/[...path]/+server.ts"
  ].map((file) => `svelte-kit/${file}`),
  Astro: ["astro.config.ts", "src/workspace.ts", "src/pages/docs-api/[...path].ts"].map(
    (file) => `astro/${file}`
  )
}

it.each(Object.entries(frameworks))("the example of %s has at most 60 lines", (_, files) => {
  const texts = files.map((file) => readFileSync(new URL(file, import.meta.url), "utf8"))
  expect(texts.join("").trimEnd().split("\n").length).toBeLessThanOrEqual(60)
})
