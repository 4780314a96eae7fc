/** The manifest of the feature `change-requests`. */
import { defineFeature } from "../../kernel/features/Feature.ts"
import { changeRequests, contributors } from "../../model/change-requests/ChangeRequest.ts"
import { ChangeRequests } from "./ChangeRequests.ts"
import { changeRequestExaminations } from "./changeRequestChecks.ts"

/** Change requests: proposed content, and its merge into a space. */
export const changeRequestsFeature = defineFeature("change-requests", {
  tables: [changeRequests, contributors],
  userServices: { changeRequests: ChangeRequests },
  layer: ChangeRequests.layer,
  examinations: changeRequestExaminations
})
