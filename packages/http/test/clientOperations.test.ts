import { Api, createClient } from "@lectern/client"
import { BackgroundWork } from "@lectern/core"
import { MemoryStorage } from "@lectern/testkit"
import { Clock, Effect, Layer, Schema } from "effect"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"
import { expect, it } from "vitest"
import { callEveryOperation } from "./support/everyOperation.ts"
import { fakeFetcher } from "./support/fakeFetcher.ts"
import { startServer } from "./support.ts"

/** An operation of the client, by its group and id. */
type Methods = Readonly<
  Record<string, Readonly<Record<string, (request: unknown) => Promise<unknown>>> | undefined>
>

interface Declared {
  readonly group: string
  readonly endpoint: HttpApiEndpoint.Top
}

const declaredOperations = (): ReadonlyMap<string, Declared> => {
  const declared = new Map<string, Declared>()
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ group, endpoint }) =>
      declared.set(endpoint.identifier, {
        group: group.identifier,
        endpoint: endpoint as HttpApiEndpoint.Top
      })
  })
  return declared
}

/** The parts of a request that an address names, decoded by the schemas of its operation. */
const requestOf = (endpoint: HttpApiEndpoint.Top, address: string, payload: unknown) => {
  const { pathname, searchParams } = new URL(address, "http://localhost")
  const pattern = endpoint.path.replaceAll(/:(\w+)/g, (_, name) =>
    name === "pagePath" ? "(?<pagePath>.+)" : `(?<${name}>[^/]+)`
  )
  const texts = new RegExp(`^${pattern}$`).exec(pathname)?.groups ?? {}
  const params = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, decodeURIComponent(text)])
  )
  const query =
    endpoint.query === undefined
      ? undefined
      : Schema.decodeUnknownSync(endpoint.query as Schema.Codec<unknown, unknown>)(
          Object.fromEntries(searchParams)
        )
  return {
    params,
    ...(query === undefined ? {} : { query }),
    ...(payload === undefined ? {} : { payload })
  }
}

it("every operation is called through the promise client, and returns what the server sends", async () => {
  const server = await startServer(Layer.provideMerge(MemoryStorage.layer(), fakeFetcher))
  try {
    const user = await server.core.createUser("ada@example.com")
    const organization = await server.core.createOrganization("Acme", user)
    const elsewhere = await server.core.createOrganization("Elsewhere", user)
    const token = await server.tokenOf(user)
    let sent: unknown
    const client = createClient({
      baseUrl: server.url,
      token,
      fetch: async (input, init) => {
        const response = await fetch(input, init)
        const text = await response.clone().text()
        sent = text === "" ? undefined : JSON.parse(text)
        return response
      }
    }) as unknown as Methods

    const declared = declaredOperations()
    const called = new Set<string>()
    const call = async <A>(operation: string, method: string, path: string, body?: unknown): Promise<A> => {
      const known = declared.get(operation)
      if (known === undefined) {
        const response = await server.fetch(path, { method, token, body: JSON.stringify(body) })
        return (await response.json()) as A
      }
      const result = await client[known.group]![operation]!(requestOf(known.endpoint, path, body))
      expect(result, operation).toEqual(sent)
      called.add(operation)
      return result as A
    }
    const work = () =>
      server.core.runtime.runPromise(
        Effect.provideService(
          Effect.flatMap(BackgroundWork, ({ drain }) => drain),
          Clock.Clock,
          server.core.clock
        )
      )
    await callEveryOperation({ call, user, organization, elsewhere, work })
    expect([...called].sort()).toEqual([...declared.keys()].sort())
  } finally {
    await server.close()
  }
})
