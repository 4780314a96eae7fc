/** The person who authorizes a program: their session, and the obstacles to an authorization. */
import {
  Authenticator,
  CurrentUser,
  type Forbidden,
  type Identity,
  type LecternError,
  languageOf,
  Programs,
  PublicUrl,
  Users
} from "@lectern/core"
import type { AuthorizeProgram } from "@lectern/model"
import { Effect } from "effect"
import { type ApiRequest, type ApiResponse, emptyResponse } from "../server/messages/Message.ts"
import { linkButton, paragraph, renderSignInPage, signInHeaders } from "../signIn/page.ts"
import { relativeTo } from "../signIn/returnPath.ts"
import { programTexts } from "./texts.ts"

/** Returns the relative URL of a page that returns to a path, for the page at the path. */
const proofOf = (page: string, path: string): string => {
  const depth = path.split("?", 1)[0]!.split("/").length - 2
  return `${relativeTo(depth, page)}?${new URLSearchParams({ return: path.slice(1) })}`
}

/** Creates the functions on the person of a request. */
export const makePerson = Effect.gen(function* () {
  const authenticator = yield* Authenticator
  const users = yield* Users
  const programs = yield* Programs
  const publicUrl = yield* PublicUrl

  /** Redirects to the sign-in page, which returns to a path. */
  const signIn = (path: string): ApiResponse =>
    emptyResponse(303, { ...signInHeaders(), location: proofOf("~/login", path) })

  /** Renders the page that explains an obstacle, with a link that removes it. */
  const obstacle = (request: ApiRequest, path: string, reason: Forbidden["reason"]): ApiResponse => {
    const language = languageOf(request.header("accept-language"))
    const texts = programTexts[language]
    const isFactor = reason === "SecondFactorRequired"
    const label = isFactor ? texts.confirmFactor : texts.signInAgain
    return renderSignInPage({
      language,
      title: label,
      body:
        paragraph(isFactor ? texts.confirmFactor : texts.signInAgainHint) +
        linkButton(proofOf(`~/${isFactor ? "second-factor" : "login"}`, path), label),
      status: 403
    })
  }

  /**
   * Returns the person of a request with a session; undefined without one. A program opens the pages from its own website, so that each
   * page that changes something checks the origin itself.
   */
  const find = Effect.fnUntraced(function* ({ header, method, url }: ApiRequest) {
    const credentials = {
      token: undefined,
      header: (name: string) => header(name.toLowerCase()),
      method,
      url
    }
    const found = yield* Effect.option(authenticator.authenticate(credentials))
    // A program with a token must not authorize another one.
    return found._tag === "Some" && found.value.token === undefined ? found.value : undefined
  })

  /** Returns how a page names the person. */
  const accountOf = (identity: Identity): Effect.Effect<string, LecternError> =>
    Effect.map(
      Effect.provideService(users.getCurrent({}), CurrentUser, identity),
      ({ displayName, email = "" }) => `${displayName} (${email})`
    )

  /** Authorizes a program for the person. */
  const authorize = (identity: Identity, input: AuthorizeProgram) =>
    Effect.provideService(programs.authorize({ input }), CurrentUser, identity)

  return { find, accountOf, authorize, signIn, obstacle, publicUrl }
})

/** The functions on the person of a request. */
export type Person = Effect.Success<typeof makePerson>
