/** Handlers of the endpoints for the content of spaces. */
import { ContentApi } from "@lectern/client"
import { Content, Documents, Imports, type SpaceId } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

const contentOf = (params: { readonly spaceId: SpaceId }) => ({ space: params.spaceId })

/** The handlers of the endpoints for the content of spaces. */
export const content = Effect.map(
  Effect.all([Content, Imports, Documents]),
  ([content, imports, documents]) =>
    implement(ContentApi, {
      getDocumentById: serve(documents.get, ({ params }) => ({
        content: contentOf(params),
        document: params.documentId
      })),
      getComputedDocument: serve(documents.compute, ({ params, payload }) => ({
        content: contentOf(params),
        input: payload
      })),
      getCurrentRevision: serve(content.getRevision, ({ params, query }) => ({
        content: contentOf(params),
        input: query
      })),
      updateSpaceContent: serve(content.edit, ({ params, payload }) => ({
        content: contentOf(params),
        input: payload
      })),
      importContent: serve(imports.import, ({ params, payload }) => ({
        content: contentOf(params),
        input: payload
      })),
      listPages: serve(content.listPages, ({ params, query }) => ({
        content: contentOf(params),
        input: query
      })),
      listFiles: serve(content.listFiles, ({ params, query }) => ({
        content: contentOf(params),
        input: query
      })),
      getFileById: serve(content.getFile, ({ params, query }) => ({
        content: contentOf(params),
        file: params.fileId,
        input: query
      })),
      getPageById: serve(content.getPage, ({ params, query }) => ({
        content: contentOf(params),
        page: params.pageId,
        input: query
      })),
      getPageByPath: serve(content.getPageByPath, ({ params, query }) => ({
        content: contentOf(params),
        path: params.pagePath,
        input: query
      })),
      getReusableContentById: serve(content.getReusableContent, ({ params, query }) => ({
        content: contentOf(params),
        reusableContent: params.reusableContentId,
        input: query
      }))
    })
)
