import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import {
  CreateSiteMcpServer,
  pageOf,
  SiteMcpServer,
  SiteMcpServerId,
  UpdateSiteMcpServer
} from "../../index.ts"
import { created } from "../shared/created.ts"
import { changing, editing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"
import { always, ReturnsSecret } from "../shared/requestConditions.ts"
import { site, sitePath } from "./siteParameters.ts"

const path = `${sitePath}/mcp-servers` as const
const server = { ...site, siteMcpServerId: SiteMcpServerId }

/** The group of operations on the MCP servers of sites. */
export const SiteMcpServersApi = HttpApiGroup.make("siteMcpServers")
  .add(
    HttpApiEndpoint.get("listSiteMcpServers", path, {
      params: site,
      query: page,
      success: pageOf(SiteMcpServer),
      error: reading
    })
      .annotateMerge(
        describe("List the MCP servers of a site", "Returns the servers with their headers, newest first.")
      )
      .annotate(ReturnsSecret, always),
    HttpApiEndpoint.post("createSiteMcpServer", path, {
      params: site,
      payload: CreateSiteMcpServer,
      success: created(SiteMcpServer),
      error: changing
    })
      .annotateMerge(
        describe(
          "Add an MCP server to a site",
          "Stores a server that an assistant of the site can use. Lectern itself sends no requests to it. The headers are encrypted."
        )
      )
      .annotate(ReturnsSecret, always),
    HttpApiEndpoint.get("getSiteMcpServerById", `${path}/:siteMcpServerId`, {
      params: server,
      success: SiteMcpServer,
      error: reading
    })
      .annotateMerge(describe("Get an MCP server of a site", "Returns the server with its headers."))
      .annotate(ReturnsSecret, always),
    HttpApiEndpoint.patch("updateSiteMcpServerById", `${path}/:siteMcpServerId`, {
      params: server,
      payload: UpdateSiteMcpServer,
      success: SiteMcpServer,
      error: editing
    })
      .annotateMerge(
        describe(
          "Update an MCP server of a site",
          "Updates the fields that the request contains. Headers replace the stored ones."
        )
      )
      .annotate(ReturnsSecret, always),
    HttpApiEndpoint.delete("deleteSiteMcpServerById", `${path}/:siteMcpServerId`, {
      params: server,
      success: HttpApiSchema.Empty(205),
      error: editing
    }).annotateMerge(describe("Remove an MCP server from a site", "Deletes the server with its headers."))
  )
  .annotateMerge(
    describeGroup(
      "Site MCP servers",
      "Servers of the Model Context Protocol that an assistant of a site can use."
    )
  )
