/** The operations of votes in the HTTP API. */
import { operationErrors } from "@lectern/client"
import { SpaceId } from "@lectern/core"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"

/** The votes on a space. */
export const VoteCounts = Schema.Struct({ yes: Schema.Int, no: Schema.Int }).annotate({
  identifier: "VoteCounts",
  description: "The votes on a space."
})

/** The body of a request that votes. */
export const CastVote = Schema.Struct({ answer: Schema.Literals(["yes", "no"]) }).annotate({
  identifier: "CastVote",
  description: "A vote on a space, which replaces that of the caller."
})

const path = "/spaces/:spaceId/votes"

/** The group of operations on votes: `client.votes`. */
export const VotesApi = HttpApiGroup.make("votes")
  .add(
    HttpApiEndpoint.get("countVotes", path, {
      params: { spaceId: SpaceId },
      success: VoteCounts,
      error: operationErrors.read
    }).annotateMerge(
      OpenApi.annotations({ summary: "Count votes", description: "Returns the votes on a space." })
    ),
    HttpApiEndpoint.put("castVote", path, {
      params: { spaceId: SpaceId },
      payload: CastVote,
      success: VoteCounts,
      error: operationErrors.change
    }).annotateMerge(
      OpenApi.annotations({ summary: "Vote", description: "Votes on a space that the caller reads." })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Votes", description: "The votes on spaces." }))
