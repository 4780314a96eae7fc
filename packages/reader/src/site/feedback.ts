/** The ratings of pages by visitors. */
import type { PageView } from "@lectern/core"
import { decodePart, relativeUrl } from "../html/urls.ts"
import { pathOfPage } from "./ReadableSite.ts"
import { reservedPath } from "./reservedPath.ts"
import type { SiteRequest } from "./serveSite.ts"

/** The path of the form below the root of a site. */
export const feedbackPath = `${reservedPath}feedback`

/** The id of the message that a visitor sees after a rating. */
export const thanksId = "feedback-thanks"

/** Returns the rated page of the space of a request, and the URL that displays it with the message. */
export const ratedPage = (
  { site, space, path }: SiteRequest,
  id: string
): { readonly view: PageView; readonly location: string } | undefined => {
  const { visitor } = site.identity
  const page = space.index.byId.get(id)?.page
  if (
    page?.type !== "document" ||
    visitor === undefined ||
    visitor === "anonymous" ||
    !site.customization.feedback.enabled
  )
    return undefined
  const pagePath = pathOfPage(space, page)
  return {
    view: {
      organization: site.organization,
      site: visitor.site,
      page: page.id,
      path: pagePath.split("/").map(decodePart).join("/")
    },
    location: `${relativeUrl(path, pagePath)}#${thanksId}`
  }
}
