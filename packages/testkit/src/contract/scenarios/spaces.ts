/** Spaces are made, put in order, shelved in collections, thrown away and brought back. */
import type { Collection, Page, Site, Space } from "@lectern/core"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"
import { idsOf, titlesOf } from "./reading.ts"

export const collections: ContractScenario = {
  title: "Collections are shelves, that stand on one another",
  run: async ({ ada, acme, other, tag }) => {
    const at = { organizationId: acme.id }
    const collect = (body: { readonly title?: string; readonly parent?: string }) =>
      ada.call<Collection>("createCollection", at, { body })
    const guides = await collect({ title: `Guides ${tag}` })
    const inner = await collect({ title: "Inner", parent: guides.id })
    const last = await collect({ title: "Last" })
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
    const plain = await ada.call<Collection>(
      "updateCollectionById",
      { collectionId: inner.id },
      { body: { defaultLevel: "inherit" } }
    )
    expect(plain.defaultLevel).toBe("inherit")

    // What is in it has an order, which collections and spaces share.
    const spaces: Array<string> = []
    for (const title of ["One", "Two", "Three"]) {
      spaces.push((await ada.call<Space>("createSpace", at, { body: { title, parent: guides.id } })).id)
    }
    const [one, two] = spaces as [string, string]
    const shelf = () => ada.call<Page<Space>>("listSpacesInCollectionById", { collectionId: guides.id })
    expect(titlesOf(await shelf())).toEqual(["One", "Two", "Three"])
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
    await ada.refused(400, "moveCollection", { collectionId: guides.id }, { body: { parent: inner.id } })

    const transferred = await ada.call<Collection>(
      "transferCollection",
      { collectionId: last.id },
      { body: { organization: other.id } }
    )
    expect(transferred.organization).toBe(other.id)
    await ada.call("deleteCollectionById", { collectionId: guides.id })
    await ada.refused(404, "getCollectionById", { collectionId: guides.id })
    expect((await ada.call<Space>("getSpaceById", { spaceId: one })).parent).toBeUndefined()
    for (const spaceId of spaces) await ada.call("deleteSpaceById", { spaceId })
  }
}

export const spaces: ContractScenario = {
  title: "A space is named, moved, copied, handed on, thrown away and brought back",
  run: async ({ ada, acme, other, tag }) => {
    const at = { organizationId: acme.id }
    const shelf = await ada.call<Collection>("createCollection", at, { body: { title: `Shelf ${tag}` } })
    const folder = await ada.call<Collection>("createCollection", at, {
      body: { title: "Folder", parent: shelf.id }
    })
    const make = (title: string) =>
      ada.call<Space>("createSpace", at, { body: { title, emoji: "📕", parent: shelf.id, editMode: "live" } })
    const [first, second, third] = [await make("First"), await make("Second"), await make("Third")]
    const { id: spaceId } = first
    expect(first).toMatchObject({ visibility: "in-collection", parent: shelf.id, changeRequests: 0 })

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

    // Its address on a site that only those find who have its link.
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

    // The order on the shelf.
    const titles = async () =>
      titlesOf(await ada.call<Page<Space>>("listSpacesInCollectionById", { collectionId: shelf.id }))
    const move = (body: { readonly parent?: string | null; readonly position?: object }) =>
      ada.call<Space>("moveSpace", { spaceId }, { body: body as Record<string, string> })
    await move({ position: { after: { type: "space", space: second.id } } })
    expect(await titles()).toEqual(["Second", "Renamed", "Third"])
    await move({ position: { before: { type: "space", space: second.id } } })
    expect(await titles()).toEqual(["Renamed", "Second", "Third"])
    await move({ position: { before: { type: "collection", collection: folder.id } } })
    await move({ position: { after: { type: "collection", collection: folder.id } } })
    await ada.refused(
      400,
      "moveSpace",
      { spaceId },
      {
        body: { position: { after: { type: "space", space: spaceId } } }
      }
    )
    expect((await move({ parent: null })).parent).toBeUndefined()
    expect((await move({ parent: folder.id })).parent).toBe(folder.id)

    // A copy of it goes to the other organization.
    const copy = await ada.call<Space>("duplicateSpace", { spaceId })
    expect(copy).toMatchObject({ title: "Renamed (copy)", parent: folder.id })
    const away = await ada.call<Space>(
      "transferSpace",
      { spaceId: copy.id },
      { body: { organization: other.id } }
    )
    expect(away.organization).toBe(other.id)

    // Thrown away it is only known to those who can bring it back.
    await ada.call("deleteSpaceById", { spaceId })
    expect((await ada.call<Space>("getSpaceById", { spaceId })).deletedAt).toBeDefined()
    await ada.refused(409, "updateSpaceById", { spaceId }, { body: { title: "In the bin" } })
    const back = await ada.call<Space>("restoreSpace", { spaceId })
    expect([back.deletedAt, back.title, back.parent]).toEqual([undefined, "Renamed", folder.id])
    await ada.refused(409, "restoreSpace", { spaceId })
  }
}
