import { HistoryApi } from "@lectern/client"
import { Revisions } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

export const history = Effect.map(Revisions, (revisions) =>
  implement(HistoryApi, {
    listRevisions: revisions.list,
    listRevisionsOfChangeRequest: revisions.listOfChangeRequest,
    restoreRevision: serve(revisions.restore, ({ params }) => ({
      content: { space: params.spaceId },
      revision: params.revisionId
    })),
    listArchivedPages: revisions.listArchivedPages,
    restoreArchivedPage: serve(revisions.restorePage, ({ params }) => ({
      content: { space: params.spaceId },
      page: params.pageId
    }))
  })
)
