/** The organization that the window displays, and the organizations of the person. */
import type { Organization, OrganizationTrash } from "@lectern/client/fetch"
import { paginate } from "@lectern/client/fetch"
import { client } from "../session.ts"
import { createStore, readStored, useStore, writeStored } from "../store/store.ts"
import { type Resource, useResource } from "./useResource.ts"

/** The number of items that one request returns. */
export const pageSize = 100

/** Loads all items of a list, page by page, up to a limit that no screen exceeds. */
export const loadAll = async <Item>(
  listPage: Parameters<typeof paginate<Item>>[0],
  limit = 5_000
): Promise<ReadonlyArray<Item>> => {
  const items: Array<Item> = []
  for await (const item of paginate(listPage)) {
    items.push(item)
    if (items.length >= limit) break
  }
  return items
}

/** The organization in the address, which links from elsewhere contain, or the one that was chosen last. */
const readId = (): string | undefined => {
  const linked = new URLSearchParams(window.location.search).get("organization")
  if (linked !== null) {
    writeStored("organization", linked)
    return linked
  }
  const stored = readStored("organization")
  return typeof stored === "string" ? stored : undefined
}

/** The id of the organization that was chosen last on this device. */
export const chosenOrganization = createStore<string | undefined>(readId())

/** Displays an organization. */
export const chooseOrganization = (id: string): void => {
  writeStored("organization", id)
  chosenOrganization.set(id)
}

/** The organizations of the person. */
export const useOrganizations = (): Resource<ReadonlyArray<Organization>> =>
  useResource(
    "organizations",
    (signal) =>
      loadAll((cursor) =>
        client.organizations.listOrganizationsForAuthenticatedUser(
          { query: { limit: pageSize, ...cursor } },
          { signal }
        )
      ),
    { staleAfterMs: 60_000 }
  )

/** The organization that the window displays: the chosen one, or the first one. */
export const useOrganization = (): Resource<Organization | undefined> => {
  const id = useStore(chosenOrganization)
  const organizations = useOrganizations()
  const { data } = organizations
  return { ...organizations, data: data?.find((organization) => organization.id === id) ?? data?.[0] }
}

/** The key of the organizations in the trash. */
export const deletedOrganizationsKey = "deleted-organizations"

/** The organizations in the trash that the person can restore. */
export const useDeletedOrganizations = (): Resource<OrganizationTrash> =>
  useResource(deletedOrganizationsKey, (signal) =>
    client.organizations.listDeletedOrganizations({}, { signal })
  )
