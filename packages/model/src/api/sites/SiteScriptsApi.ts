import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import {
  CreateSiteScript,
  pageOf,
  ScriptTemplate,
  SiteIntegrationScript,
  SiteScript,
  SiteScriptId,
  UpdateSiteScript
} from "../../index.ts"
import { created } from "../shared/created.ts"
import { changing, editing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"
import { site, sitePath } from "./siteParameters.ts"

const path = `${sitePath}/scripts` as const
const script = { ...site, siteScriptId: SiteScriptId }

/** The group of operations on the scripts of sites. */
export const SiteScriptsApi = HttpApiGroup.make("siteScripts")
  .add(
    HttpApiEndpoint.get("listSiteScripts", path, {
      params: site,
      query: page,
      success: pageOf(SiteScript),
      error: reading
    }).annotateMerge(
      describe(
        "List the scripts of a site",
        "Returns the scripts, newest first, with the reasons why pages do not load them."
      )
    ),
    HttpApiEndpoint.post("createSiteScript", path, {
      params: site,
      payload: CreateSiteScript,
      success: created(SiteScript),
      error: changing
    }).annotateMerge(
      describe(
        "Install a script on a site",
        "Installs a script by its URL, as text, or of a known service. Pages load it after the consent of the visitor to its categories, and only at a host name of the site that serves neither the application nor the API. At a host where other sites of the organization have an address, an enabled script requires the role `admin` on each of them. A site has at most 20 scripts."
      )
    ),
    HttpApiEndpoint.get("getSiteScriptById", `${path}/:siteScriptId`, {
      params: script,
      success: SiteScript,
      error: reading
    }).annotateMerge(describe("Get a script of a site", "Returns the script, and whether pages load it.")),
    HttpApiEndpoint.patch("updateSiteScriptById", `${path}/:siteScriptId`, {
      params: script,
      payload: UpdateSiteScript,
      success: SiteScript,
      error: editing
    }).annotateMerge(
      describe(
        "Update a script of a site",
        "Updates the fields that the request contains. At a host of other sites, a script that is enabled afterwards requires the role `admin` on each of them."
      )
    ),
    HttpApiEndpoint.delete("deleteSiteScriptById", `${path}/:siteScriptId`, {
      params: script,
      success: HttpApiSchema.Empty(205),
      error: editing
    }).annotateMerge(describe("Remove a script from a site", "Pages no longer load the script.")),
    HttpApiEndpoint.get("listSiteScriptTemplates", `${sitePath}/script-templates`, {
      params: site,
      success: Schema.Struct({
        items: Schema.Array(ScriptTemplate).annotate({ description: "The services." })
      }).annotate({
        identifier: "ScriptTemplates",
        description: "The services whose scripts can be installed."
      }),
      error: reading
    }).annotateMerge(
      describe(
        "List the known services",
        "Returns the services of analytics and support whose scripts can be installed, with the values that they require."
      )
    ),
    HttpApiEndpoint.get("listSiteIntegrationScripts", `${sitePath}/integration-scripts`, {
      params: site,
      success: Schema.Array(SiteIntegrationScript),
      error: reading
    }).annotateMerge(
      describe(
        "List what pages of a site load",
        "Returns the URLs of the scripts that are active, with the policy that they require and whether visitors must consent."
      )
    )
  )
  .annotateMerge(
    describeGroup("Site scripts", "Scripts of analytics and support that administrators install on sites.")
  )
