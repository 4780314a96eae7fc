/** The errors that the services fail with, and that the API declares. */
export {
  Conflict,
  Forbidden,
  fieldsOf,
  Gone,
  InvalidField,
  InvalidInput,
  NotFound,
  PreconditionFailed,
  statusOf,
  Unauthenticated,
  UpstreamFailed,
  UpstreamTimeout
} from "@lectern/core"
