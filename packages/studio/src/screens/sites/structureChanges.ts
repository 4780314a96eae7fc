/** The changes of the structure of a site. */
import type { SiteStructure } from "@lectern/client/fetch"
import type { TreePlace } from "../../components/TreeNode.ts"
import { runChange } from "../../data/change.ts"
import { showToast } from "../../data/toasts.ts"
import { client } from "../../session.ts"
import { translate } from "../../strings/strings.ts"
import { type KnownSite, keysOf } from "./data.ts"
import { siteStrings } from "./strings.ts"
import { type MoveStep, placeOf, planMove, type StructureItem, structureNodes } from "./structureTree.ts"

const runStep = (known: KnownSite, step: MoveStep): Promise<unknown> => {
  const { params } = known
  switch (step.call) {
    case "sort":
      return client.siteAdministration.sortSiteStructure({
        params,
        payload: { item: step.item, position: step.position }
      })
    case "addSection":
      return client.siteSectionGroups.addSectionToGroup({
        params: { ...params, siteSectionGroupId: step.group },
        payload: { sectionId: step.id }
      })
    case "addLink":
      return client.siteExternalLinks.updateSiteExternalLinkById({
        params: { ...params, siteExternalLinkId: step.id },
        payload: { parent: step.group }
      })
  }
}

const moveBack = async (known: KnownSite, id: string, place: TreePlace): Promise<void> => {
  const structure = await client.sites.getSiteStructure({ params: known.params })
  const step = planMove(structureNodes(structure), id, place)
  if (step !== undefined) await runStep(known, step)
}

/** Moves an item of the structure. Displays an error if the place does not accept the item. */
export const moveItem = (
  known: KnownSite,
  structure: SiteStructure,
  id: string,
  place: TreePlace
): Promise<unknown> => {
  const nodes = structureNodes(structure)
  const step = planMove(nodes, id, place)
  if (step === undefined) {
    showToast({
      kind: "failed",
      message: translate(siteStrings, "moveFailed"),
      detail: translate(siteStrings, "moveNotPossible")
    })
    return Promise.resolve()
  }
  const before = placeOf(nodes, id)
  return runChange({
    send: () => runStep(known, step),
    message: translate(siteStrings, "moved"),
    failure: translate(siteStrings, "moveFailed"),
    ...(before === undefined ? {} : { undo: () => moveBack(known, id, before) }),
    invalidates: keysOf(known)
  })
}

/** Sets a space or a section as the default one of its level, whose URL is that of the level. */
export const makeDefault = (known: KnownSite, { kind, id, value }: StructureItem) => {
  const { params } = known
  const section = kind === "space" ? value.section : undefined
  return runChange({
    send: async () => {
      if (kind === "space" && section !== undefined) {
        await client.siteSections.updateSiteSectionById({
          params: { ...params, siteSectionId: section },
          payload: { defaultSiteSpace: id }
        })
        return
      }
      const payload = kind === "section" ? { defaultSiteSection: id } : { defaultSiteSpace: id }
      await client.sites.updateSiteById({ params, payload })
    },
    message: translate(siteStrings, "defaultChanged", { title: value.title }),
    failure: translate(siteStrings, "changeFailed"),
    invalidates: keysOf(known)
  })
}

/** Removes an item from the site. Spaces themselves remain. */
export const removeItem = (known: KnownSite, { kind, id, value }: StructureItem) => {
  const { params } = known
  return runChange({
    send: async () => {
      if (kind === "space")
        await client.siteSpaces.deleteSiteSpaceById({ params: { ...params, siteSpaceId: id } })
      else if (kind === "section")
        await client.siteSections.deleteSiteSectionById({ params: { ...params, siteSectionId: id } })
      else if (kind === "link")
        await client.siteExternalLinks.deleteSiteExternalLinkById({
          params: { ...params, siteExternalLinkId: id }
        })
      else
        await client.siteSectionGroups.deleteSiteSectionGroupById({
          params: { ...params, siteSectionGroupId: id }
        })
    },
    message: translate(siteStrings, "itemRemoved", { title: value.title }),
    failure: translate(siteStrings, "changeFailed"),
    invalidates: keysOf(known)
  })
}
