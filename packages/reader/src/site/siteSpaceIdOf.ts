/** Finds the site-space of a space. */
import type { SiteSpaceId } from "@lectern/core"
import { sectionsOf } from "./navigation.ts"
import type { ReadableSite } from "./ReadableSite.ts"

/** Returns the id of the site-space of a space; `undefined` for a space that is not on the site. */
export const siteSpaceIdOf = ({ structure }: ReadableSite, space: string): SiteSpaceId | undefined => {
  if (structure === undefined) return undefined
  const siteSpaces =
    structure.type === "siteSpaces"
      ? structure.structure
      : sectionsOf(structure).flatMap((section) => section.siteSpaces)
  return siteSpaces.find((siteSpace) => siteSpace.space.id === space)?.id
}
