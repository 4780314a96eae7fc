/** Handlers of the operations on links. */

import { LinksApi } from "@lectern/client"
import { Links } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

const contentOf = (params: { readonly spaceId: string; readonly changeRequestId?: string }) => ({
  space: params.spaceId,
  ...(params.changeRequestId === undefined ? {} : { changeRequest: params.changeRequestId })
})

/** The operations on links, implemented. */
export const links = Effect.map(Links, (links) =>
  implement(LinksApi, {
    listSpaceLinks: ({ params, query }) => links.list(contentOf(params), query),
    listPageLinksInSpace: ({ params, query }) => links.ofPage(contentOf(params), params.pageId, query),
    listSpacePageBacklinks: ({ params, query }) => links.toPage(contentOf(params), params.pageId, query),
    listSpaceFileBacklinks: ({ params, query }) => links.toFile(contentOf(params), params.fileId, query),
    listChangeRequestLinks: ({ params, query }) => links.list(contentOf(params), query),
    listPageLinksInChangeRequest: ({ params, query }) =>
      links.ofPage(contentOf(params), params.pageId, query),
    listChangeRequestPageBacklinks: ({ params, query }) =>
      links.toPage(contentOf(params), params.pageId, query),
    listChangeRequestFileBacklinks: ({ params, query }) =>
      links.toFile(contentOf(params), params.fileId, query)
  })
)
