/** The events of user accounts. */
import * as Schema from "effect/Schema"
import { resource } from "../schema/resource.ts"
import { Timestamp } from "../schema/Text.ts"
import { UserId } from "./User.ts"

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
