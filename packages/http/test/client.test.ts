/** Spaces and collections, through the unmodified official client. */
import { GitBookAPI } from "@gitbook/api"
import { describe, expect, it } from "vitest"
import { ruleDatabases } from "./stores.ts"
import { startServerOn } from "./support.ts"

/** Creates two organizations, and the official client of their administrator. */
const startClient = async (store: (typeof ruleDatabases)[number]) => {
  const server = await startServerOn(store)
  const user = await server.core.createUser("ada@example.com")
  const organization = await server.core.createOrganization("Acme", user)
  const elsewhere = await server.core.createOrganization("Elsewhere", user)
  const client = new GitBookAPI({ endpoint: server.url, authToken: await server.tokenOf(user) })
  return { client, organization, elsewhere }
}

/** The same organizations, with a collection that contains another one and five spaces. */
const startCollection = async (store: (typeof ruleDatabases)[number]) => {
  const { client, organization, elsewhere } = await startClient(store)
  const guides = (await client.orgs.createCollection(organization, { title: "Guides" })).data.id
  const inner = (await client.orgs.createCollection(organization, { title: "Inner", parent: guides })).data.id
  const ids: Array<string> = []
  for (let i = 0; i < 5; i++) {
    const created = await client.orgs.createSpace(organization, { title: `Space ${i}`, parent: guides })
    ids.push(created.data.id)
  }
  /** The titles of the spaces in the collection, from all pages of the list. */
  const titles = async () => {
    const found: Array<string> = []
    let page: string | undefined
    do {
      const { data } = await client.collections.listSpacesInCollectionById(guides, {
        limit: 2,
        ...(page === undefined ? {} : { page })
      })
      found.push(...data.items.map(({ title }) => title))
      expect(data.count).toBeGreaterThanOrEqual(found.length)
      page = data.next?.page
    } while (page !== undefined)
    return found
  }
  return { client, organization, elsewhere, guides, inner, ids, titles }
}

describe("the official client, unmodified", () => {
  for (const store of ruleDatabases) {
    it(`reads its user and their organizations, on ${store.name}`, async () => {
      const { client, organization, elsewhere } = await startClient(store)
      const me = await client.user.getAuthenticatedUser()
      expect(me.data.email).toBe("ada@example.com")
      const organizations = await client.orgs.listOrganizationsForAuthenticatedUser()
      expect(organizations.data.items.map(({ id }) => id)).toEqual([elsewhere, organization])
      expect((await client.orgs.getOrganizationById(organization)).data.permissions.admin).toBe(true)
    })

    it(`updates a nested collection, on ${store.name}`, async () => {
      const { client, guides, inner } = await startCollection(store)
      const described = await client.collections.updateCollectionById(inner, { description: "For insiders" })
      expect(described.data).toMatchObject({ title: "Inner", description: "For insiders", parent: guides })
    })

    it(`paginates the spaces of a collection in their order, on ${store.name}`, async () => {
      const { titles } = await startCollection(store)
      expect(await titles()).toEqual(["Space 0", "Space 1", "Space 2", "Space 3", "Space 4"])
    })

    it(`moves spaces and collections, on ${store.name}`, async () => {
      const { client, inner, ids, titles } = await startCollection(store)
      await client.spaces.moveSpace(ids[4]!, { position: { before: { type: "space", space: ids[1]! } } })
      expect(await titles()).toEqual(["Space 0", "Space 4", "Space 1", "Space 2", "Space 3"])
      await client.collections.moveCollection(inner, { parent: null })
      expect((await client.collections.getCollectionById(inner)).data.parent).toBeUndefined()
      await client.spaces.moveSpace(ids[0]!, { parent: inner })
      expect((await client.spaces.getSpaceById(ids[0]!)).data.visibility).toBe("in-collection")
    })

    it(`inserts the duplicate of a space after the original, on ${store.name}`, async () => {
      const { client, ids, titles } = await startCollection(store)
      const copy = (await client.spaces.duplicateSpace(ids[1]!)).data
      expect(copy.title).toBe("Space 1 (copy)")
      expect(await titles()).toEqual([
        "Space 0",
        "Space 1",
        "Space 1 (copy)",
        "Space 2",
        "Space 3",
        "Space 4"
      ])
    })

    it(`soft-deletes and restores a space, on ${store.name}`, async () => {
      const { client, ids, titles } = await startCollection(store)
      const space = ids[1]!
      await client.spaces.updateSpaceById(space, { title: "Renamed", emoji: "🎉" })
      await client.spaces.deleteSpaceById(space)
      expect(await titles()).not.toContain("Renamed")
      expect((await client.spaces.getSpaceById(space)).data.deletedAt).toBeDefined()
      expect((await client.spaces.restoreSpace(space)).data).toMatchObject({ title: "Renamed", emoji: "🎉" })
      expect(await titles()).toContain("Renamed")
    })

    it(`transfers spaces and collections with their spaces, on ${store.name}`, async () => {
      const { client, elsewhere, inner, ids } = await startCollection(store)
      const transferred = await client.spaces.transferSpace(ids[1]!, { organization: elsewhere })
      expect(transferred.data.organization).toBe(elsewhere)
      await client.spaces.moveSpace(ids[0]!, { parent: inner })
      await client.collections.transferCollection(inner, { organization: elsewhere })
      expect((await client.spaces.getSpaceById(ids[0]!)).data.organization).toBe(elsewhere)
    })

    it(`deletes a collection without its spaces, on ${store.name}`, async () => {
      const { client, organization, guides } = await startCollection(store)
      await client.collections.deleteCollectionById(guides)
      const left = await client.orgs.listSpacesInOrganizationById(organization)
      expect(left.data.items.every(({ parent }) => parent === undefined)).toBe(true)
      expect(left.data.count).toBe(5)
    })

    it(`receives the code and the message of an error, on ${store.name}`, async () => {
      const { client } = await startClient(store)
      await expect(client.spaces.getSpaceById("nothing")).rejects.toMatchObject({
        code: 404,
        errorMessage: "There is no such space."
      })
    })
  }
})
