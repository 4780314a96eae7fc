/** Steps on sites. */
import {
  type CurrentUser,
  type Records,
  SiteSectionGroups,
  SiteSections,
  SiteSpaces,
  Sites
} from "@lectern/core"
import { Effect } from "effect"
import { type Picks, pick, type Row } from "./picks.ts"

const onSite = (
  use: (
    site: Row,
    n: Picks
  ) => Effect.Effect<
    unknown,
    unknown,
    CurrentUser | Records | SiteSections | SiteSectionGroups | SiteSpaces | Sites
  >
) =>
  Effect.fnUntraced(function* (n: Picks) {
    yield* use(yield* pick("sites", n[0]), n)
  })

/** Something beside which another may be put. */
const beside = (name: string, site: Row, n: number) => pick(name, n, (row) => row.site === site.id)

export const onSites = {
  createSite: Effect.fnUntraced(function* ([a]: Picks) {
    const space = yield* pick("spaces", a)
    yield* (yield* Sites).create(space.organization as string, { title: "Site", spaces: [space.id] as never })
  }),
  removeSite: onSite((site, [, b]) =>
    b % 4 > 0
      ? Effect.void
      : Effect.flatMap(Sites, (sites) => sites.remove(site.organization as string, site.id))
  ),
  publish: onSite((site, [, b]) =>
    Effect.flatMap(Sites, (sites) =>
      b % 3 === 0
        ? sites.unpublish(site.organization as string, site.id)
        : sites.publish(site.organization as string, site.id)
    )
  ),
  restrict: onSite((site, [, b]) =>
    Effect.flatMap(Sites, (sites) =>
      sites.update(site.organization as string, site.id, {
        visibility: b % 2 === 0 ? "unlisted" : "public",
        basename: b % 3 === 0 ? "docs" : "site"
      } as never)
    )
  ),
  addSection: onSite((site, [, b]) =>
    Effect.gen(function* () {
      yield* (yield* SiteSections).add(site.organization as string, site.id, {
        spaceId: (yield* pick("spaces", b)).id,
        title: "Section"
      })
    })
  ),
  removeSection: onSite((site, [, b]) =>
    Effect.gen(function* () {
      yield* (yield* SiteSections).remove(
        site.organization as string,
        site.id,
        (yield* beside("siteSections", site, b)).id
      )
    })
  ),
  moveSection: onSite((site, [, b, c]) =>
    Effect.gen(function* () {
      const other = (yield* beside("siteSections", site, c)).id
      const position =
        c % 2 === 0
          ? { before: { type: "site-section", siteSection: other } }
          : { after: { type: "site-section", siteSection: other } }
      const id = (yield* beside("siteSections", site, b)).id
      yield* (yield* SiteSections).move(site.organization as string, site.id, id, { position } as never)
    })
  ),
  addGroup: onSite((site, [, b]) =>
    Effect.gen(function* () {
      const section = (yield* beside("siteSections", site, b)).id
      const sections = b % 2 === 0 ? [] : [section]
      yield* (yield* SiteSectionGroups).add(site.organization as string, site.id, {
        title: "Group",
        sections
      } as never)
    })
  ),
  regroup: onSite((site, [, b, c]) =>
    Effect.gen(function* () {
      const group = (yield* beside("siteSectionGroups", site, b)).id
      const section = (yield* beside("siteSections", site, c)).id
      const groups = yield* SiteSectionGroups
      if (c % 2 === 0)
        yield* groups.addSection(site.organization as string, site.id, group, { sectionId: section } as never)
      else yield* groups.removeSection(site.organization as string, site.id, group, section)
    })
  ),
  removeGroup: onSite((site, [, b]) =>
    Effect.gen(function* () {
      yield* (yield* SiteSectionGroups).remove(
        site.organization as string,
        site.id,
        (yield* beside("siteSectionGroups", site, b)).id
      )
    })
  ),
  addToSite: onSite((site, [, b, c]) =>
    Effect.gen(function* () {
      const section = c % 2 === 0 ? {} : { sectionId: (yield* beside("siteSections", site, c)).id }
      yield* (yield* SiteSpaces).add(site.organization as string, site.id, {
        spaceId: (yield* pick("spaces", b)).id,
        ...section
      } as never)
    })
  ),
  takeOffSite: onSite((site, [, b]) =>
    Effect.gen(function* () {
      yield* (yield* SiteSpaces).remove(
        site.organization as string,
        site.id,
        (yield* beside("siteSpaces", site, b)).id
      )
    })
  )
}
