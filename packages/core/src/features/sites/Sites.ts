/** What callers do with sites (decision D10). */
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Access } from "../../access/Access.ts"
import { Conflict, InvalidInput } from "../../kernel/errors.ts"
import { Ids } from "../../kernel/ids/Ids.ts"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { command, query } from "../../kernel/operation/Operation.ts"
import { readPage } from "../../kernel/pagination/paginate.ts"
import { folded } from "../../kernel/schema/Text.ts"
import { Records, Where } from "../../kernel/storage/index.ts"
import { now } from "../../kernel/time.ts"
import { OrganizationId, organizations } from "../../model/organizations/Organization.ts"
import { CreateSite, ListSites, SiteId, type SiteRow, sites, UpdateSite } from "../../model/sites/Site.ts"
import { type SiteSpaceRow, siteSpaces } from "../../model/sites/SiteSpace.ts"
import * as Structures from "../../model/sites/SiteStructureRules.ts"
import { siteSettings } from "../../model/sites/siteSettingsTable.ts"
import { SpaceId } from "../../model/spaces/Space.ts"
import { Spaces } from "../spaces/Spaces.ts"
import { makePrivateKey } from "./privateKey.ts"
import { SiteEditing } from "./SiteEditing.ts"
import { presentSite, presentSites } from "./SiteView.ts"
import { addSiteSpace, settle } from "./structureEdits.ts"
import * as Store from "./structureStore.ts"

const defaultTitle = "Untitled site"

/** The columns that an update changes: what it leaves out stays. */
const changesOf = (input: UpdateSite): Partial<SiteRow> => ({
  ...(input.title === undefined ? {} : { title: input.title, folded: folded(input.title) }),
  ...(input.visibility === undefined ? {} : { visibility: input.visibility }),
  ...(input.basename === undefined ? {} : { basename: input.basename }),
  ...(input.adaptiveContent === undefined ? {} : { adaptive: input.adaptiveContent.enabled }),
  ...(input.agentsContext === undefined ? {} : { agentsContext: input.agentsContext }),
  ...(input.proxy === undefined ? {} : { proxy: input.proxy })
})

const makeSites = Effect.gen(function* () {
  const records = yield* Records
  const access = yield* Access
  const editing = yield* SiteEditing
  const spaces = yield* Spaces
  const ids = yield* Ids
  const base = yield* PublicUrl
  const random = yield* SecureRandom.SecureRandom

  const change = command(records)

  const presentOne = ({ site, sections, siteSpaces }: Structures.Structure) =>
    presentSite(base, site, { sections: sections.length, siteSpaces: siteSpaces.length })

  /** The structure with the defaults that an update asks for. */
  const withDefaults = Effect.fnUntraced(function* (structure: Structures.Structure, input: UpdateSite) {
    const { defaultSiteSection, defaultSiteSpace } = input
    let { site, sections } = structure
    if (defaultSiteSection !== undefined) {
      if (!structure.sectionById.has(defaultSiteSection)) {
        return yield* InvalidInput.at("defaultSiteSection", "is no section of the site")
      }
      site = { ...site, defaultSection: defaultSiteSection }
    }
    if (defaultSiteSpace !== undefined) {
      const section = site.defaultSection
      if (!Structures.siteSpacesIn(structure, section).some(({ id }) => id === defaultSiteSpace)) {
        return yield* InvalidInput.at(
          "defaultSiteSpace",
          section === null ? "is not on the site" : "is not in the default section"
        )
      }
      if (section === null) site = { ...site, defaultSiteSpace }
      else sections = sections.map((row) => (row.id === section ? { ...row, defaultSiteSpace } : row))
    }
    return settle(structure, { ...structure, site, sections })
  })

  /** Publishes a site, or takes it back. */
  const setPublished = (published: boolean) =>
    change([OrganizationId, SiteId], function* (organization, id) {
      const { structure } = yield* editing.open(organization, id, "edit")
      const { site } = structure
      const after = { ...structure, site: site.published === published ? site : { ...site, published } }
      return presentOne(yield* editing.save(structure, after))
    })

  return {
    /** The sites of an organization, newest first. Guests see none of them. */
    list: query([OrganizationId, ListSites], function* (organization, input) {
      yield* access.organization(organization, "listSites")
      const { space, title, published } = input
      return yield* readPage(records, input, {
        table: sites,
        list: ["sites", organization, space, title, published],
        where: Where.and<SiteRow>(
          Where.eq("organization", organization),
          title === undefined ? Where.all : Where.contains("folded", folded(title)),
          published === undefined ? Where.all : Where.eq("published", published),
          space === undefined
            ? Where.all
            : Where.inSelect("id", siteSpaces, "site", Where.eq<SiteSpaceRow, "space">("space", space))
        ),
        orderBy: ["id"],
        direction: "desc",
        present: (rows) => presentSites(records, base, rows)
      })
    }),

    /** Makes a site, not yet published, with spaces that are there, with a new one, or without. */
    create: change([OrganizationId, CreateSite], function* (organization, input) {
      yield* access.organization(organization, "create")
      const title = input.title ?? defaultTitle
      const site: SiteRow = {
        id: SiteId.make(yield* ids.next),
        organization,
        type: input.type ?? "basic",
        title,
        folded: folded(title),
        icon: null,
        basename: null,
        proxy: null,
        visibility: input.visibility ?? "public",
        published: false,
        adaptive: false,
        agentsContext: "included",
        defaultSection: null,
        defaultSiteSpace: null,
        createdAt: yield* now
      }
      const { spaces: wanted = [] } = input
      const named =
        wanted === "new"
          ? [(yield* spaces.create(organization, { title: Array.from(title).slice(0, 50).join("") })).id]
          : [...new Set(wanted)]
      yield* records.insert(sites, site)
      yield* records.insert(siteSettings, {
        site: site.id,
        customization: null,
        adaptiveSchema: null,
        privateKey: yield* makePrivateKey(random),
        fallbackURL: null
      })
      const empty = Structures.buildStructure({ site, groups: [], sections: [], siteSpaces: [] })
      let structure = empty
      for (const id of named) {
        const space = yield* editing.space({ structure }, SpaceId.make(id))
        structure = addSiteSpace(structure, yield* editing.siteSpaceRow(structure, null, space))
      }
      return presentOne(yield* editing.save(empty, structure))
    }),

    /** The site. */
    get: query([OrganizationId, SiteId], function* (organization, id) {
      const { site } = yield* access.site(organization, id, "view")
      return (yield* presentSites(records, base, [site]))[0]!
    }),

    /** Changes what is given. `Conflict` where another site of the organization has the basename. */
    update: change([OrganizationId, SiteId, UpdateSite], function* (organization, id, input) {
      const { structure } = yield* editing.open(organization, id, "edit")
      const { basename } = input
      if (basename !== undefined) {
        const taken = yield* records.first(sites, {
          where: Where.and<SiteRow>(
            Where.eq("organization", organization),
            Where.eq("basename", basename),
            Where.not(Where.eq("id", id))
          )
        })
        if (taken !== undefined) {
          return yield* new Conflict({ message: "Another site of the organization has this basename." })
        }
      }
      const after = yield* withDefaults(structure, input)
      const site = { ...after.site, ...changesOf(input) }
      return presentOne(yield* editing.save(structure, { ...after, site }))
    }),

    /** Removes the site for good. Its spaces stay; an organization that opened with it opens with nothing. */
    remove: change([OrganizationId, SiteId], function* (organization, id) {
      const { site } = yield* access.site(organization, id, "remove")
      const inside = [...(yield* Store.spacesOn(records, id)).keys()]
      yield* records.remove(siteSpaces, Where.eq("site", id))
      yield* records.remove(sites, Where.eq("id", id))
      const opening = yield* records.get(organizations, { id: organization }, ["defaultContent"])
      if (opening?.defaultContent?.site === id) {
        yield* records.update(organizations, Where.eq("id", organization), { defaultContent: null })
      }
      if (site.published) yield* Store.refresh(records, inside)
    }),

    /** Shows the site to its audience. */
    publish: setPublished(true),

    /** Shows the site to nobody any more. */
    unpublish: setPublished(false)
  }
})

/** See the module's comment. */
export class Sites extends Context.Service<Sites, Effect.Success<typeof makeSites>>()("@lectern/core/Sites") {
  static readonly layer: Layer.Layer<Sites, never, Records | Access | SiteEditing | Spaces | Ids> =
    Layer.effect(Sites, makeSites).pipe(Layer.provide(SecureRandom.layerWebCrypto))
}
