/** Clients that are derived from `Api` call every operation: the promise client, and that of Effect. */
import { Api, createClient } from "@lectern/client"
import { callOperations } from "@lectern/harness/operations"
import { Effect, Schema } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient, type HttpApiEndpoint } from "effect/http-api"
import { expect, it } from "vitest"
import { startScene } from "./support/startScene.ts"

/** An operation of the client, by its group and id. */
type Methods = Readonly<
  Record<string, Readonly<Record<string, (request: unknown) => Promise<unknown>>> | undefined>
>

/** Parses the path and query parameters of an address, by the schemas of the operation. */
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

it("the promise client calls every operation, and returns the body of the response", async () => {
  const scene = await startScene()
  try {
    let sent: unknown
    const client = createClient({
      baseUrl: scene.server.url,
      token: scene.token,
      fetch: async (input, init) => {
        const response = await fetch(input, init)
        const text = await response.clone().text()
        sent = text === "" ? undefined : JSON.parse(text)
        return response
      }
    }) as unknown as Methods
    await callOperations(scene, async ({ id, group, endpoint }, { address, body }) => {
      const result = await client[group]![id]!(requestOf(endpoint, address, body))
      expect(result, id).toEqual(sent)
    })
  } finally {
    await scene.server.close()
  }
})

it("Effect's `HttpApiClient` calls every operation, and decodes its response", async () => {
  const scene = await startScene()
  const client = (await Effect.runPromise(
    HttpApiClient.make(Api, {
      baseUrl: scene.server.url,
      transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(scene.token))
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )) as unknown as Readonly<
    Record<string, Readonly<Record<string, (request: unknown) => Effect.Effect<unknown, unknown>>>>
  >
  try {
    const decoded = new Set<string>()
    await callOperations(scene, async ({ id, group, endpoint }, { address, body }) => {
      const value = await Effect.runPromise(client[group]![id]!(requestOf(endpoint, address, body)))
      const [success] = endpoint.success
      // The schema of the declaration accepts the decoded value.
      Schema.encodeUnknownSync(success as Schema.Codec<unknown, unknown>)(value)
      decoded.add(id)
    })
    const declared = Object.values(Api.groups).flatMap(({ endpoints }) => Object.keys(endpoints))
    expect([...decoded].sort()).toEqual(declared.sort())
  } finally {
    await scene.server.close()
  }
})
