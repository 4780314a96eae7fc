/** Decodes questions from the queries and the bodies of requests. */
import {
  InvalidInput,
  makeInputDecoder,
  SearchQuery,
  type SearchSiteContent,
  SiteSearchScope,
  SiteSpaceId
} from "@lectern/core"
import { jsonBoundsOf } from "@lectern/model/schema"
import { Effect, Result, Schema } from "effect"

const format = Schema.optionalKey(Schema.Literals(["document", "markdown"]))

/** The text of a question, 1 to 512 characters. */
const question = SearchQuery.fields.query.check(
  Schema.makeFilter((text: string) => (text.trim() === "" ? "must not be empty" : undefined))
)

/** The query of a streamed question. `details` is accepted, and has no effect. */
const QuestionQuery = Schema.Struct({
  query: question,
  format,
  details: Schema.optionalKey(Schema.Literals(["true", "false"]))
})

const FormatQuery = Schema.Struct({ format, details: Schema.optionalKey(Schema.Literals(["true", "false"])) })

/** The body of a question to an organization. Earlier questions are accepted, and have no effect: the contract deprecates them. */
const QuestionBody = Schema.Struct({
  query: question,
  previousQueries: Schema.optionalKey(Schema.Array(Schema.String).check(Schema.isMaxLength(10)))
})

/** The body of a question to a site. */
const SiteQuestionBody = Schema.Struct({
  question,
  context: Schema.optionalKey(Schema.Struct({ siteSpaceId: Schema.optionalKey(SiteSpaceId) })),
  scope: SiteSearchScope
})

const SiteQuestionsQuery = Schema.Struct({
  siteSpaceId: Schema.optionalKey(SiteSpaceId),
  spaceId: Schema.optionalKey(Schema.String)
})

const decodeWith = <S extends Schema.Top>(schema: S) => {
  const decode = makeInputDecoder(schema)
  return (input: unknown): Effect.Effect<S["Type"], InvalidInput> => {
    const decoded = decode(input)
    return Result.isFailure(decoded)
      ? Effect.fail(InvalidInput.of(decoded.failure))
      : Effect.succeed(decoded.success as S["Type"])
  }
}

/** The bounds of the body of a question. */
export const questionBounds = jsonBoundsOf(Schema.Union([QuestionBody, SiteQuestionBody]))

/** Decodes the parts of questions, which fail with all invalid fields. */
export const decodeQuestion = {
  query: decodeWith(QuestionQuery),
  format: decodeWith(FormatQuery),
  body: decodeWith(QuestionBody),
  siteBody: decodeWith(SiteQuestionBody),
  siteQuestions: decodeWith(SiteQuestionsQuery)
} as const

/** The form of the text of an answer. */
export type AnswerFormat = "document" | "markdown"

/** The scope of a question to a site, with the site-space that the reader is in. */
export const scopeOf = (
  scope: NonNullable<SearchSiteContent["scope"]>,
  siteSpace: SiteSpaceId | undefined
): NonNullable<SearchSiteContent["scope"]> =>
  scope.mode === "default" && scope.currentSiteSpace === undefined && siteSpace !== undefined
    ? { ...scope, currentSiteSpace: siteSpace }
    : scope
