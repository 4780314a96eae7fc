/** Redirects of a site, from a path on it to a section, a site-space or a page. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { PageId } from "../content/Page.ts"
import { idSchema } from "../schema/Id.ts"
import { PageQuery } from "../schema/Pagination.ts"
import { resource } from "../schema/resource.ts"
import { text } from "../schema/Text.ts"
import { SiteSectionId, SiteSpaceId } from "./Site.ts"
import { VisitorQuery } from "./VisitorQuery.ts"

/** The id of a redirect of a site. */
export const SiteRedirectId = idSchema("The id of a redirect of a site.").pipe(Schema.brand("SiteRedirectId"))

/** The id of a redirect of a site. */
export type SiteRedirectId = string & Brand.Brand<"SiteRedirectId">

/** The path on a site that a redirect starts from: at most 512 characters, percent-encoded, without a final slash. */
const sourcePath = text({ max: 512 }).check(
  Schema.isPattern(/^\/(?:[A-Za-z0-9\-._~]|%[0-9A-Fa-f]{2})+(?:\/(?:[A-Za-z0-9\-._~]|%[0-9A-Fa-f]{2})+)*$/u, {
    message: "must be a percent-encoded path on the site, as in /guides/install"
  })
)

/** The section, the site-space or the page that a redirect points to. */
export const SiteRedirectDestination = Schema.Union([
  Schema.Struct({
    /** The type of the destination: a section. */
    kind: Schema.Literal("site-section"),
    /** The id of the section. */
    siteSectionId: SiteSectionId
  }),
  Schema.Struct({
    /** The type of the destination: a site-space. */
    kind: Schema.Literal("site-space"),
    /** The id of the site-space. */
    siteSpaceId: SiteSpaceId
  }),
  Schema.Struct({
    /** The type of the destination: a page. */
    kind: Schema.Literal("site-page"),
    /** The id of the site-space of the page. */
    siteSpaceId: SiteSpaceId,
    /** The id of the page. */
    pageId: PageId
  })
])

/** The section, the site-space or the page that a redirect points to. */
export type SiteRedirectDestination = typeof SiteRedirectDestination.Type

/** A redirect of a site. */
export class SiteRedirect extends resource<SiteRedirect>()(
  Schema.Struct({
    /** The type of the resource: always `site-redirect`. */
    object: Schema.Literal("site-redirect"),
    /** The id of the redirect. */
    id: SiteRedirectId,
    /** The path on the site that the redirect starts from. */
    source: Schema.String,
    /** The section, the site-space or the page that the redirect points to. */
    destination: SiteRedirectDestination
  }).annotate({ identifier: "SiteRedirect" })
) {}

/** The maximum number of redirects in one request. */
const maximumUpserts = 500

/** A redirect to create, to update or to delete, by its source. */
class UpsertRedirect extends resource<UpsertRedirect>()(
  Schema.Struct({
    /** The path on the site that the redirect starts from: at most 512 characters. */
    source: sourcePath,
    /** The kind of the change: always of the redirect that visitors follow, because redirects have no drafts. */
    intent: Schema.optionalKey(Schema.Literal("live")),
    /** The section, the site-space or the page that the redirect points to; null deletes the redirect. */
    destination: Schema.NullOr(SiteRedirectDestination)
  })
) {}

/** Redirects to create, to update or to delete. */
export class UpsertSiteRedirects extends resource<UpsertSiteRedirects>()(
  Schema.Struct({
    /** The redirects, at most 500, in their order. */
    redirects: Schema.Array(UpsertRedirect).check(
      Schema.isMaxLength(maximumUpserts, { message: `must be at most ${maximumUpserts} redirects` })
    )
  }).annotate({ identifier: "UpsertSiteRedirects" })
) {}

const upserted = {
  /** The path on the site that the redirect starts from. */
  source: Schema.String,
  /** Whether the redirect is a draft: always false. */
  draft: Schema.Boolean
}

/** The result of one redirect of a request. */
export const UpsertedRedirect = Schema.Union([
  Schema.Struct({
    ...upserted,
    /** The result: the redirect was created or updated. */
    status: Schema.Literals(["created", "updated"]),
    /** The id of the redirect. */
    id: SiteRedirectId
  }),
  Schema.Struct({
    ...upserted,
    /** The result: the redirect was deleted. */
    status: Schema.Literal("deleted")
  }),
  Schema.Struct({
    ...upserted,
    /** The result: an error, which left the redirect as it was. */
    status: Schema.Literal("error"),
    /** The error. */
    error: Schema.String
  })
]).annotate({ identifier: "UpsertedSiteRedirect" })
/** The result of one redirect of a request. */
export type UpsertedRedirect = typeof UpsertedRedirect.Type

/** The results of a request, one per redirect. */
export class UpsertedSiteRedirects extends resource<UpsertedSiteRedirects>()(
  Schema.Struct({
    /** The results, in the order of the request. */
    results: Schema.Array(UpsertedRedirect)
  }).annotate({ identifier: "UpsertedSiteRedirects" })
) {}

/** A redirect with the URL that it resolves to. */
export class ResolvedSiteRedirect extends resource<ResolvedSiteRedirect>()(
  Schema.Struct({
    /** The redirect. */
    redirect: SiteRedirect,
    /** The URL of the destination, on the published site. */
    target: Schema.String
  }).annotate({ identifier: "ResolvedSiteRedirect" })
) {}

/** The input that creates a redirect. */
export class CreateSiteRedirect extends resource<CreateSiteRedirect>()(
  Schema.Struct({
    /** The path on the site that the redirect starts from, unique on the site: at most 512 characters. */
    source: sourcePath,
    /** A section, a site-space or a page of the site. */
    destination: SiteRedirectDestination
  }).annotate({ identifier: "CreateSiteRedirect" })
) {}

/** The input that updates a redirect. Absent fields are not changed. */
export class UpdateSiteRedirect extends resource<UpdateSiteRedirect>()(
  Schema.Struct({
    /** The path on the site that the redirect starts from, unique on the site: at most 512 characters. */
    source: Schema.optionalKey(sourcePath),
    /** A section, a site-space or a page of the site. */
    destination: Schema.optionalKey(SiteRedirectDestination)
  }).annotate({ identifier: "UpdateSiteRedirect" })
) {}

/** The filter and the page of a list of redirects. */
export class ListSiteRedirects extends resource<ListSiteRedirects>()(
  Schema.Struct({
    ...PageQuery.fields,
    /** Only redirects whose source contains this text: at most 512 characters. */
    search: Schema.optionalKey(text({ max: 512 }))
  })
) {}

/** The path to find a redirect for, and the credentials of the visitor. */
export class SiteRedirectQuery extends resource<SiteRedirectQuery>()(
  Schema.Struct({
    /** A path on the site: at most 512 characters. */
    source: sourcePath,
    ...VisitorQuery.fields
  })
) {}
