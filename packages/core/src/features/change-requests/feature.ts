import { changeRequestExaminations } from "@lectern/content"
import { defineFeature } from "@lectern/kernel"
import { changeRequestEvents, changeRequests, contributors } from "@lectern/kernel/tables"
import { ChangeRequests } from "./ChangeRequests.ts"

/** Change requests: proposed content, and its merge into a space. */
export const changeRequestsFeature = defineFeature("change-requests", {
  uses: ["content"],
  tables: [changeRequests, contributors],
  events: [changeRequestEvents],
  userServices: { changeRequests: ChangeRequests },
  layer: ChangeRequests.layer,
  examinations: changeRequestExaminations
})
