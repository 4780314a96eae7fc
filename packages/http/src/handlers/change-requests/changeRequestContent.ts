/** Handlers of the operations on the content of change requests. */

import { ChangeRequestContentApi } from "@lectern/client"
import { Content, Imports } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

const contentOf = (params: { readonly spaceId: string; readonly changeRequestId: string }) => ({
  space: params.spaceId,
  changeRequest: params.changeRequestId
})

/** The operations on the content of change requests, implemented. */
export const changeRequestContent = Effect.map(Effect.all([Content, Imports]), ([content, imports]) =>
  implement(ChangeRequestContentApi, {
    getRevisionOfChangeRequestById: ({ params, query }) => content.revision(contentOf(params), query),
    updateChangeRequestContent: ({ params, query, payload }) =>
      Effect.map(content.edit(contentOf(params), payload), ({ revision: _, changeRequest, ...edited }) =>
        query.compat === false ? { changeRequest: changeRequest!, ...edited } : changeRequest!
      ),
    importContentInChangeRequest: ({ params, payload }) => imports.import(contentOf(params), payload),
    listPagesInChangeRequest: ({ params, query }) => content.pages(contentOf(params), query),
    listFilesInChangeRequestById: ({ params, query }) => content.files(contentOf(params), query),
    getFileInChangeRequestById: ({ params, query }) => content.file(contentOf(params), params.fileId, query),
    getPageInChangeRequestById: ({ params, query }) => content.page(contentOf(params), params.pageId, query),
    getPageInChangeRequestByPath: ({ params, query }) =>
      content.pageByPath(contentOf(params), params.pagePath, query),
    getReusableContentInChangeRequestById: ({ params, query }) =>
      content.reusableContent(contentOf(params), params.reusableContentId, query)
  })
)
