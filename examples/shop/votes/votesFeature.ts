/** The feature: its tables, services and routes. */
import { defineFeature } from "@lectern/core"
import { defineHttpFeature } from "@lectern/http"
import { Effect } from "effect"
import { Votes } from "./Votes.ts"
import { VotesApi } from "./VotesApi.ts"
import { voteEvents, votes } from "./voteTable.ts"

/** Votes on spaces: `createWorkspace({ features: [votesFeature] })`. */
export const votesFeature = defineFeature("votes", {
  tables: [votes],
  events: [voteEvents],
  userServices: { votes: Votes },
  layer: Votes.layer
})

/** Their operations in the HTTP API: `toNodeListener(workspace, { features: [votesHttp] })`. */
export const votesHttp = defineHttpFeature(
  VotesApi,
  Effect.map(Votes, ({ count, cast }) => ({ countVotes: count, castVote: cast }))
)
