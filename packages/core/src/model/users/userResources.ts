/** The events of user accounts. */
import { Schema } from "effect"
import { resource } from "../../kernel/schema/resource.ts"
import { Timestamp } from "../../kernel/schema/Text.ts"
import { resourceEvents } from "../../kernel/storage/ResourceEvents.ts"
import { UserId, users } from "./User.ts"

/** The data of the events of a user. */
export class UserEventData extends resource<UserEventData>()(
  Schema.Struct({
    id: UserId,
    email: Schema.String,
    displayName: Schema.String,
    photoURL: Schema.NullOr(Schema.String),
    createdAt: Timestamp
  })
) {}

/** The events of user accounts, which belong to no organization. */
export const userEvents = resourceEvents(
  "user",
  "A user account. Only the host receives its events.",
  users,
  {
    data: UserEventData
  }
)
