import { Api } from "@lectern/http"
import { counting, MemoryStorage } from "@lectern/testkit"
import { HttpApi } from "effect/http-api"
import { expect, it } from "vitest"
import { startServer } from "./support.ts"

/**
 * The statements of every operation, the one that tells who asks included: a reviewer reads a change of them as a
 * diff. None depends on how much there is, but for those that go through a subtree, which is of two collections here.
 */
const statements: Record<string, number> = {
  getAuthenticatedUser: 2,
  listOrganizationsForAuthenticatedUser: 5,
  getOrganizationById: 5,
  getSpaceById: 4,
  listSpacesInOrganizationById: 5,
  createSpace: 6,
  updateSpaceById: 5,
  moveSpace: 8,
  duplicateSpace: 9,
  deleteSpaceById: 5,
  restoreSpace: 5,
  transferSpace: 10,
  getCollectionById: 4,
  listCollectionsInOrganizationById: 5,
  listSpacesInCollectionById: 6,
  createCollection: 6,
  updateCollectionById: 5,
  moveCollection: 16,
  transferCollection: 17,
  deleteCollectionById: 12
}

it("every operation asks for as little as it did", async () => {
  const store = counting(MemoryStorage.layer())
  const server = await startServer(store.layer)
  try {
    const user = await server.core.createUser("ada@example.com")
    const organization = await server.core.createOrganization("Acme", user)
    const elsewhere = await server.core.createOrganization("Elsewhere", user)
    const token = await server.tokenOf(user)
    await server.fetch("/v1/user", { token })
    store.take()

    const counted: Record<string, number> = {}
    const call = async <A>(operation: string, method: string, path: string, body?: unknown): Promise<A> => {
      const response = await server.fetch(path, {
        method,
        token,
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      if (!response.ok) throw new Error(`${operation}: ${await response.text()}`)
      counted[operation] ??= store.take().length
      store.take()
      const text = await response.text()
      return (text === "" ? undefined : JSON.parse(text)) as A
    }
    type Made = { readonly id: string }
    const org = `/v1/orgs/${organization}`

    await call("getAuthenticatedUser", "GET", "/v1/user")
    await call("listOrganizationsForAuthenticatedUser", "GET", "/v1/orgs")
    await call("getOrganizationById", "GET", org)
    const outer = await call<Made>("createCollection", "POST", `${org}/collections`, {})
    const inner = await call<Made>("", "POST", `${org}/collections`, { parent: outer.id })
    const first = await call<Made>("createSpace", "POST", `${org}/spaces`, {})
    const second = await call<Made>("", "POST", `${org}/spaces`, { parent: inner.id })
    const before = { position: { before: { type: "collection", collection: outer.id } } }
    const at = `/v1/spaces/${first.id}`

    await call("getSpaceById", "GET", at)
    await call("listSpacesInOrganizationById", "GET", `${org}/spaces`)
    await call("updateSpaceById", "PATCH", at, { title: "New" })
    await call("moveSpace", "POST", `${at}/move`, before)
    await call("duplicateSpace", "POST", `${at}/duplicate`)
    await call("deleteSpaceById", "DELETE", at)
    await call("restoreSpace", "POST", `${at}/restore`)
    await call("transferSpace", "POST", `${at}/transfer`, { organization: elsewhere })

    const folder = `/v1/collections/${outer.id}`
    await call("getCollectionById", "GET", folder)
    await call("listCollectionsInOrganizationById", "GET", `${org}/collections`)
    await call("listSpacesInCollectionById", "GET", `/v1/collections/${inner.id}/spaces`)
    await call("updateCollectionById", "PATCH", folder, { title: "New" })
    const third = await call<Made>("", "POST", `${org}/collections`, {})
    await call("moveCollection", "POST", `${folder}/move`, { parent: third.id })
    await call("transferCollection", "POST", `${folder}/transfer`, { organization: elsewhere })
    await call("deleteCollectionById", "DELETE", folder)
    expect(second.id).toBeDefined()

    const declared: Array<string> = []
    HttpApi.reflect(Api, {
      onGroup: () => {},
      onEndpoint: ({ endpoint }) => declared.push(endpoint.identifier)
    })
    delete counted[""]
    expect(Object.keys(counted).sort(), "an operation is missing here: call it").toEqual(declared.sort())
    expect(counted).toEqual(statements)
  } finally {
    await server.close()
  }
})
