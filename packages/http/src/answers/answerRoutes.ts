/**
 * The routes of questions and their answers by a language model. They are not in the OpenAPI document, because most of their responses are
 * streams. Content is found and read by the operations of the caller, which authorize them.
 */
import type { AnswerError, Answers, QuestionContent } from "@lectern/answers"
import {
  CurrentUser,
  type Identity,
  type OrganizationId,
  PublishedSites,
  type SiteId,
  type SpaceId,
  Spaces
} from "@lectern/core"
import { Effect, Stream } from "effect"
import { type Failure, toResponse, unknownMethod } from "../server/messages/failures.ts"
import { parseJson } from "../server/messages/json.ts"
import { type ApiRequest, type ApiResponse, jsonResponse } from "../server/messages/Message.ts"
import { answerFailure, modelMissing, siteAnswersNothing } from "./answerFailures.ts"
import { type AnswerPath, answerPathOf, type PathTarget } from "./answerPaths.ts"
import { callerKeyOf, makeIdentifyCaller } from "./identifyCaller.ts"
import { eventStreamOf, lastOf, presentAnswer } from "./presentAnswer.ts"
import { type AnswerFormat, decodeQuestion, questionBounds, scopeOf } from "./questionInput.ts"
import { siteSpacesOf, siteUrlsOf } from "./siteSpacesOf.ts"

/** The maximum number of spaces that questions about an organization are recommended from. */
const maximumSpaces = 10

type AskPath = Exclude<AnswerPath, { readonly kind: "availability" }>

/** A question with the form of its answer. */
interface DecodedQuestion {
  readonly content: QuestionContent
  readonly question: string
  readonly format: AnswerFormat | undefined
}

const contentOf = (target: PathTarget): QuestionContent => {
  switch (target.kind) {
    case "organization":
      return { kind: "organization", organization: target.organization as OrganizationId }
    case "space":
      return { kind: "space", space: target.space as SpaceId }
    case "site":
      return {
        kind: "site",
        organization: target.organization as OrganizationId,
        site: target.site as SiteId
      }
  }
}

const queryOf = ({ url }: ApiRequest): Readonly<Record<string, string>> =>
  Object.fromEntries(new URLSearchParams(url.split("?", 2)[1]))

/** The method of a request for a path. */
const methodOf = ({ kind, isStreamed, of }: AskPath): "GET" | "POST" =>
  kind === "answer" && (of.kind === "site" || !isStreamed) ? "POST" : "GET"

/** Reads the JSON of a body; undefined if it is malformed. */
const bodyOf = (request: ApiRequest) =>
  Effect.map(request.body, (bytes) => {
    const parsed = parseJson(bytes, questionBounds)
    return parsed._tag === "Success" ? parsed.success : undefined
  })

const questionOf = Effect.fnUntraced(function* (request: ApiRequest, path: AskPath) {
  const content = contentOf(path.of)
  if (methodOf(path) === "GET") {
    const { query, format } = yield* decodeQuestion.query(queryOf(request))
    return { content, question: query, format } satisfies DecodedQuestion
  }
  const { format } = yield* decodeQuestion.format(queryOf(request))
  const body = yield* bodyOf(request)
  if (content.kind !== "site") {
    const { query } = yield* decodeQuestion.body(body)
    return { content, question: query, format } satisfies DecodedQuestion
  }
  const { question, context, scope } = yield* decodeQuestion.siteBody(body)
  const scoped = { ...content, scope: scopeOf(scope, context?.siteSpaceId) }
  return { content: scoped, question, format } satisfies DecodedQuestion
})

/** Creates the routes of questions. Returns `undefined` for a request to another path. */
export const makeAnswerRoutes = Effect.fnUntraced(function* (answers: Answers | undefined) {
  const identify = yield* makeIdentifyCaller
  const spaces = yield* Spaces
  const sites = yield* PublishedSites

  /** The spaces whose pages questions are recommended from. */
  const spacesOf = Effect.fnUntraced(function* (request: ApiRequest, content: QuestionContent) {
    if (content.kind === "space") return [content.space]
    if (content.kind === "organization") {
      const listed = yield* spaces.list({
        organization: content.organization,
        input: { limit: maximumSpaces }
      })
      return listed.items.map(({ id }) => id)
    }
    const { siteSpaceId, spaceId } = yield* decodeQuestion.siteQuestions(queryOf(request))
    const { organization, site } = content
    const { structure } = yield* sites.get({ organization, site })
    return siteSpacesOf(structure)
      .filter(({ id }) => siteSpaceId === undefined || id === siteSpaceId)
      .map(({ space }) => space.id)
      .filter((id) => spaceId === undefined || id === spaceId)
      .slice(0, maximumSpaces)
  })

  /**
   * Returns the URLs of the pages of a site, which other content has not. Fails for a site whose customization has no answers, so that
   * its visitors cannot use the model of the operator.
   */
  const urlsOf = Effect.fnUntraced(function* (content: QuestionContent) {
    if (content.kind !== "site") return undefined
    const { organization, site } = content
    const { customizations, structure } = yield* sites.get({ organization, site })
    if (customizations.site.ai.mode === "none") return yield* siteAnswersNothing
    return siteUrlsOf(structure)
  })

  const answer = Effect.fnUntraced(function* (
    service: Answers,
    request: ApiRequest,
    path: AskPath,
    caller: string
  ): Effect.fn.Return<ApiResponse, Failure | AnswerError, CurrentUser> {
    const { content, question, format } = yield* questionOf(request, path)
    const urlOf = yield* urlsOf(content)
    const updates = yield* service.ask({ content, question, caller })
    if (path.isStreamed) {
      return eventStreamOf(
        Stream.map(updates, (update) => ({ type: "answer", answer: presentAnswer(update, format, urlOf) }))
      )
    }
    const last = yield* lastOf(updates)
    return jsonResponse(
      200,
      JSON.stringify(last === undefined ? {} : { answer: presentAnswer(last, format, urlOf) })
    )
  })

  const questions = Effect.fnUntraced(function* (
    service: Answers,
    request: ApiRequest,
    path: AskPath,
    caller: string
  ): Effect.fn.Return<ApiResponse, Failure | AnswerError, CurrentUser> {
    const content = contentOf(path.of)
    yield* urlsOf(content)
    const recommended = yield* service.recommend(content, yield* spacesOf(request, content), caller)
    return path.isStreamed
      ? eventStreamOf(Stream.fromIterable(recommended.map((question) => ({ question }))))
      : jsonResponse(200, JSON.stringify({ questions: recommended }))
  })

  const serve = Effect.fnUntraced(function* (
    request: ApiRequest,
    path: AnswerPath
  ): Effect.fn.Return<ApiResponse, Failure | AnswerError> {
    const isAvailability = path.kind === "availability"
    const identity: Identity = yield* identify(request, isAvailability ? undefined : path.of)
    if (isAvailability) return jsonResponse(200, JSON.stringify({ isAvailable: answers !== undefined }))
    if (answers === undefined) return yield* modelMissing
    const handle = path.kind === "answer" ? answer : questions
    const response = yield* Effect.provideService(
      handle(answers, request, path, callerKeyOf(request, identity)),
      CurrentUser,
      identity
    )
    response.headers["cache-control"] = "no-store"
    return response
  })

  return (request: ApiRequest): Effect.Effect<ApiResponse> | undefined => {
    const path = answerPathOf(request.url.split("?", 1)[0]!)
    if (path === undefined) return undefined
    const method = path.kind === "availability" ? "GET" : methodOf(path)
    if (request.method !== method) return Effect.succeed(unknownMethod(request.method, [method]))
    return Effect.catch(serve(request, path), (error) =>
      Effect.succeed(error._tag === "TooManyQuestions" ? answerFailure(error) : toResponse(error))
    )
  }
})
