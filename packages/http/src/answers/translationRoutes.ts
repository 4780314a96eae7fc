/**
 * The routes of the runs of translations. They are not in the OpenAPI document, like everything that needs a language model. The operations of the
 * caller authorize them.
 */
import type { Answers, TranslationOf } from "@lectern/answers"
import { CurrentUser, type LecternError, OrganizationId, TranslationId, Translations } from "@lectern/core"
import { Effect, Schema } from "effect"
import { makeAuthenticateRequest } from "../server/authentication/authenticateRequest.ts"
import { type Failure, toResponse, unknownMethod } from "../server/messages/failures.ts"
import { type ApiRequest, type ApiResponse, emptyResponse, jsonResponse } from "../server/messages/Message.ts"
import { translationModelMissing } from "./answerFailures.ts"
import { type TranslationPath, translationPathOf } from "./answerPaths.ts"

const isTranslationOf = Schema.is(Schema.Struct({ organization: OrganizationId, translation: TranslationId }))

/** Creates the routes of the runs of translations. Returns `undefined` for a request to another path. */
export const makeTranslationRoutes = Effect.fnUntraced(function* (answers: Answers | undefined) {
  const authenticate = yield* makeAuthenticateRequest
  const translations = yield* Translations

  const handle = Effect.fnUntraced(function* (
    request: ApiRequest,
    { isCancellation, ...path }: TranslationPath
  ): Effect.fn.Return<ApiResponse, LecternError, CurrentUser> {
    // An id that is malformed is one of settings that do not exist.
    const of = path as TranslationOf
    if (answers === undefined || !isTranslationOf(of)) {
      // Who cannot see the settings does not learn more than from a read of them.
      yield* translations.get(of)
      return yield* translationModelMissing
    }
    const runs = answers.translations
    if (isCancellation) return jsonResponse(200, JSON.stringify(yield* runs.cancel(of)))
    if (request.method === "GET") return jsonResponse(200, JSON.stringify(yield* runs.get(of)))
    yield* runs.start(of, authenticate(request))
    return emptyResponse(204, {})
  })

  const serve = Effect.fnUntraced(function* (
    request: ApiRequest,
    path: TranslationPath
  ): Effect.fn.Return<ApiResponse, Failure> {
    const identity = yield* authenticate(request)
    const response = yield* Effect.provideService(handle(request, path), CurrentUser, identity)
    response.headers["cache-control"] = "no-store"
    return response
  })

  return (request: ApiRequest): Effect.Effect<ApiResponse> | undefined => {
    const path = translationPathOf(request.url.split("?", 1)[0]!)
    if (path === undefined) return undefined
    const methods = path.isCancellation ? ["POST"] : ["POST", "GET"]
    if (!methods.includes(request.method)) return Effect.succeed(unknownMethod(request.method, methods))
    return Effect.catch(serve(request, path), (error) => Effect.succeed(toResponse(error)))
  }
})
