/** Answers the questions of visitors of the pages of a site. */
import type { Answers, AnswerUpdate } from "@lectern/answers"
import { CurrentUser, type Identity, type OrganizationId, type SiteId, type SiteSpaceId } from "@lectern/core"
import { Effect, type Stream } from "effect"
import type { ApiRequest } from "../server/messages/Message.ts"
import { callerKeyOf } from "./identifyCaller.ts"

/** A question of a visitor. */
export interface SiteQuestion {
  readonly identity: Identity
  readonly organization: OrganizationId
  readonly site: SiteId
  /** The site-space that the visitor is in. */
  readonly siteSpace: SiteSpaceId | undefined
  readonly question: string
}

/** Answers the questions of the client of a request. */
export type AskSite = (question: SiteQuestion) => Effect.Effect<Stream.Stream<AnswerUpdate, unknown>, unknown>

/** Creates the function that answers the questions of the client of a request, which count for its address. */
export const makeAskSite =
  (answers: Answers, request: ApiRequest): AskSite =>
  ({ identity, organization, site, siteSpace, question }) =>
    Effect.provideService(
      answers.ask({
        content: {
          kind: "site",
          organization,
          site,
          scope: { mode: "default", ...(siteSpace === undefined ? {} : { currentSiteSpace: siteSpace }) }
        },
        question,
        caller: callerKeyOf(request, identity)
      }),
      CurrentUser,
      identity
    )
