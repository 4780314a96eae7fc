import { defineFeature } from "@lectern/kernel"
import { changeRequestEvents, changeRequests, contributors } from "@lectern/kernel/tables"
import { ChangeRequests } from "./ChangeRequests.ts"
import { changeRequestExaminations } from "./changeRequestChecks.ts"

/** Change requests: proposed content, and its merge into a space. */
export const changeRequestsFeature = defineFeature("change-requests", {
  uses: ["content", "spaces"],
  tables: [changeRequests, contributors],
  events: [changeRequestEvents],
  userServices: { changeRequests: ChangeRequests },
  layer: ChangeRequests.layer,
  examinations: changeRequestExaminations
})
