/** Steps on the structure of sites: spaces, sections, groups, their order and their defaults. */
import type * as fc from "fast-check"
import type { Call } from "../api/WorkspaceApi.ts"
import {
  type ActorChoice,
  type Choice,
  choose,
  chooseNth,
  nth,
  nthOf,
  resolveSpace,
  type SpaceChoice,
  spaceChoice
} from "../definition/choices.ts"
import { defineStep, type StepContext, type StepDefinition } from "../definition/Step.ts"
import {
  addSiteSpace,
  type Group,
  groupsOf,
  isGroup,
  moveRootToSection,
  removeSection,
  removeSiteSpace,
  type Section,
  type Site,
  type SiteSpace,
  sectionOf,
  sectionsOf,
  siblingsOf,
  siteSpacesOf
} from "../state/SiteModel.ts"
import type { ErrorTag } from "../state/WorkspaceModel.ts"
import { addSpaceError, type OneSite, resolveSite, siteChoice } from "./SiteChoice.ts"
import { siteError } from "./SiteCompare.ts"

/** The context of a step that changes the structure of a site. */
interface StructureContext {
  readonly context: StepContext
  readonly site: Site
  /**
   * Calls an operation with the ids of the organization and the site as first arguments. It must end with the error of
   * access to the site, if there is one, else with `expectedError`. Returns undefined if it fails as expected.
   */
  readonly call: (
    service: Call[0],
    method: string,
    args: ReadonlyArray<unknown>,
    expectedError?: ErrorTag
  ) => Promise<{ readonly value: unknown } | undefined>
}

/** Defines a step that changes the structure of a site. The choice of the site is added to its choices. */
const defineStructureStep = <Choices extends object>(definition: {
  readonly weight: number
  readonly choices: { readonly [K in keyof Choices]: fc.Arbitrary<Choices[K]> }
  readonly run: (structure: StructureContext, given: Choices) => Promise<void>
}): StepDefinition =>
  defineStep<Choices & OneSite>({
    weight: definition.weight,
    choices: { ...definition.choices, site: siteChoice } as {
      readonly [K in keyof (Choices & OneSite)]: fc.Arbitrary<(Choices & OneSite)[K]>
    },
    run: async (from: StepContext, given: Choices & OneSite & ActorChoice) => {
      const chosen = resolveSite(from, given)
      if (chosen === undefined) return
      const { site, organization, context } = chosen
      const outside = siteError(context.model, context.user, site, organization, "create")
      const call: StructureContext["call"] = async (service, method, args, expectedError) => {
        const expected = outside ?? expectedError
        const value = await context.expect([service, method, [organization, site.id, ...args]], expected)
        return expected === undefined ? { value } : undefined
      }
      await definition.run({ context, site, call }, given)
    }
  })

const idOf = (one: Section | Group): string => (isGroup(one) ? one.group : one.id)

type Side = "before" | "after"

/** Moves an item of a list immediately before or after another one. */
const moveAdjacent = <A>(list: Array<A>, one: A, side: Side, other: A): void => {
  list.splice(list.indexOf(one), 1)
  list.splice(list.indexOf(other) + (side === "after" ? 1 : 0), 0, one)
}

const addSpace = async (
  { context, site, call }: StructureContext,
  given: { space: SpaceChoice; section: Choice<"default" | "existing" | "missing"> }
) => {
  const space = resolveSpace(context.model, site.organization, given.space)
  if (space === undefined) return
  const { which, nth } = given.section
  const section = which === "existing" ? nthOf(sectionsOf(site), nth) : undefined
  const sectionId = which === "missing" ? "nothing" : section?.id
  const unknown = sectionId === "nothing" ? "InvalidInput" : undefined
  const input = { spaceId: space.id, ...(sectionId === undefined ? {} : { sectionId }) }
  const made = await call("siteSpaces", "add", [input], unknown ?? addSpaceError(context, site, space))
  if (made === undefined) return
  addSiteSpace(site, { id: (made.value as SiteSpace).id, space: space.id }, section ?? site.default)
}

const addSection = async ({ context, site, call }: StructureContext, given: { space: SpaceChoice }) => {
  const space = resolveSpace(context.model, site.organization, given.space)
  if (space === undefined) return
  const made = await call("siteSections", "add", [{ spaceId: space.id }], addSpaceError(context, site, space))
  if (made === undefined) return
  const { id, siteSpaces } = made.value as { id: string; siteSpaces: ReadonlyArray<SiteSpace> }
  if (site.root.length > 0) {
    const listed = await call("siteSections", "list", [{ limit: 200 }])
    const known = new Set([id, ...sectionsOf(site).map((section) => section.id)])
    const { items } = listed!.value as { items: ReadonlyArray<{ id: string }> }
    moveRootToSection(site, items.find((section) => !known.has(section.id))!.id)
  }
  const siteSpace = { id: siteSpaces[0]!.id, space: space.id }
  const section: Section = { id, siteSpaces: [siteSpace], default: siteSpace }
  site.topLevel.push(section)
  site.default ??= section
}

const addGroup = async ({ site, call }: StructureContext, given: { one: number; other: number }) => {
  const sections = sectionsOf(site)
  const inside = [...new Set([nthOf(sections, given.one), nthOf(sections, given.other)])].filter(
    (one) => one !== undefined
  )
  const input = { title: "Group", sections: inside.map(({ id }) => id) }
  const made = await call("siteSectionGroups", "add", [input])
  if (made === undefined) return
  for (const section of inside) {
    const list = siblingsOf(site, section)
    list.splice(list.indexOf(section), 1)
  }
  site.topLevel.push({ group: (made.value as { id: string }).id, sections: inside })
}

const addSectionToGroup = async (
  { site, call }: StructureContext,
  given: { section: number; group: number }
) => {
  const [section, group] = [nthOf(sectionsOf(site), given.section), nthOf(groupsOf(site), given.group)]
  if (group === undefined) return
  const sectionId = section?.id ?? "nothing"
  const expectedError = section === undefined ? "InvalidInput" : undefined
  const done = await call("siteSectionGroups", "addSection", [group.group, { sectionId }], expectedError)
  if (done === undefined || section === undefined) return
  const list = siblingsOf(site, section)
  list.splice(list.indexOf(section), 1)
  group.sections.push(section)
}

const removeSectionFromGroup = async (
  { site, call }: StructureContext,
  given: { section: number; group: number }
) => {
  const [section, group] = [nthOf(sectionsOf(site), given.section), nthOf(groupsOf(site), given.group)]
  if (section === undefined || group === undefined) return
  const isIn = group.sections.includes(section)
  const args = [group.group, section.id]
  const done = await call("siteSectionGroups", "removeSection", args, isIn ? undefined : "NotFound")
  if (done === undefined) return
  group.sections.splice(group.sections.indexOf(section), 1)
  site.topLevel.splice(site.topLevel.indexOf(group) + 1, 0, section)
}

interface Moving {
  readonly one: number
  readonly beside: number
  readonly side: Side
}

const moveSection = async ({ site, call }: StructureContext, given: Moving) => {
  const [one, beside] = [nthOf(sectionsOf(site), given.one), nthOf(sectionsOf(site), given.beside)]
  if (one === undefined || beside === undefined) return
  const list = siblingsOf(site, one)
  const isBeside = one !== beside && list.includes(beside)
  const pointer = { type: "site-section", siteSection: beside.id }
  const expectedError = isBeside ? undefined : "InvalidInput"
  const done = await call(
    "siteSections",
    "move",
    [one.id, { position: { [given.side]: pointer } }],
    expectedError
  )
  if (done !== undefined) moveAdjacent(list, one, given.side, beside)
}

const moveGroup = async ({ site, call }: StructureContext, given: Moving) => {
  const [one, beside] = [nthOf(groupsOf(site), given.one), nthOf(site.topLevel, given.beside)]
  if (one === undefined || beside === undefined) return
  const pointer = { type: isGroup(beside) ? "site-section-group" : "site-section", id: idOf(beside) }
  const expectedError = one === beside ? "InvalidInput" : undefined
  const args = [one.group, { position: { [given.side]: pointer } }]
  const done = await call("siteSectionGroups", "move", args, expectedError)
  if (done !== undefined) moveAdjacent<Section | Group>(site.topLevel, one, given.side, beside)
}

const moveSpace = async ({ site, call }: StructureContext, given: Moving) => {
  const [one, beside] = [nthOf(siteSpacesOf(site), given.one), nthOf(siteSpacesOf(site), given.beside)]
  if (one === undefined || beside === undefined) return
  const list = sectionOf(site, one)?.siteSpaces ?? site.root
  const isBeside = one !== beside && list.includes(beside)
  const pointer = { type: "site-space", siteSpace: beside.id }
  const expectedError = isBeside ? undefined : "InvalidInput"
  const done = await call(
    "siteSpaces",
    "move",
    [one.id, { position: { [given.side]: pointer } }],
    expectedError
  )
  if (done !== undefined) moveAdjacent(list, one, given.side, beside)
}

const removeSiteSection = async ({ site, call }: StructureContext, given: { one: number }) => {
  const section = nthOf(sectionsOf(site), given.one)
  const expectedError = section === undefined ? "NotFound" : undefined
  const done = await call("siteSections", "remove", [section?.id ?? "nothing"], expectedError)
  if (done !== undefined) removeSection(site, section!)
}

const removeGroup = async ({ site, call }: StructureContext, given: { one: number }) => {
  const group = nthOf(groupsOf(site), given.one)
  const expectedError = group === undefined ? "NotFound" : undefined
  const done = await call("siteSectionGroups", "remove", [group?.group ?? "nothing"], expectedError)
  if (done !== undefined) site.topLevel.splice(site.topLevel.indexOf(group!), 1, ...group!.sections)
}

const removeSpace = async ({ site, call }: StructureContext, given: { one: number }) => {
  const siteSpace = nthOf(siteSpacesOf(site), given.one)
  const expectedError = siteSpace === undefined ? "NotFound" : undefined
  const done = await call("siteSpaces", "remove", [siteSpace?.id ?? "nothing"], expectedError)
  if (done !== undefined) removeSiteSpace(site, siteSpace!)
}

/** Sets the default section of a site. */
const setDefaultSection = async ({ site, call }: StructureContext, given: { section: number }) => {
  const section = nthOf(sectionsOf(site), given.section)
  if (section === undefined) return
  const done = await call("sites", "update", [{ defaultSiteSection: section.id }])
  if (done !== undefined) site.default = section
}

/**
 * Sets the default space of a section, or of the root. An update of the site accepts spaces of the default section
 * only; an update of a section accepts its own only.
 */
const setDefaultSpace = async (
  { site, call }: StructureContext,
  given: { siteSpace: number; section: number; by: "site" | "section" }
) => {
  const [siteSpace, section] = [
    nthOf(siteSpacesOf(site), given.siteSpace),
    nthOf(sectionsOf(site), given.section)
  ]
  if (siteSpace === undefined) return
  const home = sectionOf(site, siteSpace)
  if (given.by === "site") {
    const expectedError = home === site.default ? undefined : "InvalidInput"
    const done = await call("sites", "update", [{ defaultSiteSpace: siteSpace.id }], expectedError)
    if (done === undefined) return
    if (home === undefined) site.rootDefault = siteSpace
    else home.default = siteSpace
    return
  }
  const into = section ?? home
  if (into === undefined) return
  const expectedError = into === home ? undefined : "InvalidInput"
  const done = await call(
    "siteSections",
    "update",
    [into.id, { defaultSiteSpace: siteSpace.id }],
    expectedError
  )
  if (done !== undefined) into.default = siteSpace
}

const movingChoices = { one: nth, beside: nth, side: choose({ before: 1, after: 1 }) }

/** The steps that change the structure of a site. */
export const structureSteps: Readonly<Record<string, StepDefinition>> = {
  addSiteSpace: defineStructureStep({
    weight: 4,
    choices: { space: spaceChoice, section: chooseNth({ default: 16, existing: 32, missing: 3 }) },
    run: addSpace
  }),
  addSection: defineStructureStep({ weight: 4, choices: { space: spaceChoice }, run: addSection }),
  addGroup: defineStructureStep({ weight: 2, choices: { one: nth, other: nth }, run: addGroup }),
  addSectionToGroup: defineStructureStep({
    weight: 2,
    choices: { section: nth, group: nth },
    run: addSectionToGroup
  }),
  removeSectionFromGroup: defineStructureStep({
    weight: 1,
    choices: { section: nth, group: nth },
    run: removeSectionFromGroup
  }),
  moveSection: defineStructureStep({ weight: 2, choices: movingChoices, run: moveSection }),
  moveGroup: defineStructureStep({ weight: 1, choices: movingChoices, run: moveGroup }),
  moveSiteSpace: defineStructureStep({ weight: 2, choices: movingChoices, run: moveSpace }),
  removeSection: defineStructureStep({ weight: 1, choices: { one: nth }, run: removeSiteSection }),
  removeGroup: defineStructureStep({ weight: 1, choices: { one: nth }, run: removeGroup }),
  removeSiteSpace: defineStructureStep({ weight: 1, choices: { one: nth }, run: removeSpace }),
  setDefaultSection: defineStructureStep({ weight: 1, choices: { section: nth }, run: setDefaultSection }),
  setDefaultSpace: defineStructureStep({
    weight: 1,
    choices: { siteSpace: nth, section: nth, by: choose({ section: 2, site: 1 }) },
    run: setDefaultSpace
  })
}
