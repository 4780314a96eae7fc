/** Scenarios of the favorites and recent pages of a person, and of the trash. */
import type { EditedContent, PlaceList, Space, SpaceTrash } from "@lectern/core"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"
import { pagesOf } from "./helpers.ts"

export const places: ContractScenario = {
  title: "A person marks favorites, and finds the pages that they opened last",
  requires: ["places", "spaces"],
  run: async ({ ada, bob, acme, tag }) => {
    const at = { organizationId: acme.id }
    const space = await ada.call<Space>("createSpace", at, { body: { title: `Places ${tag}` } })
    const inSpace = { spaceId: space.id }
    const edited = await ada.call<EditedContent>("updateSpaceContent", inSpace, {
      body: {
        changes: [
          { operation: "insert_page", title: "One", document: { markdown: "One." } },
          { operation: "insert_page", title: "Two", document: { markdown: "Two." } }
        ]
      }
    })
    const [one, two] = pagesOf(edited) as [string, string]
    const list = async (kind: "favorite" | "recent") =>
      (await ada.call<PlaceList>("listPlaces", at, { query: { kind } })).items.filter(
        (place) => place.space === space.id
      )

    await ada.call("putFavorite", inSpace, { body: { favorite: true } })
    await ada.call("putFavorite", inSpace, { body: { page: two, favorite: true } })
    expect((await list("favorite")).map(({ page, title }) => [page, title])).toEqual(
      expect.arrayContaining([
        [undefined, undefined],
        [two, "Two"]
      ])
    )
    expect((await bob.call<PlaceList>("listPlaces", at, { query: { kind: "favorite" } })).items).toEqual([])
    await ada.call("putFavorite", inSpace, { body: { favorite: false } })
    expect((await list("favorite")).map(({ page, path }) => [page, path])).toEqual([[two, "two"]])

    for (const page of [one, two, one]) await ada.call("recordRecentPage", inSpace, { body: { page } })
    expect((await list("recent")).map(({ page }) => page).toSorted()).toEqual([one, two].toSorted())
    await ada.expectError(400, "recordRecentPage", inSpace, { body: { page: "missing" } })
    await ada.expectError(400, "putFavorite", inSpace, { body: { page: "missing", favorite: true } })

    // The trash lists what the caller can restore.
    await ada.call("deleteSpaceById", inSpace)
    expect(await list("favorite")).toEqual([])
    const trashed = await ada.call<SpaceTrash>("listTrashedSpaces", at)
    expect(trashed.items.find(({ id }) => id === space.id)?.deletedAt).toBeDefined()
    expect((await bob.call<SpaceTrash>("listTrashedSpaces", at)).items.map(({ id }) => id)).not.toContain(
      space.id
    )
  }
}
