/** Collections and spaces are created, ordered, moved, transferred and deleted. */
import type { Collection, Page, Site, Space } from "@lectern/core"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"
import { idsOf, titlesOf } from "./helpers.ts"

export const collections: ContractScenario = {
  title: "Collections are nested, ordered, transferred and deleted",
  run: async ({ ada, acme, other, tag }) => {
    const at = { organizationId: acme.id }
    const createCollection = (body: { readonly title?: string; readonly parent?: string }) =>
      ada.call<Collection>("createCollection", at, { body })
    const guides = await createCollection({ title: `Guides ${tag}` })
    const inner = await createCollection({ title: "Inner", parent: guides.id })
    const last = await createCollection({ title: "Last" })
    expect(inner.parent).toBe(guides.id)
    const list = (nested: boolean) =>
      ada.call<Page<Collection>>("listCollectionsInOrganizationById", at, { query: { nested } })
    expect(idsOf(await list(true))).toEqual(expect.arrayContaining([guides.id, inner.id, last.id]))
    expect(idsOf(await list(false))).not.toContain(inner.id)

    const described = await ada.call<Collection>(
      "updateCollectionById",
      { collectionId: inner.id },
      { body: { title: "Inside", description: "For insiders", defaultLevel: "comment" } }
    )
    expect(described).toMatchObject({ title: "Inside", description: "For insiders", defaultLevel: "comment" })
    expect(await ada.call<Collection>("getCollectionById", { collectionId: inner.id })).toEqual(described)
    const inheriting = await ada.call<Collection>(
      "updateCollectionById",
      { collectionId: inner.id },
      { body: { defaultLevel: "inherit" } }
    )
    expect(inheriting.defaultLevel).toBe("inherit")

    // Collections and spaces of the same parent share one order.
    const spaces: Array<string> = []
    for (const title of ["One", "Two", "Three"]) {
      spaces.push((await ada.call<Space>("createSpace", at, { body: { title, parent: guides.id } })).id)
    }
    const [one, two] = spaces as [string, string]
    const listSpaces = () => ada.call<Page<Space>>("listSpacesInCollectionById", { collectionId: guides.id })
    expect(titlesOf(await listSpaces())).toEqual(["One", "Two", "Three"])
    const move = (
      collectionId: string,
      body: { readonly parent?: string | null; readonly position?: object }
    ) => ada.call<Collection>("moveCollection", { collectionId }, { body: body as Record<string, string> })
    expect((await move(last.id, { parent: guides.id })).parent).toBe(guides.id)
    await move(last.id, { position: { before: { type: "space", space: two } } })
    await move(last.id, { position: { after: { type: "space", space: one } } })
    await move(last.id, { position: { before: { type: "collection", collection: inner.id } } })
    await move(last.id, { position: { after: { type: "collection", collection: inner.id } } })
    expect((await move(last.id, { parent: null })).parent).toBeUndefined()
    await ada.expectError(400, "moveCollection", { collectionId: guides.id }, { body: { parent: inner.id } })

    const transferred = await ada.call<Collection>(
      "transferCollection",
      { collectionId: last.id },
      { body: { organization: other.id } }
    )
    expect(transferred.organization).toBe(other.id)
    await ada.call("deleteCollectionById", { collectionId: guides.id })
    await ada.expectError(404, "getCollectionById", { collectionId: guides.id })
    expect((await ada.call<Space>("getSpaceById", { spaceId: one })).parent).toBeUndefined()
    for (const spaceId of spaces) await ada.call("deleteSpaceById", { spaceId })
  }
}

export const spaces: ContractScenario = {
  title: "A space is updated, moved, copied, transferred, deleted and restored",
  run: async ({ ada, acme, other, tag }) => {
    const at = { organizationId: acme.id }
    const parent = await ada.call<Collection>("createCollection", at, { body: { title: `Products ${tag}` } })
    const folder = await ada.call<Collection>("createCollection", at, {
      body: { title: "Folder", parent: parent.id }
    })
    const create = (title: string) =>
      ada.call<Space>("createSpace", at, {
        body: { title, emoji: "📕", parent: parent.id, editMode: "live" }
      })
    const [first, second, third] = [await create("First"), await create("Second"), await create("Third")]
    const { id: spaceId } = first
    expect(first).toMatchObject({ visibility: "in-collection", parent: parent.id, changeRequests: 0 })

    const changed = await ada.call<Space>(
      "updateSpaceById",
      { spaceId },
      {
        body: {
          title: "Renamed",
          emoji: "🎉",
          icon: "https://example.com/icon.png",
          editMode: "locked",
          defaultLevel: "comment"
        }
      }
    )
    expect(changed).toMatchObject({
      title: "Renamed",
      emoji: "🎉",
      editMode: "locked",
      visibility: "private"
    })
    await ada.call(
      "updateSpaceById",
      { spaceId },
      {
        body: { emoji: null, icon: null, editMode: "live", defaultLevel: null }
      }
    )
    const inherited = await ada.call<Space>(
      "updateSpaceById",
      { spaceId },
      { body: { defaultLevel: "inherit" } }
    )
    expect([inherited.editMode, inherited.visibility]).toEqual(["live", "in-collection"])

    // With the key of a share link, the space has the address that the key opens.
    const site = await ada.call<Site>("createSite", at, { body: { title: "Shared", spaces: [third.id] } })
    const onSite = { ...at, siteId: site.id }
    await ada.call("updateSiteById", onSite, { body: { visibility: "share-link" } })
    const link = await ada.call<{ urls: { published?: string } }>("createSiteShareLink", onSite, {
      body: { name: "Partners" }
    })
    await ada.call("publishSite", onSite)
    const links = await ada.call<{ items: ReadonlyArray<{ urls: { published?: string } }> }>(
      "listSiteShareLinks",
      onSite
    )
    expect(link.urls.published ?? links.items[0]?.urls.published).toBeDefined()
    const shareKey = links.items[0]!.urls.published!.split("/").at(-2)!
    const shown = await ada.call<Space>("getSpaceById", { spaceId: third.id }, { query: { shareKey } })
    expect([shown.visibility, shown.urls.published?.includes(shareKey)]).toEqual(["share-link", true])

    // The space is moved within its parent, and to another parent.
    const titles = async () =>
      titlesOf(await ada.call<Page<Space>>("listSpacesInCollectionById", { collectionId: parent.id }))
    const move = (body: { readonly parent?: string | null; readonly position?: object }) =>
      ada.call<Space>("moveSpace", { spaceId }, { body: body as Record<string, string> })
    await move({ position: { after: { type: "space", space: second.id } } })
    expect(await titles()).toEqual(["Second", "Renamed", "Third"])
    await move({ position: { before: { type: "space", space: second.id } } })
    expect(await titles()).toEqual(["Renamed", "Second", "Third"])
    await move({ position: { before: { type: "collection", collection: folder.id } } })
    await move({ position: { after: { type: "collection", collection: folder.id } } })
    await ada.expectError(
      400,
      "moveSpace",
      { spaceId },
      {
        body: { position: { after: { type: "space", space: spaceId } } }
      }
    )
    expect((await move({ parent: null })).parent).toBeUndefined()
    expect((await move({ parent: folder.id })).parent).toBe(folder.id)

    // A copy of the space is transferred to the other organization.
    const copy = await ada.call<Space>("duplicateSpace", { spaceId })
    expect(copy).toMatchObject({ title: "Renamed (copy)", parent: folder.id })
    const transferred = await ada.call<Space>(
      "transferSpace",
      { spaceId: copy.id },
      { body: { organization: other.id } }
    )
    expect(transferred.organization).toBe(other.id)

    // A deleted space is in the trash: its administrators can read and restore it, but not update it.
    await ada.call("deleteSpaceById", { spaceId })
    expect((await ada.call<Space>("getSpaceById", { spaceId })).deletedAt).toBeDefined()
    await ada.expectError(409, "updateSpaceById", { spaceId }, { body: { title: "In the trash" } })
    const restored = await ada.call<Space>("restoreSpace", { spaceId })
    expect([restored.deletedAt, restored.title, restored.parent]).toEqual([undefined, "Renamed", folder.id])
    await ada.expectError(409, "restoreSpace", { spaceId })
  }
}
