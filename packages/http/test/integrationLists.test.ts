/** Lists of integrations: visibility and filters. */
import type { Integration } from "@lectern/core"
import { runs } from "@lectern/harness"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { callByContract } from "./caller.ts"
import { memory, ruleDatabases } from "./stores.ts"
import { startServer, type TestServer } from "./support.ts"

const caller =
  (server: TestServer) =>
  <A>(token: string, operation: string, method: string, path: string, body?: unknown) =>
    callByContract<A>(server, token, operation, method, path, body)

interface List<A> {
  readonly count: number
  readonly items: ReadonlyArray<A>
}

/** The values of random integrations and filters. */
const categories = ["analytics", "content", "other"] as const
const scopes = ["site:views:read", "space:content:read"] as const

/** An integration of one of two owners, which may be deleted. */
const published = fc.record({
  owner: fc.nat(1),
  visibility: fc.constantFrom("public", "private", "unlisted"),
  title: fc.constantFrom("Charts", "Diagrams", "Chat"),
  categories: fc.subarray([...categories]),
  scopes: fc.subarray([...scopes]),
  domain: fc.constantFrom(undefined, "example.com", "ample.com"),
  hasSources: fc.boolean(),
  isDeleted: fc.boolean()
})
type Published = typeof published extends fc.Arbitrary<infer A> ? A & { readonly name: string } : never

const filter = fc.record(
  {
    search: fc.constantFrom("cha", "CHART", "zzz"),
    category: fc.constantFrom(...categories),
    scope: fc.constantFrom(...scopes),
    blockDomain: fc.constantFrom("example.com", "ample.com", "com"),
    blocks: fc.boolean(),
    contentSources: fc.boolean(),
    owner: fc.nat(1)
  },
  { requiredKeys: [] }
)
type Filter = typeof filter extends fc.Arbitrary<infer A> ? A : never

/** Whether an integration is listed for a user: 0 and 1 are the owners, 2 is a guest of owner 0. */
const isListed = (one: Published, user: number, { owner, ...filters }: Filter): boolean =>
  (one.visibility === "public" || one.owner === user) &&
  (filters.search === undefined ||
    `${one.name} ${one.title}`.toLowerCase().includes(filters.search.toLowerCase())) &&
  (filters.category === undefined || one.categories.includes(filters.category)) &&
  (filters.scope === undefined || one.scopes.includes(filters.scope)) &&
  (filters.blockDomain === undefined || one.domain === filters.blockDomain) &&
  (filters.blocks === undefined || filters.blocks === (one.domain !== undefined)) &&
  (filters.contentSources === undefined || filters.contentSources === one.hasSources) &&
  (owner === undefined || one.owner === owner)

const manifestOf = (one: Published, organization: string) => ({
  organization,
  title: one.title,
  description: "",
  script: "x",
  scopes: one.scopes,
  categories: one.categories,
  visibility: one.visibility,
  ...(one.domain === undefined
    ? {}
    : { blocks: [{ id: "b", title: "Block", urlUnfurl: [`https://${one.domain}/*`] }] }),
  ...(one.hasSources
    ? { contentSources: [{ id: "s", title: "Source", configuration: { componentId: "c" } }] }
    : {})
})

/** Creates two owners of integrations and another user; returns their tokens in this order. */
const startOwners = async (server: TestServer) => {
  const users = await Promise.all(
    ["one", "two", "three"].map((name) => server.core.createUser(`${name}@example.com`))
  )
  const owners = [
    await server.core.createOrganization("One", users[0]!),
    await server.core.createOrganization("Two", users[1]!)
  ]
  // A guest of the first owner sees the same as a user without a membership.
  await server.core.setMember(owners[0]!, users[2]!, null)
  return { owners, tokens: await Promise.all(users.map((user) => server.tokenOf(user))) }
}

describe("a list of integrations has all integrations that are visible to the caller and match every filter", () => {
  for (const { name, make, count } of [
    { ...memory, count: 40 },
    ...ruleDatabases.map((store) => ({ ...store, count: 8 }))
  ]) {
    it(`on ${name}`, async () => {
      const property = async (
        drawn: ReadonlyArray<Omit<Published, "name">>,
        filterCases: ReadonlyArray<Filter>
      ) => {
        // Names are unique across organizations, so each case has a store of its own.
        const server = await startServer(await make())
        try {
          const call = caller(server)
          const { owners, tokens } = await startOwners(server)
          const all = drawn.map((one, index) => ({ ...one, name: `i${index}` }))
          for (const one of all) {
            const [token, path] = [tokens[one.owner]!, `/integrations/${one.name}`]
            const body = manifestOf(one, owners[one.owner]!)
            expect((await call(token, "publishIntegration", "POST", path, body)).status).toBe(200)
            if (one.isDeleted) await call(token, "", "DELETE", path)
          }
          const remaining = all.filter(({ isDeleted }) => !isDeleted)
          for (const [user, token] of tokens.entries()) {
            for (const one of remaining) {
              const { status } = await call(token, "getIntegrationByName", "GET", `/integrations/${one.name}`)
              expect(status).toBe(one.visibility === "private" && one.owner !== user ? 404 : 200)
            }
            const noFilter: Filter = {}
            for (const { owner, ...filters } of [noFilter, ...filterCases]) {
              const query = new URLSearchParams(
                Object.entries({
                  ...filters,
                  ...(owner === undefined ? {} : { owner: owners[owner]! })
                }).map(([key, value]) => [key, String(value)])
              )
              const { value } = await call<List<Integration>>(
                token,
                "listIntegrations",
                "GET",
                `/integrations?${query}`
              )
              const expected = remaining.filter((one) =>
                isListed(one, user, owner === undefined ? filters : { ...filters, owner })
              )
              expect(value.items.map(({ name }) => name)).toEqual(expected.map(({ name }) => name).reverse())
              expect(value.count).toBe(expected.length)
            }
          }
        } finally {
          await server.close()
        }
      }
      await fc.assert(
        fc.asyncProperty(fc.array(published, { maxLength: 6 }), fc.array(filter, { maxLength: 4 }), property),
        runs(count)
      )
    })
  }
})
