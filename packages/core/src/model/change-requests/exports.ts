/** What `@lectern/core/model` exports of change requests. */
export {
  ChangeRequest,
  ChangeRequestId,
  ChangeRequestRef,
  ChangeRequestStatus,
  CreateChangeRequest,
  ListChangeRequests,
  UpdateChangeRequest
} from "./ChangeRequest.ts"
