/** The tables `reviews` and `requestedReviewers`. */

import type { ChangeRequestId } from "@lectern/model/change-requests"
import type { RevisionId } from "@lectern/model/content"
import type { OrganizationId } from "@lectern/model/organizations"
import type { ReviewId, ReviewStatus } from "@lectern/model/reviews"
import type { UserId } from "@lectern/model/users"
import { Table } from "../../storage/index.ts"
import { changeRequests } from "../change-requests/changeRequestTables.ts"
import { lockedBySpace } from "../locks/tableLocks.ts"
import { users } from "../users/userTable.ts"

const reviewColumns = {
  id: Table.text<ReviewId>(),
  organization: Table.text<OrganizationId>(),
  changeRequest: Table.text<ChangeRequestId>(),
  revision: Table.text<RevisionId>(),
  reviewer: Table.text<UserId>(),
  requestedBy: Table.nullable(Table.text<UserId>()),
  status: Table.text<ReviewStatus>(),
  outdated: Table.boolean(),
  createdAt: Table.text(),
  updatedAt: Table.text()
}

/** A row of the table `changeRequestReviews`. */
export interface ReviewRow extends Table.RowOf<typeof reviewColumns> {}

/** The table of reviews. The comment of a review refers to it. */
export const reviews: Table.ProtectedTable<"changeRequestReviews", ReviewRow, "id"> = Table.makeProtected(
  "changeRequestReviews",
  {
    tenant: "organization",
    columns: reviewColumns,
    locking: lockedBySpace,
    key: ["id"],
    references: {
      changeRequest: { table: () => changeRequests, onRemove: "cascade" },
      reviewer: { table: () => users, onRemove: "restrict" }
    },
    indexes: [["changeRequest", "id"], ["reviewer"]]
  }
)

const requestedReviewerColumns = {
  organization: Table.text<OrganizationId>(),
  changeRequest: Table.text<ChangeRequestId>(),
  user: Table.text<UserId>(),
  revision: Table.text<RevisionId>(),
  requestedBy: Table.text<UserId>(),
  createdAt: Table.text()
}

/** A row of the table `requestedReviewers`. */
export interface RequestedReviewerRow extends Table.RowOf<typeof requestedReviewerColumns> {}

/** The table of users who are requested to review a change request. A submitted review removes the row. */
export const requestedReviewers: Table.ProtectedTable<
  "requestedReviewers",
  RequestedReviewerRow,
  "changeRequest" | "user"
> = Table.makeProtected("requestedReviewers", {
  tenant: "organization",
  columns: requestedReviewerColumns,
  locking: lockedBySpace,
  key: ["changeRequest", "user"],
  references: {
    changeRequest: { table: () => changeRequests, onRemove: "cascade" },
    user: { table: () => users, onRemove: "cascade" }
  },
  indexes: [["user"]]
})
