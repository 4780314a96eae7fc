/**
 * Change requests of many at once, after which nothing may be lost. What users do with them one after the other is
 * told by the stories of the testkit.
 */

import type { ChangeRequest, Revision, Role, Space } from "@lectern/core"
import { describe, expect, it } from "vitest"
import { memory, stores } from "./stores.ts"
import { startServer, type TestServer } from "./support.ts"

const allStores = [memory, ...stores]

type Answer = { readonly status: number; readonly body: unknown }
type Call = (user: number, method: string, path: string, body?: unknown) => Promise<Answer>

/** Who takes part. Two editors, so that what is one's own differs from what is another's. */
const roles: ReadonlyArray<Role> = ["admin", "review", "edit", "edit", "comment", "read"]

/** A space with members of all roles. */
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

describe("of what many editors and mergers do at once nothing is lost", () => {
  for (const { name, make } of allStores) {
    it(`on ${name}`, async () => {
      const server = await startServer(await make())
      try {
        const { call, space } = await setUp(server, "busy")
        const landed = new Set<string>()
        const proposed = new Map<number, Set<string>>()
        const merged = new Set<number>()

        /** A session: its own change request, live edits between, and the merge at the end. */
        const session = async (user: number, round: number) => {
          const made = await call(user, "POST", `${space}/change-requests`, {})
          expect(made.status).toBe(201)
          const { number } = made.body as ChangeRequest
          const pages = new Set<string>()
          proposed.set(number, pages)
          const at = `${space}/change-requests/${number}`
          const write = async (path: string, title: string, into: Set<string>) => {
            const answer = await call(user, "POST", path, insert(title))
            // One that met too many others may be told so; it has changed nothing then.
            expect([200, 503]).toContain(answer.status)
            if (answer.status === 200) into.add(title)
          }
          await Promise.all([
            write(`${at}/content`, `Proposed a ${user} ${round}`, pages),
            write(`${at}/content`, `Proposed b ${user} ${round}`, pages),
            write(`${space}/content`, `Live ${user} ${round}`, landed)
          ])
          await call(user, "POST", `${at}/update`)
          const [one, other] = await Promise.all([
            call(1, "POST", `${at}/merge`),
            call(0, "POST", `${at}/merge`)
          ])
          const won = [one, other].filter(
            ({ status, body }) => status === 200 && (body as { result: string }).result === "merge"
          )
          expect(won.length, JSON.stringify([one, other])).toBeLessThanOrEqual(1)
          if (won.length === 1) merged.add(number)
        }
        await Promise.all(
          [0, 1, 2, 3].map(async (user) => {
            for (let round = 0; round < 3; round++) await session(user, round)
          })
        )

        for (const number of merged) for (const title of proposed.get(number)!) landed.add(title)
        const content = (await call(0, "GET", `${space}/content`)).body as Revision
        expect(content.pages.map(({ title }) => title).sort()).toEqual([...landed].sort())
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

        // From the head back to the beginning there is one way, with a step for each that landed.
        let steps = 0
        for (let id: string | undefined = after.revision; id !== undefined; steps++) {
          const revision = (await call(0, "GET", `${space}/revisions/${id}`)).body as Revision
          id = revision.parents[0]
        }
        const lives = [...landed].filter((title) => title.startsWith("Live")).length
        expect(steps).toBe(1 + lives + merged.size)
      } finally {
        await server.close()
      }
    })
  }
})
