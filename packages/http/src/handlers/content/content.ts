import { ContentApi } from "@lectern/client"
import { Content, Documents, Imports, PageImports, type SpaceId } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve, serveMapped } from "../shared/Handlers.ts"
import { contentTarget } from "../shared/parametersOf.ts"
import { presentMetaLinks } from "./presentMetaLinks.ts"

const contentOf = (params: { readonly spaceId: SpaceId }) => ({ space: params.spaceId })

export const content = Effect.map(
  Effect.all([Content, Imports, Documents, PageImports]),
  ([content, imports, documents, pageImports]) =>
    implement(
      ContentApi,
      {
        getDocumentById: documents.get,
        getComputedDocument: serve(documents.compute, ({ params, payload }) => ({
          content: contentOf(params),
          input: payload
        })),
        getComputedRevision: serve(documents.computeRevision, ({ params, payload }) => ({
          content: contentOf(params),
          input: payload
        })),
        importContentInPageById: pageImports.import,
        getCurrentRevision: content.getRevision,
        updateSpaceContent: content.edit,
        importContent: imports.import,
        listPages: content.listPages,
        listFiles: content.listFiles,
        getFileById: content.getFile,
        getPageById: content.getPage,
        listSpacePageMetaLinks: serveMapped(
          content.getPage,
          ({ params }) => ({ content: contentOf(params), page: params.pageId }),
          presentMetaLinks
        ),
        getPageByPath: content.getPageByPath,
        getReusableContentById: content.getReusableContent
      },
      contentTarget
    )
)
