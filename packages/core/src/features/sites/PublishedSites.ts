/** What visitors are shown of a site. */
import { Context, Effect, Layer } from "effect"
import { CurrentUser } from "../../access/CurrentUser.ts"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { query } from "../../kernel/operation/Operation.ts"
import { Records } from "../../kernel/storage/index.ts"
import { snapshotCache } from "../../kernel/storage/snapshotCache.ts"
import { OrganizationId } from "../../model/organizations/Organization.ts"
import { defaultCustomization } from "../../model/sites/Customization.ts"
import type { PublishedSite } from "../../model/sites/PublishedSite.ts"
import { SiteId } from "../../model/sites/Site.ts"
import { VisitorQuery } from "../../model/sites/VisitorQuery.ts"
import { SiteEditing } from "./SiteEditing.ts"
import { presentSite } from "./SiteView.ts"
import { whole } from "./StructureView.ts"
import { Visitors } from "./Visitors.ts"

/** How many spaces are kept, in sites as their visitors are shown them: some 2 kB each. */
const spacesKept = 20_000

const makePublishedSites = Effect.gen(function* () {
  const keep = snapshotCache(yield* Records, spacesKept)
  const editing = yield* SiteEditing
  const visitors = yield* Visitors
  const base = yield* PublicUrl

  const publish = Effect.fnUntraced(function* (
    organization: OrganizationId,
    id: SiteId,
    input: VisitorQuery
  ) {
    const { caller, structure, shareKey, settings } = yield* visitors.visit(organization, id, input)
    const shown = yield* editing.shown({ caller, structure }, shareKey)
    const { site, sections, siteSpaces } = structure
    const published: PublishedSite = {
      object: "published-content-site",
      site: presentSite(base, site, { sections: sections.length, siteSpaces: siteSpaces.length }, shareKey),
      structure: whole(shown),
      customizations: { site: settings.customization ?? defaultCustomization, siteSpaces: {} },
      scripts: []
    }
    return published
  })

  return {
    /** The site with all that a visitor is shown. Not there while it is not published, or where they may not see it. */
    get: query([OrganizationId, SiteId, VisitorQuery], function* (organization, id, input) {
      const published = publish(organization, id, input)
      // A token comes to its end though nothing changes.
      if (input.visitorAuthToken !== undefined) return yield* published
      const what = [organization, id, input.shareKey, yield* CurrentUser]
      return yield* keep(what, published, ({ site }) => 1 + site.siteSpaces)
    }),

    /** How the site is put together; with a key or a token, as a visitor is shown it. */
    structure: query([OrganizationId, SiteId, VisitorQuery], function* (organization, id, input) {
      const { caller, structure, shareKey } = yield* visitors.see(organization, id, input)
      return whole(yield* editing.shown({ caller, structure }, shareKey))
    })
  }
})

/** See the module's comment. */
export class PublishedSites extends Context.Service<
  PublishedSites,
  Effect.Success<typeof makePublishedSites>
>()("@lectern/core/PublishedSites") {
  static readonly layer: Layer.Layer<PublishedSites, never, Records | SiteEditing | Visitors> = Layer.effect(
    PublishedSites,
    makePublishedSites
  )
}
