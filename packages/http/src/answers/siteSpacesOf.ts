/** The site-spaces of a site, in the order of its structure. */
import type { SiteStructure } from "@lectern/core"

type SiteSpacesStructure = Extract<SiteStructure, { readonly type: "siteSpaces" }>

/** A space on a site. */
export type SiteSpaceOnSite = SiteSpacesStructure["structure"][number]

/** Returns the site-spaces of a site, of all its sections and groups of sections. */
export const siteSpacesOf = ({ structure }: SiteStructure): ReadonlyArray<SiteSpaceOnSite> =>
  structure.flatMap(
    (item): ReadonlyArray<SiteSpaceOnSite> =>
      item.object === "site-space"
        ? [item]
        : item.object === "site-section"
          ? item.siteSpaces
          : item.object === "site-section-group"
            ? item.sections.flatMap((section) => section.siteSpaces)
            : []
  )
