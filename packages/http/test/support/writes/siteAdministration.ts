/** Writes to the order of sites, to their MCP servers and host names, and imports into pages. */
import { sitePath } from "./sites.ts"
import {
  byRow,
  type Created,
  exists,
  isListed,
  isMissing,
  itemFact,
  pickOne,
  removeWhere,
  uniqueName,
  type WriteKind,
  type WriteKinds,
  type Writer
} from "./writes.ts"

const serversOf = (writer: Writer, site: string): string => `${sitePath(writer, site)}/mcp-servers`

/** Places a section after another one, or after a link. */
const sortSections: WriteKind = (writer) => {
  const section = pickOne(writer, writer.sections)
  if (section === undefined) return undefined
  const { site, id, group } = section
  const siblings = [
    ...writer.sections
      .filter((one) => one.site === site && one.group === group && one.id !== id)
      .map((one) => ({ type: "site-section", id: one.id })),
    ...writer.externalLinks
      .filter((one) => one.site === site)
      .map((one) => ({ type: "site-external-link", id: one.id }))
  ]
  const sibling = pickOne(writer, siblings)
  if (sibling === undefined) return undefined
  return {
    method: "PATCH",
    path: `${sitePath(writer, site)}/structure/sort`,
    body: { item: { type: "site-section", id }, position: { after: sibling } },
    facts: [isListed(`${sitePath(writer, site)}/sections`, id)]
  }
}

const createServer: WriteKind = (writer) => {
  const site = pickOne(writer, writer.sites)
  if (site === undefined) return undefined
  return {
    ...byRow(writer, "createSiteMcpServer", { siteId: site }),
    done: ({ id }: Created) => {
      writer.mcpServers.push({ site, id })
      return [exists(`${serversOf(writer, site)}/${id}`)]
    }
  }
}

const renameServer: WriteKind = (writer) => {
  const server = pickOne(writer, writer.mcpServers)
  if (server === undefined) return undefined
  const { site, id } = server
  const name = uniqueName(writer)
  return {
    ...byRow(writer, "updateSiteMcpServerById", { siteId: site, siteMcpServerId: id }, { name }),
    facts: [itemFact(serversOf(writer, site), id, "name", name)]
  }
}

const deleteServer: WriteKind = (writer) => {
  const server = pickOne(writer, writer.mcpServers)
  if (server === undefined) return undefined
  const { site, id } = server
  removeWhere(writer.mcpServers, (other) => other === server)
  return {
    ...byRow(writer, "deleteSiteMcpServerById", { siteId: site, siteMcpServerId: id }),
    makesUncertain: [serversOf(writer, site)],
    facts: [isMissing(`${serversOf(writer, site)}/${id}`)]
  }
}

const scriptsOf = (writer: Writer, site: string): string => `${sitePath(writer, site)}/scripts`

const createScript: WriteKind = (writer) => {
  const site = pickOne(writer, writer.sites)
  if (site === undefined) return undefined
  return {
    ...byRow(writer, "createSiteScript", { siteId: site }),
    done: ({ id }: Created) => {
      writer.siteScripts.push({ site, id })
      return [exists(`${scriptsOf(writer, site)}/${id}`)]
    }
  }
}

const renameScript: WriteKind = (writer) => {
  const script = pickOne(writer, writer.siteScripts)
  if (script === undefined) return undefined
  const { site, id } = script
  const name = uniqueName(writer)
  return {
    ...byRow(writer, "updateSiteScriptById", { siteId: site, siteScriptId: id }, { name }),
    facts: [itemFact(scriptsOf(writer, site), id, "name", name)]
  }
}

const deleteScript: WriteKind = (writer) => {
  const script = pickOne(writer, writer.siteScripts)
  if (script === undefined) return undefined
  const { site, id } = script
  removeWhere(writer.siteScripts, (other) => other === script)
  return {
    ...byRow(writer, "deleteSiteScriptById", { siteId: site, siteScriptId: id }),
    makesUncertain: [scriptsOf(writer, site)],
    facts: [isMissing(`${scriptsOf(writer, site)}/${id}`)]
  }
}

/** Removes a host name that `updateSiteById` assigned. */
const removeHostname: WriteKind = (writer) => {
  const assigned = pickOne(writer, writer.hostnames)
  if (assigned === undefined) return undefined
  removeWhere(writer.hostnames, (other) => other === assigned)
  return {
    ...byRow(writer, "removeCustomHostname", { hostname: assigned.id }),
    facts: [isMissing(`/custom-hostnames/${assigned.id}`)]
  }
}

const upsertRedirect: WriteKind = (writer) => {
  const siteSpace = pickOne(writer, writer.siteSpaces)
  if (siteSpace === undefined) return undefined
  const { site, id } = siteSpace
  const source = `/${encodeURIComponent(uniqueName(writer))}`
  const path = `${sitePath(writer, site)}/redirects`
  return {
    method: "PUT",
    path,
    body: { redirects: [{ source, destination: { kind: "site-space", siteSpaceId: id } }] },
    done: ({ results: [result] }: { readonly results: ReadonlyArray<Partial<Created>> }) => {
      if (result?.id === undefined) return []
      writer.redirects.push({ site, id: result.id })
      return [itemFact(path, result.id, "source", source)]
    }
  }
}

const importIntoPage: WriteKind = (writer) => {
  const page = pickOne(writer, writer.pages)
  if (page === undefined) return undefined
  const path = `/spaces/${page.space}/content/page/${page.id}`
  return {
    method: "POST",
    path: `${path}/import`,
    body: { url: `${writer.source}/${uniqueName(writer)}.md`, source: "markdown" },
    makesUncertain: [path]
  }
}

const importIntoProposedPage: WriteKind = (writer) => {
  const proposal = pickOne(
    writer,
    writer.proposals.filter(({ pages }) => pages.size > 0)
  )
  const page = proposal === undefined ? undefined : pickOne(writer, [...proposal.pages.keys()])
  if (proposal === undefined || page === undefined) return undefined
  const path = `${proposal.path}/content/page/${page}`
  proposal.pages.delete(page)
  return {
    method: "POST",
    path: `${path}/import`,
    body: { url: `${writer.source}/${uniqueName(writer)}.md`, source: "markdown" },
    makesUncertain: [path, `/spaces/${proposal.space}/content/page/${page}`]
  }
}

/** The kinds of these writes, by operation. */
export const siteAdministrationWrites = {
  sortSiteStructure: [sortSections],
  createSiteMcpServer: [createServer],
  updateSiteMcpServerById: [renameServer],
  deleteSiteMcpServerById: [deleteServer],
  createSiteScript: [createScript],
  updateSiteScriptById: [renameScript],
  deleteSiteScriptById: [deleteScript],
  removeCustomHostname: [removeHostname],
  bulkUpsertSiteRedirects: [upsertRedirect],
  importContentInPageById: [importIntoPage],
  importContentInChangeRequestPageById: [importIntoProposedPage]
} satisfies WriteKinds
