/** The content that the URL of a published site leads to. */

import * as Schema from "effect/Schema"
import { OrganizationId } from "../organizations/Organization.ts"
import { resource } from "../schema/resource.ts"
import { text } from "../schema/Text.ts"
import { Url } from "../schema/Url.ts"
import { SpaceId } from "../spaces/Space.ts"
import { SiteId, SiteSectionId, SiteSpaceId } from "./Site.ts"
import { UnsignedClaims } from "./SiteVisitor.ts"
import { VisitorQuery } from "./VisitorQuery.ts"

/** The claims of a visitor: signed ones as a JWT, and others without a signature. */
export class SiteVisitorPayload extends resource<SiteVisitorPayload>()(
  Schema.Struct({
    /** A JWT that is signed with the private key of the site (HS256) and that expires: at most 8,192 characters. */
    jwtToken: VisitorQuery.fields.visitorAuthToken,
    /** Claims without a signature, which conditions read as `visitor.claims.unsigned`: at most 4,096 characters of JSON. */
    unsignedClaims: Schema.optionalKey(UnsignedClaims)
  }).annotate({ identifier: "SiteVisitorPayload" })
) {}

/** The URL to resolve, and the visitor who opens it. */
export class ResolvePublishedUrl extends resource<ResolvePublishedUrl>()(
  Schema.Struct({
    /** The URL of a published site, or of a page on it: at most 2,048 characters. */
    url: Url,
    /**
     * Whether an invalid visitor token results in a redirect to the fallback URL, as a missing one does; false by
     * default.
     */
    redirectOnError: Schema.optionalKey(Schema.Boolean),
    /** The visitor who opens the URL. */
    visitor: Schema.optionalKey(SiteVisitorPayload)
  }).annotate({ identifier: "ResolvePublishedUrl" })
) {}

/** The URL to resolve, and the token of the visitor who opens it, as a query. */
export class PublishedUrlQuery extends resource<PublishedUrlQuery>()(
  Schema.Struct({
    /** The URL of a published site, or of a page on it: at most 2,048 characters. */
    url: Url,
    /** A JWT that is signed with the private key of the site (HS256) and that expires: at most 8,192 characters. */
    visitorAuthToken: Schema.optionalKey(text({ max: 8192 })),
    /** Whether an invalid visitor token results in a redirect to the fallback URL; false by default. */
    redirectOnError: Schema.optionalKey(Schema.Boolean)
  })
) {}

/** A redirect of a visitor to another URL, where they authenticate. */
export class PublishedRedirect extends resource<PublishedRedirect>()(
  Schema.Struct({
    /** Where the URL is: `application` in Lectern, `content` on a published site, `external` elsewhere. */
    target: Schema.Literals(["application", "content", "external"]),
    /** The URL to redirect to. */
    redirect: Schema.String
  }).annotate({ identifier: "PublishedRedirect" })
) {}

/** The site-space and the page path that a URL leads to. */
export class PublishedSiteContent extends resource<PublishedSiteContent>()(
  Schema.Struct({
    /** The organization of the site. */
    organization: OrganizationId,
    /** The site. */
    site: SiteId,
    /** The section of the site; absent on a site without sections. */
    siteSection: Schema.optionalKey(SiteSectionId),
    /** The site-space. */
    siteSpace: SiteSpaceId,
    /** The space. */
    space: SpaceId,
    /** The path of the page in the space; empty for its first page. */
    pathname: Schema.String,
    /** The path of the site-space in the URL, with a final slash. */
    basePath: Schema.String,
    /** The path of the site in the URL, with a final slash. */
    siteBasePath: Schema.String,
    /** The token with which the content is read on behalf of the visitor. It stops working when their credentials do. */
    apiToken: Schema.String,
    /** The share key in the URL; absent for a site that is not published through share links. */
    shareKey: Schema.optionalKey(Schema.String),
    /** Whether longer URLs belong to the same site-space. */
    complete: Schema.Boolean,
    /** Identifies the claims that the content depends on, for cache keys; absent for a visitor without claims. */
    contextId: Schema.optionalKey(Schema.String),
    /** The canonical URL of the page. */
    canonicalUrl: Schema.String
  }).annotate({ identifier: "PublishedSiteContent" })
) {}

/** The result of resolving the URL of a published site: content, or a redirect. */
export const PublishedLookup = Schema.Union([PublishedSiteContent, PublishedRedirect])
/** The result of resolving the URL of a published site: content, or a redirect. */
export type PublishedLookup = typeof PublishedLookup.Type
