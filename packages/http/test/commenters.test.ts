/** Lists of commenters: each has as many spaces as the list of spaces has for that user. */

import type { Collection, DefaultLevel, Member, Role, Space } from "@lectern/core"
import { runs } from "@lectern/harness"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { validatePublicResponse } from "./contract.ts"
import { ruleStores } from "./stores.ts"
import { startServer, type TestServer } from "./support.ts"

const level = fc.constantFrom<DefaultLevel>("inherit", "inherit", null, "read", "edit")
const role = fc.constantFrom<Role | null>("read", "create", null, null)

const organization = fc.record({
  collections: fc.array(fc.record({ in: fc.nat(3), level }), { maxLength: 4 }),
  spaces: fc.array(fc.record({ in: fc.nat(4), level, isDeleted: fc.boolean() }), { maxLength: 6 }),
  users: fc.array(role, { minLength: 1, maxLength: 3 }),
  grants: fc.array(fc.record({ to: fc.nat(3), byTeam: fc.boolean(), target: fc.nat(9) }), { maxLength: 5 })
})
type Organization = typeof organization extends fc.Arbitrary<infer A> ? A : never

const checkCommenters = async (server: TestServer, name: string, drawn: Organization) => {
  const { core } = server
  const admin = await core.createUser(`${name}-admin@example.com`)
  const id = await core.createOrganization(name, admin)
  const adminToken = await server.tokenOf(admin)
  const call = async <A>(token: string, method: string, path: string, body?: unknown): Promise<A> => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await server.fetch(`/v1${path}`, { method, token, ...init })
    const text = await response.text()
    expect([path, response.status < 300 ? "" : text]).toEqual([path, ""])
    return (text === "" ? undefined : JSON.parse(text)) as A
  }
  const users: Array<string> = []
  for (const [index, role] of drawn.users.entries()) {
    const user = await core.createUser(`${name}-${index}@example.com`)
    await core.setMember(id, user, role)
    users.push(user)
  }
  const targets: Array<{ kind: "collection" | "space"; id: string }> = []
  const folders: Array<string> = []
  for (const { in: place, level } of drawn.collections) {
    const parent = folders[place]
    const { id: folder } = await call<Collection>(adminToken, "POST", `/orgs/${id}/collections`, {
      ...(parent === undefined ? {} : { parent })
    })
    await call(adminToken, "PATCH", `/collections/${folder}`, { defaultLevel: level })
    folders.push(folder)
    targets.push({ kind: "collection", id: folder })
  }
  const deleted: Array<string> = []
  for (const { in: place, level, isDeleted } of drawn.spaces) {
    const parent = folders[place]
    const space = await call<Space>(adminToken, "POST", `/orgs/${id}/spaces`, {
      ...(parent === undefined ? {} : { parent })
    })
    await call(adminToken, "PATCH", `/spaces/${space.id}`, { defaultLevel: level })
    if (isDeleted) deleted.push(space.id)
    targets.push({ kind: "space", id: space.id })
  }
  // A space that is shared with all users, on which each comments.
  const { id: shared } = await call<Space>(adminToken, "POST", `/orgs/${id}/spaces`, {})
  for (const user of users) {
    await core.grant({ organization: id, kind: "space", target: shared, user, role: "comment" })
  }
  const teams: Array<string> = []
  for (const { to, byTeam, target } of drawn.grants) {
    const granted = targets[target]
    const user = users[to]
    if (granted === undefined || user === undefined) continue
    const team = byTeam ? await core.createTeam(id, [user]) : undefined
    if (team !== undefined) teams.push(user)
    const receiver = team === undefined ? { user } : { team }
    await core.grant({ organization: id, kind: granted.kind, target: granted.id, ...receiver, role: "read" })
  }
  for (const space of deleted) await call(adminToken, "DELETE", `/spaces/${space}`)

  const all = [admin, ...users]
  const expected = new Map<string, number>()
  for (const [index, user] of all.entries()) {
    const token = index === 0 ? adminToken : await server.tokenOf(user)
    const comment = await call<{ id: string }>(adminToken, "POST", `/spaces/${shared}/comments`, {
      body: { markdown: "Say something" }
    })
    // Every other user only replies.
    const path =
      index % 2 === 0 ? `/spaces/${shared}/comments` : `/spaces/${shared}/comments/${comment.id}/replies`
    await call(token, "POST", path, { body: { markdown: "Something" } })
    const { count } = await call<{ count: number }>(token, "GET", `/orgs/${id}/spaces?limit=0`)
    expected.set(user, count)
  }
  const list = await call<{ count: number; items: ReadonlyArray<Member> }>(
    adminToken,
    "GET",
    `/spaces/${shared}/commenters`
  )
  expect(validatePublicResponse("listCommentersInSpace", 200, list)).toBeUndefined()
  expect(list.count).toBe(all.length)
  expect(list.items.map((member) => member.id)).toEqual(all.toReversed())
  for (const member of list.items) {
    expect([member.role, member.spaces]).toEqual([member.role, expected.get(member.id)])
    expect(member.teams).toBe(teams.filter((user) => user === member.id).length)
  }
}

describe("commenters are listed as members, with the number of spaces that they can see", () => {
  for (const { name, make } of ruleStores) {
    it(`on ${name}`, async () => {
      const server = await startServer(await make())
      let run = 0
      try {
        await fc.assert(
          fc.asyncProperty(organization, (drawn) => checkCommenters(server, `members-${run++}`, drawn)),
          runs(name === "memory" ? 40 : 10)
        )
      } finally {
        await server.close()
      }
    })
  }
})
