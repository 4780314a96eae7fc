/** The operations on change requests. */
import type { ChangeRequestsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const changeRequests = {
  listChangeRequestsForSpace: {
    serves: "ChangeRequests.list",
    rule: "space.read",
    statements: 7,
    query: "status=draft"
  },
  listChangeRequestsForOrganization: {
    serves: "ChangeRequests.listInOrganization",
    rule: "organization.list",
    statements: 7,
    query: "status=draft"
  },
  createChangeRequest: {
    serves: "ChangeRequests.create",
    rule: "space.propose",
    statements: 11,
    repeated: "another",
    body: () => ({})
  },
  getChangeRequestById: { serves: "ChangeRequests.get", rule: "changeRequest.view.other", statements: 6 },
  updateChangeRequestById: {
    serves: "ChangeRequests.update",
    rule: "changeRequest.edit.other",
    statements: 10,
    body: () => ({ subject: "New" })
  },
  mergeChangeRequest: {
    serves: "ChangeRequests.merge",
    rule: "changeRequest.merge.other",
    statements: 18,
    repeated: "409"
  },
  getChangeRequestMergePreview: {
    serves: "ChangeRequests.previewMerge",
    rule: "changeRequest.view.other",
    statements: 8
  },
  updateChangeRequest: {
    serves: "ChangeRequests.updateFromSpace",
    rule: "changeRequest.edit.other",
    statements: 11
  },
  getChangeRequestChanges: { serves: "Content.listChanges", rule: "changeRequest.view.other", statements: 6 }
} satisfies RowsOf<typeof ChangeRequestsApi>
