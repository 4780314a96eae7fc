/** Writes to installations on spaces and sites. */
import {
  exists,
  fact,
  isMissing,
  pickOne,
  removeWhere,
  uniqueName,
  type WriteKind,
  type WriteKinds,
  type Writer
} from "./writes.ts"

const makeKinds = (kind: "space" | "site") => {
  const pickInstalled = (writer: Writer) =>
    pickOne(
      writer,
      writer.contentInstallations.filter((one) => one.kind === kind)
    )
  const install: WriteKind = (writer) => {
    const installation = pickOne(writer, writer.installations)
    const content = pickOne(writer, kind === "space" ? writer.spaces : writer.sites)
    if (installation === undefined || content === undefined) return undefined
    const list = `/integrations/${installation.integration}/installations/${installation.id}/${kind}s`
    const path = `${list}/${content}`
    if (writer.contentInstallations.some((one) => one.path === path)) return undefined
    return {
      method: "POST",
      path: list,
      body: kind === "space" ? { space: content } : { siteId: content },
      facts: [exists(path)],
      done: () => {
        writer.contentInstallations.push({ kind, content, path })
        return []
      }
    }
  }
  const update: WriteKind = (writer) => {
    const path = pickInstalled(writer)?.path
    if (path === undefined) return undefined
    const externalId = uniqueName(writer)
    return {
      method: "PATCH",
      path,
      body: { externalIds: [externalId] },
      facts: [fact(path, "externalIds.0", externalId)]
    }
  }
  const uninstall: WriteKind = (writer) => {
    const path = pickInstalled(writer)?.path
    if (path === undefined) return undefined
    removeWhere(writer.contentInstallations, (one) => one.path === path)
    return { method: "DELETE", path, facts: [isMissing(path)] }
  }
  return { install, update, uninstall }
}

const onSpaces = makeKinds("space")
const onSites = makeKinds("site")

/** The kinds of these writes, by operation. */
export const contentInstallationWrites = {
  installIntegrationOnSpace: [onSpaces.install],
  updateIntegrationSpaceInstallation: [onSpaces.update],
  uninstallIntegrationFromSpace: [onSpaces.uninstall],
  installIntegrationOnSite: [onSites.install],
  updateIntegrationSiteInstallation: [onSites.update],
  uninstallIntegrationFromSite: [onSites.uninstall]
} satisfies WriteKinds
