/** Doctor checks of sites and of the spaces on them. */

import { parseStoredCondition } from "@lectern/markdown/conditions"
import { folded } from "@lectern/model/schema"
import { Effect } from "effect"
import { type Check, type Examination, examination, type Problem } from "../../doctor/Check.ts"
import { byId } from "../../doctor/lookups.ts"
import { requireReferences } from "../../doctor/referenceChecks.ts"
import * as Where from "../../storage/Where.ts"
import { siteExternalLinks } from "../sites/siteExternalLinkTable.ts"
import { siteSectionGroups, siteSections } from "../sites/siteSectionTables.ts"
import { siteSettings } from "../sites/siteSettingsTable.ts"
import { siteSpaces } from "../sites/siteSpaceTable.ts"
import { sites } from "../sites/siteTable.ts"
import { spaces } from "../spaces/spaceTable.ts"

const titleCheck: Check = {
  name: "site-search-text",
  invariant: "The case-folded title of a site is derived from its title.",
  source: "model/sites/Site.ts",
  repair: "derives it from the title"
}

const settingsCheck: Check = {
  name: "site-settings",
  invariant: "Every site has a row of settings.",
  source: "features/sites/SiteSettings.ts"
}

const sameSiteCheck: Check = {
  name: "site-space-section",
  invariant: "The section of a site-space, and the group of a section or a link, belong to the same site.",
  source: "docs/decisions/0012-sites.md"
}

const spaceCheck: Check = {
  name: "site-space",
  invariant: "A space on a site belongs to the same organization.",
  source: "docs/decisions/0008-spaces-and-collections.md"
}

const conditionCheck: Check = {
  name: "site-conditions",
  invariant: "The conditions of sections, site-spaces and links can be parsed.",
  source: "docs/decisions/0012-sites.md"
}

/** Creates the examination of the conditions of sections, site-spaces or links. */
const examineConditions = <T extends typeof siteSections | typeof siteSpaces | typeof siteExternalLinks>(
  over: T
): Examination =>
  examination(over as unknown as typeof siteSections, [conditionCheck], (_, rows) =>
    Effect.succeed(
      rows.flatMap((row) =>
        row.condition === null || parseStoredCondition(row.condition) !== undefined
          ? []
          : [
              {
                check: conditionCheck,
                row,
                message: `has the condition ${row.condition}, which cannot be parsed`
              }
            ]
      )
    )
  )

const belongsToAnotherSite = "which belongs to another site"

/** The doctor checks of sites and of the spaces on them. */
export const siteExaminations: ReadonlyArray<Examination> = [
  examination(sites, [titleCheck], ({ records }, rows) =>
    Effect.succeed(
      rows.flatMap((row) =>
        row.folded === folded(row.title)
          ? []
          : [
              {
                check: titleCheck,
                row,
                message: "has a case-folded title that does not match its title",
                repair: records.update(sites, Where.eq("id", row.id), { folded: folded(row.title) })
              }
            ]
      )
    )
  ),
  examination(
    sites,
    [settingsCheck],
    Effect.fnUntraced(function* ({ records }, rows) {
      const settingsBySite = yield* byId(
        records,
        siteSettings,
        rows.map(({ id }) => id),
        ["site"]
      )
      return rows.flatMap((row) =>
        settingsBySite.has(row.id) ? [] : [{ check: settingsCheck, row, message: "has no settings" }]
      )
    })
  ),
  examineConditions(siteSections),
  examineConditions(siteSpaces),
  examineConditions(siteExternalLinks),
  requireReferences(sameSiteCheck, {
    over: siteExternalLinks,
    to: siteSectionGroups,
    ids: (row) => [["group", row.sectionGroup]],
    select: ["site"],
    wrong: ({ site }, group) => (group.site === site ? undefined : belongsToAnotherSite)
  }),
  requireReferences(sameSiteCheck, {
    over: siteSections,
    to: siteSectionGroups,
    ids: (row) => [["group", row.sectionGroup]],
    select: ["site"],
    wrong: ({ site }, group) => (group.site === site ? undefined : belongsToAnotherSite)
  }),
  requireReferences(sameSiteCheck, {
    over: siteSpaces,
    to: siteSections,
    ids: (row) => [["section", row.section]],
    select: ["site"],
    wrong: ({ site }, section) => (section.site === site ? undefined : belongsToAnotherSite)
  }),
  examination(
    siteSpaces,
    [spaceCheck],
    Effect.fnUntraced(function* ({ records }, rows) {
      const siteById = yield* byId(
        records,
        sites,
        rows.map(({ site }) => site),
        ["organization"]
      )
      const spaceById = yield* byId(
        records,
        spaces,
        rows.map(({ space }) => space),
        ["organization"]
      )
      return rows.flatMap((row): ReadonlyArray<Problem> => {
        const [site, space] = [siteById.get(row.site), spaceById.get(row.space)]
        if (site === undefined || space === undefined) return []
        if (space.organization !== site.organization) {
          return [
            {
              check: spaceCheck,
              row,
              message: `has the space ${row.space}, which belongs to another organization`
            }
          ]
        }
        return []
      })
    })
  )
]
