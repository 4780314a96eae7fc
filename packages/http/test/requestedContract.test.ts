/** The header `Lectern-Contract`: documents in the form of a newer version of the public contract. */
import { expect, it } from "vitest"
import { newerContract } from "./contract.ts"
import { ruleStores } from "./stores.ts"
import { startServerOn } from "./support.ts"

const markdown = `{% updates format="full" %}
{% update date="2026-01-31" tags="new,fixes" %}
Text
{% endupdate %}
{% endupdates %}`

interface Page {
  readonly document: { readonly nodes: ReadonlyArray<unknown> }
}

const title = "returns changelogs in the form of the version that the request names"

it.each(ruleStores)(`${title}, on $name`, async (store) => {
  const server = await startServerOn(store)
  const { core } = server
  const ada = await core.createUser("ada@example.com")
  const organization = await core.createOrganization("Acme", ada)
  const token = await server.tokenOf(ada)
  const send = async <A>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {}
  ): Promise<A> => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await server.fetch(`/v1${path}`, { method, token, headers, ...init })
    expect([path, response.status < 300]).toEqual([path, true])
    return (await response.json()) as A
  }
  const space = await send<{ id: string }>("POST", `/orgs/${organization}/spaces`, {})
  await send("POST", `/spaces/${space.id}/content`, {
    changes: [{ operation: "insert_page", title: "Changes", document: { markdown } }]
  })
  const path = `/spaces/${space.id}/content/path/changes?format=document`
  const own = await send<Page>("GET", path)
  expect(own.document.nodes[0]).toMatchObject({
    nodes: [{ data: { date: "2026-01-31", tags: ["new", "fixes"] } }]
  })
  // A page without a body is valid as well, so that only the document itself shows the difference.
  expect(newerContract!.validateResponse("getDocumentById", 200, own.document)).toBeDefined()
  const newer = await send<Page>("GET", path, undefined, { "lectern-contract": "0.202.0" })
  expect(newerContract!.validateResponse("getPageByPath", 200, newer)).toBeUndefined()
  expect(newerContract!.validateResponse("getDocumentById", 200, newer.document)).toBeUndefined()
  expect(newer.document.nodes[0]).toMatchObject({
    nodes: [
      {
        data: {
          tags: [
            { kind: "tag", tag: "new" },
            { kind: "tag", tag: "fixes" }
          ]
        }
      }
    ]
  })
})
