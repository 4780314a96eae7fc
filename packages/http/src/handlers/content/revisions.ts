/** What answers the operations on revisions. */

import { RevisionsApi } from "@lectern/client"
import { Content, NotFound } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../Handlers.ts"

const of = (params: { readonly spaceId: string; readonly revisionId: string }) => ({
  space: params.spaceId,
  revision: params.revisionId
})

/** The operations on revisions, implemented. */
export const revisions = Effect.map(Content, (content) =>
  implement(RevisionsApi, {
    getRevisionById: ({ params, query }) => content.revision(of(params), query),
    getRevisionSemanticChanges: ({ params, query }) => content.changes(of(params), query),
    listPagesInRevisionById: ({ params, query }) => content.pages(of(params), query),
    listFilesInRevisionById: ({ params, query }) => content.files(of(params), query),
    getFileInRevisionById: ({ params, query }) => content.file(of(params), params.fileId, query),
    getPageInRevisionById: ({ params, query }) => content.page(of(params), params.pageId, query),
    getPageDocumentInRevisionById: ({ params }) =>
      Effect.flatMap(content.page(of(params), params.pageId, { format: "document" }), (page) =>
        page.type === "document" && page.document !== undefined
          ? Effect.succeed(page.document)
          : Effect.fail(NotFound.of("document"))
      ),
    getPageInRevisionByPath: ({ params, query }) => content.pageByPath(of(params), params.pagePath, query),
    getReusableContentInRevisionById: ({ params, query }) =>
      content.reusableContent(of(params), params.reusableContentId, query)
  })
)
