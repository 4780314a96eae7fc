/** Single sign-on with SAML, against an identity provider of the tests: logins, and responses that are rejected. */
import type { AuditRecord, Member, Organization, SamlProvider } from "@lectern/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  buildAssertion,
  buildResponse,
  buildSignedResponse,
  type Keys,
  type LoginResponse,
  makeKeys,
  sign
} from "./identityProvider.ts"
import { memory, ruleStores } from "./stores.ts"
import { startSamlLogin } from "./support/samlLogin.ts"
import { startServer, type TestServer } from "./support.ts"

let keys: Keys
let otherKeys: Keys
beforeAll(async () => {
  ;[keys, otherKeys] = await Promise.all([makeKeys(), makeKeys()])
})

const startLogin = (server: TestServer, name: string) => startSamlLogin(server, name, keys)

describe("a login with a valid response", () => {
  for (const { name, make } of ruleStores) {
    it(`creates an account, a membership and a token, on ${name}`, async () => {
      const server = await startServer(await make())
      try {
        const { organization, team, provider, call, begin, post, responseTo, pathOf } = await startLogin(
          server,
          "acme"
        )
        const request = await begin()
        expect(request).toMatchObject({
          to: "https://idp.example.com/sso",
          acsURL: provider.service.acsURL,
          issuer: provider.service.entityID
        })
        const response = await post(buildSignedResponse(responseTo(request.id), keys), request.state)
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

        // A second login creates nothing, and retains the current role of the member.
        await call("PATCH", `/orgs/${organization}/members/${login.user}`, { role: "comment" })
        const again = await begin()
        const fields = { signed: "response", email: "NEW@acme.example.com" } as const
        const second = await post(buildSignedResponse(responseTo(again.id, fields), keys), again.state, {
          accept: "text/html,*/*"
        })
        // `fetch` has followed the redirect to a one-time link, which another browser has to confirm.
        expect([second.status, second.headers.get("set-cookie")]).toEqual([200, null])
        expect(await second.text()).toContain("Sign in as new@acme.example.com")
        const after = await call<Member>("GET", `/orgs/${organization}/members/${login.user}`)
        expect(after).toMatchObject({ role: "comment", sso: true, teams: 1 })

        const log = await call<{ items: ReadonlyArray<AuditRecord> }>(
          "GET",
          `/orgs/${organization}/audit-log?operation=SamlLogins.finish`
        )
        expect(log.items).toHaveLength(1)
        expect(log.items[0]).toMatchObject({
          outcome: "success",
          actorType: "user",
          actor: login.user,
          address: "127.0.0.1",
          resources: [{ type: "provider", id: provider.id }]
        })
        expect(JSON.stringify(log)).not.toContain(login.token)

        const metadata = await server.fetch(pathOf(provider.service.entityID))
        expect(metadata.headers.get("content-type")).toBe("application/samlmetadata+xml")
        expect(await metadata.text()).toContain(provider.service.acsURL)
      } finally {
        await server.close()
      }
    })
  }

  it("grants access only to the organization of the provider, not to other organizations of the user", async () => {
    const server = await startServer(await memory.make())
    try {
      const here = await startLogin(server, "here")
      const there = await startLogin(server, "there")
      // The identity provider of one organization asserts the address of an administrator of the other.
      const request = await here.begin()
      const forged = here.responseTo(request.id, { email: "admin@there.example.com" })
      const response = await here.post(buildSignedResponse(forged, keys), request.state)
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

  it("reads an e-mail address as a whole, if it contains an XML comment", async () => {
    const server = await startServer(await memory.make())
    try {
      const { admin, call, begin, post, responseTo } = await startLogin(server, "acme")
      const { id, state } = await begin()
      const email = "admin@acme.example.com<!-- -->.evil.example.com"
      const assertion = buildAssertion(responseTo(id, { email: "x" })).replace(">x<", `>${email}<`)
      const xml = buildResponse(responseTo(id), sign(assertion, "_assertion", keys))
      // Signatures do not cover comments, so that a comment must not truncate the address.
      const response = await post(xml, state)
      const { user, token } = (await response.json()) as { user: string; token: string }
      expect(user).not.toBe(admin)
      expect(await call("GET", "/user", undefined, token)).toMatchObject({
        email: "admin@acme.example.com.evil.example.com"
      })
    } finally {
      await server.close()
    }
  })
})

describe("a login is rejected for a response", () => {
  let server: TestServer
  let world: Awaited<ReturnType<typeof startLogin>>
  beforeAll(async () => {
    server = await startServer(await memory.make())
    world = await startLogin(server, "acme")
  })
  afterAll(() => server.close())

  /** Expects the status 401, and no new member. */
  const expectRejected = async (xml: string, state: string) => {
    const response = await world.post(xml, state)
    expect(response.status).toBe(401)
    const members = await world.call<{ count: number }>("GET", `/orgs/${world.organization}/members`)
    expect(members.count).toBe(1)
  }

  const cases: ReadonlyArray<readonly [string, Partial<LoginResponse>]> = [
    ["with another audience", { audience: "https://elsewhere.example.com" }],
    ["with another recipient", { recipient: "https://elsewhere.example.com/acs" }],
    ["with another destination", { destination: "https://elsewhere.example.com/acs" }],
    ["with another issuer", { issuer: "https://elsewhere.example.com/metadata" }],
    ["with another InResponseTo", { inResponseTo: "_another" }],
    ["that has expired", { notBeforeMillis: -7_200_000, notAfterMillis: -3_600_000 }],
    ["that is not valid yet", { notBeforeMillis: 3_600_000, notAfterMillis: 7_200_000 }],
    ["without a signature", { signed: "nothing" }],
    ["without an e-mail address", { email: "nobody" }]
  ]
  for (const [name, differences] of cases) {
    it(name, async () => {
      const { id, state } = await world.begin()
      await expectRejected(buildSignedResponse(world.responseTo(id, differences), keys), state)
    })
  }

  it("that is signed with another key", async () => {
    const { id, state } = await world.begin()
    for (const signed of ["assertion", "response"] as const) {
      await expectRejected(buildSignedResponse(world.responseTo(id, { signed }), otherKeys), state)
    }
  })

  it("that is signed with SHA-1, or has a digest by SHA-1, however its algorithm is written", async () => {
    const { id, state } = await world.begin()
    const signature = "http://www.w3.org/2000/09/xmldsig#rsa-sha1"
    const digest = "http://www.w3.org/2000/09/xmldsig#sha1"
    const assertion = buildAssertion(world.responseTo(id))
    for (const algorithms of [{ signature }, { digest }, { signature, digest }]) {
      const signed = sign(assertion, "_assertion", keys, algorithms)
      const xml = buildResponse(world.responseTo(id), signed)
      await expectRejected(xml, state)
      const accepted = "http://www.w3.org/2001/04/xmlenc#sha256"
      for (const name of [signature, digest]) {
        await expectRejected(xml.replaceAll(name, name.replace("sha1", "&#115;ha1")), state)
        const hidden = `x=" Algorithm='${accepted}'" Algorithm="${name}"`
        await expectRejected(xml.replaceAll(`Algorithm="${name}"`, hidden), state)
      }
    }
  })

  it("that was changed after it was signed", async () => {
    const { id, state } = await world.begin()
    for (const signed of ["assertion", "response"] as const) {
      const xml = buildSignedResponse(world.responseTo(id, { signed }), keys)
      await expectRejected(xml.replace("new@acme", "admin@acme"), state)
    }
  })

  it("with a forged assertion around a signed assertion (signature wrapping)", async () => {
    const { id, state } = await world.begin()
    const valid = sign(buildAssertion(world.responseTo(id)), "_assertion", keys)
    const forged = (name: string, inside = "") =>
      buildAssertion(world.responseTo(id, { email: "admin@acme.example.com" }), name).replace(
        "</saml:Subject>",
        `</saml:Subject>${inside}`
      )
    const response = (content: string, name?: string) => buildResponse(world.responseTo(id), content, name)
    const signed = sign(response(buildAssertion(world.responseTo(id))), "_response", keys)
    const wrapped = [
      response(forged("_evil") + valid),
      response(valid + forged("_evil")),
      response(forged("_evil", valid)),
      response(forged("_assertion") + valid),
      response(forged("_evil", `<Extensions>${valid}</Extensions>`)),
      response(`<samlp:Extensions>${valid}</samlp:Extensions>${forged("_evil")}`),
      // The signature is moved to the forged assertion, followed by the assertion that it was for.
      response(
        forged("_evil", /<Signature.*<\/Signature>/s.exec(valid)![0]) +
          valid.replace(/<Signature.*<\/Signature>/s, "")
      ),
      response(forged("_evil") + signed, "_outer"),
      signed.replace("<saml:Assertion", `${forged("_evil")}<saml:Assertion`)
    ]
    for (const xml of wrapped) await expectRejected(xml, state)
  })

  it("that was used before", async () => {
    const { id, state } = await world.begin()
    const xml = buildSignedResponse(world.responseTo(id), keys)
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

  it("with an unknown or expired relay state", async () => {
    const { id, state } = await world.begin()
    const xml = buildSignedResponse(world.responseTo(id), keys)
    for (const wrong of ["", "x", state.slice(0, -1), `${id}.zzzzzzzzz.x`]) await expectRejected(xml, wrong)
    await server.core.advance(10 * 60 * 1000 + 1)
    await expectRejected(xml, state)
  })

  it("that is not a SAML response", async () => {
    const { state } = await world.begin()
    const entity = `<!DOCTYPE r [<!ENTITY a "${"a".repeat(1000)}"><!ENTITY b "${"&a;".repeat(1000)}">]><r>&b;</r>`
    for (const xml of ["", "<", "<a/>", "\u0000", entity, `<samlp:Response/>`])
      await expectRejected(xml, state)
    const empty = await server.fetch(world.pathOf(world.provider.service.acsURL), { method: "POST" })
    expect(empty.status).toBe(401)
  })
})

it("rejects logins through a provider whose settings are incomplete", async () => {
  const server = await startServer(await memory.make())
  try {
    const { organization, call, provider, pathOf, begin, responseTo, post, team } = await startLogin(
      server,
      "acme"
    )
    const path = `/orgs/${organization}/saml/${provider.id}`
    const request = await begin()
    for (const certificate of ["nonsense", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"]) {
      expect((await call<SamlProvider>("PATCH", path, { certificate })).status).toBe("pending")
      expect((await server.fetch(pathOf(provider.service.startURL), { redirect: "manual" })).status).toBe(404)
      expect((await post(buildSignedResponse(responseTo(request.id), keys), request.state)).status).toBe(404)
      expect(await call("GET", `/orgs/${organization}/sso`)).toEqual({ items: [] })
    }
    const bare = keys.certificate.replace(/-----[A-Z ]+-----|\s/g, "")
    expect((await call<SamlProvider>("PATCH", path, { certificate: bare })).status).toBe("active")
    expect(await call("GET", `/orgs/${organization}/sso`)).toEqual({
      items: [{ id: provider.id, label: "Acme", startURL: provider.service.startURL }]
    })
    expect((await post(buildSignedResponse(responseTo(request.id), keys), request.state)).status).toBe(200)
    await call("DELETE", `/orgs/${organization}/teams/${team}`)
    expect((await call<SamlProvider>("GET", path)).defaultTeam).toBeUndefined()
    await call("DELETE", path)
    expect((await server.fetch(pathOf(provider.service.entityID))).status).toBe(404)
  } finally {
    await server.close()
  }
})

it("ends the tokens of logins with their provider, with their membership, and with the login they come from", async () => {
  const server = await startServer(await memory.make())
  try {
    const { organization, call, begin, post, responseTo, provider } = await startLogin(server, "acme")
    const path = `/orgs/${organization}`
    const login = async (email: string) => {
      const { id, state } = await begin()
      const response = await post(buildSignedResponse(responseTo(id, { email }), keys), state)
      return (await response.json()) as { token: string; user: string; expiresAt: string }
    }
    const status = async (at: string, as: string) => (await server.fetch(`/v1${at}`, { token: as })).status
    const one = await login("one@acme.example.com")
    const two = await login("two@acme.example.com")
    type Token = { id: string; secret: string; samlProvider?: string; expiresAt?: string }
    const create = (as: string, body: object) =>
      call<Token>("POST", "/user/tokens", { label: "CI", ...body }, as)
    const derived = await create(two.token, {})
    expect(derived).toMatchObject({ organization, samlProvider: provider.id, expiresAt: two.expiresAt })
    const later = new Date(Date.parse(two.expiresAt) + 1_000).toISOString()
    for (const expiresAt of [null, later]) {
      await expect(create(two.token, { expiresAt })).rejects.toThrow("400")
    }
    // A personal token does not get the secret of a token from a login.
    const personal = await server.tokenOf(two.user)
    const stolen = await server.fetch(`/v1/user/tokens/${derived.id}/rotate`, {
      method: "POST",
      token: personal,
      body: "{}"
    })
    expect(stolen.status).toBe(403)
    const renewed = await call<Token>("POST", `/user/tokens/${derived.id}/rotate`, {}, two.token)
    expect(renewed.expiresAt).toBe(two.expiresAt)

    await call("DELETE", `${path}/members/${one.user}`)
    expect([await status("/user", one.token), await status("/user", two.token)]).toEqual([401, 200])
    await call("DELETE", `${path}/saml/${provider.id}`)
    expect([
      await status("/user", two.token),
      await status("/user", renewed.secret),
      await status("/user", personal)
    ]).toEqual([401, 401, 200])
  } finally {
    await server.close()
  }
})

it("denies access without single sign-on to an organization that requires it", async () => {
  const server = await startServer(await memory.make())
  try {
    const { admin, organization, token, call, begin, post, responseTo } = await startLogin(server, "acme")
    const path = `/orgs/${organization}`
    const member = await server.core.createUser("member@acme.example.com")
    await server.core.setMember(organization, member, "edit")
    const withoutSso = await server.tokenOf(member)
    const status = async (at: string, as: string) => (await server.fetch(`/v1${at}`, { token: as })).status
    const space = await call<{ id: string }>("POST", `${path}/spaces`, {})
    const closed = await call<{ id: string }>("POST", `${path}/spaces`, {})
    await call("PATCH", `/spaces/${closed.id}`, { defaultLevel: null })

    const lockingOut = await server.fetch(`/v1${path}`, {
      method: "PATCH",
      token,
      body: JSON.stringify({ sso: true })
    })
    expect(lockingOut.status).toBe(409)
    await call("POST", `${path}/members/${admin}/sso`)
    expect((await call<Organization>("PATCH", path, { sso: true })).sso).toBe(true)

    expect([
      await status(path, withoutSso),
      await status(`/spaces/${space.id}`, withoutSso),
      await status(`/spaces/${closed.id}`, withoutSso),
      await status(`${path}/members`, withoutSso),
      await status(`${path}/sso`, withoutSso)
    ]).toEqual([403, 403, 404, 403, 200])
    // The administrator is the last with access, and cannot be demoted.
    const demoted = await server.fetch(`/v1${path}/members/${admin}`, {
      method: "PATCH",
      token,
      body: JSON.stringify({ role: "read" })
    })
    expect(demoted.status).toBe(409)

    const request = await begin()
    const response = await post(
      buildSignedResponse(responseTo(request.id, { email: "member@acme.example.com" }), keys),
      request.state
    )
    expect(response.status).toBe(200)
    const { token: fromLogin } = (await response.json()) as { token: string }
    // The login admits its own token, and no other token of the member.
    expect([
      await status(`/spaces/${space.id}`, fromLogin),
      await status(`/spaces/${space.id}`, withoutSso)
    ]).toEqual([200, 403])
    await call("POST", `${path}/members/${member}/sso`)
    expect(await status(`/spaces/${space.id}`, withoutSso)).toBe(200)
    await call("PATCH", path, { sso: false })
    const third = await server.core.createUser("third@acme.example.com")
    await server.core.setMember(organization, third, "read")
    expect(await status(`/spaces/${space.id}`, await server.tokenOf(third))).toBe(200)
  } finally {
    await server.close()
  }
})
