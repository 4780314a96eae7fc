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

/** Returns the function that returns the URL of a page on a site by its space and its path; undefined for a site without URLs. */
export const siteUrlsOf = (
  structure: SiteStructure
): ((page: { readonly space: string; readonly path: string }) => string | undefined) => {
  const roots = new Map<string, string>()
  for (const { space, urls } of siteSpacesOf(structure)) {
    if (urls.published !== undefined && !roots.has(space.id)) roots.set(space.id, urls.published)
  }
  return ({ space, path }) => {
    const root = roots.get(space)
    return root === undefined
      ? undefined
      : `${root.replace(/\/$/, "")}/${path.split("/").map(encodeURIComponent).join("/")}`
  }
}
