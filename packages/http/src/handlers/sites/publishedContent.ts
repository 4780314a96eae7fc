import { PublishedContentApi } from "@lectern/client"
import {
  Embeds,
  PublishedContent,
  type PublishedUrlQuery,
  type ResolvePublishedUrl,
  SiteEvents,
  UrlTargets
} from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

/** Converts a query to the input of the operation. The query is absent if it is invalid. */
const lookupOf = (query: PublishedUrlQuery | undefined): ResolvePublishedUrl => {
  const { url = "", redirectOnError, visitorAuthToken } = query ?? {}
  return {
    url,
    ...(redirectOnError === undefined ? {} : { redirectOnError }),
    ...(visitorAuthToken === undefined ? {} : { visitor: { jwtToken: visitorAuthToken } })
  }
}

export const publishedContent = Effect.map(
  Effect.all([PublishedContent, Embeds, SiteEvents, UrlTargets]),
  ([published, embeds, events, targets]) =>
    implement(PublishedContentApi, {
      resolvePublishedContentByUrl: published.resolve,
      getPublishedContentByUrl: serve(published.resolve, ({ query }) => ({ input: lookupOf(query) })),
      getEmbedByUrlInSpace: embeds.get,
      getEmbedByUrl: embeds.getByUrl,
      getContentByUrl: targets.get,
      trackEventsInSiteById: events.track
    })
)
