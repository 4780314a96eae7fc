/** Builds the frame of the pages of a site: its header, sections, variants, page tree and footer. */
import type { ContentRef, Customization, SiteSection, SiteSpace, SiteStructure } from "@lectern/core"
import { charactersOfEmoji } from "@lectern/formats/threads"
import type { SiteExternalLink } from "@lectern/model/sites"
import { icon } from "../html/icons.ts"
import { externalUrl, relativeUrl, resourceUrl } from "../html/urls.ts"
import { messagesOf } from "../page/messages.ts"
import type { HeaderLink, LinkGroup, LinkItem, SiteFrame, ThemedImage } from "../page/PageModel.ts"
import type { IndexedPage } from "../source/PageIndex.ts"
import { type LinkOrigin, resolveLink } from "./links.ts"
import { treeItems } from "./pageTree.ts"
import type { LoadedSpace } from "./ReadableSite.ts"
import { askPath, reservedPath } from "./reservedPath.ts"

/** A link of the customization. */
interface CustomLink {
  readonly title: string
  readonly to: Customization["header"]["links"][number]["to"]
}

const refOf = (to: NonNullable<CustomLink["to"]>): ContentRef => {
  if (!("page" in to)) return to
  const space = to.space === undefined ? {} : { space: to.space }
  return to.anchor === undefined
    ? { kind: "page", page: to.page, ...space }
    : { kind: "anchor", page: to.page, anchor: to.anchor, ...space }
}

const toLinkItem = (origin: LinkOrigin, { title, to }: CustomLink): LinkItem | undefined => {
  const link = to === null ? undefined : resolveLink(origin, refOf(to))
  return link === undefined ? undefined : { title, href: link.href, isExternal: link.isExternal }
}

const toLinkItems = (origin: LinkOrigin, links: ReadonlyArray<CustomLink>): ReadonlyArray<LinkItem> =>
  links.flatMap((link) => toLinkItem(origin, link) ?? [])

const headerLinks = (origin: LinkOrigin, { header }: Customization): ReadonlyArray<HeaderLink> =>
  header.links.flatMap((link) => {
    const own = toLinkItem(origin, link)
    const items = toLinkItems(origin, link.links)
    if (own === undefined && items.length === 0) return []
    return [
      {
        title: link.title,
        href: own?.href,
        isExternal: own?.isExternal === true,
        style: link.style ?? "link",
        items
      }
    ]
  })

const themedImage = (
  image: { readonly light: string; readonly dark: string } | undefined
): ThemedImage | undefined => {
  const light = image === undefined ? undefined : resourceUrl(image.light)
  const dark = image === undefined ? undefined : resourceUrl(image.dark)
  return light === undefined || dark === undefined ? undefined : { light, dark }
}

const faviconOf = ({ favicon }: Customization): SiteFrame["favicon"] => {
  if ("icon" in favicon && favicon.icon !== undefined) return themedImage(favicon.icon)
  if (!("emoji" in favicon) || favicon.emoji === undefined) return undefined
  const { emoji } = favicon
  return {
    emoji: /^[0-9a-f]{2,6}(-[0-9a-f]{2,6})*$/i.test(emoji) ? charactersOfEmoji(emoji.toLowerCase()) : emoji
  }
}

type SectionItem = Extract<SiteStructure, { readonly type: "sections" }>["structure"][number]

const sectionsIn = (item: SectionItem): ReadonlyArray<SiteSection> =>
  item.object === "site-section" ? [item] : item.object === "site-section-group" ? item.sections : []

/** Returns the sections of a structure, without their groups. */
export const sectionsOf = (structure: SiteStructure | undefined): ReadonlyArray<SiteSection> =>
  structure?.type === "sections" ? structure.structure.flatMap(sectionsIn) : []

/** Whether a structure has a single section and no link, so that pages need no navigation between sections. */
const isSingleSection = (structure: Extract<SiteStructure, { readonly type: "sections" }>): boolean =>
  sectionsOf(structure).length < 2 &&
  !structure.structure.some(
    (item) =>
      item.object === "site-external-link" ||
      (item.object === "site-section-group" &&
        item.children.some(({ object }) => object === "site-external-link"))
  )

/** Returns the site-spaces of the section with a space: the variants of the content. */
const variantsWith = (structure: SiteStructure | undefined, space: LoadedSpace): ReadonlyArray<SiteSpace> => {
  if (structure === undefined) return []
  if (structure.type === "siteSpaces") return structure.structure
  return (
    sectionsOf(structure).find(({ siteSpaces }) => siteSpaces.some((one) => one.space.id === space.id))
      ?.siteSpaces ?? []
  )
}

/** The default site-space of a section, which has the URL of the section. */
const defaultSpace = ({ siteSpaces }: SiteSection): SiteSpace | undefined =>
  siteSpaces.find((siteSpace) => siteSpace.default) ?? siteSpaces[0]

const sectionLinks = ({ site, space, from }: LinkOrigin): ReadonlyArray<LinkItem | LinkGroup> => {
  const { structure } = site
  if (structure?.type !== "sections" || isSingleSection(structure)) return []
  const toLink = ({ title, url, icon: name, description }: SiteExternalLink): ReadonlyArray<LinkItem> => {
    const href = externalUrl(url)
    return href === undefined ? [] : [{ title, href, icon: icon(name), description, isExternal: true }]
  }
  const toItem = (section: SiteSection | SiteExternalLink): ReadonlyArray<LinkItem> => {
    if (section.object === "site-external-link") return toLink(section)
    const target = site.spaces.get(defaultSpace(section)?.space.id ?? "")
    if (target === undefined) return []
    return [
      {
        title: section.title,
        href: relativeUrl(from, target.root),
        icon: icon(section.icon),
        description: section.description,
        isCurrent: section.siteSpaces.some((one) => one.space.id === space.id)
      }
    ]
  }
  return structure.structure.flatMap((item): ReadonlyArray<LinkItem | LinkGroup> => {
    if (item.object !== "site-section-group") return toItem(item)
    const items = item.children.flatMap(toItem)
    return items.length === 0 ? [] : [{ title: item.title, icon: icon(item.icon), items }]
  })
}

const variantLinks = (
  origin: LinkOrigin,
  otherSpacePath: (space: string) => string | undefined
): ReadonlyArray<LinkItem> => {
  const { site, space, from } = origin
  return variantsWith(site.structure, space).flatMap((siteSpace) => {
    const target = site.spaces.get(siteSpace.space.id)
    if (target === undefined) return []
    return [
      {
        title: siteSpace.title,
        href: relativeUrl(from, otherSpacePath(target.id) ?? target.root),
        isCurrent: target.id === space.id
      }
    ]
  })
}

/** Returns the ids of the spaces that the links of a customization refer to. */
export const spacesInLinks = ({ header, footer, announcement }: Customization): ReadonlyArray<string> => {
  const links: ReadonlyArray<CustomLink> = [
    ...header.links.flatMap((link) => [link, ...link.links]),
    ...footer.groups.flatMap((group) => group.links),
    ...(announcement?.link === undefined ? [] : [announcement.link])
  ]
  return [
    ...new Set(
      links.flatMap(({ to }) => (to !== null && "space" in to && to.space !== undefined ? [to.space] : []))
    )
  ]
}

/** The URLs of the assets of a page. */
export interface AssetNames {
  readonly style: string
  readonly theme: string
  readonly script: string
  readonly requests: string
  readonly consent: string
  readonly ask: string
}

/** Builds the frame of a page. `current` is the page; `undefined` for pages outside of the tree, such as the search. */
export const buildFrame = (
  origin: LinkOrigin,
  current: IndexedPage | undefined,
  assets: AssetNames,
  otherSpacePath: (space: string) => string | undefined = () => undefined
): SiteFrame => {
  const { site, from } = origin
  const { customization } = site
  const { announcement } = customization
  const asset = (name: string) => relativeUrl(from, `${reservedPath}assets/${name}`)
  return {
    messages: messagesOf(customization.internationalization.locale),
    customization,
    siteTitle: customization.title ?? site.title,
    assets: {
      style: asset(assets.style),
      theme: asset(assets.theme),
      script: asset(assets.script),
      requests: asset(assets.requests),
      ...(site.scripts === undefined ? {} : { consent: asset(assets.consent) }),
      ask: asset(assets.ask)
    },
    home: relativeUrl(from, ""),
    searchUrl: relativeUrl(from, `${reservedPath}search`),
    askUrl: origin.site.ask === undefined ? undefined : relativeUrl(from, askPath),
    favicon: faviconOf(customization),
    logo: themedImage(customization.header.logo),
    footerLogo: themedImage(customization.footer.logo),
    headerLinks: headerLinks(origin, customization),
    footerGroups: customization.footer.groups.flatMap(({ title, links }) => {
      const items = toLinkItems(origin, links)
      return items.length === 0 ? [] : [{ title, items }]
    }),
    sections: sectionLinks(origin),
    variants: variantLinks(origin, otherSpacePath),
    tree: treeItems(origin, current),
    announcementLink: announcement?.link === undefined ? undefined : toLinkItem(origin, announcement.link),
    scripts: site.scripts,
    bar: site.bar?.(from)
  }
}
