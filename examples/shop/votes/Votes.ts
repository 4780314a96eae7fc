/** The service of votes. */

import { defineActions } from "@lectern/client"
import {
  type AccessError,
  type Command,
  type Conflict,
  type Gone,
  Ids,
  Locks,
  Operations,
  type Query,
  SpaceId,
  Where
} from "@lectern/core"
import { Context, Effect, Layer } from "effect"
import { CastVote, type VoteCounts } from "./VotesApi.ts"
import { type VoteRow, votes } from "./voteTable.ts"

/** Who reads a space votes on it. */
export const voteActions = defineActions("votes", { space: { count: "read", cast: "read" } })

/** The operations of {@link Votes}. */
export interface VotesOperations {
  /** Returns the votes on a space that the caller can read. */
  readonly count: Query<{ space: SpaceId }, typeof VoteCounts.Type, AccessError | Conflict | Gone>
  /** Votes on a space that the caller can read. A second vote replaces the first one. */
  readonly cast: Command<
    { space: SpaceId; input: typeof CastVote.Type },
    typeof VoteCounts.Type,
    AccessError | Conflict | Gone
  >
}

const inSpace = (space: SpaceId) => Where.eq<VoteRow, "space">("space", space)

const makeVotes = Effect.gen(function* () {
  const ids = yield* Ids
  const { query, command, allow } = yield* Operations

  return {
    count: query(
      "Votes.count",
      { parameters: { space: SpaceId }, authorize: allow.action(voteActions.space.count) },
      function* (_, { space, records }) {
        const answers = (answer: VoteRow["answer"]) =>
          records.count(votes, Where.and<VoteRow>(inSpace(space.id), Where.eq("answer", answer)))
        return { yes: yield* answers("yes"), no: yield* answers("no") }
      }
    ),

    cast: command(
      "Votes.cast",
      {
        parameters: { space: SpaceId, input: CastVote },
        authorize: allow.action(voteActions.space.cast),
        locks: Locks.space
      },
      function* ({ input: { answer } }, { space, caller, records }) {
        const own = Where.and<VoteRow>(inSpace(space.id), Where.eq("user", caller.user))
        if ((yield* records.count(votes, own)) > 0) yield* records.update(votes, own, { answer })
        else {
          yield* records.insert(votes, {
            id: yield* ids.next,
            organization: space.organization,
            space: space.id,
            user: caller.user,
            answer
          })
        }
        const rows = yield* records.find(votes, { where: inSpace(space.id), limit: 1000 })
        const yes = rows.filter((row) => row.answer === "yes").length
        return { yes, no: rows.length - yes }
      }
    )
  }
})

/** Operations on votes: `workspace.as(user).votes`. */
export class Votes extends Context.Service<Votes, VotesOperations>()("shop/Votes") {
  static readonly layer: Layer.Layer<Votes, never, Ids | Operations> = Layer.effect(Votes, makeVotes)
}
