/** Redirects of a site, from a path on it, or from all paths below one, to a section, a site-space, a page or another website. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { PageId } from "../content/Page.ts"
import { idSchema } from "../schema/Id.ts"
import { PageQuery } from "../schema/Pagination.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp, text, unescaped } from "../schema/Text.ts"
import { LinkUrl } from "../schema/Url.ts"
import { SpaceId } from "../spaces/Space.ts"
import { SiteSectionId, SiteSpaceId } from "./Site.ts"
import { VisitorQuery } from "./VisitorQuery.ts"

/** The id of a redirect of a site. */
export const SiteRedirectId = idSchema("The id of a redirect of a site.").pipe(Schema.brand("SiteRedirectId"))

/** The id of a redirect of a site. */
export type SiteRedirectId = string & Brand.Brand<"SiteRedirectId">

/** A path on a site: at most 512 characters, percent-encoded, without a final slash. */
const requestedPath = text({ max: 512 }).check(
  Schema.isPattern(
    /^\/(?:[A-Za-z0-9\-._~+]|%[0-9A-Fa-f]{2})+(?:\/(?:[A-Za-z0-9\-._~+]|%[0-9A-Fa-f]{2})+)*$/u,
    {
      message: "must be a percent-encoded path on the site, as in /guides/install"
    }
  )
)

/** The files at the root of a site that the server renders, which no redirect replaces. */
const renderedFiles: ReadonlySet<string> = new Set(
  ["sitemap.xml", "robots.txt", "llms.txt", "llms-full.txt", "rss.xml", "atom.xml"].map((name) => `/${name}`)
)

/** Returns why no request has a path that a source matches; undefined if one can. */
const unmatchedReason = (source: string): string | undefined => {
  const path = unescaped(source)
  const isDot = source
    .replace(/\*$/, "")
    .split("/")
    .some((segment) => /^\.{1,2}$/.test(unescaped(segment)))
  // A wildcard after dots also matches names that begin with them.
  if (isDot && !/\/(?:\.|%2e){1,2}\*$/i.test(source))
    return "must not have the segments . and .., which browsers remove"
  if (/^\/~(?:gitbook)?(?:\/|$)/i.test(path))
    return "must not be below /~ or /~gitbook, which are paths of the server"
  return renderedFiles.has(path) ? "must not be a file that the server renders for each site" : undefined
}

/** The path on a site that a redirect starts from, or the beginning of the paths with a final wildcard: at most 512 characters, percent-encoded. */
const sourcePath = text({ max: 512 }).check(
  Schema.isPattern(
    /^\/(?:[A-Za-z0-9\-._~+]|%[0-9A-Fa-f]{2})+(?:\/(?:[A-Za-z0-9\-._~+]|%[0-9A-Fa-f]{2})+)*(?:\/?\*)?$/u,
    { message: "must be a percent-encoded path on the site, as in /guides/install, /guides/* or /guides*" }
  ),
  Schema.makeFilter(unmatchedReason)
)

/** The section, the site-space, the page or the other website that a redirect points to. */
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
  }),
  Schema.Struct({
    /** The type of the destination: a URL of another website. */
    kind: Schema.Literal("external"),
    /** The URL: http or https. */
    url: Schema.String
  })
])

/** The section, the site-space, the page or the other website that a redirect points to. */
export type SiteRedirectDestination = typeof SiteRedirectDestination.Type

/** A destination in a request: also the path of a page, which the response has the id of. */
export const SiteRedirectTarget = Schema.Union([
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
  }),
  Schema.Struct({
    /** The type of the destination: a URL of another website. */
    kind: Schema.Literal("external"),
    /** The URL: http or https, without user information, at most 2048 characters. */
    url: LinkUrl
  }),
  Schema.Struct({
    /** The type of the destination: the page at a path. */
    kind: Schema.Literal("path"),
    /** The id of the space with the page, which must be on the site. */
    spaceId: SpaceId,
    /** The path of the page in the space: at most 2048 characters. An empty path is the first page. */
    path: text({ max: 2048 })
  })
])

/** A destination in a request: also the path of a page, which the response has the id of. */
export type SiteRedirectTarget = typeof SiteRedirectTarget.Type

/** A redirect of a site. */
export class SiteRedirect extends resource<SiteRedirect>()(
  Schema.Struct({
    /** The type of the resource: always `site-redirect`. */
    object: Schema.Literal("site-redirect"),
    /** The id of the redirect. */
    id: SiteRedirectId,
    /** The path on the site that the redirect starts from. With a final `*`, all paths that start with the text before it. */
    source: Schema.String,
    /** Whether visitors do not follow the redirect yet. */
    draft: Schema.Boolean,
    /** Whether the part of the path that the `*` of the source represents is appended to the URL of the destination. */
    captureWildcard: Schema.Boolean,
    /** Whether visitors of a public site receive the status 308, which clients may remember, instead of 307. */
    permanent: Schema.Boolean,
    /** The section, the site-space, the page or the other website that the redirect points to. */
    destination: SiteRedirectDestination,
    /** When the redirect was created; of a redirect to a page that moved, when its space was added to the site. */
    createdAt: Timestamp,
    /** When the redirect was last updated; absent if it has never been. */
    updatedAt: Schema.optionalKey(Timestamp)
  }).annotate({ identifier: "SiteRedirect" })
) {}

/** The maximum number of redirects in one request. */
const maximumUpserts = 500

/** A redirect to create, to update or to delete, by its source; or a draft to publish. */
class UpsertRedirect extends resource<UpsertRedirect>()(
  Schema.Struct({
    /** The path on the site that the redirect starts from, or with a final `*` all paths with this beginning: at most 512 characters. */
    source: sourcePath,
    /**
     * The kind of the change: of the redirect that visitors follow (`live`, the default), or of its draft (`draft`). With `publish`, the draft
     * becomes the redirect that visitors follow, and replaces one with the same source; the other fields have no effect.
     */
    intent: Schema.optionalKey(Schema.Literals(["live", "draft", "publish"])),
    /** Whether the part of the path that the `*` of the source represents is appended to the URL of the destination; false by default. */
    captureWildcard: Schema.optionalKey(Schema.Boolean),
    /** Whether the redirect is permanent: as before by default, and false for a new one. */
    permanent: Schema.optionalKey(Schema.Boolean),
    /** The section, the site-space, the page or the other website that the redirect points to; null deletes the redirect. Required, except to publish. */
    destination: Schema.optionalKey(Schema.NullOr(SiteRedirectTarget))
  }).check(
    Schema.makeFilter(({ destination, intent }) =>
      destination === undefined && intent !== "publish" ? "must have a `destination`" : undefined
    )
  )
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
  /** Whether the redirect is a draft. */
  draft: Schema.Boolean
}

/** The result of one redirect of a request. */
export const UpsertedRedirect = Schema.Union([
  Schema.Struct({
    ...upserted,
    /** The result: the redirect was created or updated, or its draft was published. */
    status: Schema.Literals(["created", "updated", "published"]),
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
    /** The URL of the destination, on the published site or of another website. */
    target: Schema.String
  }).annotate({ identifier: "ResolvedSiteRedirect" })
) {}

/** The input that creates a redirect. */
export class CreateSiteRedirect extends resource<CreateSiteRedirect>()(
  Schema.Struct({
    /** The path on the site that the redirect starts from, unique on the site, or with a final `*` all paths with this beginning: at most 512 characters. */
    source: sourcePath,
    /** A section, a site-space or a page of the site, or a URL of another website. */
    destination: SiteRedirectTarget,
    /** Whether visitors do not follow the redirect yet; false by default. A draft and another redirect can have the same source. */
    draft: Schema.optionalKey(Schema.Boolean),
    /** Whether the part of the path that the `*` of the source represents is appended to the URL of the destination; false by default. */
    captureWildcard: Schema.optionalKey(Schema.Boolean),
    /** Whether visitors of a public site receive the status 308 instead of 307; false by default. */
    permanent: Schema.optionalKey(Schema.Boolean)
  }).annotate({ identifier: "CreateSiteRedirect" })
) {}

/** The input that updates a redirect. Absent fields are not changed. */
export class UpdateSiteRedirect extends resource<UpdateSiteRedirect>()(
  Schema.Struct({
    /** The path on the site that the redirect starts from, unique on the site: at most 512 characters. */
    source: Schema.optionalKey(sourcePath),
    /** A section, a site-space or a page of the site, or a URL of another website. */
    destination: Schema.optionalKey(SiteRedirectTarget),
    /** Whether visitors do not follow the redirect yet. */
    draft: Schema.optionalKey(Schema.Boolean),
    /** Whether the part of the path that the `*` of the source represents is appended to the URL of the destination. */
    captureWildcard: Schema.optionalKey(Schema.Boolean),
    /** Whether visitors of a public site receive the status 308 instead of 307. */
    permanent: Schema.optionalKey(Schema.Boolean)
  }).annotate({ identifier: "UpdateSiteRedirect" })
) {}

/** The filter and the page of a list of redirects. */
export class ListSiteRedirects extends resource<ListSiteRedirects>()(
  Schema.Struct({
    ...PageQuery.fields,
    /** Only redirects whose source contains this text: at most 512 characters. */
    search: Schema.optionalKey(text({ max: 512 })),
    /** Whether to list the drafts instead of the redirects that visitors follow; false by default. */
    draft: Schema.optionalKey(Schema.Boolean),
    /** The order: newest first by default, last updated first, or by source. */
    orderBy: Schema.optionalKey(Schema.Literals(["createdAt", "updatedAt", "source"]))
  })
) {}

/** The path to find a redirect for, and the credentials of the visitor. */
export class SiteRedirectQuery extends resource<SiteRedirectQuery>()(
  Schema.Struct({
    /** A path on the site: at most 512 characters. */
    source: requestedPath,
    ...VisitorQuery.fields
  })
) {}
