/** What answers the operations on the content of spaces. */

import { ContentApi } from "@lectern/client"
import { Content, Imports } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../Handlers.ts"

const of = (params: { readonly spaceId: string }) => ({ space: params.spaceId })

/** The operations on the content of spaces, implemented. */
export const content = Effect.map(Effect.all([Content, Imports]), ([content, imports]) =>
  implement(ContentApi, {
    getCurrentRevision: ({ params, query }) => content.revision(of(params), query),
    updateSpaceContent: ({ params, payload }) => content.edit(of(params), payload),
    importContent: ({ params, payload }) => imports.import(of(params), payload),
    listPages: ({ params, query }) => content.pages(of(params), query),
    listFiles: ({ params, query }) => content.files(of(params), query),
    getFileById: ({ params, query }) => content.file(of(params), params.fileId, query),
    getPageById: ({ params, query }) => content.page(of(params), params.pageId, query),
    getPageByPath: ({ params, query }) => content.pageByPath(of(params), params.pagePath, query),
    getReusableContentById: ({ params, query }) =>
      content.reusableContent(of(params), params.reusableContentId, query)
  })
)
