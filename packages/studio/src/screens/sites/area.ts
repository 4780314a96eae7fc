/** The area of sites: what is published, to whom, and how it looks. */
import { type Area, type Sidebar, screen } from "../../actions/Area.ts"
import { siteNames } from "../../navigation/siteNames.ts"
import { navigate } from "../../router/location.ts"
import { translate } from "../../strings/strings.ts"
import { homeSidebar } from "../home/area.ts"

const siteSidebar: Sidebar = { id: "site", load: () => import("./SiteSidebar.tsx") }

/** The area of sites. */
export const sitesArea: Area = {
  id: "sites",
  screens: [
    screen("/sites", () => import("./SitesScreen.tsx"), homeSidebar),
    screen("/sites/:site", () => import("./StructureScreen.tsx"), siteSidebar),
    screen("/sites/:site/audience", () => import("./AudienceScreen.tsx"), siteSidebar),
    screen("/sites/:site/look", () => import("./LookScreen.tsx"), siteSidebar),
    screen("/sites/:site/spaces/:siteSpace/look", () => import("./SpaceLookScreen.tsx"), siteSidebar),
    screen("/sites/:site/redirects", () => import("./RedirectsScreen.tsx"), siteSidebar),
    screen("/sites/:site/scripts", () => import("./ScriptsScreen.tsx"), siteSidebar),
    screen("/sites/:site/insights", () => import("./InsightsScreen.tsx"), siteSidebar),
    screen("/sites/:site/permissions", () => import("./SiteAccessScreen.tsx"), siteSidebar),
    screen("/sites/:site/settings", () => import("./SettingsScreen.tsx"), siteSidebar)
  ],
  actions: [
    {
      id: "sites.open",
      label: () => translate(siteNames, "openSites"),
      shortcut: "g s",
      run: () => navigate("/sites")
    }
  ],
  invalidatedBy: ({ type, organization, data }) => {
    const id = type.startsWith("site.") ? data.id : data.site
    const isOfSite =
      /^(site|siteSettings|siteSection|siteSectionGroup|siteSpace|siteRedirect|siteScript|shareLink)\./.test(
        type
      )
    if (!isOfSite || typeof id !== "string") return []
    return [`sites/${id}`, ...(type.startsWith("site.") ? [`organizations/${organization}/sites`] : [])]
  }
}
