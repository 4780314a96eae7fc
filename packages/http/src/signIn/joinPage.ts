/**
 * The page on which people join an organization: `~/join/<organization>/<invite>` by an invite link, and `~/join/<organization>` by
 * the domain of their address. A person without a session receives a link by e-mail, which returns to this page.
 */
import {
  CurrentUser,
  Email,
  InviteId,
  Invites,
  Joins,
  type LecternError,
  languageOf,
  OrganizationId,
  PublicUrl,
  SignIns
} from "@lectern/core"
import { Effect, Option, Schema } from "effect"
import { makeAuthenticateRequest } from "../server/authentication/authenticateRequest.ts"
import { isOwnOrigin } from "../server/authentication/ownOrigin.ts"
import { toResponse } from "../server/messages/failures.ts"
import { type ApiRequest, type ApiResponse, emptyResponse } from "../server/messages/Message.ts"
import { readForm } from "./form.ts"
import { alert, escapeHtml, linkButton, paragraph, renderSignInPage, signInHeaders } from "./page.ts"
import { relativeTo } from "./returnPath.ts"
import { signInTexts } from "./texts.ts"

/** The path prefix of the pages, below the URL of the workspace. */
export const joinsPath = "/~/join/"

const decodeTarget = Schema.decodeUnknownOption(
  Schema.Struct({ organization: OrganizationId, invite: Schema.optionalKey(InviteId) })
)

type Target = Option.Option.Value<ReturnType<typeof decodeTarget>>

const decodeEmail = Schema.decodeUnknownOption(Email)

/** Returns the organization and the invite link of a path; undefined for another path. */
const targetOf = (rest: string): Target | undefined => {
  const [organization, invite, ...others] = rest.split("/")
  return others.length > 0
    ? undefined
    : Option.getOrUndefined(decodeTarget({ organization, ...(invite === undefined ? {} : { invite }) }))
}

const depthOf = ({ invite }: Target): number => (invite === undefined ? 2 : 3)

/** Creates the function that serves the pages. `home` is the path that a person who has joined opens. */
export const makeJoinPage = Effect.fnUntraced(function* (home: string) {
  const authenticate = yield* makeAuthenticateRequest
  const joins = yield* Joins
  const invites = yield* Invites
  const signIns = yield* SignIns
  const publicUrl = yield* PublicUrl

  const languageIn = (request: ApiRequest) => languageOf(request.header("accept-language"))

  const unavailable = (request: ApiRequest, target: Target | undefined, message?: string): ApiResponse => {
    const language = languageIn(request)
    const texts = signInTexts[language]
    const depth = target === undefined ? 2 : depthOf(target)
    return renderSignInPage({
      language,
      title: texts.joinIsOff,
      body:
        (message === undefined ? "" : paragraph(message)) +
        linkButton(relativeTo(depth, home), texts.backToLectern),
      status: 404
    })
  }

  /** The form for a person without a session. It does not reveal whether the link exists. */
  const formPage = (request: ApiRequest, problem?: string): ApiResponse => {
    const language = languageIn(request)
    const texts = signInTexts[language]
    return renderSignInPage({
      language,
      title: texts.signIn,
      body: `${problem === undefined ? "" : alert(problem)}${
        signIns.hasMail
          ? `${paragraph(texts.joinHint)}<form method="post">
<label for="email">${escapeHtml(texts.emailAddress)}</label>
<input id="email" name="email" type="email" autocomplete="email" required maxlength="254">
<button>${escapeHtml(texts.sendLink)}</button>
</form>`
          : paragraph(texts.mailIsOff) + paragraph(texts.linkOfAdministrator)
      }`,
      status: problem === undefined ? 200 : 400
    })
  }

  const requestLink = Effect.fnUntraced(function* (request: ApiRequest, target: Target, path: string) {
    const texts = signInTexts[languageIn(request)]
    const form = yield* readForm(request)
    const email = Option.getOrUndefined(decodeEmail(form.get("email") ?? ""))
    if (email === undefined) return formPage(request, texts.invalidAddress)
    const languages = request.header("accept-language")?.slice(0, 500)
    const { organization, invite } = target
    yield* signIns.requestLink({
      input: {
        email,
        returnTo: path,
        ...(invite === undefined ? {} : { join: { organization, invite } }),
        ...(languages === undefined ? {} : { languages }),
        ...(request.remoteAddress === undefined ? {} : { address: request.remoteAddress })
      }
    })
    return renderSignInPage({
      language: languageIn(request),
      title: texts.checkMail,
      // The same URL displays the form again.
      body: paragraph(texts.joinLinkSent(email)) + linkButton("", texts.anotherAddress)
    })
  })

  const offerPage = Effect.fnUntraced(function* (request: ApiRequest, { organization, invite }: Target) {
    const language = languageIn(request)
    const texts = signInTexts[language]
    const offer = yield* joins.get({ organization, ...(invite === undefined ? {} : { input: { invite } }) })
    return renderSignInPage({
      language,
      title: texts.join(offer.title),
      body: `<form method="post">
<button>${escapeHtml(texts.joinAs(offer.email))}</button>
</form>`
    })
  })

  const join = Effect.fnUntraced(function* (target: Target) {
    const { organization, invite } = target
    if (invite === undefined) yield* joins.joinByDomain({ organization })
    else yield* invites.join({ organization, invite })
    return emptyResponse(303, { ...signInHeaders(), location: relativeTo(depthOf(target), home) })
  })

  const serve = Effect.fnUntraced(function* (request: ApiRequest, target: Target, path: string) {
    const isPost = request.method === "POST"
    if (isPost && !isOwnOrigin(request, publicUrl)) {
      return formPage(request, signInTexts[languageIn(request)].otherWebsite)
    }
    const user = yield* Effect.catchTag(authenticate(request), ["Unauthenticated", "Forbidden"], () =>
      Effect.succeed(undefined)
    )
    if (user === undefined) return isPost ? yield* requestLink(request, target, path) : formPage(request)
    return yield* Effect.provideService(isPost ? join(target) : offerPage(request, target), CurrentUser, user)
  })

  return (request: ApiRequest, rest: string): Effect.Effect<ApiResponse> => {
    const target = targetOf(rest)
    if (target === undefined) return Effect.succeed(unavailable(request, undefined))
    return Effect.catch(serve(request, target, `${joinsPath.slice(1)}${rest}`), (error: LecternError) =>
      Effect.succeed(
        "reason" in error && error._tag !== "StorageUnavailable"
          ? unavailable(request, target, error._tag === "NotFound" ? undefined : error.message)
          : toResponse(error)
      )
    )
  }
})
