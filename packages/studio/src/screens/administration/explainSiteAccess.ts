/** Why a person can see a site: in the application, and as a reader of its published pages. Pure functions. */
import type { Role, Site } from "@lectern/client/fetch"
import { roles } from "../../data/roles.ts"
import type { AccessPerson } from "./explainAccess.ts"

/** The reasons, as the keys of strings. */
export interface SiteAccess {
  /** The actions of the person on the site in the application. */
  readonly application: "disabled" | "guest" | "views" | "edits" | "administers" | "granted"
  /** Who reads the published pages, and whether this person does as a member. */
  readonly pages: ReadonlyArray<
    "unpublished" | "public" | "unlisted" | "shareLink" | "visitorAuth" | "memberVisit" | "conditions"
  >
}

const readers = {
  public: "public",
  unlisted: "unlisted",
  "share-link": "shareLink",
  "visitor-auth": "visitorAuth"
} as const

const rank = (role: Role | null): number => (role === null ? -1 : roles.indexOf(role))

const applicationAccess = (
  { disabled, role }: AccessPerson,
  granted: Role | null
): SiteAccess["application"] => {
  if (disabled) return "disabled"
  if (rank(granted) > rank(role)) return "granted"
  if (role === null) return "guest"
  return role === "admin" ? "administers" : role === "create" ? "edits" : "views"
}

/** Explains the access of a person to a site. `granted` is the highest role on the site of the person and their teams. */
export const explainSiteAccess = (
  person: AccessPerson,
  site: Pick<Site, "published" | "visibility" | "adaptiveContent">,
  granted: Role | null = null
): SiteAccess => {
  const application = applicationAccess(person, granted)
  if (!site.published) return { application, pages: ["unpublished"] }
  const isMember = application !== "disabled" && application !== "guest"
  return {
    application,
    pages: [
      readers[site.visibility],
      ...(isMember && site.visibility === "visitor-auth" ? ["memberVisit" as const] : []),
      ...(site.adaptiveContent.enabled ? ["conditions" as const] : [])
    ]
  }
}
