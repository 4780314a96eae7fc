/** Invitations by e-mail address, with and without a mail server. */
import { type Invitation, type Mail, Mailer, type RenewedInvitation, tokenPermissions } from "@lectern/core"
import { Effect, Layer } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { callForBody } from "./caller.ts"
import { memory, ruleStores, type stores } from "./stores.ts"
import { openBrowser, signedInBrowser } from "./support/browser.ts"
import { startServer } from "./support.ts"

const bob = "bob@example.com"

/** Starts a server with an administrator. With `mails`, e-mails are added to it. */
const start = async (store: (typeof stores)[number], mails?: Array<Mail>) => {
  const storage = await store.make()
  const mailer = (mail: Mail) => Effect.sync(() => void mails!.push(mail))
  const server = await startServer(
    mails === undefined ? storage : Layer.merge(storage, Layer.succeed(Mailer, mailer))
  )
  onTestFinished(() => server.close())
  const ada = await server.core.createUser("ada@example.com")
  const acme = await server.core.createOrganization("Acme <Docs>\r\nBcc: x", ada)
  const token = await server.tokenOf(ada)
  const call = <A>(method: string, path: string, body?: unknown) =>
    callForBody<A>(server, token, method, `/orgs/${acme}${path}`, body)
  const invite = (...emails: ReadonlyArray<string>) =>
    call<{ users: ReadonlyArray<string> }>("POST", "/invites", { emails, role: "read" })
  const list = async () => (await call<{ items: ReadonlyArray<Invitation> }>("GET", "/invitations")).items
  const send = (method: string, path: string) => server.fetch(`/v1/orgs/${acme}${path}`, { method, token })
  return { server, ada, acme, call, invite, list, send }
}

const pathOf = (url: string): string => new URL(url).pathname

describe.each(ruleStores)("an invitation on $name", (store) => {
  it("is sent by e-mail, and accepted by the first sign-in", async () => {
    const mails: Array<Mail> = []
    const { server, ada, acme, invite, list } = await start(store, mails)
    const { users } = await invite(bob)
    expect(await list()).toMatchObject([{ user: users[0], email: bob, organization: acme, invitedBy: ada }])
    await server.core.work()
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      [bob, "ada invites you to Acme <Docs> Bcc: x"]
    ])
    expect(mails[0]!.html).toContain("Acme &lt;Docs&gt; Bcc: x")
    const url = /http:\S+/.exec(mails[0]!.text)![0]
    const browser = openBrowser(server)
    expect((await browser.request(pathOf(url), { method: "POST" })).status).toBe(303)
    const organizations = JSON.parse((await browser.request("/v1/orgs")).text)
    expect(organizations.items.map(({ id }: { id: string }) => id)).toEqual([acme])
    expect(await list()).toEqual([])
  })

  it("has a link for the administrator without e-mail, which is used once", async () => {
    const { server, acme, call, invite, list } = await start(store)
    const { users } = await invite(bob)
    const { url } = await call<RenewedInvitation>("POST", `/invitations/${users[0]}/renew`)
    const browser = openBrowser(server)
    const page = await browser.request(pathOf(url!))
    expect(page.text).toContain(`Sign in as ${bob}`)
    expect((await browser.request(pathOf(url!), { method: "POST" })).status).toBe(303)
    expect((await browser.request(`/v1/orgs/${acme}`)).status).toBe(200)
    expect(await list()).toEqual([])
    expect((await openBrowser(server).request(pathOf(url!), { method: "POST" })).status).toBe(410)
  })

  it("ends the membership when it is revoked, and its links", async () => {
    const { server, call, invite, list, send } = await start(store)
    const { users } = await invite(bob)
    const { url } = await call<RenewedInvitation>("POST", `/invitations/${users[0]}/renew`)
    expect((await send("DELETE", `/invitations/${users[0]}`)).status).toBe(204)
    expect(await list()).toEqual([])
    expect((await send("GET", `/members/${users[0]}`)).status).toBe(404)
    expect((await openBrowser(server).request(pathOf(url!), { method: "POST" })).status).toBe(410)
  })
})

describe("the link in an e-mail", () => {
  const linkIn = (mail: Mail) => pathOf(/http:\S+/.exec(mail.text)![0])

  it("ends when its invitation is revoked, also if another organization invites the same person", async () => {
    const mails: Array<Mail> = []
    const { server, ada, invite, send } = await start(memory, mails)
    const { users } = await invite(bob)
    await server.core.work()
    server.core.advance(1_000)
    const other = await server.core.createOrganization("Other", ada)
    await callForBody(server, await server.tokenOf(ada), "POST", `/orgs/${other}/invites`, { emails: [bob] })
    await server.core.work()
    const [ofAcme, ofOther] = mails.map(linkIn)
    const statusOf = async (path: string) =>
      (await openBrowser(server).request(path, { method: "POST" })).status
    expect((await openBrowser(server).request(ofAcme!)).text).toContain(`Sign in as ${bob}`)
    expect((await send("DELETE", `/invitations/${users[0]}`)).status).toBe(204)
    expect((await openBrowser(server).request(ofAcme!)).text).not.toContain(bob)
    expect([await statusOf(ofAcme!), await statusOf(ofOther!)]).toEqual([410, 303])
  })

  it("is replaced when the invitation is renewed", async () => {
    const mails: Array<Mail> = []
    const { server, call, invite } = await start(memory, mails)
    const { users } = await invite(bob)
    await server.core.work()
    server.core.advance(1_000)
    await call("POST", `/invitations/${users[0]}/renew`)
    await server.core.work()
    const statuses: Array<number> = []
    for (const mail of mails)
      statuses.push((await openBrowser(server).request(linkIn(mail), { method: "POST" })).status)
    expect(statuses).toEqual([410, 303])
  })
})

describe("a token with limited permissions", () => {
  it("receives no link that signs a user in, and grants no role of administrators, which would outlive it", async () => {
    const { server, acme, call, invite, ada } = await start(memory)
    const admin = await call<{ id: string }>("POST", "/link-invites", { role: "admin" })
    const reader = await call<{ id: string }>("POST", "/link-invites", { role: "read" })
    const guest = await call<{ id: string }>("POST", "/link-invites", { role: null })
    const { users } = await invite(bob)
    const { secret } = await callForBody<{ secret: string }>(
      server,
      await server.tokenOf(ada),
      "POST",
      "/user/tokens",
      { label: "Program", permissions: tokenPermissions }
    )
    const send = async (method: string, path: string, body?: unknown) => {
      const response = await server.fetch(`/v1/orgs/${acme}${path}`, {
        method,
        token: secret,
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      return { status: response.status, body: JSON.parse((await response.text()) || "{}") }
    }
    const renewed = await send("POST", `/invitations/${users[0]}/renew`)
    expect([renewed.status, renewed.body.user, "url" in renewed.body]).toEqual([200, users[0], false])
    const links = await send("GET", "/link-invites")
    expect(links.body.items.map(({ id }: { id: string }) => id)).toEqual([guest.id, reader.id])
    const attempts: ReadonlyArray<readonly [string, string, object]> = [
      ["POST", "/invites", { emails: ["eve@example.com"], role: "admin" }],
      ["POST", "/invites", { emails: [{ email: "eve@example.com", role: "admin" }], role: "read" }],
      ["POST", "/link-invites", { role: "admin" }],
      ["PATCH", `/link-invites/${reader.id}`, { role: "admin" }],
      ["PATCH", `/link-invites/${admin.id}`, { role: "admin", maximumUses: 5 }],
      ["PATCH", `/members/${users[0]}`, { role: "admin" }]
    ]
    for (const [method, path, body] of attempts) {
      const { status, body: answer } = await send(method, path, body)
      expect([method, path, status, answer.error?.reason]).toEqual([method, path, 403, "ScopeTooNarrow"])
    }
    expect((await send("POST", "/invites", { emails: ["eve@example.com"], role: "edit" })).status).toBe(200)
  })
})

describe("the link of an administrator", () => {
  it("does not sign in an account that was used before, or that is in another organization", async () => {
    const { server, call, invite, send } = await start(memory)
    const { users } = await invite(bob, "cy@example.com", "di@example.com")
    const [first, second, third] = users as [string, string, string]
    const links: Array<string> = []
    for (const user of [first, second, third]) {
      links.push(pathOf((await call<RenewedInvitation>("POST", `/invitations/${user}/renew`)).url!))
    }
    await signedInBrowser(server, bob)
    const other = await server.core.createOrganization(
      "Other",
      await server.core.createUser("eve@example.com")
    )
    await server.core.setMember(other, second, "read")
    await server.tokenOf(third)
    for (const link of links) {
      const browser = openBrowser(server)
      expect((await browser.request(link)).status).toBe(410)
      expect((await browser.request(link, { method: "POST" })).status).toBe(410)
      expect(browser.cookies.size).toBe(0)
    }
    const renewed = await send("POST", `/invitations/${first}/renew`)
    const { error } = (await renewed.json()) as { error: { reason: string; message: string } }
    expect([renewed.status, error.reason]).toEqual([409, "AlreadySignedIn"])
    expect(error.message).toContain(`lectern sign-in ${bob}`)
  })

  it("starts a session that reaches no organization that the user joins later, also by its tokens", async () => {
    const { server, acme, call, invite } = await start(memory)
    const { users } = await invite(bob)
    const { url } = await call<RenewedInvitation>("POST", `/invitations/${users[0]}/renew`)
    const browser = openBrowser(server)
    expect((await browser.request(pathOf(url!), { method: "POST" })).status).toBe(303)
    const create = async (body: object) => {
      const response = await browser.request("/v1/user/tokens", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body)
      })
      return { status: response.status, ...JSON.parse(response.text) }
    }
    const former = await create({ label: "before", expiresAt: null })
    const eve = await server.core.createUser("eve@example.com")
    const other = await server.core.createOrganization("Other", eve)
    const invited = await callForBody<{ users: ReadonlyArray<string> }>(
      server,
      await server.tokenOf(eve),
      "POST",
      `/orgs/${other}/invites`,
      { emails: [bob], role: "read" }
    )
    expect(invited.users).toEqual(users)
    const later = await create({ label: "after", expiresAt: null })
    const idsOf = (text: string) => JSON.parse(text).items.map(({ id }: { id: string }) => id)
    expect(idsOf((await browser.request("/v1/orgs")).text)).toEqual([acme])
    expect((await browser.request(`/v1/orgs/${other}`)).status).toBe(404)
    for (const { status, secret: token } of [former, later]) {
      expect(status).toBe(201)
      expect(idsOf(await (await server.fetch("/v1/orgs", { token })).text())).toEqual([acme])
    }
    expect(await create({ label: "elsewhere", organization: other })).toMatchObject({ status: 404 })
    // A link of the operator, which no administrator has seen, opens both.
    const own = await signedInBrowser(server, bob)
    expect(idsOf((await own.request("/v1/orgs")).text).sort()).toEqual([acme, other].sort())
  })

  it("is not given for members who were not invited, and not to members without the role of an administrator", async () => {
    const { server, acme, invite, send } = await start(memory)
    const { users } = await invite(bob)
    const eve = await server.core.createUser("eve@example.com")
    await server.core.setMember(acme, eve, "create")
    expect((await send("POST", `/invitations/${eve}/renew`)).status).toBe(404)
    const token = await server.tokenOf(eve)
    for (const [method, path] of [
      ["GET", ""],
      ["POST", `/${users[0]}/renew`],
      ["DELETE", `/${users[0]}`]
    ] as const) {
      const response = await server.fetch(`/v1/orgs/${acme}/invitations${path}`, { method, token })
      expect([method, response.status]).toEqual([method, 403])
    }
  })
})

it("invitations are bounded per recipient", async () => {
  const mails: Array<Mail> = []
  const { server, invite, send } = await start(memory, mails)
  const { users } = await invite(bob)
  const statuses: Array<number> = []
  for (let count = 0; count < 6; count++) {
    statuses.push((await send("POST", `/invitations/${users[0]}/renew`)).status)
  }
  await server.core.work()
  expect(statuses).toEqual([200, 200, 200, 200, 409, 409])
  expect(mails).toHaveLength(5)
})
