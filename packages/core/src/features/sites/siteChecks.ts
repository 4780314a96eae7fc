/** Doctor checks of sites and of the spaces on them (decision D10). */
import { Effect } from "effect"
import { type Check, type Examination, examination, type Problem } from "../../kernel/doctor/Check.ts"
import { byId } from "../../kernel/doctor/lookups.ts"
import { requireReferences } from "../../kernel/doctor/referenceChecks.ts"
import { folded } from "../../kernel/schema/Text.ts"
import { Where } from "../../kernel/storage/index.ts"
import { parseStoredCondition } from "../../model/sites/conditions/parsedCondition.ts"
import { sites } from "../../model/sites/Site.ts"
import { siteSectionGroups, siteSections } from "../../model/sites/SiteSection.ts"
import { siteSpaces } from "../../model/sites/SiteSpace.ts"
import { siteSettings } from "../../model/sites/siteSettingsTable.ts"
import { spaces } from "../../model/spaces/Space.ts"

export const title: Check = {
  name: "site-search-text",
  says: "A site is found by its title.",
  source: "sites/Site.ts",
  repair: "takes it from the title"
}

export const settings: Check = {
  name: "site-settings",
  says: "Every site has its settings.",
  source: "sites/SiteSettings.ts"
}

export const inSection: Check = {
  name: "site-space-section",
  says: "The section that a site-space is in, and the group that a section is in, are of the same site.",
  source: "D10"
}

export const spaceOfSite: Check = {
  name: "site-space",
  says: "A space on a site is one of its organization, and not in the bin.",
  source: "D6"
}

export const conditions: Check = {
  name: "site-conditions",
  says: "The condition under which something of a site is shown is one that can be read.",
  source: "D10"
}

/** A check of the conditions of what is on sites. */
const conditionsOf = <T extends typeof siteSections | typeof siteSpaces>(over: T): Examination =>
  examination(over as typeof siteSections, [conditions], (_, rows) =>
    Effect.succeed(
      rows.flatMap((row) =>
        row.condition === null || parseStoredCondition(row.condition) !== undefined
          ? []
          : [{ check: conditions, row, message: `is shown under ${row.condition}, which cannot be read` }]
      )
    )
  )

const ofAnotherSite = "which is of another site"

export const siteExaminations: ReadonlyArray<Examination> = [
  examination(sites, [title], ({ records }, rows) =>
    Effect.succeed(
      rows.flatMap((row) =>
        row.folded === folded(row.title)
          ? []
          : [
              {
                check: title,
                row,
                message: "is not found by its title",
                mend: records.update(sites, Where.eq("id", row.id), { folded: folded(row.title) })
              }
            ]
      )
    )
  ),
  examination(
    sites,
    [settings],
    Effect.fnUntraced(function* ({ records }, rows) {
      const there = yield* byId(
        records,
        siteSettings,
        rows.map(({ id }) => id),
        ["site"]
      )
      return rows.flatMap((row) =>
        there.has(row.id) ? [] : [{ check: settings, row, message: "has no settings" }]
      )
    })
  ),
  conditionsOf(siteSections),
  conditionsOf(siteSpaces),
  requireReferences(inSection, {
    over: siteSections,
    to: siteSectionGroups,
    ids: (row) => [["group", row.sectionGroup]],
    select: ["site"],
    wrong: ({ site }, group) => (group.site === site ? undefined : ofAnotherSite)
  }),
  requireReferences(inSection, {
    over: siteSpaces,
    to: siteSections,
    ids: (row) => [["section", row.section]],
    select: ["site"],
    wrong: ({ site }, section) => (section.site === site ? undefined : ofAnotherSite)
  }),
  examination(
    siteSpaces,
    [spaceOfSite],
    Effect.fnUntraced(function* ({ records }, rows) {
      const owners = yield* byId(
        records,
        sites,
        rows.map(({ site }) => site),
        ["organization"]
      )
      const shown = yield* byId(
        records,
        spaces,
        rows.map(({ space }) => space),
        ["organization", "deletedAt"]
      )
      return rows.flatMap((row): ReadonlyArray<Problem> => {
        const [site, space] = [owners.get(row.site), shown.get(row.space)]
        if (site === undefined || space === undefined) return []
        if (space.organization !== site.organization) {
          return [
            {
              check: spaceOfSite,
              row,
              message: `shows the space ${row.space}, which is of another organization`
            }
          ]
        }
        return space.deletedAt === null
          ? []
          : [{ check: spaceOfSite, row, message: `shows the space ${row.space}, which is in the bin` }]
      })
    })
  )
]
