/** Every operation that changes a row of a cached read raises a version that the read depends on, in every process. */

import { type RecordsAdapter, readCacheCounts, SignIns, SigningSecret, Workspace } from "@lectern/core"
import { isFastRun } from "@lectern/harness"
import { addressOf, buildScene, operations, paramsIn, publishedUrl } from "@lectern/harness/operations"
import { createTestDatabase } from "@lectern/harness/postgres"
import { isStreamedBody, makeDispatcher } from "@lectern/http"
import { makeReader } from "@lectern/reader"
import { PgStorage } from "@lectern/storage-pg"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { Effect, Layer, ManagedRuntime, Redacted, References } from "effect"
import { expect, inject, it } from "vitest"
import { temporaryFolder } from "./stores.ts"
import { createFaultyWorld, requestOf, sceneHostOf } from "./support/faultyWorld.ts"
import { uncachedStorage } from "./support/uncachedStorage.ts"

type Storage = Layer.Layer<RecordsAdapter, unknown>

/** The share of the operations that succeed, although earlier ones have changed the scene. */
const minimumShare = 0.7

/** The caches of content by its hash, which never changes. */
const contentCaches = ["content nodes", "images of PDFs", "page texts", "rendered content"]

/** All other caches. A new one needs a read in this test. */
const caches = [
  "callers",
  "public responses",
  "published sites",
  "sessions",
  "space lists",
  "tokens",
  "visitors"
]

interface Read {
  readonly path: string
  readonly token?: string
  readonly host?: string
}

/** A process that serves requests from its caches. */
const openServer = async (storage: Storage) => {
  const runtime = ManagedRuntime.make(
    Workspace.layer.pipe(
      Layer.provide(storage),
      Layer.provideMerge(Layer.succeed(SigningSecret, Redacted.make("a secret for tests")))
    )
  )
  const run = <A, E, R extends ManagedRuntime.ManagedRuntime.Services<typeof runtime>>(
    effect: Effect.Effect<A, E, R>
  ) => runtime.runPromise(Effect.provideService(effect, References.MinimumLogLevel, "None"))
  const dispatch = await run(makeDispatcher({ reader: makeReader, publicHosts: [] }))
  return {
    read: async ({ path, token, host }: Read): Promise<string> => {
      const headers = {
        ...(token === undefined ? { authorization: "" } : {}),
        ...(host === undefined ? {} : { host })
      }
      const request = requestOf({ method: "GET", path, headers }, token ?? "")
      const anonymous = { ...request, header: (name: string) => request.header(name) || undefined }
      const { status, headers: received, body } = await run(dispatch(anonymous))
      if (isStreamedBody(body)) throw new Error("Reads do not stream their responses.")
      const text = typeof body === "string" ? body : Buffer.from(body ?? "").toString("utf8")
      return `${status} ${received.etag ?? ""} ${text.replaceAll(/"requestId":"[^"]*"/g, "")}`
    },
    authenticate: (secret: string) =>
      run(
        Effect.flatMap(SignIns, (signIns) => signIns.authenticate(Redacted.make(secret))).pipe(
          Effect.exit,
          Effect.map((exit) => JSON.stringify(exit))
        )
      ),
    run,
    close: () => runtime.dispose()
  }
}

const checkReads = async (storage: Storage) => {
  const world = await createFaultyWorld(undefined, { wrapStorage: () => storage })
  const servers = [await openServer(storage), await openServer(storage)]
  const reference = await openServer(uncachedStorage(storage))
  try {
    const host = sceneHostOf(world)
    const scene = await buildScene(host)
    const { ids } = scene
    const org = `/v1/orgs/${ids.organizationId}`
    const { items } = await host.call<{ items: ReadonlyArray<{ space: { id: string } }> }>(
      "GET",
      `${org}/sites/${ids.siteId}/site-spaces`
    )
    const shown = items[0]!.space.id
    const edit = (markdown: string) =>
      host.call("POST", `/v1/spaces/${shown}/content`, {
        changes: [
          {
            operation: "insert_page",
            type: "document",
            title: markdown,
            document: { markdown: `# ${markdown}` }
          }
        ]
      })
    await edit("First")
    const session = await reference.run(
      Effect.gen(function* () {
        const signIns = yield* SignIns
        const { secret } = yield* signIns.createLink({ input: { email: "ada@example.com" } })
        return yield* signIns.useLink({ input: { secret: Redacted.value(secret), client: {} } })
      })
    )
    const tokens = [
      await world.tokenOf(world.user),
      await world.tokenOf(ids.userId),
      await world.tokenOf(scene.otherUser)
    ]
    const published = new URL(publishedUrl)
    const reads: ReadonlyArray<Read> = [
      ...tokens.flatMap((token) => [
        { path: "/v1/user", token },
        { path: `/v1/spaces/${ids.spaceId}`, token },
        { path: `/v1/spaces/${shown}`, token },
        { path: `${org}/spaces`, token },
        { path: `${org}/sites/${ids.siteId}/published`, token }
      ]),
      { path: `${org}/sites/${ids.siteId}/published` },
      { path: `/v1/spaces/${shown}/content/pages` },
      { path: `/sites/${ids.organizationId}/${ids.siteId}/` },
      { path: `/sites/${ids.organizationId}/${ids.siteId}/sitemap.xml` },
      { path: `${published.pathname}/`, host: published.host },
      { path: `${published.pathname}/first`, host: published.host }
    ]
    const stale: Array<string> = []
    const compare = async (cause: string) => {
      for (const read of reads) {
        const expected = await reference.read(read)
        for (const server of servers) {
          // The second time, the entries that the first has cached are read.
          for (const actual of [await server.read(read), await server.read(read)]) {
            if (actual !== expected) {
              stale.push(
                `${cause}: ${read.path} returns ${actual.slice(0, 300)}, not ${expected.slice(0, 300)}`
              )
            }
          }
        }
      }
      const expected = await reference.authenticate(Redacted.value(session.secret))
      for (const server of [...servers, ...servers]) {
        if ((await server.authenticate(Redacted.value(session.secret))) !== expected) {
          stale.push(`${cause}: the session`)
        }
      }
    }
    await compare("the scene")
    await edit("Second")
    await compare("an edit of a space on the site")
    await host.call("PATCH", `/v1/spaces/${shown}`, { title: "Renamed" })
    await compare("a title of a space on the site")
    const site = `${org}/sites/${ids.siteId}`
    const customization = scene.customization as Record<string, object>
    // Operations of the table often write the values that a row has already.
    const changes: ReadonlyArray<readonly [method: string, path: string, body?: unknown]> = [
      ["PATCH", site, { title: "Renamed site" }],
      [
        "PUT",
        `${site}/customization`,
        { ...customization, footer: { ...customization.footer, copyright: "Nobody" } }
      ],
      ["PATCH", `${site}/sections/${ids.siteSectionId}`, { title: "Renamed section" }],
      ["PATCH", `${site}/section-groups/${ids.siteSectionGroupId}`, { title: "Renamed group" }],
      ["PATCH", `${site}/site-spaces/${ids.siteSpaceId}/customization`, { title: "Of the space" }],
      ["PATCH", `${site}/site-spaces/${ids.siteSpaceId}`, { path: "moved" }],
      ["PATCH", site, { visibility: "unlisted" }],
      ["POST", `${site}/unpublish`],
      ["POST", `${site}/publish`],
      ["PATCH", site, { proxy: "docs.example.com/other" }],
      ["PATCH", site, { proxy: "docs.example.com/site" }],
      ["PATCH", site, { visibility: "public" }]
    ]
    for (const [method, path, body] of changes) {
      await host.call(method, path, body)
      await compare(`${method} ${path} ${JSON.stringify(body)}`)
    }
    let succeeded = 0
    const inOrder = operations
      .filter(({ method }) => method !== "GET")
      .toSorted((a, b) => Number(a.method === "DELETE") - Number(b.method === "DELETE"))
    for (const operation of inOrder) {
      const full = operation.full?.(scene) ?? {}
      const path = addressOf(operation, { ...paramsIn(operation, scene), ...full.params })
      try {
        await operation.prepare?.(scene, host.call)
        await host.call(operation.method, path, full.body ?? operation.body?.(scene))
        succeeded++
      } catch {
        // An earlier operation has removed what this one needs.
        continue
      }
      await compare(operation.id)
    }
    await host.work()
    await compare("background jobs")
    expect(stale).toEqual([])
    expect(succeeded / inOrder.length).toBeGreaterThan(minimumShare)
    const counts = readCacheCounts()
    expect([...counts.keys()].filter((name) => !contentCaches.includes(name)).sort()).toEqual(caches)
    expect(caches.filter((name) => counts.get(name)!.hits === 0)).toEqual([])
  } finally {
    await Promise.all([...servers, reference].map((server) => server.close()))
    await world.close()
  }
}

it.skipIf(isFastRun)(
  "no cached read of another process is stale after an operation, on SQLite",
  () => checkReads(SqliteStorage.layer({ filename: `${temporaryFolder()}/lectern.db` })),
  480_000
)

it.skipIf(isFastRun)(
  "no cached read of another process is stale after an operation, on PostgreSQL",
  async () => {
    const url = await createTestDatabase(inject("postgres"))
    await checkReads(PgStorage.layer({ url: Redacted.make(url), maxConnections: 4 }))
  },
  480_000
)
