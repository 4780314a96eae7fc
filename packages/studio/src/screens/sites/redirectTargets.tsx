/** The destinations of redirects: sections, spaces and pages of a site, and other websites. */
import type { SiteRedirect, SiteSection, SiteSpace, SiteStructure } from "@lectern/client/fetch"
import { useResource } from "../../data/useResource.ts"
import { client } from "../../session.ts"
import { useStrings } from "../../strings/strings.ts"
import { siteStrings } from "./strings.ts"

/** The destination of a redirect. */
export type Destination = SiteRedirect["destination"]

/** Returns the sections of a structure, in groups and outside of them. */
export const sectionsOf = (structure: SiteStructure): ReadonlyArray<SiteSection> =>
  structure.type === "siteSpaces"
    ? []
    : structure.structure.flatMap((item) =>
        item.object === "site-section-group" ? item.sections : item.object === "site-section" ? [item] : []
      )

/** Returns the spaces of a structure. */
export const spacesOf = (structure: SiteStructure): ReadonlyArray<SiteSpace> =>
  structure.type === "siteSpaces"
    ? structure.structure
    : sectionsOf(structure).flatMap(({ siteSpaces }) => siteSpaces)

const PageTitle = ({ spaceId, pageId }: { readonly spaceId: string; readonly pageId: string }) => {
  const t = useStrings(siteStrings)
  const page = useResource(`spaces/${spaceId}/pages/${pageId}/title`, (signal) =>
    client.content.getPageById({ params: { spaceId, pageId } }, { signal })
  )
  if (page.error !== undefined) return <span className="tag tag-danger">{t("missingTarget")}</span>
  return <span>{page.data?.title ?? "…"}</span>
}

/** The name of a destination. */
export const DestinationName = ({
  structure,
  destination
}: {
  readonly structure: SiteStructure
  readonly destination: Destination
}) => {
  const t = useStrings(siteStrings)
  if (destination.kind === "external") return <span>{destination.url}</span>
  const missing = <span className="tag tag-danger">{t("missingTarget")}</span>
  if (destination.kind === "site-section") {
    const section = sectionsOf(structure).find(({ id }) => id === destination.siteSectionId)
    return section === undefined ? missing : <span>{t("targetSection", { title: section.title })}</span>
  }
  const space = spacesOf(structure).find(({ id }) => id === destination.siteSpaceId)
  if (space === undefined) return missing
  if (destination.kind === "site-space") return <span>{t("targetSpace", { title: space.title })}</span>
  return (
    <>
      <PageTitle spaceId={space.space.id} pageId={destination.pageId} />
      <span>{t("targetSpace", { title: space.title })}</span>
    </>
  )
}
