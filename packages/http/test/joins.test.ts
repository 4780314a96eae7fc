/** New people join by invite links and by the domain of their address; people export and erase their data. */
import { Mailer } from "@lectern/core"
import { Layer } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { memory, stores } from "./stores.ts"
import { openBrowser, signInPathOf, type TestBrowser } from "./support/browser.ts"
import { linkIn, startMailServer } from "./support/mailServer.ts"
import { startServer } from "./support.ts"

const start = async (store = memory) => {
  const mail = await startMailServer()
  const server = await startServer(Layer.merge(await store.make(), Layer.succeed(Mailer, mail.mailer)))
  onTestFinished(() => server.close())
  const ada = await server.core.createUser("ada@example.com")
  const organization = await server.core.createOrganization("Acme", ada)
  const token = await server.tokenOf(ada)
  const org = `/v1/orgs/${organization}`
  const call = async <A>(method: string, path: string, body?: object): Promise<A> => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await server.fetch(path, { method, token, ...init })
    const text = await response.text()
    if (!response.ok) throw new Error(`${response.status} ${text}`)
    return (text === "" ? undefined : JSON.parse(text)) as A
  }
  const createInvite = (body: object = {}) =>
    call<{ id: string }>("POST", `${org}/link-invites`, { role: "edit", ...body })
  const emails = async () =>
    (await call<{ items: ReadonlyArray<{ user: { email: string } }> }>("GET", `${org}/members`)).items
      .map(({ user }) => user.email)
      .toSorted()
  return {
    ...mail,
    server,
    ada,
    organization,
    org,
    token,
    call,
    createInvite,
    emails,
    browser: openBrowser(server)
  }
}

type World = Awaited<ReturnType<typeof start>>

/** Requests a link on a page, opens it, and returns the path to which the sign-in leads. */
const followMail = async ({ server, received }: World, browser: TestBrowser, path: string, email: string) => {
  const requested = await browser.request(path, { form: { email } })
  expect(requested.status).toBe(200)
  await server.core.work()
  const link = linkIn(received.at(-1)!)
  expect(received.at(-1)!.recipients).toEqual([email])
  return (await browser.request(link, { form: {} })).location
}

describe.each([memory, ...stores])("an invite link on $name", (store) => {
  it("signs a new person in, who joins with a click", async () => {
    const world = await start(store)
    const { browser, organization, createInvite, emails } = world
    const { id } = await createInvite()
    const path = `/~/join/${organization}/${id}`
    expect((await browser.request(path)).text).toContain('name="email"')
    expect(await followMail(world, browser, path, "bob@example.net")).toBe(path)
    expect(await emails()).toEqual(["ada@example.com"])
    const offer = await browser.request(path)
    expect(offer.text).toContain("Join Acme")
    expect(offer.text).toContain("Join as bob@example.net")
    expect((await browser.request(path, { form: {}, from: "cross-site" })).status).toBe(400)
    expect(await emails()).toEqual(["ada@example.com"])
    expect([(await browser.request(path, { form: {} })).status, await emails()]).toEqual([
      303,
      ["ada@example.com", "bob@example.net"]
    ])
  })
})

describe("an invite link", () => {
  it("sends nothing if it cannot be used, with the same response", async () => {
    const { browser, server, organization, createInvite, call, org, received } = await start()
    const { id } = await createInvite({ maximumUses: 1 })
    const path = `/~/join/${organization}/${id}`
    const usable = await browser.request(path, { form: { email: "one@example.net" } })
    await server.core.work()
    expect(received).toHaveLength(1)
    await call("PATCH", org, { inviteLinks: false })
    const off = await browser.request(path, { form: { email: "two@example.net" } })
    const unknown = await browser.request(`/~/join/${organization}/unknown`, {
      form: { email: "six@example.net" }
    })
    await server.core.work()
    expect(received).toHaveLength(1)
    for (const [response, email] of [
      [off, "two@example.net"],
      [unknown, "six@example.net"]
    ] as const) {
      expect([response.status, response.text.replaceAll(email, "")]).toEqual([
        200,
        usable.text.replaceAll("one@example.net", "")
      ])
    }
    expect((await browser.request("/~/join/")).status).toBe(404)
    expect((await browser.request(`/~/join/${organization}/a/b`)).status).toBe(404)
  })
})

describe("the domain of an address", () => {
  it("admits a new person, if the organization permits it and does not require single sign-on", async () => {
    const world = await start()
    const { browser, call, org, organization, server, received, emails } = world
    await call("PATCH", org, { emailDomains: ["example.net"] })
    await browser.request("/~/login", { form: { email: "bob@example.net" } })
    await server.core.work()
    expect(received).toHaveLength(0)
    await call("PATCH", org, { domainJoin: true })
    expect(await followMail(world, browser, "/~/login", "bob@example.net")).toBe(`/~/join/${organization}`)
    await browser.request(`/~/join/${organization}`, { form: {} })
    expect(await emails()).toEqual(["ada@example.com", "bob@example.net"])
    await call("POST", `${org}/members/${world.ada}/sso`)
    await call("PATCH", org, { sso: true })
    await browser.request("/~/login", { form: { email: "cy@example.net" } })
    await server.core.work()
    expect(received).toHaveLength(1)
  })

  it("does not admit a session that does not prove the address, or an address of another domain", async () => {
    const { call, org, organization, server, emails } = await start()
    await call("PATCH", org, { emailDomains: ["example.net"], domainJoin: true })
    for (const [email, status] of [
      ["bob@example.net", 404],
      ["cy@sub.example.net", 404],
      ["di@notexample.net", 404]
    ] as const) {
      await server.core.createUser(email)
      const browser = openBrowser(server)
      // A link of an administrator or the operator, who can create one for any address.
      await browser.request(await signInPathOf(server, email), { form: {} })
      expect([email, (await browser.request(`/~/join/${organization}`, { form: {} })).status]).toEqual([
        email,
        status
      ])
    }
    expect(await emails()).toEqual(["ada@example.com"])
  })
})

describe("a request for a link", () => {
  it("sends at most 30 e-mails per client in an hour, and 5 per recipient", async () => {
    const { browser, server, received } = await start()
    for (let index = 0; index < 34; index++) await server.core.createUser(`user${index}@example.org`)
    for (let index = 0; index < 6; index++)
      await browser.request("/~/login", { form: { email: "ada@example.com" } })
    for (let index = 0; index < 34; index++) {
      const response = await browser.request("/~/login", { form: { email: `user${index}@example.org` } })
      expect(response.status).toBe(200)
    }
    for (let round = 0; round < 5; round++) await server.core.work()
    expect(received.filter(({ recipients }) => recipients[0] === "ada@example.com")).toHaveLength(5)
    expect(received).toHaveLength(30)
  })
})

describe.each([memory, ...stores])("a person's own data on $name", (store) => {
  it("is exported and erased after a fresh sign-in, and the authored content remains", async () => {
    const { server, call, org, organization, token } = await start(store)
    const bob = await server.core.createUser("bob@example.com")
    await server.core.setMember(organization, bob, "edit")
    const bobsToken = await server.tokenOf(bob)
    const { id: space } = await call<{ id: string }>("POST", `${org}/spaces`, { title: "Docs" })
    const posted = await server.fetch(`/v1/spaces/${space}/comments`, {
      method: "POST",
      token: bobsToken,
      body: JSON.stringify({ body: { markdown: "A remark" } })
    })
    expect(posted.status).toBe(200)
    const browser = openBrowser(server)
    expect((await browser.request("/~/account")).location).toBe("/~/login?return=~%2Faccount")
    await browser.request(await signInPathOf(server, "bob@example.com"), { form: {} })
    expect((await browser.request("/~/account")).text).toContain("bob@example.com")
    const data = JSON.parse((await browser.request("/~/account/data")).text)
    expect(data).toMatchObject({
      account: { id: bob, email: "bob@example.com" },
      memberships: { items: [{ organization, title: "Acme", role: "edit" }], isCut: false },
      sessions: { items: [{ method: "link" }] },
      tokens: { items: [{ label: "Test" }] },
      comments: { items: [{ space, body: "A remark" }] }
    })
    expect(JSON.stringify(data)).not.toMatch(/digest|secret/i)

    // Neither another website, nor another address, nor a token erases it.
    const foreign = await browser.request("/~/account", {
      form: { email: "bob@example.com" },
      from: "same-site"
    })
    expect(foreign.location).toBe("/~/login?return=~%2Faccount")
    expect((await browser.request("/~/account", { form: { email: "ada@example.com" } })).status).toBe(400)
    const byToken = await server.fetch("/~/account", {
      method: "POST",
      token: bobsToken,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "email=bob%40example.com"
    })
    expect(byToken.status).toBe(403)
    expect((await browser.request("/v1/user")).status).toBe(200)

    const session = new Map(browser.cookies)
    expect((await browser.request("/~/account", { form: { email: "Bob@example.com " } })).status).toBe(303)
    expect((await server.fetch("/v1/user", { token: bobsToken })).status).toBe(401)
    for (const [name, value] of session) browser.cookies.set(name, value)
    expect((await browser.request("/v1/user")).status).toBe(401)
    const members = await call<{ items: ReadonlyArray<unknown> }>("GET", `${org}/members`)
    expect(members.items).toHaveLength(1)
    const { items } = await call<{ items: ReadonlyArray<{ postedBy: object }> }>(
      "GET",
      `/v1/spaces/${space}/comments`
    )
    expect(items).toMatchObject([{ postedBy: { id: bob, displayName: "Former user" } }])
    const log = await (await server.fetch(`${org}/audit-log`, { token })).text()
    expect(log).toContain("OwnAccount.erase")
    // The address is free again, and a new account shares no row with the former one.
    expect(await server.core.createUser("bob@example.com")).not.toBe(bob)
  })
})

describe("an erasure", () => {
  it("is rejected for the last administrator, and requires a fresh sign-in", async () => {
    const { server } = await start()
    const browser = openBrowser(server)
    await browser.request(await signInPathOf(server, "ada@example.com"), { form: {} })
    const refused = await browser.request("/~/account", { form: { email: "ada@example.com" } })
    expect([refused.status, refused.text.includes("last administrator")]).toEqual([400, true])
    await server.core.advance(11 * 60_000)
    for (const init of [{ form: { email: "ada@example.com" } }, {}]) {
      const path = "form" in init ? "/~/account" : "/~/account/data"
      expect((await browser.request(path, init)).location).toContain("/~/login?return=")
    }
    expect((await browser.request("/v1/user")).status).toBe(200)
  })
})
