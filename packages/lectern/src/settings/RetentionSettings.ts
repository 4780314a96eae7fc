/** The settings of retention periods and lifetimes, in days. */
import { Schema } from "effect"
import { defineSetting } from "./Setting.ts"

const RetentionDays = Schema.FiniteFromString.check(
  Schema.isBetween({ minimum: 0, maximum: 3_650 }, { message: "must be a number of days, 0 to 3650" })
)

/** How long events can be replayed. */
export const eventRetentionDays = defineSetting({
  flag: "event-retention-days",
  description:
    "How long events can be replayed, in days, at most 3650. 0 records no events: webhooks receive none.",
  schema: RetentionDays,
  fallback: "30"
})

/** How long audit records are retained. */
export const auditRetentionDays = defineSetting({
  flag: "audit-retention-days",
  description: "How long audit records are retained, in days, at most 3650. 0 records nothing.",
  schema: RetentionDays,
  fallback: "365"
})

const LifetimeDays = Schema.FiniteFromString.check(
  Schema.isBetween({ minimum: 1, maximum: 3_650 }, { message: "must be a number of days, 1 to 3650" })
)

/** How long revisions remain. */
export const revisionRetentionDays = defineSetting({
  flag: "revision-retention-days",
  description:
    "How long revisions remain, in days, 1 to 3650. Older ones are removed daily, with the content that only they have, unless a change request, a comment, a review, an archived page, a Git synchronization or an import refers to them. All remain by default.",
  schema: LifetimeDays
})

/** The lifetime of API tokens whose creator chooses none. */
export const tokenLifetimeDays = defineSetting({
  flag: "token-lifetime-days",
  description:
    "How long the API tokens that users create are valid unless they choose an expiry, in days, at most 3650. It does not apply to tokens of this command.",
  schema: LifetimeDays,
  fallback: "90"
})

/** The maximum lifetime of API tokens that users create, and of logins. */
export const maxTokenLifetimeDays = defineSetting({
  flag: "max-token-lifetime-days",
  description:
    "The maximum lifetime of API tokens that users create and of single sign-on logins, in days, at most 3650. None by default: users can create tokens that do not expire.",
  schema: LifetimeDays
})
