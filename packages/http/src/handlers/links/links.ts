/** Handlers of the endpoints for links. */
import { LinksApi } from "@lectern/client"
import { Links, type SpaceId } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

const contentOf = (params: { readonly spaceId: SpaceId; readonly changeRequestId?: string }) => ({
  space: params.spaceId,
  ...(params.changeRequestId === undefined ? {} : { changeRequest: params.changeRequestId })
})

/** The handlers of the endpoints for links. */
export const links = Effect.map(Links, (links) =>
  implement(LinksApi, {
    listSpaceLinks: serve(links.list, ({ params, query }) => ({ content: contentOf(params), input: query })),
    listPageLinksInSpace: serve(links.listPageLinks, ({ params, query }) => ({
      content: contentOf(params),
      page: params.pageId,
      input: query
    })),
    listSpacePageBacklinks: serve(links.listPageBacklinks, ({ params, query }) => ({
      content: contentOf(params),
      page: params.pageId,
      input: query
    })),
    listSpaceFileBacklinks: serve(links.listFileBacklinks, ({ params, query }) => ({
      content: contentOf(params),
      file: params.fileId,
      input: query
    })),
    listChangeRequestLinks: serve(links.list, ({ params, query }) => ({
      content: contentOf(params),
      input: query
    })),
    listPageLinksInChangeRequest: serve(links.listPageLinks, ({ params, query }) => ({
      content: contentOf(params),
      page: params.pageId,
      input: query
    })),
    listChangeRequestPageBacklinks: serve(links.listPageBacklinks, ({ params, query }) => ({
      content: contentOf(params),
      page: params.pageId,
      input: query
    })),
    listChangeRequestFileBacklinks: serve(links.listFileBacklinks, ({ params, query }) => ({
      content: contentOf(params),
      file: params.fileId,
      input: query
    }))
  })
)
