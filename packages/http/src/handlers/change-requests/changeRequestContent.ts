import { ChangeRequestContentApi } from "@lectern/client"
import { Content, Imports, PageImports, type SpaceId } from "@lectern/core"
import { Effect } from "effect"
import { presentMetaLinks } from "../content/presentMetaLinks.ts"
import { implement, serveMapped } from "../shared/Handlers.ts"
import { contentTarget } from "../shared/parametersOf.ts"

const contentOf = (params: { readonly spaceId: SpaceId; readonly changeRequestId: string }) => ({
  space: params.spaceId,
  changeRequest: params.changeRequestId
})

export const changeRequestContent = Effect.map(
  Effect.all([Content, Imports, PageImports]),
  ([content, imports, pageImports]) =>
    implement(
      ChangeRequestContentApi,
      {
        getRevisionOfChangeRequestById: content.getRevision,
        updateChangeRequestContent: serveMapped(
          content.edit,
          ({ params, payload }) => ({ content: contentOf(params), input: payload }),
          ({ revision: _, changeRequest, ...edited }, { query }) =>
            Effect.succeed(
              query.compat === false ? { changeRequest: changeRequest!, ...edited } : changeRequest!
            )
        ),
        importContentInChangeRequest: imports.import,
        importContentInChangeRequestPageById: pageImports.import,
        listPagesInChangeRequest: content.listPages,
        listFilesInChangeRequestById: content.listFiles,
        getFileInChangeRequestById: content.getFile,
        getPageInChangeRequestById: content.getPage,
        listChangeRequestPageMetaLinks: serveMapped(
          content.getPage,
          ({ params }) => ({ content: contentOf(params), page: params.pageId }),
          presentMetaLinks
        ),
        getPageInChangeRequestByPath: content.getPageByPath,
        getReusableContentInChangeRequestById: content.getReusableContent
      },
      contentTarget
    )
)
