/** Handlers of the operations on the content of spaces. */

import { ContentApi } from "@lectern/client"
import { Content, Imports } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

const contentOf = (params: { readonly spaceId: string }) => ({ space: params.spaceId })

/** The operations on the content of spaces, implemented. */
export const content = Effect.map(Effect.all([Content, Imports]), ([content, imports]) =>
  implement(ContentApi, {
    getCurrentRevision: ({ params, query }) => content.revision(contentOf(params), query),
    updateSpaceContent: ({ params, payload }) => content.edit(contentOf(params), payload),
    importContent: ({ params, payload }) => imports.import(contentOf(params), payload),
    listPages: ({ params, query }) => content.pages(contentOf(params), query),
    listFiles: ({ params, query }) => content.files(contentOf(params), query),
    getFileById: ({ params, query }) => content.file(contentOf(params), params.fileId, query),
    getPageById: ({ params, query }) => content.page(contentOf(params), params.pageId, query),
    getPageByPath: ({ params, query }) => content.pageByPath(contentOf(params), params.pagePath, query),
    getReusableContentById: ({ params, query }) =>
      content.reusableContent(contentOf(params), params.reusableContentId, query)
  })
)
