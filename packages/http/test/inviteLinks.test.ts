/** The bounds of invite links: their expiry, their number of uses, and the role of their inviter. */
import type { Invite } from "@lectern/core"
import { describe, expect, it } from "vitest"
import { memory, ruleStores } from "./stores.ts"
import { startServerOn } from "./support.ts"

const dayMs = 24 * 60 * 60 * 1_000

const start = async (store = memory) => {
  const server = await startServerOn(store)
  const ada = await server.core.createUser("ada@example.com")
  const organization = await server.core.createOrganization("Acme", ada)
  const token = await server.tokenOf(ada)
  const links = `/v1/orgs/${organization}/link-invites`
  const send = (method: string, path: string, as: string, body?: unknown) =>
    server.fetch(path, {
      method,
      token: as,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  const create = async (body: object, as = token): Promise<Invite> =>
    (await send("POST", links, as, body)).json() as Promise<Invite>
  let users = 0
  /** Joins with a new user. Returns the status, and the reason of an error. */
  const join = async (invite: Invite, user?: string) => {
    const newcomer = user ?? (await server.core.createUser(`user${users++}@example.com`))
    const path = `/v1/orgs/${organization}/invites/${invite.id}`
    const response = await send("POST", path, await server.tokenOf(newcomer))
    const text = await response.text()
    return response.ok ? response.status : (JSON.parse(text) as { error: { reason: string } }).error.reason
  }
  return { server, ada, organization, token, links, send, create, join }
}

describe("an invite link", () => {
  for (const store of ruleStores) {
    it(`is used at most as often as it can be, by concurrent users, on ${store.name}`, async () => {
      const { create, join, links, send, token } = await start(store)
      const invite = await create({ role: "read", maximumUses: 3 })
      const results = await Promise.all(Array.from({ length: 6 }, () => join(invite)))
      expect(results.filter((result) => result === 200)).toHaveLength(3)
      expect(results.filter((result) => result === "InviteExpired")).toHaveLength(3)
      const after = (await (await send("GET", `${links}/${invite.id}`, token)).json()) as Invite
      expect(after.uses).toBe(3)
    })
  }

  it("is not used up by members who have its role already", async () => {
    const { create, join, server } = await start()
    const invite = await create({ role: "read", maximumUses: 1 })
    const bob = await server.core.createUser("bob@example.com")
    expect([await join(invite, bob), await join(invite, bob), await join(invite)]).toEqual([
      200,
      200,
      "InviteExpired"
    ])
  })

  it("expires: after 30 days by default, when its creator chose, or never", async () => {
    const { create, join, links, send, server, token } = await start()
    const soon = await create({ role: null, expiresAt: new Date(server.core.now() + dayMs).toISOString() })
    const byDefault = await create({ role: null })
    const never = await create({ role: null, expiresAt: null })
    await server.core.advance(dayMs - 1)
    expect(await join(soon)).toBe(200)
    await server.core.advance(1)
    expect([await join(soon), await join(byDefault)]).toEqual(["InviteExpired", 200])
    await server.core.advance(29 * dayMs)
    expect([await join(byDefault), await join(never)]).toEqual(["InviteExpired", 200])
    const past = new Date(server.core.now()).toISOString()
    expect((await send("POST", links, token, { role: null, expiresAt: past })).status).toBe(400)
    const body = { role: null, expiresAt: new Date(server.core.now() + dayMs).toISOString() }
    await send("PATCH", `${links}/${soon.id}`, token, body)
    expect(await join(soon)).toBe(200)
  })

  it("never grants a role above that of its inviter, or after the inviter has left", async () => {
    const { ada, create, join, links, organization, send, server, token } = await start()
    const bob = await server.core.createUser("bob@example.com")
    await server.core.setMember(organization, bob, "admin")
    const his = await server.tokenOf(bob)
    const [admin, reader] = [await create({ role: "admin" }, his), await create({ role: "read" }, his)]
    await server.core.setMember(organization, bob, "edit")
    expect([await join(admin), await join(reader)]).toEqual(["InviteExpired", 200])
    const member = `/v1/orgs/${organization}/members/${bob}`
    expect((await send("DELETE", member, token)).status).toBe(204)
    expect(await join(reader)).toBe("InviteExpired")
    // An administrator who updates the link becomes its inviter.
    await send("PATCH", `${links}/${reader.id}`, token, { role: "comment" })
    expect(await join(reader)).toBe(200)
    expect(ada).not.toBe(bob)
  })
})
