/** The public names of change requests in `@lectern/model`. */
export {
  ChangeRequest,
  ChangeRequestId,
  ChangeRequestRef,
  ChangeRequestStatus,
  CreateChangeRequest,
  ListChangeRequests,
  UpdateChangeRequest
} from "./ChangeRequest.ts"
