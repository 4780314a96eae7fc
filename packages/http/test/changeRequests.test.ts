/**
 * Change requests as a state machine: what users of every role do with them, one after the other, against a model
 * that only counts and remembers; and many at once, after which nothing may be lost.
 */

import type { ChangeRequest, Revision, Role, Space } from "@lectern/core"
import { runs } from "@lectern/testkit"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { memory, stores } from "./stores.ts"
import { startServer, type TestServer } from "./support.ts"

const allStores = [memory, ...stores]

type Answer = { readonly status: number; readonly body: unknown }
type Call = (user: number, method: string, path: string, body?: unknown) => Promise<Answer>

/** Who takes part. Two editors, so that what is one's own differs from what is another's. */
const roles: ReadonlyArray<Role> = ["admin", "review", "edit", "edit", "comment", "read"]

const rank = (role: Role) => ["read", "comment", "edit", "review", "create", "admin"].indexOf(role)

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

type Status = ChangeRequest["status"]

/** What is known of a change request. */
interface Known {
  readonly by: number
  status: Status
  subject: string
  outdated: boolean
  readonly contributors: Set<number>
}

const user = fc.nat(roles.length - 1)
const which = fc.nat(5)
const status = fc.constantFrom<Status>("draft", "open", "archived", "merged")

const step = fc.oneof(
  { arbitrary: fc.record({ do: fc.constant("create"), user }), weight: 3 },
  { arbitrary: fc.record({ do: fc.constant("patch"), user, which, status }), weight: 5 },
  { arbitrary: fc.record({ do: fc.constant("rename"), user, which }), weight: 1 },
  { arbitrary: fc.record({ do: fc.constant("edit"), user, which }), weight: 3 },
  { arbitrary: fc.record({ do: fc.constant("merge"), user, which }), weight: 3 },
  { arbitrary: fc.record({ do: fc.constant("update"), user, which }), weight: 2 },
  { arbitrary: fc.record({ do: fc.constant("live"), user }), weight: 1 },
  { arbitrary: fc.record({ do: fc.constant("list"), user, status, which: user }), weight: 2 }
) as fc.Arbitrary<{ do: string; user: number; which?: number; status?: Status }>

/** Plays a story, and holds every answer against the model's. */
const play = async (
  server: TestServer,
  name: string,
  steps: ReadonlyArray<typeof step extends fc.Arbitrary<infer A> ? A : never>
) => {
  const { call, users, space } = await setUp(server, name)
  const all: Array<Known> = []
  const may = (user: number, needed: Role) => rank(roles[user]!) >= rank(needed)
  const mayEdit = (user: number, one: Known) => may(user, one.by === user ? "edit" : "review")
  const isClosed = ({ status }: Known) => status === "merged" || status === "archived"

  for (const [index, { do: action, user, which = 0, status = "open" }] of steps.entries()) {
    const one = all[which]
    const at = `${space}/change-requests/${which + 1}`
    const title = `Page ${index}`
    const note = [index, action, user, which, status]
    const expectStatus = (answer: Answer, expected: number) =>
      expect([...note, answer.status], JSON.stringify(answer.body)).toEqual([...note, expected])

    if (action === "create") {
      const answer = await call(user, "POST", `${space}/change-requests`, {
        subject: title,
        agentTaskId: "secret"
      })
      expectStatus(answer, may(user, "edit") ? 201 : 403)
      if (answer.status !== 201) continue
      all.push({ by: user, status: "draft", subject: title, outdated: false, contributors: new Set([user]) })
      expect(answer.body).toMatchObject({ number: all.length, status: "draft", subject: title })
      expect(JSON.stringify(answer.body)).not.toContain("secret")
    } else if (action === "live") {
      const answer = await call(user, "POST", `${space}/content`, insert(title))
      expectStatus(answer, may(user, "edit") ? 200 : 403)
      if (answer.status !== 200) continue
      for (const other of all) other.outdated = other.status !== "merged"
    } else if (action === "list") {
      const filter = `status=${status}&contributor=${users[which]}&limit=2`
      const answer = await call(user, "GET", `${space}/change-requests?${filter}`)
      const matching = all
        .map((known, place) => ({ known, number: place + 1 }))
        .filter(({ known }) => known.status === status && known.contributors.has(which))
        .reverse()
      const list = answer.body as { count: number; items: ReadonlyArray<ChangeRequest> }
      expect([...note, list.count]).toEqual([...note, matching.length])
      expect(list.items.map(({ number }) => number)).toEqual(matching.slice(0, 2).map(({ number }) => number))
    } else if (one === undefined) {
      expectStatus(await call(user, "GET", at), 404)
    } else if (action === "patch" || action === "rename") {
      const answer = await call(user, "PATCH", at, action === "patch" ? { status } : { subject: title })
      const isFinal =
        action === "patch" && one.status !== status && (one.status === "merged" || status === "merged")
      expectStatus(answer, !mayEdit(user, one) ? 403 : isFinal ? 409 : 200)
      if (answer.status !== 200) continue
      if (action === "patch") one.status = status
      else one.subject = title
    } else if (action === "edit") {
      const answer = await call(user, "POST", `${at}/content`, insert(title))
      expectStatus(answer, !mayEdit(user, one) ? 403 : isClosed(one) ? 409 : 200)
      if (answer.status === 200) one.contributors.add(user)
    } else if (action === "update") {
      const answer = await call(user, "POST", `${at}/update`)
      expectStatus(answer, !mayEdit(user, one) ? 403 : isClosed(one) ? 409 : 200)
      if (answer.status !== 200) continue
      expect((answer.body as { result: string }).result).toBe("update")
      one.outdated = false
    } else {
      const answer = await call(user, "POST", `${at}/merge`)
      expectStatus(answer, !may(user, "review") ? 403 : isClosed(one) ? 409 : 200)
      if (answer.status !== 200) continue
      expect((answer.body as { result: string }).result).toBe("merge")
      one.status = "merged"
      for (const other of all) other.outdated = other.status !== "merged"
    }
  }

  for (const [place, known] of all.entries()) {
    const { body } = await call(5, "GET", `${space}/change-requests/${place + 1}`)
    const { number, status, subject, outdated, createdBy } = body as ChangeRequest
    const { by, ...rest } = known
    expect({ number, status, subject, outdated, by: createdBy.id }).toEqual({
      number: place + 1,
      status: rest.status,
      subject: rest.subject,
      outdated: rest.outdated,
      by: users[by]
    })
  }
  const count = (status: Status) => all.filter((known) => known.status === status).length
  const after = (await call(0, "GET", space)).body as Space
  expect(after).toMatchObject({
    changeRequests: all.length,
    changeRequestsOpen: count("open"),
    changeRequestsDraft: count("draft")
  })
}

describe("change requests are what the model says, whatever users of every role do", () => {
  for (const { name, make } of allStores) {
    it(`on ${name}`, { timeout: 60_000 }, async () => {
      const server = await startServer(await make())
      let run = 0
      try {
        await fc.assert(
          fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), (steps) =>
            play(server, `story-${run++}`, steps)
          ),
          runs(name === "memory" ? 30 : 8)
        )
      } finally {
        await server.close()
      }
    })
  }
})

describe("of what many editors and mergers do at once nothing is lost", () => {
  for (const { name, make } of allStores) {
    it(`on ${name}`, { timeout: 60_000 }, async () => {
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
