/** Declares the operations with which renderers find the content of published sites. */

import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import {
  Embed,
  EmbedQuery,
  PublishedLookup,
  PublishedUrlQuery,
  ResolvePublishedUrl,
  SpaceId,
  TrackSiteEvents,
  UrlTarget,
  UrlTargetQuery
} from "../../index.ts"
import { changing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { always, ReturnsSecret } from "../shared/requestConditions.ts"
import { RequiresNoToken } from "../shared/requiresNoToken.ts"
import { site, sitePath } from "./siteParameters.ts"

const resolution =
  "Returns the site-space that the URL belongs to, with a token that reads its content on behalf of the visitor, or the URL where the visitor authenticates. It requires no token."

/** The group of operations with which renderers find the content of published sites. */
export const PublishedContentApi = HttpApiGroup.make("publishedContent")
  .add(
    HttpApiEndpoint.post("resolvePublishedContentByUrl", "/urls/published", {
      payload: ResolvePublishedUrl,
      success: PublishedLookup,
      error: changing
    })
      .annotateMerge(describe("Resolve the URL of a published site", resolution))
      .annotate(ReturnsSecret, always)
      .annotate(RequiresNoToken, true),
    HttpApiEndpoint.get("getPublishedContentByUrl", "/urls/published", {
      query: {
        url: PublishedUrlQuery.fields.url,
        visitorAuthToken: PublishedUrlQuery.fields.visitorAuthToken,
        redirectOnError: PublishedUrlQuery.fields.redirectOnError
      },
      success: PublishedLookup,
      error: reading
    })
      .annotateMerge(describe("Resolve the URL of a published site by a query", resolution))
      .annotate(ReturnsSecret, always)
      .annotate(RequiresNoToken, true),
    HttpApiEndpoint.get("getEmbedByUrlInSpace", "/spaces/:spaceId/embed", {
      params: { spaceId: SpaceId },
      query: { url: EmbedQuery.fields.url },
      success: Embed,
      error: reading
    }).annotateMerge(
      describe(
        "Resolve the URL of an embed",
        "Returns how a page shows the resource at a URL: as a sandboxed frame of a known provider, or as a link."
      )
    ),
    HttpApiEndpoint.get("getEmbedByUrl", "/urls/embed", {
      query: { url: EmbedQuery.fields.url },
      success: Embed,
      error: reading
    }).annotateMerge(
      describe(
        "Resolve the URL of an embed outside of a space",
        "Returns how pages show the resource at a URL: as a sandboxed frame of a known provider, or as a link."
      )
    ),
    HttpApiEndpoint.get("getContentByUrl", "/urls/content", {
      query: { url: UrlTargetQuery.fields.url },
      success: UrlTarget,
      error: reading
    }).annotateMerge(
      describe(
        "Resolve a URL to content",
        "Returns the collection, or the space with the change request and the page, that a URL in the application, in the API or on a site leads to."
      )
    ),
    HttpApiEndpoint.post("trackEventsInSiteById", `${sitePath}/insights/events`, {
      params: site,
      payload: TrackSiteEvents,
      success: HttpApiSchema.Empty(204),
      error: changing
    })
      .annotateMerge(
        describe(
          "Track events of a site",
          "Counts the events of a page by type, for the insights of the site and in the metrics of the server. It requires no token."
        )
      )
      .annotate(RequiresNoToken, true)
  )
  .annotateMerge(
    describeGroup("Published content", "The content of published sites, for their renderers and visitors.")
  )
