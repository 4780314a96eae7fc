/** Writes to sites, their settings and their share links. */
import { defaultCustomization } from "@lectern/core"
import {
  byRow,
  type Created,
  exists,
  fact,
  isMissing,
  isUnlisted,
  itemFact,
  organizationPath,
  pickOne,
  removeWhere,
  rename,
  uniqueName,
  type WriteKind,
  type WriteKinds,
  type Writer
} from "./writes.ts"

/** The path of a site. */
export const sitePath = (writer: Writer, site: string): string => `${organizationPath(writer)}/sites/${site}`

const pickPath = (writer: Writer): string | undefined => {
  const site = pickOne(writer, writer.sites)
  return site === undefined ? undefined : sitePath(writer, site)
}

const createSite: WriteKind = (writer) => {
  const title = uniqueName(writer)
  return {
    method: "POST",
    path: `${organizationPath(writer)}/sites`,
    body: { title, spaces: writer.spaces.slice(0, writer.draw(2)) },
    done: ({ id }: Created) => {
      writer.sites.push(id)
      return [fact(sitePath(writer, id), "title", title)]
    }
  }
}

const renameSite: WriteKind = (writer) => rename(writer, pickPath(writer))

/** Assigns a host name to a site without one. */
const assignHostname: WriteKind = (writer) => {
  const site = pickOne(
    writer,
    writer.sites.filter((id) => !writer.hostnames.some((assigned) => assigned.site === id))
  )
  if (site === undefined) return undefined
  const label = uniqueName(writer)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
  const proxy = `${label}.docs.example.com`
  return {
    method: "PATCH",
    path: sitePath(writer, site),
    body: { proxy },
    done: () => {
      writer.hostnames.push({ site, id: proxy })
      return [exists(`/custom-hostnames/${proxy}`)]
    }
  }
}

const deleteSite: WriteKind = (writer) => {
  const site = writer.sites.length < 4 ? undefined : pickOne(writer, writer.sites)
  if (site === undefined) return undefined
  removeWhere(writer.sites, (id) => id === site)
  removeWhere(writer.grants, ({ content }) => content === sitePath(writer, site))
  const hostnames = writer.hostnames.filter((one) => one.site === site)
  for (const parts of [
    writer.siteSpaces,
    writer.sections,
    writer.sectionGroups,
    writer.externalLinks,
    writer.shareLinks,
    writer.redirects,
    writer.mcpServers,
    writer.siteScripts,
    writer.hostnames
  ]) {
    removeWhere(parts, (part) => part.site === site)
  }
  const installed = writer.contentInstallations.filter(({ content }) => content === site)
  removeWhere(writer.contentInstallations, (one) => installed.includes(one))
  return {
    ...byRow(writer, "deleteSiteById", { siteId: site }),
    makesUncertain: [
      ...installed.map(({ path }) => path),
      ...hostnames.map(({ id }) => `/custom-hostnames/${id}`)
    ],
    facts: [isMissing(sitePath(writer, site))]
  }
}

const publishOrUnpublish =
  (published: boolean): WriteKind =>
  (writer) => {
    const site = pickPath(writer)
    if (site === undefined) return undefined
    return {
      method: "POST",
      path: `${site}/${published ? "publish" : "unpublish"}`,
      facts: [fact(site, "published", published)]
    }
  }

const publishSite = publishOrUnpublish(true)

const unpublishSite = publishOrUnpublish(false)

const replaceAdaptiveSchema: WriteKind = (writer) => {
  const site = pickPath(writer)
  if (site === undefined) return undefined
  const description = uniqueName(writer)
  const properties = { plan: { type: "string", description } }
  return {
    method: "PUT",
    path: `${site}/adaptive-schema`,
    body: { jsonSchema: { type: "object", properties, additionalProperties: false } },
    facts: [fact(`${site}/adaptive-schema`, "jsonSchema.properties.plan.description", description)]
  }
}

const replaceCustomization: WriteKind = (writer) => {
  const site = pickPath(writer)
  if (site === undefined) return undefined
  const title = uniqueName(writer)
  return {
    method: "PUT",
    path: `${site}/customization`,
    body: { ...defaultCustomization, title },
    facts: [fact(`${site}/customization`, "title", title)]
  }
}

const updatePublishingAuth: WriteKind = (writer) => {
  const site = pickOne(writer, writer.sites)
  if (site === undefined) return undefined
  const fallbackURL = `https://example.com/${uniqueName(writer)}`
  return {
    ...byRow(writer, "updateSitePublishingAuthById", { siteId: site }, { fallbackURL }),
    facts: [fact(`${sitePath(writer, site)}/publishing/auth`, "fallbackURL", fallbackURL)]
  }
}

const regeneratePrivateKey: WriteKind = (writer) => {
  const site = pickOne(writer, writer.sites)
  if (site === undefined) return undefined
  const path = `${sitePath(writer, site)}/publishing/auth`
  return {
    ...byRow(writer, "regenerateSitePublishingAuthById", { siteId: site }),
    makesUncertain: [`${path} privateKey`],
    done: ({ privateKey }: { readonly privateKey: string }) => [fact(path, "privateKey", privateKey)]
  }
}

const shareLinksOf = (writer: Writer, site: string): string => `${sitePath(writer, site)}/share-links`

const createShareLink: WriteKind = (writer) => {
  const site = pickOne(writer, writer.sites)
  if (site === undefined) return undefined
  const name = uniqueName(writer)
  return {
    ...byRow(writer, "createSiteShareLink", { siteId: site }, { name }),
    done: ({ id }: Created) => {
      writer.shareLinks.push({ site, id })
      return [itemFact(shareLinksOf(writer, site), id, "name", name)]
    }
  }
}

const renameShareLink: WriteKind = (writer) => {
  const link = pickOne(writer, writer.shareLinks)
  if (link === undefined) return undefined
  const { site, id } = link
  const name = uniqueName(writer)
  return {
    ...byRow(writer, "updateSiteShareLinkById", { siteId: site, shareLinkId: id }, { name }),
    facts: [itemFact(shareLinksOf(writer, site), id, "name", name)]
  }
}

const deleteShareLink: WriteKind = (writer) => {
  const link = pickOne(writer, writer.shareLinks)
  if (link === undefined) return undefined
  const { site, id } = link
  removeWhere(writer.shareLinks, (other) => other === link)
  return {
    ...byRow(writer, "deleteSiteShareLinkById", { siteId: site, shareLinkId: id }),
    facts: [isUnlisted(shareLinksOf(writer, site), id)]
  }
}

const redirectsOf = (writer: Writer, site: string): string => `${sitePath(writer, site)}/redirects`

const uniqueSource = (writer: Writer): string => `/${encodeURIComponent(uniqueName(writer))}`

const createRedirect: WriteKind = (writer) => {
  const siteSpace = pickOne(writer, writer.siteSpaces)
  if (siteSpace === undefined) return undefined
  const { site, id } = siteSpace
  const source = uniqueSource(writer)
  const destination = { kind: "site-space", siteSpaceId: id }
  return {
    ...byRow(writer, "createSiteRedirect", { siteId: site }, { source, destination }),
    done: ({ id: redirect }: Created) => {
      writer.redirects.push({ site, id: redirect })
      return [itemFact(redirectsOf(writer, site), redirect, "source", source)]
    }
  }
}

const updateRedirect: WriteKind = (writer) => {
  const redirect = pickOne(writer, writer.redirects)
  if (redirect === undefined) return undefined
  const { site, id } = redirect
  const source = uniqueSource(writer)
  return {
    ...byRow(writer, "updateSiteRedirectById", { siteId: site, siteRedirectId: id }, { source }),
    facts: [itemFact(redirectsOf(writer, site), id, "source", source)]
  }
}

const deleteRedirect: WriteKind = (writer) => {
  const redirect = pickOne(writer, writer.redirects)
  if (redirect === undefined) return undefined
  const { site, id } = redirect
  removeWhere(writer.redirects, (other) => other === redirect)
  return {
    ...byRow(writer, "deleteSiteRedirectById", { siteId: site, siteRedirectId: id }),
    facts: [isUnlisted(redirectsOf(writer, site), id)]
  }
}

/** The kinds of these writes, by operation. */
export const siteWrites = {
  createSite: [createSite],
  updateSiteById: [renameSite, assignHostname],
  deleteSiteById: [deleteSite],
  publishSite: [publishSite],
  unpublishSite: [unpublishSite],
  updateSiteAdaptiveSchema: [replaceAdaptiveSchema],
  updateSiteCustomizationById: [replaceCustomization],
  updateSitePublishingAuthById: [updatePublishingAuth],
  regenerateSitePublishingAuthById: [regeneratePrivateKey],
  createSiteShareLink: [createShareLink],
  updateSiteShareLinkById: [renameShareLink],
  deleteSiteShareLinkById: [deleteShareLink],
  createSiteRedirect: [createRedirect],
  updateSiteRedirectById: [updateRedirect],
  deleteSiteRedirectById: [deleteRedirect]
} satisfies WriteKinds
