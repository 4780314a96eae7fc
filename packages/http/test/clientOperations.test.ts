/** The promise client calls every operation. */
import { createClient } from "@lectern/client"
import { callOperations } from "@lectern/harness/operations"
import { Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
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
