import { SiteScriptsApi } from "@lectern/client"
import { SiteScripts } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

export const siteScripts = Effect.map(SiteScripts, (scripts) =>
  implement(SiteScriptsApi, {
    listSiteScripts: scripts.list,
    createSiteScript: scripts.create,
    getSiteScriptById: scripts.get,
    updateSiteScriptById: scripts.update,
    deleteSiteScriptById: scripts.remove,
    listSiteScriptTemplates: scripts.listTemplates,
    listSiteIntegrationScripts: scripts.listActive
  })
)
