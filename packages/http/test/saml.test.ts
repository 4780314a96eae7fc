/** Single sign-on, against an identity provider of the test's own: what is let in, and what is not. */
import type { Member, Organization, SamlProvider } from "@lectern/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  type Answer,
  answerOf,
  assertionOf,
  type Keys,
  makeKeys,
  questionOf,
  responseOf,
  sign
} from "./identityProvider.ts"
import { memory, stores } from "./stores.ts"
import { startServer, type TestServer } from "./support.ts"

let keys: Keys
let others: Keys
beforeAll(async () => {
  ;[keys, others] = await Promise.all([makeKeys(), makeKeys()])
})

const entityID = "https://idp.example.com/metadata"

/** An organization that people log in to, and the ways of a browser. */
const setUp = async (server: TestServer, name: string) => {
  const admin = await server.core.createUser(`admin@${name}.example.com`)
  const organization = await server.core.createOrganization(name, admin)
  const token = await server.tokenOf(admin)
  const call = async <A>(method: string, path: string, body?: unknown, as = token): Promise<A> => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await server.fetch(`/v1${path}`, { method, token: as, ...init })
    const text = await response.text()
    if (!response.ok) throw new Error(`${response.status} ${text}`)
    return (text === "" ? undefined : JSON.parse(text)) as A
  }
  const team = await call<{ id: string }>("PUT", `/orgs/${organization}/teams`, { title: "Staff" })
  const provider = await call<SamlProvider>("POST", `/orgs/${organization}/saml`, {
    label: "Acme",
    entityID,
    certificate: keys.certificate,
    ssoURL: "https://idp.example.com/sso?tenant=1",
    defaultTeam: team.id,
    defaultRole: "edit"
  })
  expect(provider.status).toBe("active")
  const local = (address: string) => new URL(address).pathname

  /** Goes to log in, as far as the identity provider. */
  const begin = async () => {
    const response = await server.fetch(local(provider.service.startURL), { redirect: "manual" })
    expect(response.status).toBe(302)
    const location = response.headers.get("location")!
    expect(location).toMatch(/^https:\/\/idp\.example\.com\/sso\?tenant=1&SAMLRequest=/)
    return questionOf(location)
  }
  /** Comes back with an answer. */
  const post = (xml: string, state: string, headers: Record<string, string> = {}) =>
    server.fetch(local(provider.service.acsURL), {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      body: new URLSearchParams({
        SAMLResponse: Buffer.from(xml).toString("base64"),
        RelayState: state
      }).toString()
    })
  const answer = (inResponseTo: string, differences: Partial<Answer> = {}): Answer => ({
    email: `new@${name}.example.com`,
    displayName: "Ada <Lovelace>",
    audience: provider.service.entityID,
    recipient: provider.service.acsURL,
    destination: provider.service.acsURL,
    issuer: entityID,
    inResponseTo,
    from: -1000,
    until: 300_000,
    signs: "assertion",
    ...differences
  })
  return { admin, token, organization, team: team.id, provider, call, local, begin, post, answer }
}

describe("a good log-in", () => {
  for (const { name, make } of [memory, ...stores]) {
    it(`makes an account, a member and a token, on ${name}`, async () => {
      const server = await startServer(await make())
      try {
        const { organization, team, provider, call, begin, post, answer, local } = await setUp(server, "acme")
        const question = await begin()
        expect(question).toMatchObject({
          to: "https://idp.example.com/sso",
          acsURL: provider.service.acsURL,
          issuer: provider.service.entityID
        })
        const response = await post(answerOf(answer(question.id), keys), question.state)
        expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"])
        const login = (await response.json()) as { token: string; user: string; organization: string }
        expect(login.organization).toBe(organization)

        const me = await call<{ id: string; displayName: string; email: string }>(
          "GET",
          "/user",
          undefined,
          login.token
        )
        expect(me).toMatchObject({
          id: login.user,
          displayName: "Ada <Lovelace>",
          email: "new@acme.example.com"
        })
        const member = await call<Member>("GET", `/orgs/${organization}/members/${login.user}`)
        expect(member).toMatchObject({ role: "edit", sso: true, teams: 1 })
        const inTeam = await call<{ count: number }>("GET", `/orgs/${organization}/teams/${team}/members`)
        expect(inTeam.count).toBe(1)

        // Again, as somebody who is known: nothing is made twice, and the role stays as it is by now.
        await call("PATCH", `/orgs/${organization}/members/${login.user}`, { role: "comment" })
        const again = await begin()
        const signs = { signs: "response", email: "NEW@acme.example.com" } as const
        const second = await post(answerOf(answer(again.id, signs), keys), again.state, {
          accept: "text/html,*/*"
        })
        expect(second.headers.get("content-type")).toBe("text/html; charset=utf-8")
        expect(await second.text()).toContain("You are logged in")
        const after = await call<Member>("GET", `/orgs/${organization}/members/${login.user}`)
        expect(after).toMatchObject({ role: "comment", sso: true, teams: 1 })

        const metadata = await server.fetch(local(provider.service.entityID))
        expect(metadata.headers.get("content-type")).toBe("application/samlmetadata+xml")
        expect(await metadata.text()).toContain(provider.service.acsURL)
      } finally {
        await server.close()
      }
    })
  }

  it("opens the organization that vouched for them, and no other that they are in", async () => {
    const server = await startServer(await memory.make())
    try {
      const here = await setUp(server, "here")
      const there = await setUp(server, "there")
      // The identity provider of one organization says that somebody is the administrator of the other.
      const question = await here.begin()
      const forged = here.answer(question.id, { email: "admin@there.example.com" })
      const response = await here.post(answerOf(forged, keys), question.state)
      const { token } = (await response.json()) as { token: string }
      const organizations = await here.call<{ items: ReadonlyArray<Organization>; count: number }>(
        "GET",
        "/orgs",
        undefined,
        token
      )
      expect(organizations.items.map(({ id }) => id)).toEqual([here.organization])
      for (const path of [`/orgs/${there.organization}`, `/orgs/${there.organization}/members`]) {
        expect((await server.fetch(`/v1${path}`, { token })).status).toBe(404)
      }
      const renamed = await server.fetch(`/v1/users/${there.admin}`, {
        method: "PATCH",
        token,
        body: JSON.stringify({ displayName: "Mallory" })
      })
      expect(renamed.status).toBe(403)
      const invite = await there.call<{ id: string }>("POST", `/orgs/${there.organization}/link-invites`, {
        role: "admin"
      })
      const joined = await server.fetch(`/v1/orgs/${there.organization}/invites/${invite.id}`, {
        method: "POST",
        token
      })
      expect(joined.status).toBe(404)
    } finally {
      await server.close()
    }
  })
})

describe("an answer that is not good", () => {
  let server: TestServer
  let world: Awaited<ReturnType<typeof setUp>>
  beforeAll(async () => {
    server = await startServer(await memory.make())
    world = await setUp(server, "acme")
  })
  afterAll(() => server.close())

  /** Every refusal is the same, and nobody has become a member by it. */
  const refuses = async (xml: string, state: string) => {
    const response = await world.post(xml, state)
    expect(response.status).toBe(401)
    const members = await world.call<{ count: number }>("GET", `/orgs/${world.organization}/members`)
    expect(members.count).toBe(1)
  }

  const cases: ReadonlyArray<readonly [string, Partial<Answer>]> = [
    ["of another audience", { audience: "https://elsewhere.example.com" }],
    ["for another recipient", { recipient: "https://elsewhere.example.com/acs" }],
    ["sent to another destination", { destination: "https://elsewhere.example.com/acs" }],
    ["of another issuer", { issuer: "https://elsewhere.example.com/metadata" }],
    ["to another question", { inResponseTo: "_another" }],
    ["whose time is over", { from: -7_200_000, until: -3_600_000 }],
    ["whose time is to come", { from: 3_600_000, until: 7_200_000 }],
    ["that is not signed", { signs: "nothing" }],
    ["of somebody without an address", { email: "nobody" }]
  ]
  for (const [name, differences] of cases) {
    it(name, async () => {
      const { id, state } = await world.begin()
      await refuses(answerOf(world.answer(id, differences), keys), state)
    })
  }

  it("signed by another key", async () => {
    const { id, state } = await world.begin()
    for (const signs of ["assertion", "response"] as const) {
      await refuses(answerOf(world.answer(id, { signs }), others), state)
    }
  })

  it("changed after it was signed", async () => {
    const { id, state } = await world.begin()
    for (const signs of ["assertion", "response"] as const) {
      const xml = answerOf(world.answer(id, { signs }), keys)
      await refuses(xml.replace("new@acme", "admin@acme"), state)
    }
  })

  it("wrapped around one that is signed, in whatever way", async () => {
    const { id, state } = await world.begin()
    const good = sign(assertionOf(world.answer(id)), "_assertion", keys)
    const evil = (name: string, inside = "") =>
      assertionOf(world.answer(id, { email: "admin@acme.example.com" }), name).replace(
        "</saml:Subject>",
        `</saml:Subject>${inside}`
      )
    const response = (inside: string, name?: string) => responseOf(world.answer(id), inside, name)
    const signed = sign(response(assertionOf(world.answer(id))), "_response", keys)
    const wrapped = [
      response(evil("_evil") + good),
      response(good + evil("_evil")),
      response(evil("_evil", good)),
      response(evil("_assertion") + good),
      response(evil("_evil", `<Extensions>${good}</Extensions>`)),
      response(`<samlp:Extensions>${good}</samlp:Extensions>${evil("_evil")}`),
      // The signature moved to the forged one, and the signed one beside it.
      response(
        evil("_evil", /<Signature.*<\/Signature>/s.exec(good)![0]) +
          good.replace(/<Signature.*<\/Signature>/s, "")
      ),
      response(evil("_evil") + signed, "_outer"),
      signed.replace("<saml:Assertion", `${evil("_evil")}<saml:Assertion`)
    ]
    for (const xml of wrapped) await refuses(xml, state)
  })

  it("whose address a comment divides, that is taken whole", async () => {
    const { id, state } = await world.begin()
    const email = "admin@acme.example.com<!-- -->.evil.example.com"
    const xml = sign(
      assertionOf(world.answer(id, { email: "x" })).replace(">x<", `>${email}<`),
      "_assertion",
      keys
    )
    // Comments are not signed, and not read: the address is all of the text, with or without them.
    const response = await world.post(responseOf(world.answer(id), xml), state)
    const { user, token } = (await response.json()) as { user: string; token: string }
    expect(user).not.toBe(world.admin)
    expect(await world.call("GET", "/user", undefined, token)).toMatchObject({
      email: "admin@acme.example.com.evil.example.com"
    })
    await world.call("DELETE", `/orgs/${world.organization}/members/${user}`)
  })

  it("that was given before", async () => {
    const { id, state } = await world.begin()
    const xml = answerOf(world.answer(id), keys)
    const first = await world.post(xml, state)
    expect(first.status).toBe(200)
    const { user } = (await first.json()) as { user: string }
    const second = await world.post(xml, state)
    expect(second.status).toBe(401)
    expect(await second.json()).toEqual({
      error: {
        code: 401,
        reason: "LoginReplayed",
        message: "The SAML response was used before. Log in again."
      }
    })
    await world.call("DELETE", `/orgs/${world.organization}/members/${user}`)
  })

  it("with a state that was not given, or too long ago", async () => {
    const { id, state } = await world.begin()
    const xml = answerOf(world.answer(id), keys)
    for (const wrong of ["", "x", state.slice(0, -1), `${id}.zzzzzzzzz.x`]) await refuses(xml, wrong)
    await server.core.advance(10 * 60 * 1000 + 1)
    await refuses(xml, state)
  })

  it("that is no answer at all", async () => {
    const { state } = await world.begin()
    const entity = `<!DOCTYPE r [<!ENTITY a "${"a".repeat(1000)}"><!ENTITY b "${"&a;".repeat(1000)}">]><r>&b;</r>`
    for (const xml of ["", "<", "<a/>", "\u0000", entity, `<samlp:Response/>`]) await refuses(xml, state)
    const empty = await server.fetch(world.local(world.provider.service.acsURL), { method: "POST" })
    expect(empty.status).toBe(401)
  })
})

it("a provider that lacks something is pending, and nobody logs in by it", async () => {
  const server = await startServer(await memory.make())
  try {
    const { organization, call, provider, local, begin, answer, post, team } = await setUp(server, "acme")
    const path = `/orgs/${organization}/saml/${provider.id}`
    const question = await begin()
    for (const certificate of ["nonsense", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"]) {
      expect((await call<SamlProvider>("PATCH", path, { certificate })).status).toBe("pending")
      expect((await server.fetch(local(provider.service.startURL), { redirect: "manual" })).status).toBe(404)
      expect((await post(answerOf(answer(question.id), keys), question.state)).status).toBe(404)
      expect(await call("GET", `/orgs/${organization}/sso`)).toEqual({ items: [] })
    }
    const bare = keys.certificate.replace(/-----[A-Z ]+-----|\s/g, "")
    expect((await call<SamlProvider>("PATCH", path, { certificate: bare })).status).toBe("active")
    expect(await call("GET", `/orgs/${organization}/sso`)).toEqual({
      items: [{ id: provider.id, label: "Acme", startURL: provider.service.startURL }]
    })
    expect((await post(answerOf(answer(question.id), keys), question.state)).status).toBe(200)
    await call("DELETE", `/orgs/${organization}/teams/${team}`)
    expect((await call<SamlProvider>("GET", path)).defaultTeam).toBeUndefined()
    await call("DELETE", path)
    expect((await server.fetch(local(provider.service.entityID))).status).toBe(404)
  } finally {
    await server.close()
  }
})

it("an organization that asks for single sign-on refuses members who did not come by it", async () => {
  const server = await startServer(await memory.make())
  try {
    const { admin, organization, token, call, begin, post, answer } = await setUp(server, "acme")
    const path = `/orgs/${organization}`
    const member = await server.core.createUser("member@acme.example.com")
    await server.core.setMember(organization, member, "edit")
    const plain = await server.tokenOf(member)
    const status = async (at: string, as: string) => (await server.fetch(`/v1${at}`, { token: as })).status
    const space = await call<{ id: string }>("POST", `${path}/spaces`, {})
    const closed = await call<{ id: string }>("POST", `${path}/spaces`, {})
    await call("PATCH", `/spaces/${closed.id}`, { defaultLevel: null })

    const locksOut = await server.fetch(`/v1${path}`, {
      method: "PATCH",
      token,
      body: JSON.stringify({ sso: true })
    })
    expect(locksOut.status).toBe(409)
    await call("POST", `${path}/members/${admin}/sso`)
    expect((await call<Organization>("PATCH", path, { sso: true })).sso).toBe(true)

    expect([
      await status(path, plain),
      await status(`/spaces/${space.id}`, plain),
      await status(`/spaces/${closed.id}`, plain),
      await status(`${path}/members`, plain),
      await status(`${path}/sso`, plain)
    ]).toEqual([403, 403, 404, 403, 200])
    // The last administrator who can come in stays one.
    const demoted = await server.fetch(`/v1${path}/members/${admin}`, {
      method: "PATCH",
      token,
      body: JSON.stringify({ role: "read" })
    })
    expect(demoted.status).toBe(409)

    const question = await begin()
    const response = await post(
      answerOf(answer(question.id, { email: "member@acme.example.com" }), keys),
      question.state
    )
    expect(response.status).toBe(200)
    expect(await status(`/spaces/${space.id}`, plain)).toBe(200)
    await call("PATCH", path, { sso: false })
    const third = await server.core.createUser("third@acme.example.com")
    await server.core.setMember(organization, third, "read")
    expect(await status(`/spaces/${space.id}`, await server.tokenOf(third))).toBe(200)
  } finally {
    await server.close()
  }
})
