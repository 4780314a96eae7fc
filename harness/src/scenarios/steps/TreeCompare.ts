/** Comparing what a workspace shows of its collections and spaces with what the model knows. */
import assert from "node:assert/strict"
import { Policy } from "@lectern/core"
import type { Call, WorkspaceApi } from "../api/WorkspaceApi.ts"
import type { Observer } from "../definition/Step.ts"
import { visibilityOf } from "../model/SiteModel.ts"
import { openIn } from "../model/SpaceState.ts"
import type { Item, WorkspaceModel } from "../model/WorkspaceModel.ts"

/** What a space shows of what is written in it. */
const shownOf = (model: WorkspaceModel, item: Item) => {
  const { revision, changeRequests, threads } = model.writings.get(item.id)!
  const count = (status: string) => changeRequests.filter((one) => one.status === status).length
  return {
    editMode: item.editMode,
    deletedAt: item.deletedAt === undefined ? undefined : new Date(item.deletedAt).toISOString(),
    visibility: visibilityOf(model.sites.values(), item),
    revision,
    comments: openIn(threads),
    changeRequests: changeRequests.length,
    changeRequestsOpen: count("open"),
    changeRequestsDraft: count("draft")
  }
}

/** What a resource says of itself has to be what the model knows, for the one who asked. */
export const compareItem = (model: WorkspaceModel, user: string, value: unknown): void => {
  const resource = value as Record<string, unknown>
  const item = model.items.get(resource.id as string)
  assert.ok(item !== undefined, `${String(resource.id)} is not in the model`)
  const role = model.roleOn(user, item)
  const shown = {
    organization: item.organization,
    parent: item.parent ?? undefined,
    title: item.title,
    defaultLevel: item.level,
    permissions: item.kind === "space" ? Policy.spacePermissions(role) : Policy.collectionPermissions(role),
    ...(item.kind === "space" ? shownOf(model, item) : {})
  }
  assert.deepEqual(Object.fromEntries(Object.keys(shown).map((key) => [key, resource[key]])), shown)
}

interface Listed<A> {
  readonly items: ReadonlyArray<A>
  readonly count: number
  readonly next?: { readonly page: string }
}

/** Reads a list to its end by pages of three, which together have to be as many as it counts. */
export const readAll = async <A = { readonly id: string }>(
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
    if (page === undefined) assert.equal(listed.count, items.length, "the count of a list")
  } while (page !== undefined)
  return items
}

/** What every list shows a user has to be what the model says they see, in the order that it says. */
export const compareLists = async ({ api, model, user }: Observer): Promise<void> => {
  for (const organization of model.members.keys()) {
    const hidden = model.roleIn(user, organization) === undefined
    for (const kind of ["space", "collection"] as const) {
      const found = await readAll(api, user, (page) => [`${kind}s`, "list", [organization, page]])
      if (hidden) {
        assert.equal(found, "NotFound")
        continue
      }
      assert.ok(typeof found !== "string", `listing failed with ${String(found)}`)
      const expected = model.listed(user, organization, kind)
      // Ids sort by the time of their making, so the newest come first.
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
    const roots = await readAll(api, user, (page) => [
      "collections",
      "list",
      [organization, { ...page, nested: false }]
    ])
    const visible = new Set(model.listed(user, organization, "collection").map(({ id }) => id))
    assert.ok(typeof roots !== "string", `listing failed with ${String(roots)}`)
    assert.deepEqual(
      roots.map(({ id }) => id),
      model.siblings(organization, null).filter((id) => visible.has(id))
    )
  }
  for (const folder of [...model.items.values()].filter(({ kind }) => kind === "collection")) {
    const found = await readAll(api, user, (page) => ["collections", "listSpaces", [folder.id, page]])
    const refusal = model.tryReach(user, folder, "read", "view")
    if (refusal !== undefined) {
      assert.equal(found, refusal)
      continue
    }
    const visible = new Set(model.listed(user, folder.organization, "space").map(({ id }) => id))
    assert.ok(typeof found !== "string", `listing failed with ${String(found)}`)
    assert.deepEqual(
      found.map(({ id }) => id),
      model.siblings(folder.organization, folder.id).filter((id) => visible.has(id))
    )
  }
}
