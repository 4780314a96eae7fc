/** The operations on the history of spaces. */
import type { HistoryApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const history = {
  listRevisions: { serves: "Revisions.list", rule: "space.read" },
  listRevisionsOfChangeRequest: { serves: "Revisions.listOfChangeRequest", rule: "changeRequest.view.other" },
  restoreRevision: { serves: "Revisions.restore", rule: "space.edit" },
  listArchivedPages: { serves: "Revisions.listArchivedPages", rule: "space.read" },
  restoreArchivedPage: {
    serves: "Revisions.restorePage",
    rule: "space.edit",
    repeated: "404",
    prepare: ({ ids: { spaceId, pageId } }, call) =>
      call("POST", `/v1/spaces/${spaceId}/content`, {
        changes: [{ operation: "delete_page", page: pageId }]
      })
  }
} satisfies RowsOf<typeof HistoryApi>
