/** What answers the operations on the content of change requests. */

import { ChangeRequestContentApi } from "@lectern/client"
import { Content, Imports } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../Handlers.ts"

const of = (params: { readonly spaceId: string; readonly changeRequestId: string }) => ({
  space: params.spaceId,
  changeRequest: params.changeRequestId
})

/** The operations on the content of change requests, implemented. */
export const changeRequestContent = Effect.map(Effect.all([Content, Imports]), ([content, imports]) =>
  implement(ChangeRequestContentApi, {
    getRevisionOfChangeRequestById: ({ params, query }) => content.revision(of(params), query),
    updateChangeRequestContent: ({ params, query, payload }) =>
      Effect.map(content.edit(of(params), payload), ({ revision: _, changeRequest, ...edited }) =>
        query.compat === false ? { changeRequest: changeRequest!, ...edited } : changeRequest!
      ),
    importContentInChangeRequest: ({ params, payload }) => imports.import(of(params), payload),
    listPagesInChangeRequest: ({ params, query }) => content.pages(of(params), query),
    listFilesInChangeRequestById: ({ params, query }) => content.files(of(params), query),
    getFileInChangeRequestById: ({ params, query }) => content.file(of(params), params.fileId, query),
    getPageInChangeRequestById: ({ params, query }) => content.page(of(params), params.pageId, query),
    getPageInChangeRequestByPath: ({ params, query }) =>
      content.pageByPath(of(params), params.pagePath, query),
    getReusableContentInChangeRequestById: ({ params, query }) =>
      content.reusableContent(of(params), params.reusableContentId, query)
  })
)
