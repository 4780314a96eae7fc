/** The commands of sign-in as processes of their own, against a running server: the first start, links, sessions, invitations, own data. */
import { join } from "node:path"
import { expect, it } from "vitest"
import { call, runCommand, serve } from "./processes.ts"
import { temporaryFolder } from "./stores.ts"
import { openBrowser } from "./support/browser.ts"

const bob = "bob@example.com"

/** Starts the server on a new database. `run` runs a command on the same database, which must succeed. */
const start = async () => {
  const env = { LECTERN_DATABASE_URL: `sqlite:${join(temporaryFolder(), "lectern.db")}` }
  const server = await serve(env.LECTERN_DATABASE_URL)
  const attempt = (...args: ReadonlyArray<string>) => runCommand(args, env)
  const run = async (...args: ReadonlyArray<string>): Promise<string> => {
    const { code, output, errors } = await attempt(...args)
    expect([args, code, errors]).toEqual([args, 0, ""])
    return output.trim()
  }
  const { items } = await call<{ items: ReadonlyArray<{ id: string }> }>(server, "/v1/orgs")
  return { server, attempt, run, organization: items[0]!.id }
}

const pathOf = (url: string): string => new URL(url).pathname

it("the first start prints a link that signs the administrator in, once", { timeout: 120_000 }, async () => {
  const { server } = await start()
  const [, url = ""] = /Sign in as \S+ in a browser[^\n]*\n\n\s+(\S+)/.exec(server.printed()) ?? []
  expect(url).toMatch(/^http:\/\/localhost:\d+\/~\/sign-in\/[\w-]{43}$/)
  const browser = openBrowser(server)
  expect((await browser.request(pathOf(url), { method: "POST" })).status).toBe(303)
  const { items } = JSON.parse((await browser.request("/v1/orgs")).text)
  expect(items).toHaveLength(1)
  expect((await openBrowser(server).request(pathOf(url), { method: "POST" })).status).toBe(410)
  await server.end("SIGTERM")
})

it("lectern sign-in, session and user act on the accounts of a running server, with immediate effect", {
  timeout: 300_000
}, async () => {
  const { server, attempt, run, organization } = await start()
  await run("user", "create", bob, "--organization", organization, "--role", "edit")
  const { url } = JSON.parse(await run("sign-in", bob, "--json"))
  const browser = openBrowser(server)
  expect((await browser.request(pathOf(url), { method: "POST" })).status).toBe(303)
  const statusOf = async () => (await browser.request("/v1/user")).status
  expect(await statusOf()).toBe(200)

  const [session] = JSON.parse(await run("session", "list", bob, "--json"))
  expect(session).toMatchObject({ method: "link" })
  expect(await run("session", "list", bob)).toMatch(new RegExp(`^${session.id} {2}link {2}`))
  // Without a terminal, an irreversible command requires its confirmation.
  expect((await attempt("session", "revoke", bob)).code).toBe(1)
  expect(await run("session", "revoke", bob, "--id", session.id, "--yes")).toBe("Ended 1 session.")
  expect([await statusOf(), await run("session", "list", bob)]).toEqual([401, "No sessions."])
  expect(JSON.parse(await run("session", "revoke", bob, "--yes", "--json"))).toEqual({ ended: 0 })

  const data = JSON.parse(await run("user", "export", bob))
  expect(data).toMatchObject({ account: { email: bob }, memberships: { items: [{ organization }] } })
  expect((await attempt("user", "reset-second-factor", bob)).code).toBe(1)
  expect(await run("user", "reset-second-factor", bob, "--yes")).toBe("Removed 0 passkeys.")
  expect((await attempt("user", "erase", bob)).code).toBe(1)
  expect(await run("user", "erase", bob, "--yes")).toBe("Erased.")
  for (const args of [
    ["sign-in", bob],
    ["session", "list", bob],
    ["user", "export", bob],
    ["user", "erase", bob, "--yes"]
  ]) {
    const { code, errors } = await attempt(...args)
    expect([args, code, errors]).toEqual([
      args,
      1,
      expect.stringContaining(`No account has the e-mail address`)
    ])
  }
  const { items } = await call<{ items: ReadonlyArray<unknown> }>(server, `/v1/orgs/${organization}/members`)
  expect(items).toHaveLength(1)
  await server.end("SIGTERM")
})

it("lectern invitation lists and revokes open invitations", { timeout: 300_000 }, async () => {
  const { server, attempt, run, organization } = await start()
  const { users } = await call<{ users: ReadonlyArray<string> }>(server, `/v1/orgs/${organization}/invites`, {
    method: "POST",
    body: JSON.stringify({ emails: [bob], role: "read" })
  })
  expect(await run("invitation", "list", organization)).toMatch(
    /^bob@example\.com {2}invited 20.* {2}expires 20/
  )
  expect(JSON.parse(await run("invitation", "list", organization, "--json"))).toMatchObject([
    { user: users[0], email: bob, organization }
  ])
  expect((await attempt("invitation", "revoke", organization, bob)).code).toBe(1)
  expect(await run("invitation", "revoke", organization, bob, "--yes")).toBe("Revoked.")
  expect(await run("invitation", "list", organization)).toBe("No open invitations.")
  const { items } = await call<{ items: ReadonlyArray<unknown> }>(server, `/v1/orgs/${organization}/members`)
  expect(items).toHaveLength(1)
  const again = await attempt("invitation", "revoke", organization, bob, "--yes")
  expect([again.code, again.errors]).toEqual([1, expect.stringContaining("no such invite")])
  await server.end("SIGTERM")
})
