/** Documents for other clients: visitors and requests that name the contract receive valid ones, which are marked and no input of edits. */
import { expect, it } from "vitest"
import { strictErrors } from "../../markdown/test/support/contract.ts"
import { nodeTable } from "../../markdown/test/support/nodeTable.ts"
import { memory } from "./stores.ts"
import { startServerOn } from "./support.ts"

const markdown = [
  ...nodeTable.filter(({ kind }) => kind === "block").map((row) => row.markdown),
  '{% tabs %}\n{% tab title="A" %}\n| a |\n| - |\n| 1 |\n{% endtab %}\n{% endtabs %}'
].join("\n\n")

interface Document {
  readonly object: string
  readonly data: { readonly form?: string }
  readonly nodes: ReadonlyArray<{ readonly type: string }>
}

it("are valid by the schemas of the contract for visitors and by the header, and lossless for users", async () => {
  const server = await startServerOn(memory)
  const ada = await server.core.createUser("ada@example.com")
  const organization = await server.core.createOrganization("Acme", ada)
  const token = await server.tokenOf(ada)
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    as = token
  ) => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await server.fetch(`/v1${path}`, { method, token: as, headers, ...init })
    return { status: response.status, body: (await response.json()) as never }
  }
  const { id: space } = (await send("POST", `/orgs/${organization}/spaces`, {})).body as { id: string }
  await send("POST", `/spaces/${space}/content`, {
    changes: [{ operation: "insert_page", title: "All", document: { markdown } }]
  })
  const site = (await send("POST", `/orgs/${organization}/sites`, { title: "Docs", spaces: [space] }))
    .body as { id: string }
  const { urls } = (await send("POST", `/orgs/${organization}/sites/${site.id}/publish`, {})).body as {
    urls: { published: string }
  }
  const published = (await send("POST", "/urls/published", { url: urls.published })).body as {
    apiToken: string
  }
  const { pages } = (await send("GET", `/spaces/${space}/content/pages`)).body as {
    pages: ReadonlyArray<{ id: string }>
  }
  const { revision } = (await send("GET", `/spaces/${space}`)).body as { revision: string }
  const path = `/spaces/${space}/revisions/${revision}/page/${pages[0]!.id}/document`

  const own = (await send("GET", path)).body as Document
  expect(own.data.form).toBeUndefined()
  expect(own.nodes.map(({ type }) => type)).toContain("updates")
  expect(strictErrors(own)).not.toEqual([])

  const ofVisitor = (await send("GET", path, undefined, {}, published.apiToken)).body as Document
  expect(strictErrors(ofVisitor)).toEqual([])
  expect(ofVisitor.data.form).toBe("contract")

  const named = { "lectern-contract": "0.143.2" }
  const inPage = (
    await send("GET", `/spaces/${space}/content/page/${pages[0]!.id}?format=document`, undefined, named)
  ).body
  const requested = (inPage as { document: Document }).document
  expect(strictErrors(requested)).toEqual([])
  expect(requested.data.form).toBe("contract")

  const update = (document: unknown) =>
    send("POST", `/spaces/${space}/content`, {
      changes: [{ operation: "update_page", page: pages[0]!.id, document: { document } }]
    })
  const rejected = await update(requested)
  expect(rejected.status).toBe(400)
  expect(JSON.stringify(rejected.body)).toContain(
    "is that of a document for other clients, which lacks details"
  )
  expect((await update(own)).status).toBe(200)
})
