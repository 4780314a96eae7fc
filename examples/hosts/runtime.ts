/** A host in Bun, Deno or Node: `bun runtime.ts memory`, `deno run -A runtime.ts sqlite`, or with the URL of a PostgreSQL database. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createClient } from "@lectern/client"
import { createClient as createFetchClient } from "@lectern/client/fetch"
import { createWorkspace } from "@lectern/core"
import { toNodeListener, toWebHandler } from "@lectern/http"

const [store = "memory"] = process.argv.slice(2)

const openStorage = async () => {
  if (store === "memory") return (await import("@lectern/testkit")).MemoryStorage.layer()
  if (store === "sqlite") return (await import("@lectern/storage-sqlite")).sqlite(":memory:")
  return (await import("@lectern/storage-pg")).postgres(store)
}

const workspace = createWorkspace({ storage: await openStorage() })
const ada = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
const organization = await workspace.administration.createOrganization({
  administrator: ada,
  input: { title: "Acme" }
})
const { secret } = await workspace.tokens.create({ input: { user: ada, label: "Runtime" } })
const handler = toWebHandler(workspace)
const fetch: typeof globalThis.fetch = (...request) => handler(new Request(...request))
const options = { baseUrl: "http://localhost", token: secret, fetch }
const client = createClient(options)
const params = { organizationId: organization }
const space = await client.spaces.createSpace({ params, payload: { title: "Handbook" } })
await workspace.as(ada).content.edit({
  content: { space: space.id },
  input: { changes: [{ operation: "insert_page", title: "Welcome", document: { markdown: "# Hello" } }] }
})
const { pages } = await createFetchClient(options).content.listPages({ params: { spaceId: space.id } })

const server = createServer(toNodeListener(workspace))
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
const served = createFetchClient({
  baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  token: secret
})
const { title } = await served.spaces.getSpaceById({ params: { spaceId: space.id } })
server.close()
console.log(JSON.stringify({ title, pages: pages.map((page) => page.title) }))
await workspace.dispose()
