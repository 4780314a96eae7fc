/** Operations on the links to other websites in the structure of a site. */

import { type AccessError, type Authorization, type Command, Locks, Operations } from "@lectern/access"
import { Ids } from "@lectern/kernel"
import {
  StructureEdits as Edits,
  type SiteExternalLinkRow,
  SiteStructureRules as Structures
} from "@lectern/kernel/tables"
import { Conflict, InvalidInput, NotFound } from "@lectern/model/errors"
import { OrganizationId } from "@lectern/model/organizations"
import {
  AddSiteExternalLink,
  type SiteExternalLink,
  SiteExternalLinkId,
  SiteId,
  type SiteSectionGroupId,
  UpdateSiteExternalLink
} from "@lectern/model/sites"
import { Context, Effect, Layer } from "effect"
import { type OpenSite, SiteEditing, type SiteTarget } from "./SiteEditing.ts"
import { presentLink } from "./StructureView.ts"

/**
 * Operations on the links of a site, on behalf of the `CurrentUser`. They require the role `create` in the organization, and fail with
 * `NotFound` for a site that the caller cannot see or a link that is not on it.
 */
export interface SiteExternalLinksOperations {
  /**
   * Adds a link to the end of the top level, or of a section group. Fails with `InvalidInput` on a site without sections and for
   * a group of another site, and with `Conflict` if the site has 100 links, the maximum.
   */
  readonly add: Command<
    { organization: OrganizationId; site: SiteId; input: AddSiteExternalLink },
    SiteExternalLink,
    AccessError | Conflict
  >
  /** Updates the given fields. With `parent`, the link moves to the end of another section group, or of the top level. */
  readonly update: Command<LinkTarget & { input?: UpdateSiteExternalLink }, SiteExternalLink, AccessError>
  /** Removes the link. */
  readonly remove: Command<LinkTarget, void, AccessError>
}

type LinkTarget = SiteTarget & { readonly siteExternalLink: SiteExternalLinkId }

const parameters = { organization: OrganizationId, site: SiteId, siteExternalLink: SiteExternalLinkId }

/** Returns the position at the end of a group, or of the top level for null. Fails with `InvalidInput` for a group of another site. */
const positionIn = (structure: Structures.Structure, sectionGroup: SiteSectionGroupId | null) =>
  sectionGroup === null || structure.groups.some(({ id }) => id === sectionGroup)
    ? Effect.succeed({
        sectionGroup,
        position: Structures.keyAtEnd(Structures.siblingsIn(structure, sectionGroup))
      })
    : Effect.fail(InvalidInput.at("parent", "must be the id of a section group of the site"))

const makeSiteExternalLinks = Effect.gen(function* () {
  const { command } = yield* Operations
  const { allow, save, checkCondition } = yield* SiteEditing
  const ids = yield* Ids
  const edit = allow.site("edit")

  /** Authorizes `site.edit` on a link of the site. */
  const editLink: Authorization<LinkTarget, OpenSite & { readonly link: SiteExternalLinkRow }, AccessError> =
    {
      rule: edit.rule,
      check: Effect.fnUntraced(function* (target) {
        const opened = yield* edit.check(target)
        const link = opened.structure.links.find(({ id }) => id === target.siteExternalLink)
        return link === undefined ? yield* NotFound.of("external link") : { ...opened, link }
      })
    }

  return {
    add: command(
      "SiteExternalLinks.add",
      {
        parameters: { organization: OrganizationId, site: SiteId, input: AddSiteExternalLink },
        authorize: edit,
        locks: Locks.organization
      },
      function* ({ organization, site, input: { parent, ...input } }, { structure, records }) {
        if (structure.sections.length === 0) {
          return yield* InvalidInput.at("parent", "requires a section of the site: add a section first")
        }
        const maximum = Structures.siteLimits.links
        if (structure.links.length >= maximum) {
          return yield* new Conflict({
            reason: "LimitReached",
            message: `The site has ${maximum} links, the maximum. Remove a link first.`
          })
        }
        yield* checkCondition(records, site, input.condition)
        const row: SiteExternalLinkRow = {
          ...{ description: null, icon: null, condition: null, draft: false, ...input },
          ...{ organization, site, id: SiteExternalLinkId.make(yield* ids.next) },
          ...(yield* positionIn(structure, parent ?? null))
        }
        yield* save(records, structure, Edits.addLink(structure, row))
        return presentLink(row)
      }
    ),

    update: command(
      "SiteExternalLinks.update",
      {
        parameters: { ...parameters, input: UpdateSiteExternalLink },
        authorize: editLink,
        locks: Locks.organization
      },
      function* ({ site, input: { parent, ...input } }, { structure, link, records }) {
        yield* checkCondition(records, site, input.condition)
        const isMoved = parent !== undefined && parent !== link.sectionGroup
        const changes = { ...input, ...(isMoved ? yield* positionIn(structure, parent) : {}) }
        yield* save(records, structure, Edits.updateRow(structure, "links", link.id, changes))
        return presentLink({ ...link, ...changes })
      }
    ),

    remove: command(
      "SiteExternalLinks.remove",
      { parameters, authorize: editLink, locks: Locks.organization },
      function* (_, { structure, link, records }) {
        yield* save(records, structure, Edits.removeLink(structure, link.id))
      }
    )
  }
})

/** Operations on the links of a site: see {@link SiteExternalLinksOperations}. */
export class SiteExternalLinks extends Context.Service<SiteExternalLinks, SiteExternalLinksOperations>()(
  "@lectern/core/SiteExternalLinks"
) {
  static readonly layer: Layer.Layer<SiteExternalLinks, never, Operations | SiteEditing | Ids> = Layer.effect(
    SiteExternalLinks,
    makeSiteExternalLinks
  )
}
