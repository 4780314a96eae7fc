/** Host names of sites, and subdomains of organizations. */
import * as Schema from "effect/Schema"
import { OrganizationId } from "../organizations/Organization.ts"
import { resource } from "../schema/resource.ts"
import { text } from "../schema/Text.ts"
import { SiteId } from "./Site.ts"

/** A host name in a path, 1 to 255 characters. */
export const Hostname = text({ min: 1, max: 255 }).annotate({ description: "A host name." })

/** Returns the name in a host, in lower case: without its port, and without a final dot. */
export const nameOfHost = (host: string): string => host.replace(/:\d*$/, "").replace(/\.$/, "").toLowerCase()

/** A host name at whose root a site is served. */
export class CustomHostname extends resource<CustomHostname>()(
  Schema.Struct({
    /** The type of the resource: always `custom-hostname`. */
    object: Schema.Literal("custom-hostname"),
    /** The host name. */
    hostname: Schema.String,
    /** The site at the host name. */
    target: Schema.Struct({
      /** The type of the target. */
      type: Schema.Literal("site"),
      /** The id of the site. */
      site: SiteId
    }),
    /** Whether the site is published, so that requests for the host name reach it. */
    isActive: Schema.Boolean,
    /** URLs of the host name. */
    urls: Schema.Struct({
      /** The URL of the host name in the API. */
      location: Schema.String
    })
  }).annotate({ identifier: "CustomHostname" })
) {}

/** A subdomain in a path, 3 to 32 characters. */
export const SubdomainName = text({ min: 3, max: 32 }).annotate({ description: "A subdomain." })

/** The subdomain of an organization. */
export class Subdomain extends resource<Subdomain>()(
  Schema.Struct({
    /** The type of the resource: always `subdomain`. */
    object: Schema.Literal("subdomain"),
    /** The subdomain: the `hostname` of the organization. */
    subdomain: Schema.String,
    /** The owner of the subdomain. */
    target: Schema.Struct({
      /** The type of the owner. */
      type: Schema.Literal("organization"),
      /** The id of the organization. */
      organization: OrganizationId
    }),
    /** Whether the organization has the subdomain now: always true, because others are not found. */
    isActive: Schema.Boolean
  }).annotate({ identifier: "Subdomain" })
) {}
