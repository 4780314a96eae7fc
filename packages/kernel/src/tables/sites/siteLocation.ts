/** The URLs of published sites: which site a URL names, and which part of its structure. */
import type { OrganizationId } from "@lectern/model/organizations"
import { nameOfHost, type SiteId } from "@lectern/model/sites"
import { isDefault, type Structure, siteSpacesIn } from "./SiteStructureRules.ts"
import type { SiteSectionRow } from "./siteSectionTables.ts"
import type { SiteSpaceRow } from "./siteSpaceTable.ts"

/** The maximum number of path segments of a URL that names a page. */
const maximumSegments = 120

/** The maximum number of path segments of the address of a proxy: its 512 characters have no more. */
const maximumProxySegments = 256

/** The site that a URL names. */
export type NamedSite =
  /** Below the URL of the workspace. `segments` follow the name of the site. */
  | {
      readonly kind: "workspace"
      readonly organization: OrganizationId
      /** The basename or the id of the site. */
      readonly name: string
      readonly segments: ReadonlyArray<string>
    }
  /** At another address, one of `origins`: the host name, without or with the first path segments. */
  | {
      readonly kind: "proxy"
      readonly origins: ReadonlyArray<string>
      readonly segments: ReadonlyArray<string>
    }

/** Decodes the segments of a path. Returns undefined if the encoding is malformed, or the path is too long. */
export const segmentsOf = (path: string): ReadonlyArray<string> | undefined => {
  const encoded = path.split("/").filter((segment) => segment !== "")
  if (encoded.length > maximumSegments) return undefined
  try {
    return encoded.map(decodeURIComponent)
  } catch {
    return undefined
  }
}

/** Returns the path of segments, with a slash in front of each. It never starts with two slashes, as another host would. */
export const pathOfSegments = (segments: ReadonlyArray<string>): string =>
  segments
    .filter((segment) => segment !== "")
    .map((segment) => `/${encodeURIComponent(segment.toWellFormed())}`)
    .join("")

/**
 * Returns the site that a URL names, in a workspace with the URL `base`. Returns undefined for a URL that no published
 * site can have. The query and the fragment are ignored.
 */
export const siteOfUrl = (base: string, url: string): NamedSite | undefined => {
  if (!URL.canParse(url)) return undefined
  const { origin, host, hostname, pathname } = new URL(url)
  const segments = segmentsOf(pathname)
  if (segments === undefined) return undefined
  const workspace = new URL(`${base}/sites/`)
  const above = segmentsOf(workspace.pathname) ?? []
  if (origin === workspace.origin && above.every((segment, index) => segments[index] === segment)) {
    const [organization, name, ...rest] = segments.slice(above.length)
    if (organization !== undefined && name !== undefined) {
      return { kind: "workspace", organization: organization as OrganizationId, name, segments: rest }
    }
  }
  // Cookies are the same for all ports of a name, and for the name with a final dot some clients send.
  const name = nameOfHost(hostname)
  const paths = segments
    .slice(0, maximumProxySegments)
    .map((_, index) => [name, ...segments.slice(0, index + 1)].join("/"))
  // The root of the workspace's own host is that of the workspace.
  const origins = host === workspace.host ? paths : [name, ...paths]
  return origins.length === 0 ? undefined : { kind: "proxy", origins, segments }
}

/** The host of the URLs with which renderers preview sites. No site has it as its own. */
const previewHost = "preview"

/** The root of the URLs with which renderers preview a site. */
export const previewRootOf = (site: SiteId): string => `https://${previewHost}/${site}/`

/** Returns the site that a URL of a preview names by its id; undefined for other URLs. */
export const previewedSiteOfUrl = (
  url: string
): { readonly site: SiteId; readonly segments: ReadonlyArray<string> } | undefined => {
  const { hostname, pathname } = URL.parse(url) ?? {}
  const [site, ...segments] = (hostname === previewHost && segmentsOf(pathname ?? "")) || []
  return site === undefined ? undefined : { site: site as SiteId, segments }
}

/** The part of a site that a path leads to. */
export interface SiteLocation {
  readonly section: SiteSectionRow | undefined
  readonly siteSpace: SiteSpaceRow
  /** The number of segments that name the section and the site-space. The others are the path of a page. */
  readonly consumed: number
  /** Whether a longer path could not lead to another part of the site. */
  readonly isComplete: boolean
}

/**
 * Finds the site-space that the first segments of a path name; the default if they name none. Returns undefined for a site
 * without site-spaces. It is the inverse of `siteSpaceUrl`.
 */
export const locateSiteSpace = (
  structure: Structure,
  segments: ReadonlyArray<string>
): SiteLocation | undefined => {
  const { site, sections, sectionById } = structure
  const named = sections.find(({ path }) => path === segments[0])
  const section = named ?? sectionById.get(site.defaultSection ?? "")
  const inside = siteSpacesIn(structure, section?.id ?? null)
  const prefix = named === undefined ? 0 : 1
  // Site-spaces of the default section are below its path, as in every other section.
  const other =
    section !== undefined && named === undefined
      ? undefined
      : inside.find((row) => !isDefault(structure, row) && row.path === segments[prefix])
  if (other !== undefined) return { section, siteSpace: other, consumed: prefix + 1, isComplete: true }
  const siteSpace = inside.find((row) => isDefault(structure, row))
  if (siteSpace === undefined) return undefined
  // The default section is at the root, so its path without a site-space is the path of a page.
  const consumed = section?.id === site.defaultSection ? 0 : prefix
  const isSectionNamed = sections.length <= 1 || consumed > 0
  return { section, siteSpace, consumed, isComplete: isSectionNamed && inside.length === 1 }
}

/** The maximum number of site-spaces in which a path without a name is looked up: each costs several queries. */
const maximumUnnamed = 8

/** A site-space with the rest of a path, which is that of a page. */
export interface FormerLocation {
  readonly siteSpace: SiteSpaceRow
  readonly slugs: ReadonlyArray<string>
}

/**
 * Returns the locations that a path can have had while other sections and site-spaces were the defaults of their levels: first in the items
 * that the path names, and then in other items of the level. The current location is not among them.
 */
export const formerLocations = (
  structure: Structure,
  segments: ReadonlyArray<string>
): ReadonlyArray<FormerLocation> => {
  const { site, sections } = structure
  const named = sections.find(({ path }) => path === segments[0])
  const section = named?.id ?? site.defaultSection
  const rest = named === undefined ? segments : segments.slice(1)
  const inside = siteSpacesIn(structure, section)
  const byName = [
    // Site-spaces of a section are always below its path.
    ...(named === undefined && sections.length > 0
      ? []
      : inside
          .filter(({ path }) => path === rest[0])
          .map((row) => ({ siteSpace: row, slugs: rest.slice(1) }))),
    ...(named === undefined
      ? []
      : inside.filter((row) => isDefault(structure, row)).map((row) => ({ siteSpace: row, slugs: rest })))
  ]
  const elsewhere = named === undefined ? sections.filter(({ id }) => id !== section) : []
  const unnamed = [
    ...inside.filter((row) => !isDefault(structure, row)),
    ...elsewhere.flatMap(({ id }) => siteSpacesIn(structure, id).filter((row) => isDefault(structure, row)))
  ].slice(0, maximumUnnamed)
  const current = locateSiteSpace(structure, segments)
  return [...byName, ...unnamed.map((row) => ({ siteSpace: row, slugs: rest }))].filter(
    ({ siteSpace, slugs }) =>
      siteSpace !== current?.siteSpace || slugs.length !== segments.length - current.consumed
  )
}

/** Returns the path of a URL, without its final slash. */
export const basePathOf = (url: string): string => new URL(url).pathname.replace(/\/$/, "")
