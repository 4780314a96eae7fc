/** Declares the settings of the sources that the server reads: the URLs of OpenAPI specs, and imports. */
import { Schema } from "effect"
import { defineSetting } from "./Setting.ts"

const PollHours = Schema.FiniteFromString.check(
  Schema.isBetween({ minimum: 0, maximum: 8_760 }, { message: "must be a number of hours, 0 to 8760" })
)

/** How often the URLs of OpenAPI specs are polled. */
export const openApiPollHours = defineSetting({
  flag: "openapi-poll-hours",
  description:
    "How often the URLs of OpenAPI specs are polled for changes, in hours, at most 8760. 0 polls none: specs are read when their source is set.",
  schema: PollHours,
  fallback: "6"
})
