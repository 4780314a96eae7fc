/** Programs of others that people authorize by OAuth 2.1. */
import { describe, expect, it } from "vitest"
import { ruleStores } from "./stores.ts"
import { addPasskey, verifyByPasskey } from "./support/passkeyPages.ts"
import {
  authorizeIn,
  callback,
  decide,
  openConsent,
  type ProgramServer,
  refresh,
  registerProgram,
  startAuthorization,
  startProgramServer
} from "./support/programServer.ts"
import { createAuthenticator } from "./support/softAuthenticator.ts"

/** Starts a server with an organization whose administrator is Ada, with a space, and a registered program. */
const start = async (store: Parameters<typeof startProgramServer>[0]) => {
  const server = await startProgramServer(store)
  const ada = await server.createUser("ada@example.com")
  const organization = await server.createOrganization("Acme", ada)
  const adaToken = await server.tokenOf(ada)
  const created = await server.fetch(`/v1/orgs/${organization}/spaces`, {
    method: "POST",
    token: adaToken,
    body: JSON.stringify({ title: "Docs" })
  })
  const space = ((await created.json()) as { id: string }).id
  return { server, ada, organization, adaToken, space, program: await registerProgram(server) }
}

const statusOf = async (server: ProgramServer, token: string, path: string, method = "GET", body?: unknown) =>
  (
    await server.fetch(`/v1${path}`, {
      method,
      token,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  ).status

describe.each(ruleStores)("a program of others, on $name", (store) => {
  it("acts for the person who authorizes it, with the permissions that it requests", async () => {
    const { server, program, space, organization } = await start(store)
    const browser = await server.signIn("ada@example.com")
    const started = startAuthorization(program, { scope: "space.view content.read unknown" })
    const page = await openConsent(browser, started)
    expect(page.status).toBe(200)
    expect(page.text).toContain("Program requests to act as")
    expect(page.text).toContain("program.example.com")
    expect(page.text).toContain("<code>space.view</code>")
    expect(page.text).toContain("has not verified this program")
    expect(page.headers.get("content-security-policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'/)

    const tokens = await authorizeIn(server, browser, program, { scope: "space.view content.read" })
    expect([tokens.scope, tokens.expires_in]).toEqual(["space.view content.read", 900])
    expect(await statusOf(server, tokens.access_token, `/spaces/${space}`)).toBe(200)
    expect(await statusOf(server, tokens.access_token, `/orgs/${organization}/members`)).toBe(403)
    expect(await statusOf(server, tokens.access_token, "/user/tokens", "POST", { label: "Lasting" })).toBe(
      403
    )

    const listed = await browser.request("/v1/user/programs")
    expect(JSON.parse(listed.text).items).toMatchObject([
      {
        object: "authorized-program",
        name: "Program (program.example.com)",
        permissions: ["space.view", "content.read"]
      }
    ])
    const narrower = await refresh(server, program, tokens.refresh_token, { scope: "content.read" })
    expect(narrower.body.scope).toBe("content.read")
    expect(await statusOf(server, String(narrower.body.access_token), `/spaces/${space}`)).toBe(403)
    // It is not among the API tokens of the person: its secret could be replaced by a lasting one.
    expect(JSON.parse((await browser.request("/v1/user/tokens")).text).items).toHaveLength(1)
  })

  it("receives no code if the person cancels", async () => {
    const { server, program } = await start(store)
    const browser = await server.signIn("ada@example.com")
    const returned = await decide(browser, startAuthorization(program), "deny")
    expect(returned.href.startsWith(callback)).toBe(true)
    expect(Object.fromEntries(returned.searchParams)).toMatchObject({
      error: "access_denied",
      state: "state of the program",
      iss: server.url
    })
    expect(JSON.parse((await browser.request("/v1/user/programs")).text).items).toEqual([])
  })

  it("loses its access immediately when the person revokes it or signs out everywhere", async () => {
    const { server, program, space } = await start(store)
    const browser = await server.signIn("ada@example.com")
    const first = await authorizeIn(server, browser, program)
    const second = await authorizeIn(server, browser, program)
    const { items } = JSON.parse((await browser.request("/v1/user/programs")).text)
    expect(items).toHaveLength(2)
    expect(await statusOf(server, first.access_token, `/spaces/${space}`)).toBe(200)
    const revoked = await browser.request(`/v1/user/programs/${items[1].id}`, { method: "DELETE" })
    expect(revoked.status).toBe(204)
    expect(await statusOf(server, first.access_token, `/spaces/${space}`)).toBe(401)
    expect((await refresh(server, program, first.refresh_token)).body.error).toBe("invalid_grant")

    expect(await statusOf(server, second.access_token, `/spaces/${space}`)).toBe(200)
    expect((await browser.request("/v1/user/sessions", { method: "DELETE" })).status).toBe(204)
    expect(await statusOf(server, second.access_token, `/spaces/${space}`)).toBe(401)
    expect((await refresh(server, program, second.refresh_token)).status).toBe(400)
  })

  it("is named by audit records, and its access is ended by an administrator of the organization", async () => {
    const { server, program, organization, space, adaToken } = await start(store)
    const bob = await server.createUser("bob@example.com")
    await server.workspace.administration.setMember({
      organization: organization as never,
      user: bob as never,
      input: { role: "create" }
    })
    const browser = await server.signIn("bob@example.com")
    const scope = "space.view space.rename space.configure content.read organization.view"
    const { access_token: token } = await authorizeIn(server, browser, program, { scope })
    expect(await statusOf(server, token, `/spaces/${space}`, "PATCH", { title: "Renamed" })).toBe(200)
    const read = async (path: string) =>
      (await (await server.fetch(`/v1/orgs/${organization}${path}`, { token: adaToken })).json()) as {
        readonly items: ReadonlyArray<Readonly<Record<string, unknown>>>
      }
    const updated = (await read("/audit-log")).items.find(({ operation }) => operation === "Spaces.update")
    expect(updated).toMatchObject({ context: { program: "Program (program.example.com)" } })
    const listed = (await read(`/tokens?user=${bob}`)).items.find((one) => one.program !== undefined)
    expect(listed).toMatchObject({ program, unlimited: true })
    expect(
      await statusOf(server, adaToken, `/orgs/${organization}/tokens/${String(listed?.id)}`, "DELETE")
    ).toBe(204)
    expect(await statusOf(server, token, `/spaces/${space}`)).toBe(404)
  })

  it("ends with the account of the person", async () => {
    const { server, program, space } = await start(store)
    await server.createUser("bob@example.com")
    const browser = await server.signIn("bob@example.com")
    const { access_token: token, refresh_token: refreshToken } = await authorizeIn(server, browser, program)
    expect(await statusOf(server, token, "/orgs")).toBe(200)
    const erased = await browser.request("/~/account", { form: { email: "bob@example.com" } })
    expect(erased.status).toBe(303)
    expect(await statusOf(server, token, "/orgs")).toBe(401)
    expect((await refresh(server, program, refreshToken)).status).toBe(400)
    expect(space).toBeDefined()
  })

  it("respects the second factor that an organization requires", async () => {
    const server = await startProgramServer(store, "localhost")
    const ada = await server.createUser("ada@example.com")
    const organization = await server.createOrganization("Acme", ada)
    const bob = await server.createUser("bob@example.com")
    await server.workspace.administration.setMember({
      organization: organization as never,
      user: bob as never,
      input: { role: "read" }
    })
    const program = await registerProgram(server)
    const ofBob = await authorizeIn(server, await server.signIn("bob@example.com"), program)
    expect(await statusOf(server, ofBob.access_token, `/orgs/${organization}`)).toBe(200)

    const browser = await server.signIn("ada@example.com")
    const authenticator = createAuthenticator(server.url)
    expect((await addPasskey(browser, authenticator)).status).toBe(201)
    const required = await browser.request(`/v1/orgs/${organization}`, {
      method: "PATCH",
      body: JSON.stringify({ secondFactor: true }),
      headers: { "content-type": "application/json" }
    })
    expect(required.status).toBe(200)
    // Bob has no passkey.
    expect(await statusOf(server, ofBob.access_token, `/orgs/${organization}`)).toBe(403)

    const unverified = await server.signIn("ada@example.com")
    const { at } = await openConsent(unverified, startAuthorization(program))
    const rejected = await unverified.request(at, { form: { decision: "allow" } })
    expect([rejected.status, rejected.text.includes("second-factor?return=")]).toEqual([403, true])
    expect((await verifyByPasskey(unverified, authenticator)).status).toBe(200)
    const accepted = await unverified.request(at, { form: { decision: "allow" } })
    expect(accepted.text).toContain("http-equiv")
  })
})
