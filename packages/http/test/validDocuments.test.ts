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

it("omits links from structures for visitors and by the header, which clients take for sections", async () => {
  const server = await startServerOn(memory)
  const ada = await server.core.createUser("ada@example.com")
  const organization = await server.core.createOrganization("Acme", ada)
  const token = await server.tokenOf(ada)
  const send = async <A>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    as = token
  ): Promise<A> => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await server.fetch(`/v1${path}`, { method, token: as, headers, ...init })
    expect([path, response.status < 300]).toEqual([path, true])
    return (await response.json()) as A
  }
  interface Item {
    readonly id: string
    readonly object: string
    readonly children?: ReadonlyArray<Item>
  }
  interface Structure {
    readonly structure: ReadonlyArray<Item>
  }
  const orgPath = `/orgs/${organization}`
  const site = await send<Item>("POST", `${orgPath}/sites`, { title: "Docs" })
  const path = `${orgPath}/sites/${site.id}`
  const { id: spaceId } = await send<Item>("POST", `${orgPath}/spaces`, {})
  const section = await send<Item>("POST", `${path}/sections`, { spaceId })
  const group = await send<Item>("POST", `${path}/section-groups`, { title: "G", sections: [section.id] })
  const fields = { title: "Status", url: "https://status.example.com/" }
  const [atTop, inGroup, draft, hidden] = [
    await send<Item>("POST", `${path}/external-links`, fields),
    await send<Item>("POST", `${path}/external-links`, { ...fields, parent: group.id }),
    await send<Item>("POST", `${path}/external-links`, { ...fields, draft: true }),
    await send<Item>("POST", `${path}/external-links`, { ...fields, condition: "visitor.claims.staff" })
  ]
  const { urls } = await send<{ urls: { published: string } }>("POST", `${path}/publish`, {})
  const published = await send<{ apiToken: string }>("POST", "/urls/published", { url: urls.published })
  const linksOf = ({ structure }: Structure) =>
    [...structure, ...structure.flatMap(({ children = [] }) => children)]
      .filter(({ object }) => object === "site-external-link")
      .map(({ id }) => id)
  const read = (headers: Record<string, string>) =>
    send<Structure>("GET", `${path}/structure`, undefined, headers)
  expect(linksOf(await read({}))).toEqual([atTop.id, draft.id, hidden.id, inGroup.id])
  expect(linksOf(await read({ "lectern-contract": "0.143.2" }))).toEqual([])
  const visit = async (headers: Record<string, string>) =>
    (await send<{ structure: Structure }>("GET", `${path}/published`, undefined, headers, published.apiToken))
      .structure
  expect(linksOf(await visit({}))).toEqual([])
  // Drafts, and links with a condition that the visitor does not meet, are in no response to visitors.
  expect(linksOf(await visit({ "lectern-contract": "0.202.0" }))).toEqual([atTop.id, inGroup.id])
})
