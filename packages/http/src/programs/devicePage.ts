/** The page on which a person authorizes a program on another device by its code (RFC 8628): `~/device`. */
import { isFreshSignIn, type LecternError, languageOf, type ProgramGrantsService } from "@lectern/core"
import { Effect } from "effect"
import type { DeviceCode, Provider } from "oidc-provider"
import { isOwnOrigin } from "../server/authentication/ownOrigin.ts"
import { type ApiRequest, type ApiResponse, addressOf } from "../server/messages/Message.ts"
import { readForm } from "../signIn/form.ts"
import { alert, escapeHtml, paragraph, renderSignInPage } from "../signIn/page.ts"
import { signInTexts } from "../signIn/texts.ts"
import { grantFor, type RequestedGrant, requestedGrant } from "./grantFor.ts"
import type { ProgramLimits } from "./limits.ts"
import { oauthPaths } from "./paths.ts"
import type { Person } from "./person.ts"
import { renderConsent } from "./renderConsent.ts"
import type { FindResource } from "./resources.ts"
import { programTexts } from "./texts.ts"

interface DeviceServices {
  readonly grants: ProgramGrantsService
  readonly findResource: FindResource
  readonly person: Person
  readonly limit: ProgramLimits
}

/** A code that a person has typed, with the request of its program. */
interface FoundCode {
  readonly code: DeviceCode
  readonly requested: RequestedGrant
}

const maximumCodeLength = 20

/** Returns a code without the characters that people add, as the library stores it. */
const normalized = (given: string): string =>
  given
    .slice(0, maximumCodeLength)
    .replace(/[^a-z0-9]/gi, "")
    .toUpperCase()

/** Returns a code as devices display it. */
const displayed = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** Creates the function that serves the page. */
export const makeDevicePage = ({ grants, findResource, person, limit }: DeviceServices) => {
  const languageIn = (request: ApiRequest) => languageOf(request.header("accept-language"))

  const inputPage = (request: ApiRequest, userCode: string, problem?: string, status = 400): ApiResponse => {
    const language = languageIn(request)
    const texts = programTexts[language]
    return renderSignInPage({
      language,
      title: texts.deviceTitle,
      body: `${problem === undefined ? "" : alert(problem)}${paragraph(texts.deviceHint)}
<form method="post">
<label for="code">${escapeHtml(texts.deviceCode)}</label>
<input id="code" name="user_code" value="${escapeHtml(userCode)}" autocomplete="off" autocapitalize="characters" spellcheck="false" required maxlength="${maximumCodeLength}">
<button>${escapeHtml(texts.next)}</button>
</form>`,
      status: problem === undefined ? 200 : status
    })
  }

  const donePage = (request: ApiRequest, isAllowed: boolean): ApiResponse => {
    const language = languageIn(request)
    const texts = programTexts[language]
    return renderSignInPage({
      language,
      title: texts.deviceTitle,
      body: paragraph(isAllowed ? texts.deviceAllowed : texts.deviceDenied)
    })
  }

  const confirmPage = (
    request: ApiRequest,
    { requested }: FoundCode,
    userCode: string,
    account: string,
    problem?: string
  ): ApiResponse => {
    const language = languageIn(request)
    return renderConsent({
      language,
      requested,
      account,
      problem,
      warning: programTexts[language].deviceWarning(displayed(userCode)),
      fields: `<input type="hidden" name="user_code" value="${escapeHtml(userCode)}">`
    })
  }

  /** Returns a code without a decision; undefined for another one. */
  const findCode = Effect.fnUntraced(function* (
    provider: Provider,
    userCode: string
  ): Effect.fn.Return<FoundCode | undefined, LecternError> {
    const code = yield* Effect.promise(() => provider.DeviceCode.findByUserCode(userCode))
    if (code === undefined || code.accountId !== undefined || code.error !== undefined) return undefined
    const client = yield* Effect.promise(() => provider.Client.find(String(code.clientId)))
    if (client === undefined) return undefined
    const parameters = { ...code.params, client_id: client.clientId }
    const name = client.clientName ?? client.clientId
    const requested = yield* requestedGrant(parameters, name, findResource)
    return requested === undefined ? undefined : { code, requested }
  })

  /** Stores the decision of the person in a code. Of concurrent decisions, one is stored. */
  const answer = Effect.fnUntraced(function* (
    { code, requested }: FoundCode,
    userCode: string,
    result: { readonly accountId: string; readonly grantId: string } | { readonly error: "access_denied" }
  ) {
    if (!(yield* grants.records.takeUserCode("DeviceCode", userCode))) return false
    const urls = requested.resources.map(({ url }) => url)
    Object.assign(code, result, {
      scope: requested.permissions.join(" "),
      resource: urls.length === 1 ? urls[0] : urls
    })
    yield* Effect.promise(() => code.save())
    return true
  })

  return Effect.fnUntraced(function* (
    provider: Provider,
    request: ApiRequest,
    search: string
  ): Effect.fn.Return<ApiResponse, LecternError> {
    const texts = programTexts[languageIn(request)]
    const given = normalized(new URLSearchParams(search).get("user_code") ?? "")
    const path = `${oauthPaths.device}${given === "" ? "" : `?user_code=${given}`}`
    const identity = yield* person.find(request)
    if (identity === undefined) return person.signIn(path)
    if (!(yield* isFreshSignIn(identity))) return person.obstacle(request, path, "FreshSignInRequired")
    if (request.method !== "POST") return inputPage(request, given === "" ? "" : displayed(given))
    if (!isOwnOrigin(request, person.publicUrl)) {
      return inputPage(request, "", signInTexts[languageIn(request)].otherWebsite)
    }
    const form = yield* readForm(request)
    const userCode = normalized(form.get("user_code") ?? "")
    const tooMany =
      (yield* limit("userCode", identity.id)) ?? (yield* limit("userCodeAddress", addressOf(request)))
    if (tooMany !== undefined) return inputPage(request, "", texts.deviceTooMany, 429)
    const found = yield* findCode(provider, userCode)
    if (found === undefined) return inputPage(request, "", texts.deviceUnknown)
    const account = yield* person.accountOf(identity)
    const decision = form.get("decision")
    if (decision === "deny") {
      yield* answer(found, userCode, { error: "access_denied" })
      return donePage(request, false)
    }
    if (decision !== "allow") return confirmPage(request, found, userCode, account)
    const granted = yield* Effect.catchTags(grantFor(provider, grants, person, identity, found.requested), {
      Forbidden: ({ reason }) => Effect.succeed(person.obstacle(request, path, reason)),
      Conflict: ({ message }) => Effect.succeed(confirmPage(request, found, userCode, account, message))
    })
    if (typeof granted !== "string") return granted
    if (yield* answer(found, userCode, { accountId: identity.id, grantId: granted })) {
      return donePage(request, true)
    }
    yield* grants.end(granted)
    return inputPage(request, "", texts.deviceUnknown)
  })
}
