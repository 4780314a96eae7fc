/** Handlers of the endpoints for the content of change requests. */
import { ChangeRequestContentApi } from "@lectern/client"
import { Content, Imports, type SpaceId } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve, serveMapped } from "../shared/Handlers.ts"

const contentOf = (params: { readonly spaceId: SpaceId; readonly changeRequestId: string }) => ({
  space: params.spaceId,
  changeRequest: params.changeRequestId
})

/** The handlers of the endpoints for the content of change requests. */
export const changeRequestContent = Effect.map(Effect.all([Content, Imports]), ([content, imports]) =>
  implement(ChangeRequestContentApi, {
    getRevisionOfChangeRequestById: serve(content.getRevision, ({ params, query }) => ({
      content: contentOf(params),
      input: query
    })),
    updateChangeRequestContent: serveMapped(
      content.edit,
      ({ params, payload }) => ({ content: contentOf(params), input: payload }),
      ({ revision: _, changeRequest, ...edited }, { query }) =>
        Effect.succeed(query.compat === false ? { changeRequest: changeRequest!, ...edited } : changeRequest!)
    ),
    importContentInChangeRequest: serve(imports.import, ({ params, payload }) => ({
      content: contentOf(params),
      input: payload
    })),
    listPagesInChangeRequest: serve(content.listPages, ({ params, query }) => ({
      content: contentOf(params),
      input: query
    })),
    listFilesInChangeRequestById: serve(content.listFiles, ({ params, query }) => ({
      content: contentOf(params),
      input: query
    })),
    getFileInChangeRequestById: serve(content.getFile, ({ params, query }) => ({
      content: contentOf(params),
      file: params.fileId,
      input: query
    })),
    getPageInChangeRequestById: serve(content.getPage, ({ params, query }) => ({
      content: contentOf(params),
      page: params.pageId,
      input: query
    })),
    getPageInChangeRequestByPath: serve(content.getPageByPath, ({ params, query }) => ({
      content: contentOf(params),
      path: params.pagePath,
      input: query
    })),
    getReusableContentInChangeRequestById: serve(content.getReusableContent, ({ params, query }) => ({
      content: contentOf(params),
      reusableContent: params.reusableContentId,
      input: query
    }))
  })
)
