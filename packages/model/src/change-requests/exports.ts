export {
  ChangeRequest,
  ChangeRequestId,
  ChangeRequestRef,
  ChangeRequestStatus,
  CreateChangeRequest,
  ListChangeRequests,
  UpdateChangeRequest
} from "./ChangeRequest.ts"
