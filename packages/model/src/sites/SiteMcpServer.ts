/** Servers of the Model Context Protocol that an assistant of a site can use. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { idSchema } from "../schema/Id.ts"
import { mapOf } from "../schema/MapOf.ts"
import { resource } from "../schema/resource.ts"
import { text, trimmed } from "../schema/Text.ts"
import { Url } from "../schema/Url.ts"
import { rejectingConditions } from "./rejectedParts.ts"

/** The id of an MCP server of a site. */
export const SiteMcpServerId = idSchema("The id of an MCP server of a site.").pipe(
  Schema.brand("SiteMcpServerId")
)

/** The id of an MCP server of a site. */
export type SiteMcpServerId = string & Brand.Brand<"SiteMcpServerId">

/** The headers of requests to an MCP server: at most 20, with values of 1 to 512 characters. */
const Headers = mapOf(
  text({ min: 1, max: 512 }).check(
    Schema.isPattern(/^[^\n\r]*$/u, { message: "must be one line, without line breaks" })
  ),
  { min: 1, max: 100, maxEntries: 20, noun: "headers" }
)

/** The transport to an MCP server. */
const Transport = Schema.Literals(["sse", "http"])

/** An MCP server that an assistant of a site can use. */
export class SiteMcpServer extends resource<SiteMcpServer>()(
  Schema.Struct({
    /** The type of the resource: always `site-mcp-server`. */
    object: Schema.Literal("site-mcp-server"),
    /** The id of the server. */
    id: SiteMcpServerId,
    /** The name of the server, 1 to 100 characters. */
    name: text({ min: 1, max: 100 }),
    /** The URL of the server. */
    url: Schema.String,
    /** The transport to the server: `sse` or `http`. */
    transport: Transport,
    /** The headers of requests to the server, by name. */
    headers: Schema.Record(Schema.String, Schema.String),
    /** URLs of the resource. */
    urls: Schema.Struct({
      /** The URL of the resource in the API. */
      location: Schema.String
    })
  }).annotate({ identifier: "SiteMcpServer" })
) {}

/** The fields of a new MCP server of a site. */
export class CreateSiteMcpServer extends resource<CreateSiteMcpServer>()(
  Schema.Struct({
    /** The name of the server, 1 to 100 characters. */
    name: trimmed({ min: 1, max: 100 }),
    /** The URL of the server, at most 2,048 characters. */
    url: Url,
    /** The transport to the server; `sse` by default. */
    transport: Schema.optionalKey(Transport),
    /** The headers of requests to the server by name: at most 20, with values of 1 to 512 characters. They are encrypted. */
    headers: Headers
  }).annotate({ identifier: "CreateSiteMcpServer", ...rejectingConditions })
) {}

/** The fields of an MCP server of a site to update. Absent fields do not change. */
export class UpdateSiteMcpServer extends resource<UpdateSiteMcpServer>()(
  Schema.Struct({
    /** The name of the server, 1 to 100 characters. */
    name: Schema.optionalKey(trimmed({ min: 1, max: 100 })),
    /** The URL of the server, at most 2,048 characters. */
    url: Schema.optionalKey(Url),
    /** The transport to the server. */
    transport: Schema.optionalKey(Transport),
    /** The headers that replace the stored ones: at most 20, with values of 1 to 512 characters. */
    headers: Schema.optionalKey(Headers)
  }).annotate({ identifier: "UpdateSiteMcpServer", ...rejectingConditions })
) {}
