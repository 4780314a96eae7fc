/** The operations on change requests. */
import type { ChangeRequestsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const changeRequests = {
  listChangeRequestsForSpace: {
    serves: "ChangeRequests.list",
    rule: "space.read",
    query: "status=draft"
  },
  listChangeRequestsForOrganization: {
    serves: "ChangeRequests.listInOrganization",
    rule: "organization.list",
    query: "status=draft"
  },
  createChangeRequest: {
    serves: "ChangeRequests.create",
    rule: "space.propose",
    repeated: "another",
    body: () => ({})
  },
  getChangeRequestById: { serves: "ChangeRequests.get", rule: "changeRequest.view.other" },
  updateChangeRequestById: {
    serves: "ChangeRequests.update",
    rule: "changeRequest.edit.other",
    body: () => ({ subject: "New" })
  },
  mergeChangeRequest: {
    serves: "ChangeRequests.merge",
    rule: "changeRequest.merge.other",
    repeated: "409"
  },
  getChangeRequestMergePreview: {
    serves: "ChangeRequests.previewMerge",
    rule: "changeRequest.view.other"
  },
  updateChangeRequest: {
    serves: "ChangeRequests.updateFromSpace",
    rule: "changeRequest.edit.other"
  },
  getChangeRequestChanges: { serves: "Content.listChanges", rule: "changeRequest.view.other" }
} satisfies RowsOf<typeof ChangeRequestsApi>
