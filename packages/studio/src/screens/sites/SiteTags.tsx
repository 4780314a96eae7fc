/** Whether a site is published, and to whom. */
import type { Site } from "@lectern/client/fetch"
import { useStrings } from "../../strings/strings.ts"
import { siteStrings } from "./strings.ts"

/** The names of audiences. */
export const visibilityKeys = {
  public: "visibilityPublic",
  unlisted: "visibilityUnlisted",
  "share-link": "visibilityShareLink",
  "visitor-auth": "visibilityVisitorAuth"
} as const satisfies Readonly<Record<Site["visibility"], keyof typeof siteStrings.en>>

/** The state of a site in a list. */
export const SiteTags = ({ site }: { readonly site: Site }) => {
  const t = useStrings(siteStrings)
  return (
    <>
      {site.visibility === "public" ? null : (
        <span className="tag">{t(visibilityKeys[site.visibility])}</span>
      )}
      <span className={site.published ? "tag tag-success" : "tag"}>
        {site.published ? t("published") : t("notPublished")}
      </span>
    </>
  )
}
