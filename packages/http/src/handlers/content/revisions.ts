/** Handlers of the operations on revisions. */

import { RevisionsApi } from "@lectern/client"
import { Content, NotFound } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

const contentOf = (params: { readonly spaceId: string; readonly revisionId: string }) => ({
  space: params.spaceId,
  revision: params.revisionId
})

/** The operations on revisions, implemented. */
export const revisions = Effect.map(Content, (content) =>
  implement(RevisionsApi, {
    getRevisionById: ({ params, query }) => content.revision(contentOf(params), query),
    getRevisionSemanticChanges: ({ params, query }) => content.changes(contentOf(params), query),
    listPagesInRevisionById: ({ params, query }) => content.pages(contentOf(params), query),
    listFilesInRevisionById: ({ params, query }) => content.files(contentOf(params), query),
    getFileInRevisionById: ({ params, query }) => content.file(contentOf(params), params.fileId, query),
    getPageInRevisionById: ({ params, query }) => content.page(contentOf(params), params.pageId, query),
    getPageDocumentInRevisionById: ({ params }) =>
      Effect.flatMap(content.page(contentOf(params), params.pageId, { format: "document" }), (page) =>
        page.type === "document" && page.document !== undefined
          ? Effect.succeed(page.document)
          : Effect.fail(NotFound.of("document"))
      ),
    getPageInRevisionByPath: ({ params, query }) =>
      content.pageByPath(contentOf(params), params.pagePath, query),
    getReusableContentInRevisionById: ({ params, query }) =>
      content.reusableContent(contentOf(params), params.reusableContentId, query)
  })
)
