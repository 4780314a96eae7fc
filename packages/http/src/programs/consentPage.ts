/** The page on which a person authorizes a program that has opened it in their browser: `~/oauth/consent/<request>`. */
import {
  isFreshSignIn,
  type LecternError,
  languageOf,
  oauthDigest,
  type ProgramGrantsService
} from "@lectern/core"
import { Effect } from "effect"
import { isOwnOrigin } from "../server/authentication/ownOrigin.ts"
import type { ApiRequest, ApiResponse } from "../server/messages/Message.ts"
import { readForm } from "../signIn/form.ts"
import { linkButton, paragraph, renderSignInPage } from "../signIn/page.ts"
import { signInTexts } from "../signIn/texts.ts"
import { grantFor, requestedGrant } from "./grantFor.ts"
import { sendToListener } from "./nodeBridge.ts"
import { oauthPaths } from "./paths.ts"
import type { Person } from "./person.ts"
import type { LoadedProvider } from "./provider.ts"
import { renderConsent } from "./renderConsent.ts"
import type { FindResource } from "./resources.ts"
import { programTexts } from "./texts.ts"

/** How long the library can resume a decided request, in seconds. */
const resumeSeconds = 60

interface ConsentServices {
  readonly issuer: string
  readonly grants: ProgramGrantsService
  readonly findResource: FindResource
  readonly person: Person
}

/** Creates the function that serves the page of a request which the browser has started. */
export const makeConsentPage = ({ issuer, grants, findResource, person }: ConsentServices) => {
  const languageIn = (request: ApiRequest) => languageOf(request.header("accept-language"))

  const expiredPage = (request: ApiRequest): ApiResponse => {
    const language = languageIn(request)
    const texts = programTexts[language]
    return renderSignInPage({
      language,
      title: texts.expired,
      body: paragraph(texts.expiredHint),
      status: 410
    })
  }

  /** Resumes the request in the library, and renders the page that opens the program again. */
  const returnToProgram = Effect.fnUntraced(function* (
    { listener }: LoadedProvider,
    request: ApiRequest,
    id: string
  ) {
    const language = languageIn(request)
    const texts = programTexts[language]
    const resumed = yield* Effect.promise(() =>
      sendToListener(listener, new URL(issuer), {
        method: "GET",
        url: `${oauthPaths.authorize}/${id}`,
        headers: { cookie: `_interaction_resume=${id}`, accept: "text/html" }
      })
    )
    const { location } = resumed.headers
    if (location === undefined || location.startsWith(`${oauthPaths.consent}/`)) return expiredPage(request)
    return renderSignInPage({
      language,
      title: texts.returning,
      body: linkButton(location, texts.continueToProgram),
      refreshTo: location
    })
  })

  return Effect.fnUntraced(function* (
    loaded: LoadedProvider,
    request: ApiRequest,
    id: string,
    started: ReadonlyArray<string>
  ): Effect.fn.Return<ApiResponse, LecternError> {
    const { provider } = loaded
    const interaction = started.includes(id)
      ? yield* Effect.promise(() => provider.Interaction.find(id))
      : undefined
    if (interaction === undefined) return expiredPage(request)
    const path = `${oauthPaths.consent}/${id}`
    const identity = yield* person.find(request)
    if (identity === undefined) return person.signIn(path)
    const client = yield* Effect.promise(() => provider.Client.find(String(interaction.params.client_id)))
    const requested =
      client === undefined
        ? undefined
        : yield* requestedGrant(interaction.params, client.clientName ?? client.clientId, findResource)
    if (requested === undefined) return expiredPage(request)
    if (!(yield* isFreshSignIn(identity))) return person.obstacle(request, path, "FreshSignInRequired")
    const language = languageIn(request)
    const account = yield* person.accountOf(identity)
    const ask = (problem?: string) => renderConsent({ language, requested, account, problem })
    if (request.method !== "POST") return ask()
    if (!isOwnOrigin(request, person.publicUrl)) return ask(signInTexts[language].otherWebsite)
    const decision = (yield* readForm(request)).get("decision")
    if (decision !== "allow" && decision !== "deny") return ask()
    const save = Effect.fnUntraced(function* (result: Record<string, unknown>) {
      interaction.result = result
      yield* Effect.promise(() => interaction.save(resumeSeconds))
      return yield* returnToProgram(loaded, request, id)
    })
    if (decision === "deny") return yield* save({ error: "access_denied" })
    const granted = yield* Effect.catchTags(grantFor(provider, grants, person, identity, requested), {
      Forbidden: ({ reason }) => Effect.succeed(person.obstacle(request, path, reason)),
      Conflict: ({ message }) => Effect.succeed(ask(message))
    })
    if (typeof granted !== "string") return granted
    // Of two concurrent decisions, one authorizes the program.
    if (!(yield* grants.records.consume("Interaction", oauthDigest(id)))) {
      yield* grants.end(granted)
      return expiredPage(request)
    }
    return yield* save({ login: { accountId: identity.id, remember: false }, consent: { grantId: granted } })
  })
}
