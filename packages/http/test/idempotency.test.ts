/** Idempotency keys: concurrent and late repetitions, in one process and across processes. */
import { Fetcher, IdempotencyKeys, idempotencyKeys, type RecordsAdapter, Where } from "@lectern/core"
import { allRecords } from "@lectern/harness"
import { toWebHandler } from "@lectern/http"
import { Clock, Effect, Layer } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { memory, stores } from "./stores.ts"
import { startServer, type TestServer } from "./support.ts"

/** Sends POST requests as a user of a server. */
const callerOf = (server: TestServer, token: string) => {
  const post = async (path: string, body: unknown, key?: string) => {
    const response = await server.fetch(path, {
      method: "POST",
      token,
      headers: key === undefined ? {} : { "idempotency-key": key },
      body: JSON.stringify(body)
    })
    const text = await response.text()
    return {
      status: response.status,
      isReplayed: response.headers.get("idempotent-replayed") === "true",
      location: response.headers.get("location"),
      text,
      value: (text === "" ? undefined : JSON.parse(text)) as {
        readonly id: string
        readonly revision: string
        readonly error?: { readonly reason: string; readonly details?: unknown }
      }
    }
  }
  const list = async <A>(path: string): Promise<ReadonlyArray<A>> =>
    ((await (await server.fetch(path, { token })).json()) as { readonly items: ReadonlyArray<A> }).items
  return { post, list }
}

/** Starts several servers on one store, as processes that share a database, with an administrator. */
const startServers = async (store: Layer.Layer<RecordsAdapter, unknown>, count: number) => {
  const first = await startServer(store)
  const others = []
  for (let i = 1; i < count; i++) others.push(await startServer(store))
  const servers = [first, ...others]
  onTestFinished(async () => {
    for (const server of servers) await server.close()
  })
  const user = await first.core.createUser("ada@example.com")
  const organization = await first.core.createOrganization("Acme", user)
  const token = await first.tokenOf(user)
  return {
    servers,
    user,
    organization,
    token,
    spaces: `/v1/orgs/${organization}/spaces`,
    callers: servers.map((server) => callerOf(server, token))
  }
}

/** Runs the purge of expired keys, and returns the number of deleted keys. */
const purge = ({ core }: TestServer) =>
  core.runtime.runPromise(
    Effect.provideService(
      Effect.flatMap(IdempotencyKeys, (keys) => keys.purge),
      Clock.Clock,
      core.clock
    )
  )

describe("a request with an idempotency key", () => {
  for (const { name, make } of stores) {
    it(`is executed once, if it is sent concurrently to two servers on ${name}`, {
      timeout: 60_000
    }, async () => {
      const { callers, spaces } = await startServers(await make(), 2)
      for (let round = 0; round < 4; round++) {
        const responses = await Promise.all(
          Array.from({ length: 8 }, (_, i) =>
            callers[i % 2]!.post(spaces, { title: "Once" }, `round-${round}`)
          )
        )
        expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201))
        expect(new Set(responses.map(({ text, location }) => `${location} ${text}`)).size).toBe(1)
        expect(responses.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1)
        expect(await callers[0]!.list(spaces)).toHaveLength(round + 1)
      }
    })
  }

  it("is replayed to its caller only, for its operation only, and for 24 hours only", async () => {
    const { servers, callers, spaces, organization } = await startServers(await memory.make(), 1)
    const [server] = servers as [TestServer]
    const [ada] = callers as [ReturnType<typeof callerOf>]
    const grace = await server.core.createUser("grace@example.com")
    await server.core.setMember(organization, grace, "admin")
    const byGrace = callerOf(server, await server.tokenOf(grace))

    const first = await ada.post(spaces, { title: "First" }, "key")
    expect(await ada.post(spaces, { title: "First" }, "key")).toEqual({ ...first, isReplayed: true })
    expect(await byGrace.post(spaces, { title: "First" }, "key")).toMatchObject({
      status: 201,
      isReplayed: false
    })
    const other = await ada.post(`/v1/orgs/${organization}/collections`, { title: "First" }, "key")
    expect(other).toMatchObject({ status: 201, isReplayed: false })
    expect(await ada.post(spaces, { title: "Second" }, "key")).toMatchObject({
      status: 409,
      value: { error: { reason: "IdempotencyKeyReused" } }
    })

    server.core.advance(24 * 60 * 60_000 - 1)
    expect(await ada.post(spaces, { title: "First" }, "key")).toMatchObject({ isReplayed: true })
    server.core.advance(1)
    const later = await ada.post(spaces, { title: "Second" }, "key")
    expect(later).toMatchObject({ status: 201, isReplayed: false })
    expect(later.value.id).not.toBe(first.value.id)
    expect(await ada.post(spaces, { title: "Second" }, "key")).toEqual({ ...later, isReplayed: true })
  })

  it("is executed again after it was rejected", async () => {
    const { callers, spaces } = await startServers(await memory.make(), 1)
    const [ada] = callers as [ReturnType<typeof callerOf>]
    const space = (await ada.post(spaces, {})).value.id
    const restore = () => ada.post(`/v1/spaces/${space}/restore`, {}, "key")
    expect(await restore()).toMatchObject({ status: 409, value: { error: { reason: "SpaceNotDeleted" } } })
    expect(await restore()).toMatchObject({ status: 409, value: { error: { reason: "SpaceNotDeleted" } } })
  })

  it("is rejected if the key is empty, has spaces or more than 255 characters", async () => {
    const { callers, spaces } = await startServers(await memory.make(), 1)
    const [ada] = callers as [ReturnType<typeof callerOf>]
    for (const key of ["", "two words", "é", "x".repeat(256)]) {
      expect(await ada.post(spaces, {}, key)).toMatchObject({
        status: 400,
        value: { error: { details: [{ path: "Idempotency-Key" }] } }
      })
    }
    expect(await ada.list(spaces)).toEqual([])
    expect(await ada.post(spaces, {}, "x".repeat(255))).toMatchObject({ status: 201 })
  })

  it("is stored without its key and its caller, and with an encrypted result, until the purge", async () => {
    const { servers, callers, spaces, user } = await startServers(await memory.make(), 1)
    const [server] = servers as [TestServer]
    await callers[0]!.post(spaces, { title: "A confidential title" }, "a-telling-key")
    const rows = () =>
      server.core.runtime.runPromise(
        Effect.flatMap(allRecords, (records) => records.find(idempotencyKeys, { where: Where.all }))
      )
    const stored = JSON.stringify(await rows())
    expect(await rows()).toHaveLength(1)
    for (const text of ["confidential", "a-telling-key", user]) expect(stored).not.toContain(text)

    expect(await purge(server)).toBe(0)
    server.core.advance(24 * 60 * 60_000)
    expect(await purge(server)).toBe(1)
    expect(await rows()).toEqual([])
  })

  it("is executed once through a web handler", async () => {
    const { servers, spaces, token, callers } = await startServers(await memory.make(), 1)
    const handler = toWebHandler({ runtime: servers[0]!.core.runtime })
    const send = () =>
      handler(
        new Request(`http://host${spaces}`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${token}`,
            "content-type": "application/json",
            "idempotency-key": "web"
          },
          body: JSON.stringify({ title: "Web" })
        })
      )
    const [first, second] = await Promise.all([send(), send()])
    expect(await first!.text()).toBe(await second!.text())
    // A key has the same meaning for all ways of serving.
    expect(await callers[0]!.post(spaces, { title: "Web" }, "web")).toMatchObject({ isReplayed: true })
    expect(await callers[0]!.list(spaces)).toHaveLength(1)
  })
})

describe("an import with an idempotency key", () => {
  for (const { name, make } of stores) {
    it(`writes one revision, if it is sent to two servers on ${name}`, { timeout: 60_000 }, async () => {
      let fetchCount = 0
      // Both servers fetch before one of them writes.
      const both = Promise.withResolvers<void>()
      const fetcher = Layer.succeed(Fetcher, ({ url }) =>
        Effect.promise(async () => {
          if (++fetchCount === 2) both.resolve()
          await both.promise
          return {
            url,
            status: 200,
            contentType: "text/markdown",
            body: new TextEncoder().encode("# Imported\n\nText.\n")
          }
        })
      )
      const { callers, spaces } = await startServers(Layer.provideMerge(await make(), fetcher), 2)
      const space = (await callers[0]!.post(spaces, {})).value.id
      const path = `/v1/spaces/${space}/content/import`
      const body = { source: "markdown", url: "https://example.com/page.md" }
      const responses = await Promise.all(callers.map(({ post }) => post(path, body, "import")))
      expect(responses.map(({ status, text }) => [status, status === 201 ? "" : text])).toEqual([
        [201, ""],
        [201, ""]
      ])
      expect(fetchCount).toBe(2)
      expect(responses[0]!.value.revision).toBe(responses[1]!.value.revision)
      expect(responses.filter(({ isReplayed }) => isReplayed)).toHaveLength(1)
      // A later repetition fetches nothing.
      expect(await callers[1]!.post(path, body, "import")).toMatchObject({ isReplayed: true })
      expect(fetchCount).toBe(2)
    })
  }
})
