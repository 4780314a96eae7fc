/** Handlers of the endpoints for revisions. */
import { RevisionsApi } from "@lectern/client"
import { Content, Documents, NotFound, type RevisionId, type SpaceId } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve, serveMapped } from "../shared/Handlers.ts"

const contentOf = (params: { readonly spaceId: SpaceId; readonly revisionId: RevisionId }) => ({
  space: params.spaceId,
  revision: params.revisionId
})

/** The handlers of the endpoints for revisions. */
export const revisions = Effect.map(Effect.all([Content, Documents]), ([content, documents]) =>
  implement(RevisionsApi, {
    getReusableContentDocumentInRevisionById: serve(documents.getOfReusableContent, ({ params, query }) => ({
      content: contentOf(params),
      reusableContent: params.reusableContentId,
      input: query
    })),
    getRevisionById: serve(content.getRevision, ({ params, query }) => ({
      content: contentOf(params),
      input: query
    })),
    getRevisionSemanticChanges: serve(content.listChanges, ({ params, query }) => ({
      content: contentOf(params),
      input: query
    })),
    listPagesInRevisionById: serve(content.listPages, ({ params, query }) => ({
      content: contentOf(params),
      input: query
    })),
    listFilesInRevisionById: serve(content.listFiles, ({ params, query }) => ({
      content: contentOf(params),
      input: query
    })),
    getFileInRevisionById: serve(content.getFile, ({ params, query }) => ({
      content: contentOf(params),
      file: params.fileId,
      input: query
    })),
    getPageInRevisionById: serve(content.getPage, ({ params, query }) => ({
      content: contentOf(params),
      page: params.pageId,
      input: query
    })),
    getPageDocumentInRevisionById: serveMapped(
      content.getPage,
      ({ params, query }) => ({
        content: contentOf(params),
        page: params.pageId,
        input: { ...query, format: "document" as const }
      }),
      (page) =>
        page.type === "document" && page.document !== undefined
          ? Effect.succeed(page.document)
          : Effect.fail(NotFound.of("document"))
    ),
    getPageInRevisionByPath: serve(content.getPageByPath, ({ params, query }) => ({
      content: contentOf(params),
      path: params.pagePath,
      input: query
    })),
    getReusableContentInRevisionById: serve(content.getReusableContent, ({ params, query }) => ({
      content: contentOf(params),
      reusableContent: params.reusableContentId,
      input: query
    }))
  })
)
