/** An operation of an API as a page, which is printed as Markdown and as HTML, and is searched. */
import { type CodeSample, codeSamplesOf, declaredSamplesOf } from "./codeSamples.ts"
import type {
  Body,
  Media,
  OpenApiDocument,
  Operation,
  Requirement,
  Response,
  Server
} from "./OpenApiDocument.ts"
import { type Json, textOf } from "./openApiReferences.ts"
import { type OperationDetail, PageDetail } from "./PageDetail.ts"
import { type SampleRequest, sampleRequestOf } from "./sampleRequest.ts"
import { declaredExamples, parameterText } from "./sampleValues.ts"

/** A parameter in the path, the query, the header or a cookie. */
export interface PageParameter {
  /** The name. */
  readonly name: string
  /** Its place in the request. */
  readonly place: string
  /** Its schema, which may be a reference. */
  readonly schema: unknown
  /** Whether requests must have it. */
  readonly isRequired: boolean
  /** The description; empty without one. */
  readonly description: string
  /** The first example that the document declares. */
  readonly example: unknown
  /** An example as text, which is generated if the document declares none. */
  readonly sample: string
}

/** The parts of an operation, in the order of their display. */
export interface OperationPage {
  /** Identifies the operation in its document: its id, or its method and path. */
  readonly id: string
  /** The summary, the id, or the method and the path. */
  readonly title: string
  /** The method in upper case. */
  readonly method: string
  /** The path, or the name of a webhook. */
  readonly path: string
  /** Whether it is a webhook. */
  readonly isWebhook: boolean
  /** Whether it is deprecated. */
  readonly isDeprecated: boolean
  /** The description in Markdown; empty without one. */
  readonly description: string
  /** The servers that replace the servers of the document. */
  readonly ownServers: ReadonlyArray<Server>
  /** The URLs of the servers that receive its requests; the first one is the default. */
  readonly serverUrls: ReadonlyArray<string>
  /** The alternatives of authentication. */
  readonly requirements: ReadonlyArray<ReadonlyArray<Requirement>>
  /** The security schemes of all alternatives, each once, by name. */
  readonly schemes: ReadonlyArray<readonly [name: string, scheme: Json]>
  /** The parameters outside of the body. */
  readonly parameters: ReadonlyArray<PageParameter>
  /** The body of the request, also of a form. */
  readonly body: Body | undefined
  /** The responses by status. */
  readonly responses: ReadonlyArray<Response>
  /** An example of its request, which is created when it is read, because small pages omit it. */
  readonly request: () => SampleRequest
  /** Code that calls the operation: declared by the document, or generated. A webhook has only declared code. */
  readonly samples: (generate?: GenerateSamples) => ReadonlyArray<CodeSample>
  /** How much detail printers may show. They share it with the other operations of their page. */
  readonly detail: OperationDetail
  /** The requests that the server sends during the operation; none for a callback. */
  readonly callbacks: ReadonlyArray<{ readonly name: string; readonly page: OperationPage }>
}

/** Generates code that sends a request. */
export type GenerateSamples = (request: SampleRequest) => ReadonlyArray<CodeSample>

/** The maximum number of characters of the body of a request that samples have. */
const maximumSampledBody = 20_000

/** The first media types of a body. */
const boundedBody = <A extends Body>(body: A, detail: OperationDetail): A => ({
  ...body,
  media: detail.firstOf(body.media)
})

/** The code samples, if the page may have their characters. */
const samplesOf = (
  { isWebhook, operation }: Pick<Operation, "isWebhook" | "operation">,
  request: () => SampleRequest,
  detail: OperationDetail,
  generate: GenerateSamples
): ReadonlyArray<CodeSample> => {
  const declared = declaredSamplesOf({ operation })
  const isDeclared = declared.length > 0 || isWebhook
  if (!detail.takeCharacters(0)) return []
  const asked = isDeclared ? undefined : request()
  // Code is long in proportion to the body. The check before its generation saves the work.
  if (asked?.body !== undefined && asked.body.text.length > maximumSampledBody) return []
  const samples = asked === undefined ? declared : generate(asked)
  return detail.takeCharacters(samples.reduce((sum, { text }) => sum + text.length, 0)) ? samples : []
}

const pageOf = (document: OpenApiDocument, operation: Operation, detail: OperationDetail): OperationPage => {
  const { method, path, isWebhook, operation: definition } = operation
  const id = textOf(definition.operationId) || `${method} ${path}`
  const requirements = detail
    .firstOf(document.requirementsOf(operation))
    .map((combined) => detail.firstOf(combined))
  const body = document.requestBodyOf(operation)
  const request = () => sampleRequestOf(document, operation, detail)
  return {
    id,
    title: textOf(definition.summary) || (isWebhook ? textOf(definition.operationId) || path : id),
    method,
    path,
    isWebhook,
    isDeprecated: definition.deprecated === true,
    description: textOf(definition.description),
    ownServers: document.ownServersOf(operation),
    serverUrls: document.serverUrlsOf(operation),
    requirements,
    schemes: [
      ...new Map(
        requirements.flat().flatMap(({ name, scheme }) => (scheme === undefined ? [] : [[name, scheme]]))
      )
    ],
    parameters: detail
      .firstOf(operation.parameters)
      .filter((parameter) => parameter.in !== "body" && parameter.in !== "formData")
      .map((parameter) => ({
        name: textOf(parameter.name),
        place: textOf(parameter.in),
        schema: parameter.schema ?? parameter,
        isRequired: parameter.required === true,
        description: textOf(parameter.description),
        example: declaredExamples(document, parameter)[0],
        sample: parameterText(detail.exampleOf(document, parameter))
      })),
    body: body === undefined ? undefined : boundedBody(body, detail),
    responses: detail
      .firstOf(document.responsesOf(operation))
      .map((response) => boundedBody(response, detail)),
    request,
    samples: (generate = codeSamplesOf) => samplesOf(operation, request, detail, generate),
    detail,
    callbacks: []
  }
}

/** Reads a request that the server sends. It has the name of the callback in place of a title: its summary describes it. */
const callbackPageOf = (
  document: OpenApiDocument,
  callback: Operation,
  detail: OperationDetail
): OperationPage => {
  const page = pageOf(document, callback, detail)
  return { ...page, description: page.description || textOf(callback.operation.summary) }
}

/** Reads an operation of a document for a page, whose detail it shares with the other operations there. */
export const operationPageOf = (
  document: OpenApiDocument,
  operation: Operation,
  page: PageDetail = new PageDetail()
): OperationPage => {
  const detail = page.operation()
  return {
    ...pageOf(document, operation, detail),
    callbacks: document
      .callbacksOf(operation)
      .map(([name, callback]) => ({ name, page: callbackPageOf(document, callback, detail) }))
  }
}

/** The maximum length of an example of a response, in characters. */
const maximumExampleLength = 20_000

/** Returns the example of a body with a media type; undefined if it has no example, or a very long one. */
export const bodyExample = (
  document: OpenApiDocument,
  { type, definition }: Media,
  detail: OperationDetail
): Omit<CodeSample, "title"> | undefined => {
  const text = detail.textOf(detail.exampleOf(document, definition))
  if (text === "" || text.length > maximumExampleLength || !detail.takeCharacters(text.length))
    return undefined
  return { syntax: /json/.test(type) ? "json" : /xml/.test(type) ? "xml" : "", text }
}
