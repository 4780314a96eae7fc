/** Compares the collections and spaces of a workspace with the model. */
import assert from "node:assert/strict"
import { Policy } from "@lectern/core"
import type { Call, WorkspaceApi } from "../api/WorkspaceApi.ts"
import type { Observer } from "../definition/Step.ts"
import { type Site, visibilityOf } from "../state/SiteModel.ts"
import { countOpenThreads } from "../state/SpaceState.ts"
import type { Item, WorkspaceModel } from "../state/WorkspaceModel.ts"

/** Returns the fields of the resource of a space that depend on its contents. */
const expectedSpaceFields = (model: WorkspaceModel, item: Item, deletedAt: string | undefined) => {
  const { revision, changeRequests, threads } = model.spaceStates.get(item.id)!
  const count = (status: string) => changeRequests.filter((one) => one.status === status).length
  return {
    editMode: item.editMode,
    deletedAt: model.shownTime(item.deletedAt, deletedAt),
    visibility: visibilityOf(model.sites.values(), item),
    revision,
    comments: countOpenThreads(threads),
    changeRequests: changeRequests.length,
    changeRequestsOpen: count("open"),
    changeRequestsDraft: count("draft")
  }
}

/** Returns the fields of a space on a site that a member cannot see apart from the site: only what visitors of the site see. */
const fieldsOnSite = ({ published, visibility }: Site) => ({
  parent: undefined,
  visibility: published ? visibility : "private",
  ...{ comments: 0, changeRequests: 0, changeRequestsOpen: 0, changeRequestsDraft: 0 }
})

/** Compares the resource of a collection or space, as a user sees it, with the model: as a space of the site `on`, if it is given. */
export const compareItem = (model: WorkspaceModel, user: string, value: unknown, on?: Site): void => {
  const resource = value as Record<string, unknown>
  const item = model.items.get(resource.id as string)
  assert.ok(item !== undefined, `The model does not contain ${String(resource.id)}.`)
  const role = model.roleOn(user, item)
  const shown = {
    organization: item.organization,
    parent: item.parent ?? undefined,
    title: item.title,
    defaultLevel: item.level,
    permissions:
      item.kind === "space"
        ? Policy.spacePermissions(role, model.roleIn(user, item.organization) ?? null)
        : Policy.collectionPermissions(role),
    ...(item.kind === "space"
      ? expectedSpaceFields(model, item, resource.deletedAt as string | undefined)
      : {}),
    ...(on !== undefined && role === null ? fieldsOnSite(on) : {})
  }
  assert.deepEqual(Object.fromEntries(Object.keys(shown).map((key) => [key, resource[key]])), shown)
}

interface Listed<A> {
  readonly items: ReadonlyArray<A>
  readonly count: number
  readonly next?: { readonly page: string }
}

/**
 * Reads all pages of a list, three items each. Returns the items, or the tag of the error. Asserts the count of the
 * list.
 */
export const readAllPages = async <A = { readonly id: string }>(
  api: WorkspaceApi,
  user: string,
  call: (page: { readonly limit: number; readonly page?: string }) => Call
): Promise<ReadonlyArray<A> | string> => {
  const items: Array<A> = []
  let page: string | undefined
  do {
    const outcome = await api.call(user, call({ limit: 3, ...(page === undefined ? {} : { page }) }))
    if (!outcome.ok) return outcome.error
    const listed = outcome.value as Listed<A>
    items.push(...listed.items)
    page = listed.next?.page
    if (page === undefined)
      assert.equal(listed.count, items.length, "the count of a list must be the number of its items")
  } while (page !== undefined)
  return items
}

/** Compares the lists of collections and spaces that a user sees with the model: their items and order. */
export const compareLists = async ({ api, model, user }: Observer): Promise<void> => {
  for (const organization of model.members.keys()) {
    const hidden = model.roleIn(user, organization) === undefined
    for (const kind of ["space", "collection"] as const) {
      const found = await readAllPages(api, user, (page) => [`${kind}s`, "list", [organization, page]])
      if (hidden) {
        assert.equal(found, "NotFound")
        continue
      }
      assert.ok(typeof found !== "string", `The list failed with ${String(found)}.`)
      const expected = model.visibleItems(user, organization, kind)
      // Lists are ordered by descending id, and ids ascend with time: the newest items come first.
      assert.deepEqual(
        found.map(({ id }) => id),
        expected
          .map(({ id }) => id)
          .sort()
          .reverse()
      )
      for (const one of found) compareItem(model, user, one)
    }
    if (hidden) continue
    const roots = await readAllPages(api, user, (page) => [
      "collections",
      "list",
      [organization, { ...page, nested: false }]
    ])
    const visible = new Set(model.visibleItems(user, organization, "collection").map(({ id }) => id))
    assert.ok(typeof roots !== "string", `The list failed with ${String(roots)}.`)
    assert.deepEqual(
      roots.map(({ id }) => id),
      model.childIdsOf(organization, null).filter((id) => visible.has(id))
    )
  }
  for (const folder of [...model.items.values()].filter(({ kind }) => kind === "collection")) {
    const found = await readAllPages(api, user, (page) => ["collections", "listSpaces", [folder.id, page]])
    const expectedError = model.accessError(user, folder, "read", "view")
    if (expectedError !== undefined) {
      assert.equal(found, expectedError)
      continue
    }
    const visible = new Set(model.visibleItems(user, folder.organization, "space").map(({ id }) => id))
    assert.ok(typeof found !== "string", `The list failed with ${String(found)}.`)
    assert.deepEqual(
      found.map(({ id }) => id),
      model.childIdsOf(folder.organization, folder.id).filter((id) => visible.has(id))
    )
  }
}
