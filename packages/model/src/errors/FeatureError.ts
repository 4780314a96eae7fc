/** The error of features of hosts, whose reasons they declare themselves. */
import * as Schema from "effect/Schema"

/** The HTTP statuses that a feature can declare. The others belong to Lectern, and to proxies. */
export const featureErrorStatuses = [400, 402, 403, 404, 409, 410, 422, 423, 424] as const

/** An HTTP status that a feature can declare. */
export type FeatureErrorStatus = (typeof featureErrorStatuses)[number]

/**
 * An error of a feature of the host. `reason` is the name of the feature with the name of the error, as in `labels.NameTaken`; its
 * response has the status. Create one with an error of `defineErrors`.
 */
export class FeatureError extends Schema.TaggedError<FeatureError>()("FeatureError", {
  reason: Schema.String,
  status: Schema.Literals(featureErrorStatuses),
  message: Schema.String
}) {}
