/** Single sign-on, against an identity provider of the test: accepted and rejected responses. */
import type { Member, Organization, SamlProvider } from "@lectern/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  assertionXml,
  type Keys,
  makeKeys,
  parseAuthnRequest,
  type ResponseData,
  responseXml,
  sign,
  signedResponse
} from "./identityProvider.ts"
import { memory, stores } from "./stores.ts"
import { startServer, type TestServer } from "./support.ts"

let keys: Keys
let otherKeys: Keys
beforeAll(async () => {
  ;[keys, otherKeys] = await Promise.all([makeKeys(), makeKeys()])
})

const entityID = "https://idp.example.com/metadata"

/** Creates an organization with a SAML provider; returns it with the steps that a browser executes. */
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
  const localPath = (address: string) => new URL(address).pathname

  /** Starts a login; returns the authentication request that the browser carries to the identity provider. */
  const begin = async () => {
    const response = await server.fetch(localPath(provider.service.startURL), { redirect: "manual" })
    expect(response.status).toBe(302)
    const location = response.headers.get("location")!
    expect(location).toMatch(/^https:\/\/idp\.example\.com\/sso\?tenant=1&SAMLRequest=/)
    return parseAuthnRequest(location)
  }
  /** Posts the response of the identity provider. */
  const post = (xml: string, state: string, headers: Record<string, string> = {}) =>
    server.fetch(localPath(provider.service.acsURL), {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      body: new URLSearchParams({
        SAMLResponse: Buffer.from(xml).toString("base64"),
        RelayState: state
      }).toString()
    })
  const responseData = (inResponseTo: string, differences: Partial<ResponseData> = {}): ResponseData => ({
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
  return { admin, token, organization, team: team.id, provider, call, localPath, begin, post, responseData }
}

describe("a valid SAML response", () => {
  for (const { name, make } of [memory, ...stores]) {
    it(`creates an account, a membership and a token, on ${name}`, async () => {
      const server = await startServer(await make())
      try {
        const { organization, team, provider, call, begin, post, responseData, localPath } = await setUp(
          server,
          "acme"
        )
        const authnRequest = await begin()
        expect(authnRequest).toMatchObject({
          to: "https://idp.example.com/sso",
          acsURL: provider.service.acsURL,
          issuer: provider.service.entityID
        })
        const response = await post(signedResponse(responseData(authnRequest.id), keys), authnRequest.state)
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

        // The second login of the same user creates nothing, and leaves the role unchanged.
        await call("PATCH", `/orgs/${organization}/members/${login.user}`, { role: "comment" })
        const again = await begin()
        const signs = { signs: "response", email: "NEW@acme.example.com" } as const
        const second = await post(signedResponse(responseData(again.id, signs), keys), again.state, {
          accept: "text/html,*/*"
        })
        expect(second.headers.get("content-type")).toBe("text/html; charset=utf-8")
        expect(await second.text()).toContain("You are logged in")
        const after = await call<Member>("GET", `/orgs/${organization}/members/${login.user}`)
        expect(after).toMatchObject({ role: "comment", sso: true, teams: 1 })

        const metadata = await server.fetch(localPath(provider.service.entityID))
        expect(metadata.headers.get("content-type")).toBe("application/samlmetadata+xml")
        expect(await metadata.text()).toContain(provider.service.acsURL)
      } finally {
        await server.close()
      }
    })
  }

  it("grants access to the organization of its identity provider, and to no other organization of the user", async () => {
    const server = await startServer(await memory.make())
    try {
      const here = await setUp(server, "here")
      const there = await setUp(server, "there")
      // The identity provider of one organization claims that the user is the administrator of the other.
      const authnRequest = await here.begin()
      const forged = here.responseData(authnRequest.id, { email: "admin@there.example.com" })
      const response = await here.post(signedResponse(forged, keys), authnRequest.state)
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

describe("a SAML response", () => {
  let server: TestServer
  let setup: Awaited<ReturnType<typeof setUp>>
  beforeAll(async () => {
    server = await startServer(await memory.make())
    setup = await setUp(server, "acme")
  })
  afterAll(() => server.close())

  /** Expects status 401, and that no member was added. */
  const expectRejected = async (xml: string, state: string) => {
    const response = await setup.post(xml, state)
    expect(response.status).toBe(401)
    const members = await setup.call<{ count: number }>("GET", `/orgs/${setup.organization}/members`)
    expect(members.count).toBe(1)
  }

  const cases: ReadonlyArray<readonly [string, Partial<ResponseData>]> = [
    ["has another audience", { audience: "https://elsewhere.example.com" }],
    ["has another recipient", { recipient: "https://elsewhere.example.com/acs" }],
    ["has another destination", { destination: "https://elsewhere.example.com/acs" }],
    ["has another issuer", { issuer: "https://elsewhere.example.com/metadata" }],
    ["responds to another request", { inResponseTo: "_another" }],
    ["has expired", { from: -7_200_000, until: -3_600_000 }],
    ["is not valid yet", { from: 3_600_000, until: 7_200_000 }],
    ["is not signed", { signs: "nothing" }],
    ["has no valid e-mail address", { email: "nobody" }]
  ]
  for (const [name, differences] of cases) {
    it(`is rejected if it ${name}`, async () => {
      const { id, state } = await setup.begin()
      await expectRejected(signedResponse(setup.responseData(id, differences), keys), state)
    })
  }

  it("is rejected if it is signed with another key", async () => {
    const { id, state } = await setup.begin()
    for (const signs of ["assertion", "response"] as const) {
      await expectRejected(signedResponse(setup.responseData(id, { signs }), otherKeys), state)
    }
  })

  it("is rejected if it was changed after it was signed", async () => {
    const { id, state } = await setup.begin()
    for (const signs of ["assertion", "response"] as const) {
      const xml = signedResponse(setup.responseData(id, { signs }), keys)
      await expectRejected(xml.replace("new@acme", "admin@acme"), state)
    }
  })

  it("is rejected if it wraps a signed assertion (signature wrapping)", async () => {
    const { id, state } = await setup.begin()
    const good = sign(assertionXml(setup.responseData(id)), "_assertion", keys)
    const evil = (name: string, inside = "") =>
      assertionXml(setup.responseData(id, { email: "admin@acme.example.com" }), name).replace(
        "</saml:Subject>",
        `</saml:Subject>${inside}`
      )
    const response = (inside: string, name?: string) => responseXml(setup.responseData(id), inside, name)
    const signed = sign(response(assertionXml(setup.responseData(id))), "_response", keys)
    const wrapped = [
      response(evil("_evil") + good),
      response(good + evil("_evil")),
      response(evil("_evil", good)),
      response(evil("_assertion") + good),
      response(evil("_evil", `<Extensions>${good}</Extensions>`)),
      response(`<samlp:Extensions>${good}</samlp:Extensions>${evil("_evil")}`),
      // The signature is moved to the forged assertion, next to the signed one.
      response(
        evil("_evil", /<Signature.*<\/Signature>/s.exec(good)![0]) +
          good.replace(/<Signature.*<\/Signature>/s, "")
      ),
      response(evil("_evil") + signed, "_outer"),
      signed.replace("<saml:Assertion", `${evil("_evil")}<saml:Assertion`)
    ]
    for (const xml of wrapped) await expectRejected(xml, state)
  })

  it("has an e-mail address that includes the text on both sides of an XML comment", async () => {
    const { id, state } = await setup.begin()
    const email = "admin@acme.example.com<!-- -->.evil.example.com"
    const xml = sign(
      assertionXml(setup.responseData(id, { email: "x" })).replace(">x<", `>${email}<`),
      "_assertion",
      keys
    )
    // The signature does not cover comments, so they must not change the address.
    const response = await setup.post(responseXml(setup.responseData(id), xml), state)
    const { user, token } = (await response.json()) as { user: string; token: string }
    expect(user).not.toBe(setup.admin)
    expect(await setup.call("GET", "/user", undefined, token)).toMatchObject({
      email: "admin@acme.example.com.evil.example.com"
    })
    await setup.call("DELETE", `/orgs/${setup.organization}/members/${user}`)
  })

  it("is rejected if it was used before", async () => {
    const { id, state } = await setup.begin()
    const xml = signedResponse(setup.responseData(id), keys)
    const first = await setup.post(xml, state)
    expect(first.status).toBe(200)
    const { user } = (await first.json()) as { user: string }
    const second = await setup.post(xml, state)
    expect(second.status).toBe(401)
    expect(await second.json()).toEqual({
      error: {
        code: 401,
        reason: "LoginReplayed",
        message: "The SAML response was used before. Log in again."
      }
    })
    await setup.call("DELETE", `/orgs/${setup.organization}/members/${user}`)
  })

  it("is rejected if its relay state was not issued or has expired", async () => {
    const { id, state } = await setup.begin()
    const xml = signedResponse(setup.responseData(id), keys)
    for (const wrong of ["", "x", state.slice(0, -1), `${id}.zzzzzzzzz.x`]) await expectRejected(xml, wrong)
    await server.core.advance(10 * 60 * 1000 + 1)
    await expectRejected(xml, state)
  })

  it("is rejected if it is not valid XML or not a SAML response", async () => {
    const { state } = await setup.begin()
    const entity = `<!DOCTYPE r [<!ENTITY a "${"a".repeat(1000)}"><!ENTITY b "${"&a;".repeat(1000)}">]><r>&b;</r>`
    for (const xml of ["", "<", "<a/>", "\u0000", entity, `<samlp:Response/>`])
      await expectRejected(xml, state)
    const empty = await server.fetch(setup.localPath(setup.provider.service.acsURL), { method: "POST" })
    expect(empty.status).toBe(401)
  })
})

it("a SAML provider without a valid certificate is pending, and rejects logins", async () => {
  const server = await startServer(await memory.make())
  try {
    const { organization, call, provider, localPath, begin, responseData, post, team } = await setUp(
      server,
      "acme"
    )
    const path = `/orgs/${organization}/saml/${provider.id}`
    const authnRequest = await begin()
    for (const certificate of ["nonsense", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"]) {
      expect((await call<SamlProvider>("PATCH", path, { certificate })).status).toBe("pending")
      expect((await server.fetch(localPath(provider.service.startURL), { redirect: "manual" })).status).toBe(
        404
      )
      expect(
        (await post(signedResponse(responseData(authnRequest.id), keys), authnRequest.state)).status
      ).toBe(404)
      expect(await call("GET", `/orgs/${organization}/sso`)).toEqual({ items: [] })
    }
    const bare = keys.certificate.replace(/-----[A-Z ]+-----|\s/g, "")
    expect((await call<SamlProvider>("PATCH", path, { certificate: bare })).status).toBe("active")
    expect(await call("GET", `/orgs/${organization}/sso`)).toEqual({
      items: [{ id: provider.id, label: "Acme", startURL: provider.service.startURL }]
    })
    expect((await post(signedResponse(responseData(authnRequest.id), keys), authnRequest.state)).status).toBe(
      200
    )
    await call("DELETE", `/orgs/${organization}/teams/${team}`)
    expect((await call<SamlProvider>("GET", path)).defaultTeam).toBeUndefined()
    await call("DELETE", path)
    expect((await server.fetch(localPath(provider.service.entityID))).status).toBe(404)
  } finally {
    await server.close()
  }
})

it("an organization that requires single sign-on rejects members who have not logged in with it", async () => {
  const server = await startServer(await memory.make())
  try {
    const { admin, organization, token, call, begin, post, responseData } = await setUp(server, "acme")
    const path = `/orgs/${organization}`
    const member = await server.core.createUser("member@acme.example.com")
    await server.core.setMember(organization, member, "edit")
    const plain = await server.tokenOf(member)
    const status = async (at: string, as: string) => (await server.fetch(`/v1${at}`, { token: as })).status
    const space = await call<{ id: string }>("POST", `${path}/spaces`, {})
    const closed = await call<{ id: string }>("POST", `${path}/spaces`, {})
    await call("PATCH", `/spaces/${closed.id}`, { defaultLevel: null })

    const lockout = await server.fetch(`/v1${path}`, {
      method: "PATCH",
      token,
      body: JSON.stringify({ sso: true })
    })
    expect(lockout.status).toBe(409)
    await call("POST", `${path}/members/${admin}/sso`)
    expect((await call<Organization>("PATCH", path, { sso: true })).sso).toBe(true)

    expect([
      await status(path, plain),
      await status(`/spaces/${space.id}`, plain),
      await status(`/spaces/${closed.id}`, plain),
      await status(`${path}/members`, plain),
      await status(`${path}/sso`, plain)
    ]).toEqual([403, 403, 404, 403, 200])
    // The last administrator who can log in cannot be demoted.
    const demoted = await server.fetch(`/v1${path}/members/${admin}`, {
      method: "PATCH",
      token,
      body: JSON.stringify({ role: "read" })
    })
    expect(demoted.status).toBe(409)

    const authnRequest = await begin()
    const response = await post(
      signedResponse(responseData(authnRequest.id, { email: "member@acme.example.com" }), keys),
      authnRequest.state
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
