/** The events of user accounts. */
import { Schema } from "effect"
import { resourceEvents } from "../../kernel/events/ResourceEvents.ts"
import { Timestamp } from "../../kernel/schema/Text.ts"
import { UserId, users } from "./User.ts"

/** The events of user accounts, which belong to no organization. */
export const userEvents = resourceEvents(
  "user",
  "A user account. Only the host receives its events.",
  users,
  {
    data: {
      id: UserId,
      email: Schema.String,
      displayName: Schema.String,
      photoURL: Schema.NullOr(Schema.String),
      createdAt: Timestamp
    }
  }
)
