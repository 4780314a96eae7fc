import { GitBookAPI } from "@gitbook/api"
import { describe, expect, it } from "vitest"
import { stores } from "./stores.ts"
import { startServer } from "./support.ts"

describe("the official client, unmodified", () => {
  for (const { name, make } of stores) {
    it(`keeps collections and spaces, on ${name}`, async () => {
      const server = await startServer(await make())
      try {
        const user = await server.core.createUser("ada@example.com")
        const organization = await server.core.createOrganization("Acme", user)
        const elsewhere = await server.core.createOrganization("Elsewhere", user)
        const client = new GitBookAPI({ endpoint: server.url, authToken: await server.tokenOf(user) })

        const me = await client.user.getAuthenticatedUser()
        expect(me.data.email).toBe("ada@example.com")

        const organizations = await client.orgs.listOrganizationsForAuthenticatedUser()
        expect(organizations.data.items.map(({ id }) => id)).toEqual([elsewhere, organization])
        expect((await client.orgs.getOrganizationById(organization)).data.permissions.admin).toBe(true)

        const guides = (await client.orgs.createCollection(organization, { title: "Guides" })).data
        const inner = (
          await client.orgs.createCollection(organization, { title: "Inner", parent: guides.id })
        ).data
        const described = await client.collections.updateCollectionById(inner.id, {
          description: "For insiders"
        })
        expect(described.data).toMatchObject({
          title: "Inner",
          description: "For insiders",
          parent: guides.id
        })

        const ids: Array<string> = []
        for (let i = 0; i < 5; i++) {
          const made = await client.orgs.createSpace(organization, { title: `Space ${i}`, parent: guides.id })
          ids.push(made.data.id)
        }
        const titles = async () => {
          const found: Array<string> = []
          let page: string | undefined
          do {
            const { data } = await client.collections.listSpacesInCollectionById(guides.id, {
              limit: 2,
              ...(page === undefined ? {} : { page })
            })
            found.push(...data.items.map(({ title }) => title))
            expect(data.count).toBeGreaterThanOrEqual(found.length)
            page = data.next?.page
          } while (page !== undefined)
          return found
        }
        expect(await titles()).toEqual(["Space 0", "Space 1", "Space 2", "Space 3", "Space 4"])

        await client.spaces.moveSpace(ids[4]!, { position: { before: { type: "space", space: ids[1]! } } })
        expect(await titles()).toEqual(["Space 0", "Space 4", "Space 1", "Space 2", "Space 3"])

        await client.collections.moveCollection(inner.id, { parent: null })
        expect((await client.collections.getCollectionById(inner.id)).data.parent).toBeUndefined()
        await client.spaces.moveSpace(ids[0]!, { parent: inner.id })
        expect((await client.spaces.getSpaceById(ids[0]!)).data.visibility).toBe("in-collection")

        const copy = (await client.spaces.duplicateSpace(ids[1]!)).data
        expect(copy.title).toBe("Space 1 (copy)")
        expect(await titles()).toEqual(["Space 4", "Space 1", "Space 1 (copy)", "Space 2", "Space 3"])

        await client.spaces.updateSpaceById(copy.id, { title: "Renamed", emoji: "🎉" })
        await client.spaces.deleteSpaceById(copy.id)
        expect(await titles()).not.toContain("Renamed")
        expect((await client.spaces.getSpaceById(copy.id)).data.deletedAt).toBeDefined()
        expect((await client.spaces.restoreSpace(copy.id)).data).toMatchObject({
          title: "Renamed",
          emoji: "🎉"
        })
        expect(await titles()).toContain("Renamed")

        const transferred = await client.spaces.transferSpace(copy.id, { organization: elsewhere })
        expect(transferred.data.organization).toBe(elsewhere)
        await client.collections.transferCollection(inner.id, { organization: elsewhere })
        expect((await client.spaces.getSpaceById(ids[0]!)).data.organization).toBe(elsewhere)

        await client.collections.deleteCollectionById(guides.id)
        const left = await client.orgs.listSpacesInOrganizationById(organization)
        expect(left.data.items.every(({ parent }) => parent === undefined)).toBe(true)
        expect(left.data.count).toBe(4)

        await expect(client.spaces.getSpaceById("nothing")).rejects.toMatchObject({
          code: 404,
          errorMessage: "There is no such space."
        })
      } finally {
        await server.close()
      }
    })
  }
})
