import { RevisionsApi } from "@lectern/client"
import { Content, Documents, NotFound, type RevisionId, type SpaceId } from "@lectern/core"
import { Effect } from "effect"
import { implement, serveMapped } from "../shared/Handlers.ts"
import { contentTarget } from "../shared/parametersOf.ts"
import { presentMetaLinks } from "./presentMetaLinks.ts"

const contentOf = (params: { readonly spaceId: SpaceId; readonly revisionId: RevisionId }) => ({
  space: params.spaceId,
  revision: params.revisionId
})

export const revisions = Effect.map(Effect.all([Content, Documents]), ([content, documents]) =>
  implement(
    RevisionsApi,
    {
      getReusableContentDocumentInRevisionById: documents.getOfReusableContent,
      getRevisionById: content.getRevision,
      getRevisionSemanticChanges: content.listChanges,
      listPagesInRevisionById: content.listPages,
      listFilesInRevisionById: content.listFiles,
      getFileInRevisionById: content.getFile,
      getPageInRevisionById: content.getPage,
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
      listRevisionPageMetaLinks: serveMapped(
        content.getPage,
        ({ params }) => ({ content: contentOf(params), page: params.pageId }),
        presentMetaLinks
      ),
      getPageInRevisionByPath: content.getPageByPath,
      getReusableContentInRevisionById: content.getReusableContent
    },
    contentTarget
  )
)
