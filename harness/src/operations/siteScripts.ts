/** The operations on the scripts of sites. */
import type { SiteScriptsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"
import { siteScript } from "./sceneInputs.ts"

export const siteScripts = {
  listSiteScripts: { serves: "SiteScripts.list", rule: "site.configure" },
  createSiteScript: {
    serves: "SiteScripts.create",
    rule: "site.configure",
    repeated: "another",
    body: () => siteScript
  },
  getSiteScriptById: { serves: "SiteScripts.get", rule: "site.configure" },
  updateSiteScriptById: {
    serves: "SiteScripts.update",
    rule: "site.configure",
    body: () => ({ enabled: false })
  },
  deleteSiteScriptById: { serves: "SiteScripts.remove", rule: "site.configure", repeated: "404" },
  listSiteScriptTemplates: { serves: "SiteScripts.listTemplates", rule: "site.view" },
  listSiteIntegrationScripts: { serves: "SiteScripts.listActive", rule: "site.view" }
} satisfies RowsOf<typeof SiteScriptsApi>
