/** The table of votes, and the events of its rows. */
import {
  lockedBySpace,
  type OrganizationId,
  resourceEvents,
  SpaceId,
  spaces,
  Table,
  type UserId,
  users
} from "@lectern/core"
import { Schema } from "effect"

/** Whether a space has helped a user. Votes are deleted with the space and with the user. */
export const votes = Table.makeProtected("votes", {
  columns: {
    id: Table.text(),
    organization: Table.text<OrganizationId>(),
    space: Table.text<SpaceId>(),
    user: Table.text<UserId>(),
    answer: Table.text<"yes" | "no">()
  },
  key: ["id"],
  tenant: "organization",
  unique: [["space", "user"]],
  references: {
    space: { table: () => spaces, onRemove: "cascade" },
    user: { table: () => users, onRemove: "cascade" }
  },
  locking: lockedBySpace
})

/** A stored vote. */
export interface VoteRow extends Table.Row<typeof votes> {}

/** The events `vote.created`, `vote.updated` and `vote.deleted`. */
export const voteEvents = resourceEvents("vote", "A vote on a space.", votes, {
  data: Schema.Struct({ space: SpaceId, answer: Schema.Literals(["yes", "no"]) })
})
