/** API tokens: their scopes, their lifetimes, their secrets, and what ends them. */

import {
  type ApiTokenId,
  ApiTokens,
  type OperationDefinition,
  Operations,
  type Rule,
  TokenLifetimes,
  tokenPermissions
} from "@lectern/core"
import { runs } from "@lectern/harness"
import { callOperations, type Operation } from "@lectern/harness/operations"
import { MemoryStorage } from "@lectern/testkit"
import { Clock, Effect, Exit, Layer } from "effect"
import * as fc from "fast-check"
import { describe, expect, it, onTestFinished } from "vitest"
import { memory, ruleStores } from "./stores.ts"
import { startScene } from "./support/startScene.ts"
import { startServerOn, type TestServer } from "./support.ts"

interface Created {
  readonly id: string
  readonly secret: string
  readonly expiresAt?: string
  readonly samlProvider?: string
}

/** Starts a server with two organizations and an administrator of both. */
const start = async (store = memory) => {
  const server = await startServerOn(store)
  const ada = await server.core.createUser("ada@example.com")
  const [acme, other] = [
    await server.core.createOrganization("Acme", ada),
    await server.core.createOrganization("Other", ada)
  ]
  const token = await server.tokenOf(ada)
  const send = (method: string, path: string, as = token, body?: unknown) =>
    server.fetch(`/v1${path}`, {
      method,
      token: as,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  const call = async <A = Created>(method: string, path: string, body?: unknown, as = token): Promise<A> => {
    const response = await send(method, path, as, body)
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return (text === "" ? undefined : JSON.parse(text)) as A
  }
  const statusOf = async (method: string, path: string, as: string, body?: unknown) =>
    (await send(method, path, as, body)).status
  return { server, ada, acme, other, token, send, call, statusOf }
}

/** Whether an operation responds to clients without a token, which see the content of public sites. */
const isForEveryone = (rule: Rule | undefined, expectedRule: Operation["rule"]): boolean =>
  expectedRule === "anybody" && rule?.kind === "policy" && rule.visitors === "anonymous"

/** The operations that a token with any permissions calls to find out its user and its organizations. */
const ofEveryToken = new Set(["Users.getCurrent", "Users.get", "Organizations.list", "Embeds.getByUrl"])

const actionsOf = (rule: Rule): ReadonlyArray<string> =>
  rule.kind === "policy" ? [...(rule.action.match(/\w+\.\w+/g) ?? []), ...(rule.byInput ?? [])] : []

/**
 * Whether no limited token can call an operation: it changes how members sign in, reads a key, or is on the account of the user. No action covers it
 * then, or a command has only actions that read.
 */
const isOfAccount = ({ name, kind, rule }: OperationDefinition): boolean =>
  (rule.kind === "policy" && (rule.changesSignIn === true || rule.readsKey === true)) ||
  (rule.kind === "signedIn"
    ? !ofEveryToken.has(name)
    : rule.kind === "policy" &&
      kind === "command" &&
      actionsOf(rule).every((action) => /\.(view|read|list)$/.test(action)))

const reasonOf = async (response: Response): Promise<string | undefined> =>
  response.ok ? undefined : ((await response.json()) as { error: { reason: string } }).error.reason

/** Calls every operation with the token that `scopesOf` describes. Returns the operations that its scopes reject. */
const rejectedOperations = async (
  scopesOf: (operation: Operation, scene: { organization: string; site: string }) => object | undefined
): Promise<ReadonlyArray<string>> => {
  const host = await startScene()
  onTestFinished(() => host.server.close())
  const rejected: Array<string> = []
  await callOperations(host, async (operation, { method, address, body }) => {
    const site = /\/sites\/(\w+)/.exec(address)?.[1] ?? ""
    const scopes = scopesOf(operation, { organization: host.organization, site })
    if (scopes === undefined) return
    const { secret } = await host.call<Created>("POST", "/v1/user/tokens", { label: "Scoped", ...scopes })
    const response = await host.server.fetch(address, {
      method,
      token: secret,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    if ((await reasonOf(response)) === "ScopeTooNarrow") rejected.push(operation.id)
  })
  return rejected
}

/** The definitions of the operations of the workspace, by name. */
const readDefinitions = async () => {
  const server = await startServerOn(memory)
  const { definitions } = await server.core.runtime.runPromise(Operations)
  return new Map(definitions.map((definition) => [definition.name, definition]))
}

describe("the scopes of a token", () => {
  it("include the action of every operation among the permissions", async () => {
    const definitions = await readDefinitions()
    const actions = [...definitions.values()].flatMap(({ rule }) =>
      rule.kind === "policy" ? [...(rule.action.match(/\w+\.\w+/g) ?? []), ...(rule.byInput ?? [])] : []
    )
    expect(actions.filter((action) => !tokenPermissions.includes(action))).toEqual([])
  })

  it("limit a read-only token to operations that change nothing", async () => {
    const definitions = await readDefinitions()
    const expected: Array<string> = []
    const rejected = await rejectedOperations((operation) => {
      const { kind, rule } = definitions.get(operation.serves) ?? {}
      if (kind === "command" || (rule?.kind === "policy" && rule.readsKey === true))
        expected.push(operation.id)
      return { readOnly: true }
    })
    expect(rejected).toEqual(expected)
    expect(expected.length).toBeGreaterThan(100)
  })

  it("admit an operation exactly with its permissions", async () => {
    const definitions = await readDefinitions()
    const requiredOf = ({ serves, path, rule: expectedRule }: Operation): ReadonlyArray<string> => {
      const rule = definitions.get(serves)?.rule
      // Everyone reads a public site, also with a token that lacks its permission.
      if (rule?.kind !== "policy" || isForEveryone(rule, expectedRule)) return []
      if (isOfAccount(definitions.get(serves)!)) return []
      const noun = path.startsWith("/v1/spaces/") ? "space" : path.includes("/sites/") ? "site" : "collection"
      const isAlternative = rule.action.includes(" or ")
      const actions = rule.action.match(/\w+\.\w+/g) ?? []
      return [
        ...actions.filter(
          (action) =>
            !isAlternative || !/^(?:space|collection|site)\./.test(action) || action.startsWith(`${noun}.`)
        ),
        ...(rule.byInput ?? [])
      ]
    }
    const withRequired = await rejectedOperations((operation) => {
      const permissions = requiredOf(operation)
      return permissions.length === 0 ? undefined : { permissions }
    })
    expect(withRequired).toEqual([])
    let count = 0
    const withOthers = await rejectedOperations((operation) => {
      const required = requiredOf(operation)
      if (required.length === 0) return undefined
      count++
      return { permissions: tokenPermissions.filter((permission) => permission !== required.at(-1)) }
    })
    expect([withOthers.length, count > 200]).toEqual([count, true])
  })

  it("with all permissions, reject the operations on the account of the user, and admit what everyone sees", async () => {
    const definitions = await readDefinitions()
    const expected: Array<string> = []
    const admitted: Array<string> = []
    const rejected = await rejectedOperations(({ id, serves, calls = [], rule: expectedRule }) => {
      const definition = definitions.get(serves)
      if (definition === undefined) return undefined
      const { rule } = definition
      if (isOfAccount(definition)) {
        expected.push(id)
        return { permissions: tokenPermissions }
      }
      if (rule.kind === "policy" && !isForEveryone(rule, expectedRule)) return undefined
      // An operation that calls another one requires the permission of that one.
      const needsPermission = calls.some((name) => definitions.get(name)?.rule.kind === "policy")
      if (rule.kind === "signedIn" && needsPermission) expected.push(id)
      else admitted.push(id)
      const actions = actionsOf(rule)
      return {
        permissions: tokenPermissions
          .filter((permission) => !actions.some((action) => action === permission))
          .slice(0, 1)
      }
    })
    expect(rejected).toEqual(expected)
    expect([expected.length > 15, admitted.length > 5]).toEqual([true, true])
  })

  it("limit a token of a site to the site and its spaces", async () => {
    const { acme, other, call, statusOf } = await start()
    const at = `/orgs/${acme}`
    const [inside, outside] = [
      await call("POST", `${at}/spaces`, { title: "Inside" }),
      await call("POST", `${at}/spaces`, { title: "Outside" })
    ]
    const site = await call("POST", `${at}/sites`, { title: "Docs", spaces: [inside.id] })
    const otherSite = await call("POST", `${at}/sites`, { title: "Other", spaces: [outside.id] })
    const { secret } = await call("POST", "/user/tokens", {
      label: "Site",
      organization: acme,
      site: site.id
    })
    const collection = await call("POST", `${at}/collections`, {})
    const path = `${at}/sites/${site.id}`
    expect([
      await statusOf("GET", path, secret),
      await statusOf("PATCH", path, secret, { title: "New" }),
      await statusOf("GET", `/spaces/${inside.id}/content`, secret),
      await statusOf("GET", "/user", secret)
    ]).toEqual([200, 200, 200, 200])
    expect([
      await statusOf("GET", `/spaces/${outside.id}`, secret),
      await statusOf("GET", `/spaces/${outside.id}/content`, secret),
      await statusOf("POST", `${path}/site-spaces`, secret, { spaceId: outside.id })
    ]).toEqual([404, 404, 404])
    for (const [method, denied] of [
      ["GET", at],
      ["GET", `${at}/sites/${otherSite.id}`],
      ["GET", `${at}/members`],
      ["GET", `/collections/${collection.id}`],
      ["GET", `/orgs/${other}`],
      ["POST", "/user/tokens"]
    ] as const) {
      expect([
        denied,
        await statusOf(method, denied, secret, method === "POST" ? { label: "x" } : undefined)
      ]).toEqual([denied, 403])
    }
    await call("DELETE", path)
    expect(await statusOf("GET", "/user", secret)).toBe(401)
  })

  it("are not exceeded by a token that a token with scopes creates", async () => {
    const { acme, other, call, statusOf } = await start()
    const limited = await call("POST", "/user/tokens", { label: "Acme", organization: acme })
    const child = await call("POST", "/user/tokens", { label: "Child" }, limited.secret)
    expect(child).toMatchObject({ organization: acme })
    expect(await statusOf("GET", `/orgs/${other}`, child.secret)).toBe(404)
    expect(
      await statusOf("POST", "/user/tokens", limited.secret, { label: "Wider", organization: other })
    ).toBe(404)
    const unlimited = await call("POST", "/user/tokens", { label: "All" })
    expect(await statusOf("POST", `/user/tokens/${unlimited.id}/rotate`, limited.secret, {})).toBe(404)
    for (const scopes of [{ readOnly: true }, { permissions: ["space.read"] }]) {
      const { secret } = await call("POST", "/user/tokens", { label: "Scoped", ...scopes })
      for (const path of ["/user/tokens", `/user/tokens/${unlimited.id}/rotate`]) {
        expect(await statusOf("POST", path, secret, { label: "x" })).toBe(403)
      }
    }
  })
})

for (const store of ruleStores) {
  it(`an administrator ends a token's access to the organization only, on ${store.name}`, async () => {
    const { server, acme, other, call, statusOf } = await start(store)
    const bob = await server.core.createUser("bob@example.com")
    for (const organization of [acme, other]) await server.core.setMember(organization, bob, "read")
    const his = await server.tokenOf(bob)
    const space = await call("POST", `/orgs/${acme}/spaces`, {})
    const integration = { organization: acme, title: "Tool", description: "", script: "x", scopes: [] }
    await call("POST", "/integrations/tool", integration)
    const { items } = await call<{
      items: ReadonlyArray<{ id: string; unlimited: boolean; label?: string }>
    }>("GET", `/orgs/${acme}/tokens?user=${bob}`)
    expect(items).toMatchObject([{ user: bob, unlimited: true }])
    expect(items[0]).not.toHaveProperty("label")
    expect(await statusOf("GET", `/integrations/tool`, his)).toBe(200)
    await call("DELETE", `/orgs/${acme}/tokens/${items[0]!.id}`)
    expect([
      await statusOf("GET", `/orgs/${acme}`, his),
      await statusOf("GET", `/spaces/${space.id}`, his),
      await statusOf("GET", `/integrations/tool`, his),
      await statusOf("GET", `/orgs/${other}`, his)
    ]).toEqual([404, 404, 404, 200])
    const listed = await call<{ items: ReadonlyArray<{ id: string }> }>("GET", "/orgs", undefined, his)
    expect(listed.items.map(({ id }) => id)).toEqual([other])
    expect(await statusOf("DELETE", `/orgs/${acme}/tokens/${items[0]!.id}`, await server.tokenOf(bob))).toBe(
      403
    )
    // A token that it creates is excluded as well.
    const child = await call("POST", "/user/tokens", { label: "Child" }, his)
    expect(await statusOf("GET", `/orgs/${acme}`, child.secret)).toBe(404)
  })

  it(`a token with an expiry leaves no secret that is valid after it, on ${store.name}`, async () => {
    const { server, call, statusOf } = await start(store)
    const permanent = await call("POST", "/user/tokens", { label: "Permanent", expiresAt: null })
    const expiresAt = new Date(server.core.now() + 60_000).toISOString()
    const short = await call("POST", "/user/tokens", { label: "Short", expiresAt })
    const create = (body: object) =>
      statusOf("POST", "/user/tokens", short.secret, { label: "Child", ...body })
    expect(await create({ expiresAt: null })).toBe(400)
    expect(await create({ expiresAt: new Date(server.core.now() + 60_001).toISOString() })).toBe(400)
    const child = await call("POST", "/user/tokens", { label: "Child" }, short.secret)
    expect(child.expiresAt).toBe(short.expiresAt)
    const rotate = (id: string, as: string) => statusOf("POST", `/user/tokens/${id}/rotate`, as, {})
    expect(await rotate(permanent.id, short.secret)).toBe(403)
    const rotated = await call("POST", `/user/tokens/${short.id}/rotate`, {}, short.secret)
    expect(rotated.expiresAt).toBe(short.expiresAt)
    await server.core.advance(60_000)
    const secrets = [short.secret, child.secret, rotated.secret]
    for (const secret of secrets) expect(await statusOf("GET", "/user", secret)).toBe(401)
    expect(await statusOf("GET", "/user", permanent.secret)).toBe(200)
  })

  it(`a rotated token has a new secret, and the former one until it ends, on ${store.name}`, async () => {
    const { server, call, statusOf } = await start(store)
    const created = await call("POST", "/user/tokens", { label: "Rotated" })
    await server.core.advance(24 * 60 * 60 * 1_000)
    const rotated = await call("POST", `/user/tokens/${created.id}/rotate`, { formerSecretHours: 2 })
    expect(rotated.expiresAt).toBe(created.expiresAt)
    expect([
      await statusOf("GET", "/user", created.secret),
      await statusOf("GET", "/user", rotated.secret)
    ]).toEqual([200, 200])
    await server.core.advance(2 * 60 * 60 * 1_000)
    expect([
      await statusOf("GET", "/user", created.secret),
      await statusOf("GET", "/user", rotated.secret)
    ]).toEqual([401, 200])
    await call("DELETE", `/user/tokens/${created.id}`)
    expect(await statusOf("GET", "/user", rotated.secret)).toBe(401)
  })

  it(`a rotation starts the lifetime of a token again only if its creator permitted it, on ${store.name}`, async () => {
    const { server, call, statusOf, token } = await start(store)
    const after = (millis: number) => new Date(server.core.now() + millis).toISOString()
    const hour = 60 * 60 * 1_000
    const create = (body: object, as?: string) =>
      call<Created & { renewable: boolean }>("POST", "/user/tokens", { label: "Token", ...body }, as)
    const rotate = (id: string, as: string, formerSecretHours = 0) =>
      call("POST", `/user/tokens/${id}/rotate`, { formerSecretHours }, as)
    const renewable = await create({ expiresAt: after(hour), renewable: true })
    const fixed = await create({ expiresAt: after(hour), renewable: false })
    expect([renewable.renewable, fixed.renewable]).toEqual([true, false])
    await server.core.advance(hour / 2)

    // A token that ends extends the lifetime of no other token.
    const created = { label: "Child", renewable: true }
    expect(await statusOf("POST", "/user/tokens", renewable.secret, created)).toBe(400)
    expect(await statusOf("POST", "/user/tokens", fixed.secret, created)).toBe(400)
    expect((await create({ renewable: false }, renewable.secret)).expiresAt).toBe(renewable.expiresAt)
    const early = await create({ expiresAt: after(hour / 4), renewable: true })
    expect(await statusOf("POST", `/user/tokens/${early.id}/rotate`, fixed.secret, {})).toBe(403)
    const permanent = { label: "Permanent", expiresAt: null, renewable: true }
    expect(await statusOf("POST", "/user/tokens", token, permanent)).toBe(400)

    expect((await rotate(fixed.id, fixed.secret)).expiresAt).toBe(fixed.expiresAt)
    const renewed = await rotate(renewable.id, renewable.secret, 2)
    expect(renewed.expiresAt).toBe(after(hour))
    const again = await rotate(renewable.id, renewed.secret, 2)
    expect(again.expiresAt).toBe(after(hour))
    await server.core.advance(hour / 2)
    // The former secret ends with the former lifetime at the latest.
    expect(await statusOf("GET", "/user", renewable.secret)).toBe(401)
    expect(await statusOf("GET", "/user", again.secret)).toBe(200)
    await server.core.advance(hour / 2)
    expect(await statusOf("GET", "/user", again.secret)).toBe(401)
  })

  it(`the operator rotates no expired token, which would remain expired, on ${store.name}`, async () => {
    const { server, call } = await start(store)
    const created = await call("POST", "/user/tokens", { label: "Expired" })
    const { rotate } = await server.core.runtime.runPromise(ApiTokens)
    const attempt = () =>
      server.core.runtime.runPromiseExit(
        Effect.provideService(rotate({ token: created.id as ApiTokenId }), Clock.Clock, server.core.clock)
      )
    expect(Exit.isSuccess(await attempt())).toBe(true)
    await server.core.advance(91 * 24 * 60 * 60 * 1_000)
    expect(Exit.findErrorOption(await attempt())).toMatchObject({
      value: { _tag: "InvalidInput", details: [{ path: "token" }] }
    })
  })
}

it("a token expires within the maximum lifetime, and by default after the default lifetime", async () => {
  const dayMs = 24 * 60 * 60 * 1_000
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 400 }),
      fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined }),
      fc.option(fc.integer({ min: -10, max: 500 }), { nil: null }),
      async (defaultDays, maximumDays, chosenDays) => {
        const lifetimes = {
          defaultMillis: defaultDays * dayMs,
          maximumMillis: maximumDays === undefined ? undefined : maximumDays * dayMs
        }
        const server: TestServer = await startServerOn({
          make: async () =>
            Layer.provideMerge(MemoryStorage.layer(), Layer.succeed(TokenLifetimes, lifetimes))
        })
        const token = await server.tokenOf(await server.core.createUser("ada@example.com"))
        const create = async (input: object) => {
          const response = await server.fetch("/v1/user/tokens", {
            method: "POST",
            token,
            body: JSON.stringify({ label: "x", ...input })
          })
          return response.ok ? ((await response.json()) as Created) : undefined
        }
        const now = server.core.now()
        const byDefault = (await create({}))?.expiresAt
        expect(Date.parse(byDefault!) - now).toBe(Math.min(defaultDays, maximumDays ?? defaultDays) * dayMs)
        const expiresAt = chosenDays === null ? null : new Date(now + chosenDays * dayMs).toISOString()
        const isAllowed =
          chosenDays === null
            ? maximumDays === undefined
            : chosenDays > 0 && (maximumDays === undefined || chosenDays <= maximumDays)
        const created = await create({ expiresAt })
        expect(created !== undefined).toBe(isAllowed)
        if (created !== undefined) expect(created.expiresAt ?? null).toBe(expiresAt)
      }
    ),
    runs(20)
  )
})
