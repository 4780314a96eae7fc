/** What users do with the structure of sites: spaces, sections, groups, their order and their defaults. */
import * as fc from "fast-check"
import type { Call } from "../api/WorkspaceApi.ts"
import { at, type By, kind, pick, type Stage, type StepKind, spaceIn } from "../Feature.ts"
import {
  type Group,
  groupsOf,
  homeOf,
  isGroup,
  type Leaf,
  leavesOf,
  listOf,
  putLeaf,
  type Section,
  type Site,
  sectionsOf,
  takeLeaf,
  takeSection,
  wrapRoot
} from "../model/SiteModel.ts"
import type { Refusal } from "../model/WorkspaceModel.ts"
import { trySite } from "./SiteCompare.ts"
import { chooseSite, type OneSite, trySpace } from "./SiteSteps.ts"

/** A site that is changed, by somebody: `ask` makes a call about it, which ends as the access to it says or as told. */
interface Building {
  readonly stage: Stage
  readonly site: Site
  readonly ask: (
    service: Call[0],
    method: string,
    args: ReadonlyArray<unknown>,
    refusal?: Refusal
  ) => Promise<{ readonly value: unknown } | undefined>
}

/** A kind of step that changes a site. */
const building = <Given extends object>(
  weight: number,
  fields: { readonly [K in keyof Given]: fc.Arbitrary<Given[K]> },
  play: (building: Building, given: Given) => Promise<void>
): StepKind =>
  kind<Given & OneSite>(
    weight,
    { ...fields, site: pick } as {
      readonly [K in keyof (Given & OneSite)]: fc.Arbitrary<(Given & OneSite)[K]>
    },
    async (from: Stage, given: Given & OneSite & By) => {
      const chosen = chooseSite(from, given)
      if (chosen === undefined) return
      const { site, organization, stage } = chosen
      const outside = trySite(stage.model, stage.user, site, organization, "create")
      const ask: Building["ask"] = async (service, method, args, refusal) => {
        const expected = outside ?? refusal
        const value = await stage.expect([service, method, [organization, site.id, ...args]], expected)
        return expected === undefined ? { value } : undefined
      }
      await play({ stage, site, ask }, given)
    }
  )

const idOf = (one: Section | Group): string => (isGroup(one) ? one.group : one.id)

/** Puts one of a list right before or behind another. */
const putBeside = <A>(list: Array<A>, one: A, beside: A, after: boolean): void => {
  list.splice(list.indexOf(one), 1)
  list.splice(list.indexOf(beside) + (after ? 1 : 0), 0, one)
}

const position = (after: boolean, pointer: unknown) => ({
  position: after ? { after: pointer } : { before: pointer }
})

const addSpace = async ({ stage, site, ask }: Building, given: { space: number; section: number }) => {
  const space = spaceIn(stage.model, site.organization, given.space)
  if (space === undefined) return
  const section = given.section % 3 === 0 ? undefined : at(sectionsOf(site), given.section)
  const sectionId = given.section % 17 === 1 ? "nothing" : section?.id
  const unknown = sectionId === "nothing" ? "InvalidInput" : undefined
  const input = { spaceId: space.id, ...(sectionId === undefined ? {} : { sectionId }) }
  const made = await ask("siteSpaces", "add", [input], unknown ?? trySpace(stage, site, space))
  if (made === undefined) return
  putLeaf(site, { id: (made.value as Leaf).id, space: space.id }, section ?? site.default)
}

const addSection = async ({ stage, site, ask }: Building, given: { space: number }) => {
  const space = spaceIn(stage.model, site.organization, given.space)
  if (space === undefined) return
  const made = await ask("siteSections", "add", [{ spaceId: space.id }], trySpace(stage, site, space))
  if (made === undefined) return
  const { id, siteSpaces } = made.value as { id: string; siteSpaces: ReadonlyArray<Leaf> }
  if (site.root.length > 0) {
    const listed = await ask("siteSections", "list", [{ limit: 200 }])
    const known = new Set([id, ...sectionsOf(site).map((section) => section.id)])
    const { items } = listed!.value as { items: ReadonlyArray<{ id: string }> }
    wrapRoot(site, items.find((section) => !known.has(section.id))!.id)
  }
  const leaf = { id: siteSpaces[0]!.id, space: space.id }
  const section: Section = { id, leaves: [leaf], default: leaf }
  site.top.push(section)
  site.default ??= section
}

const addGroup = async ({ site, ask }: Building, given: { one: number; other: number }) => {
  const sections = sectionsOf(site)
  const inside = [...new Set([at(sections, given.one), at(sections, given.other)])].filter(
    (one) => one !== undefined
  )
  const input = { title: "Group", sections: inside.map(({ id }) => id) }
  const made = await ask("siteSectionGroups", "add", [input])
  if (made === undefined) return
  for (const section of inside) {
    const list = listOf(site, section)
    list.splice(list.indexOf(section), 1)
  }
  site.top.push({ group: (made.value as { id: string }).id, sections: inside })
}

const intoGroup = async ({ site, ask }: Building, given: { section: number; group: number }) => {
  const [section, group] = [at(sectionsOf(site), given.section), at(groupsOf(site), given.group)]
  if (group === undefined) return
  const sectionId = section?.id ?? "nothing"
  const refusal = section === undefined ? "InvalidInput" : undefined
  const done = await ask("siteSectionGroups", "addSection", [group.group, { sectionId }], refusal)
  if (done === undefined || section === undefined) return
  const list = listOf(site, section)
  list.splice(list.indexOf(section), 1)
  group.sections.push(section)
}

const outOfGroup = async ({ site, ask }: Building, given: { section: number; group: number }) => {
  const [section, group] = [at(sectionsOf(site), given.section), at(groupsOf(site), given.group)]
  if (section === undefined || group === undefined) return
  const isIn = group.sections.includes(section)
  const args = [group.group, section.id]
  const done = await ask("siteSectionGroups", "removeSection", args, isIn ? undefined : "NotFound")
  if (done === undefined) return
  group.sections.splice(group.sections.indexOf(section), 1)
  site.top.splice(site.top.indexOf(group) + 1, 0, section)
}

interface Moving {
  readonly one: number
  readonly beside: number
  readonly after: boolean
}

const moveSection = async ({ site, ask }: Building, given: Moving) => {
  const [one, beside] = [at(sectionsOf(site), given.one), at(sectionsOf(site), given.beside)]
  if (one === undefined || beside === undefined) return
  const list = listOf(site, one)
  const isBeside = one !== beside && list.includes(beside)
  const pointer = { type: "site-section", siteSection: beside.id }
  const refusal = isBeside ? undefined : "InvalidInput"
  const done = await ask("siteSections", "move", [one.id, position(given.after, pointer)], refusal)
  if (done !== undefined) putBeside(list, one, beside, given.after)
}

const moveGroup = async ({ site, ask }: Building, given: Moving) => {
  const [one, beside] = [at(groupsOf(site), given.one), at(site.top, given.beside)]
  if (one === undefined || beside === undefined) return
  const pointer = { type: isGroup(beside) ? "site-section-group" : "site-section", id: idOf(beside) }
  const refusal = one === beside ? "InvalidInput" : undefined
  const args = [one.group, position(given.after, pointer)]
  const done = await ask("siteSectionGroups", "move", args, refusal)
  if (done !== undefined) putBeside<Section | Group>(site.top, one, beside, given.after)
}

const moveSpace = async ({ site, ask }: Building, given: Moving) => {
  const [one, beside] = [at(leavesOf(site), given.one), at(leavesOf(site), given.beside)]
  if (one === undefined || beside === undefined) return
  const list = homeOf(site, one)?.leaves ?? site.root
  const isBeside = one !== beside && list.includes(beside)
  const pointer = { type: "site-space", siteSpace: beside.id }
  const refusal = isBeside ? undefined : "InvalidInput"
  const done = await ask("siteSpaces", "move", [one.id, position(given.after, pointer)], refusal)
  if (done !== undefined) putBeside(list, one, beside, given.after)
}

const removeSection = async ({ site, ask }: Building, given: { one: number }) => {
  const section = at(sectionsOf(site), given.one)
  const refusal = section === undefined ? "NotFound" : undefined
  const done = await ask("siteSections", "remove", [section?.id ?? "nothing"], refusal)
  if (done !== undefined) takeSection(site, section!)
}

const removeGroup = async ({ site, ask }: Building, given: { one: number }) => {
  const group = at(groupsOf(site), given.one)
  const refusal = group === undefined ? "NotFound" : undefined
  const done = await ask("siteSectionGroups", "remove", [group?.group ?? "nothing"], refusal)
  if (done !== undefined) site.top.splice(site.top.indexOf(group!), 1, ...group!.sections)
}

const removeSpace = async ({ site, ask }: Building, given: { one: number }) => {
  const leaf = at(leavesOf(site), given.one)
  const refusal = leaf === undefined ? "NotFound" : undefined
  const done = await ask("siteSpaces", "remove", [leaf?.id ?? "nothing"], refusal)
  if (done !== undefined) takeLeaf(site, leaf!)
}

const setDefault = async ({ site, ask }: Building, given: { leaf: number; section: number }) => {
  const [leaf, section] = [at(leavesOf(site), given.leaf), at(sectionsOf(site), given.section)]
  if (given.leaf % 2 === 0 || leaf === undefined) {
    if (section === undefined) return
    const done = await ask("sites", "update", [{ defaultSiteSection: section.id }])
    if (done !== undefined) site.default = section
    return
  }
  const home = homeOf(site, leaf)
  // By the site it is that of the default section; by a section, its own.
  if (given.leaf % 3 === 0) {
    const isThere = home === site.default
    const input = { defaultSiteSpace: leaf.id }
    const done = await ask("sites", "update", [input], isThere ? undefined : "InvalidInput")
    if (done === undefined) return
    if (home === undefined) site.rootDefault = leaf
    else home.default = leaf
    return
  }
  const into = section ?? home
  if (into === undefined) return
  const refusal = into === home ? undefined : "InvalidInput"
  const done = await ask("siteSections", "update", [into.id, { defaultSiteSpace: leaf.id }], refusal)
  if (done !== undefined) into.default = leaf
}

const moving = { one: pick, beside: pick, after: fc.boolean() }

/** The kinds of steps that change how a site is put together. */
export const structureKinds: Readonly<Record<string, StepKind>> = {
  addSiteSpace: building(4, { space: pick, section: pick }, addSpace),
  addSection: building(4, { space: pick }, addSection),
  addGroup: building(2, { one: pick, other: pick }, addGroup),
  intoGroup: building(2, { section: pick, group: pick }, intoGroup),
  outOfGroup: building(1, { section: pick, group: pick }, outOfGroup),
  moveSection: building(2, moving, moveSection),
  moveGroup: building(1, moving, moveGroup),
  moveSiteSpace: building(2, moving, moveSpace),
  removeSection: building(1, { one: pick }, removeSection),
  removeGroup: building(1, { one: pick }, removeGroup),
  removeSiteSpace: building(1, { one: pick }, removeSpace),
  setDefault: building(2, { leaf: pick, section: pick }, setDefault)
}
