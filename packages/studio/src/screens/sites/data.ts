/** A site with its organization, and the changes of it. */
import { ApiError, type Site, type SiteCustomization, type SiteStructure } from "@lectern/client/fetch"
import { invalidate } from "../../data/cache.ts"
import { runChange } from "../../data/change.ts"
import { useList } from "../../data/lists.ts"
import { useOrganization, useOrganizations } from "../../data/organization.ts"
import { type Resource, useResource } from "../../data/useResource.ts"
import { client } from "../../session.ts"
import { translate } from "../../strings/strings.ts"
import { siteStrings } from "./strings.ts"

/** A site and the parameters of its operations. */
export interface KnownSite {
  readonly site: Site
  readonly params: { readonly organizationId: string; readonly siteId: string }
}

/** The key of a site. Everything of it is below this key. */
export const siteKey = (siteId: string): string => `sites/${siteId}`

/** The sites of the organization that is displayed. */
export const useSites = (): Resource<ReadonlyArray<Site>> => {
  const { data: organization } = useOrganization()
  const id = organization?.id
  return useList(id === undefined ? undefined : `organizations/${id}/sites`, (query, signal) =>
    client.sites.listSites({ params: { organizationId: id! }, query }, { signal })
  )
}

const findSite = async (
  siteId: string,
  organizationIds: ReadonlyArray<string>,
  signal: AbortSignal
): Promise<KnownSite> => {
  let failure: unknown
  for (const organizationId of organizationIds) {
    const params = { organizationId, siteId }
    try {
      return { site: await client.sites.getSiteById({ params }, { signal }), params }
    } catch (error) {
      if (!(error instanceof ApiError) || error._tag !== "NotFound") throw error
      failure = error
    }
  }
  throw failure
}

/** A site. An address does not name the organization, so the others are searched if the current one does not have it. */
export const useSite = (siteId: string): Resource<KnownSite> => {
  const { data: current } = useOrganization()
  const { data: organizations } = useOrganizations()
  const ids = (organizations ?? []).map(({ id }) => id)
  const ordered = current === undefined ? ids : [current.id, ...ids.filter((id) => id !== current.id)]
  return useResource(ordered.length === 0 ? undefined : `${siteKey(siteId)}/site`, (signal) =>
    findSite(siteId, ordered, signal)
  )
}

/** The structure of a site. */
export const useStructure = (known: KnownSite | undefined): Resource<SiteStructure> =>
  useResource(known === undefined ? undefined : `${siteKey(known.site.id)}/structure`, (signal) =>
    client.sites.getSiteStructure({ params: known!.params }, { signal })
  )

const customizationKey = (known: KnownSite): string => `${siteKey(known.site.id)}/customization`

/** The customization of a site. */
export const useCustomization = (known: KnownSite): Resource<SiteCustomization> =>
  useResource(customizationKey(known), (signal) =>
    client.sites.getSiteCustomizationById({ params: known.params }, { signal })
  )

/** Stores the customization of a site. */
export const saveCustomization = async (known: KnownSite, payload: SiteCustomization): Promise<void> => {
  await client.sites.updateSiteCustomizationById({ params: known.params, payload })
  invalidate(customizationKey(known))
}

/** Refreshes a site and the lists that contain it. */
export const refreshSite = ({ site, params }: KnownSite): void => {
  invalidate(siteKey(site.id))
  invalidate(`organizations/${params.organizationId}/sites`)
}

/** The keys that a change of a site affects. */
export const keysOf = ({ site, params }: KnownSite): ReadonlyArray<string> => [
  siteKey(site.id),
  `organizations/${params.organizationId}/sites`
]

/** Publishes a site. */
export const publishSite = (known: KnownSite) =>
  runChange({
    send: () => client.sites.publishSite({ params: known.params }),
    message: translate(siteStrings, "publishedMessage", { title: known.site.title }),
    failure: translate(siteStrings, "publishFailed"),
    undo: () => client.sites.unpublishSite({ params: known.params }),
    invalidates: keysOf(known)
  })

/** Ends the publication of a site. */
export const unpublishSite = (known: KnownSite) =>
  runChange({
    send: () => client.sites.unpublishSite({ params: known.params }),
    message: translate(siteStrings, "unpublishedMessage", { title: known.site.title }),
    failure: translate(siteStrings, "unpublishFailed"),
    undo: () => client.sites.publishSite({ params: known.params }),
    invalidates: keysOf(known)
  })
