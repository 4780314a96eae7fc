/** Writes to sites. */
import {
  type Created,
  fact,
  organizationPath,
  pickOne,
  rename,
  uniqueName,
  type WriteKind,
  type WriteKinds
} from "./writes.ts"

const createSite: WriteKind = (writer) => {
  const title = uniqueName(writer)
  return {
    method: "POST",
    path: `${organizationPath(writer)}/sites`,
    body: { title, spaces: writer.spaces.slice(0, writer.draw(2)) },
    done: ({ id }: Created) => {
      writer.sites.push(`${organizationPath(writer)}/sites/${id}`)
      return [fact(`${organizationPath(writer)}/sites/${id}`, "title", title)]
    }
  }
}

const renameSite: WriteKind = (writer) => rename(writer, pickOne(writer, writer.sites))

const addSiteSpace: WriteKind = (writer) => {
  const [site, space] = [pickOne(writer, writer.sites), pickOne(writer, writer.spaces)]
  if (site === undefined || space === undefined) return undefined
  return {
    method: "POST",
    path: `${site}/site-spaces`,
    body: { spaceId: space },
    done: () => []
  }
}

const addSection: WriteKind = (writer) => {
  const [site, space] = [pickOne(writer, writer.sites), pickOne(writer, writer.spaces)]
  if (site === undefined || space === undefined) return undefined
  return { method: "POST", path: `${site}/sections`, body: { spaceId: space } }
}

const addSectionGroup: WriteKind = (writer) => {
  const site = pickOne(writer, writer.sites)
  if (site === undefined) return undefined
  return { method: "POST", path: `${site}/section-groups`, body: { title: uniqueName(writer) } }
}

const publishOrUnpublish =
  (published: boolean): WriteKind =>
  (writer) => {
    const site = pickOne(writer, writer.sites)
    if (site === undefined) return undefined
    return {
      method: "POST",
      path: `${site}/${published ? "publish" : "unpublish"}`,
      facts: [fact(site, "published", published)]
    }
  }

const publishSite = publishOrUnpublish(true)

const unpublishSite = publishOrUnpublish(false)

const createShareLink: WriteKind = (writer) => {
  const site = pickOne(writer, writer.sites)
  if (site === undefined) return undefined
  return { method: "POST", path: `${site}/share-links`, body: { name: uniqueName(writer) } }
}

/** The kinds of writes to sites, by operation. */
export const siteWrites = {
  createSite: [createSite],
  updateSiteById: [renameSite],
  addSpaceToSite: [addSiteSpace],
  addSectionToSite: [addSection],
  addSectionGroupToSite: [addSectionGroup],
  publishSite: [publishSite],
  unpublishSite: [unpublishSite],
  createSiteShareLink: [createShareLink]
} satisfies WriteKinds
