/** An operation of an API as a page, which is printed as Markdown and as HTML, and is searched. */
import { type CodeSample, codeSamplesOf } from "./codeSamples.ts"
import type { Body, OpenApiDocument, Operation, Requirement, Response, Server } from "./OpenApiDocument.ts"
import { type Json, textOf } from "./openApiReferences.ts"
import { declaredExamples, exampleOf, exampleText } from "./samples.ts"

/** A parameter in the path, the query, the header, a cookie or a form. */
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
  /** Servers that replace those of the document. */
  readonly servers: ReadonlyArray<Server>
  /** The alternatives of authentication. */
  readonly requirements: ReadonlyArray<ReadonlyArray<Requirement>>
  /** The parameters outside of the body. */
  readonly parameters: ReadonlyArray<PageParameter>
  /** The body of the request. */
  readonly body: Body | undefined
  /** The responses by status. */
  readonly responses: ReadonlyArray<Response>
  /** Code that calls the operation. It is created when it is read, because small pages omit it. */
  readonly samples: () => ReadonlyArray<CodeSample>
}

/** Reads an operation of a document. */
export const operationPageOf = (document: OpenApiDocument, operation: Operation): OperationPage => {
  const { method, path, isWebhook, operation: definition } = operation
  const id = textOf(definition.operationId) || `${method} ${path}`
  return {
    id,
    title: textOf(definition.summary) || id,
    method,
    path,
    isWebhook,
    isDeprecated: definition.deprecated === true,
    description: textOf(definition.description),
    servers: document.serversOf(operation),
    requirements: document.requirementsOf(operation),
    parameters: operation.parameters
      .filter((parameter) => parameter.in !== "body")
      .map((parameter) => ({
        name: textOf(parameter.name),
        place: textOf(parameter.in),
        schema: parameter.schema ?? parameter,
        isRequired: parameter.required === true,
        description: textOf(parameter.description),
        example: declaredExamples(document, parameter)[0]
      })),
    body: document.requestBodyOf(operation),
    responses: document.responsesOf(operation),
    samples: () => codeSamplesOf(document, operation)
  }
}

/** The maximum length of an example of a response, in characters. */
const maximumExampleLength = 20_000

/** Returns the example of a body with a media type; undefined if it has none, or a very long one. */
export const bodyExample = (
  document: OpenApiDocument,
  { type, definition }: { readonly type: string; readonly definition: Json }
): Omit<CodeSample, "title"> | undefined => {
  const text = exampleText(exampleOf(document, definition))
  if (text === "" || text.length > maximumExampleLength) return undefined
  return { syntax: /json/.test(type) ? "json" : /xml/.test(type) ? "xml" : "", text }
}
