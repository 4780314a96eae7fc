/**
 * Concurrent change requests, of which no write may be lost. The contract scenarios of the testkit test sequential use.
 */

import type { ChangeRequest, Revision, Role, Space } from "@lectern/core"
import { describe, expect, it } from "vitest"
import { ruleStores } from "./stores.ts"
import { startServer, type TestServer } from "./support.ts"

type Response = { readonly status: number; readonly body: unknown }
type Call = (user: number, method: string, path: string, body?: unknown) => Promise<Response>

/** The roles of the users. Two editors, so that the tests cover own and others' change requests. */
const roles: ReadonlyArray<Role> = ["admin", "review", "edit", "edit", "comment", "read"]

/** Creates a space with members of all roles. */
const setUp = async (server: TestServer, name: string) => {
  const users: Array<string> = []
  for (const index of roles.keys()) users.push(await server.core.createUser(`${name}-${index}@example.com`))
  const organization = await server.core.createOrganization(name, users[0]!)
  for (const [index, role] of roles.entries()) await server.core.setMember(organization, users[index]!, role)
  const tokens = await Promise.all(users.map(server.tokenOf))
  const call: Call = async (user, method, path, body) => {
    const response = await server.fetch(`/v1${path}`, {
      method,
      token: tokens[user]!,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return { status: response.status, body: await response.json() }
  }
  const { body } = await call(0, "POST", `/orgs/${organization}/spaces`, {})
  return { call, users, space: `/spaces/${(body as Space).id}` }
}

const insert = (title: string) => ({ changes: [{ operation: "insert_page", title }] })

describe("concurrent edits and merges lose nothing", () => {
  for (const { name, make } of ruleStores) {
    it(`on ${name}`, async () => {
      const server = await startServer(await make())
      try {
        const { call, space } = await setUp(server, "busy")
        const applied = new Set<string>()
        const proposed = new Map<number, Set<string>>()
        const merged = new Set<number>()

        /** A session: a change request, concurrent edits of the primary content, and two concurrent merges. */
        const session = async (user: number, round: number) => {
          const created = await call(user, "POST", `${space}/change-requests`, {})
          expect(created.status).toBe(201)
          const { number } = created.body as ChangeRequest
          const pages = new Set<string>()
          proposed.set(number, pages)
          const at = `${space}/change-requests/${number}`
          const write = async (path: string, title: string, into: Set<string>) => {
            const response = await call(user, "POST", path, insert(title))
            // A write whose transaction retries are exhausted returns 503, and has changed nothing.
            expect([200, 503]).toContain(response.status)
            if (response.status === 200) into.add(title)
          }
          await Promise.all([
            write(`${at}/content`, `Proposed a ${user} ${round}`, pages),
            write(`${at}/content`, `Proposed b ${user} ${round}`, pages),
            write(`${space}/content`, `Live ${user} ${round}`, applied)
          ])
          await call(user, "POST", `${at}/update`)
          const [one, other] = await Promise.all([
            call(1, "POST", `${at}/merge`),
            call(0, "POST", `${at}/merge`)
          ])
          const successful = [one, other].filter(
            ({ status, body }) => status === 200 && (body as { result: string }).result === "merge"
          )
          expect(successful.length, JSON.stringify([one, other])).toBeLessThanOrEqual(1)
          if (successful.length === 1) merged.add(number)
        }
        await Promise.all(
          [0, 1, 2, 3].map(async (user) => {
            for (let round = 0; round < 3; round++) await session(user, round)
          })
        )

        for (const number of merged) for (const title of proposed.get(number)!) applied.add(title)
        const content = (await call(0, "GET", `${space}/content`)).body as Revision
        expect(content.pages.map(({ title }) => title).sort()).toEqual([...applied].sort())
        const slugs = content.pages.map((page) => ("slug" in page ? page.slug : ""))
        expect(new Set(slugs).size).toBe(slugs.length)
        expect([...proposed.keys()].sort((a, b) => a - b)).toEqual(
          Array.from({ length: proposed.size }, (_, index) => index + 1)
        )
        const after = (await call(0, "GET", space)).body as Space
        expect(after).toMatchObject({
          changeRequests: proposed.size,
          changeRequestsDraft: proposed.size - merged.size,
          changeRequestsOpen: 0
        })
        expect(merged.size).toBeGreaterThan(0)

        // The first parents of the head form a chain with one revision per edit and merge.
        let steps = 0
        for (let id: string | undefined = after.revision; id !== undefined; steps++) {
          const revision = (await call(0, "GET", `${space}/revisions/${id}`)).body as Revision
          id = revision.parents[0]
        }
        const liveCount = [...applied].filter((title) => title.startsWith("Live")).length
        expect(steps).toBe(1 + liveCount + merged.size)
      } finally {
        await server.close()
      }
    })
  }
})
