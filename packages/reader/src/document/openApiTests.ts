/** Renders the button that opens the form to send a request of an operation. The script of the page builds the form. */

import {
  entriesOf,
  exampleOf,
  exampleText,
  isObject,
  type Json,
  listOf,
  type OpenApiDocument,
  type Operation,
  textOf
} from "@lectern/markdown/openapi"
import { element, type Html, nothing } from "../html/Html.ts"
import { icon } from "../html/icons.ts"
import { isForm, parameterExample } from "./openApiRequests.ts"
import type { Renderer } from "./Renderer.ts"

/** A value that the visitor enters. */
interface Field {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly value: string
  /** The permitted values; absent for any. */
  readonly options?: ReadonlyArray<string>
  /** Whether the value is a list, whose items are separated by commas. */
  readonly isList?: true
  readonly isFile?: true
}

/** The credentials of a security scheme that the visitor enters. */
interface Credentials {
  readonly name: string
  readonly kind: "key" | "basic" | "bearer"
  /** The place and the name of a key. */
  readonly in?: string
  readonly key?: string
}

/** Everything that the form of an operation consists of, as JSON in an attribute. */
interface TestedRequest {
  readonly method: string
  readonly path: string
  readonly servers: ReadonlyArray<string>
  readonly credentials: ReadonlyArray<Credentials>
  readonly fields: ReadonlyArray<Field>
  readonly body?: { readonly type: string; readonly text?: string; readonly fields?: ReadonlyArray<Field> }
}

/** The maximum length of the example of a body, in characters. */
const maximumBodyLength = 20_000

/** The maximum number of values that a field offers. */
const maximumOptions = 100

const fieldOf = (
  document: OpenApiDocument,
  schema: Json,
  { name, place, required, value }: { name: string; place: string; required: boolean; value: string }
): Field => {
  const items = schema.type === "array" ? document.object(schema.items) : undefined
  const options = listOf(schema.enum)
    .filter((one) => typeof one !== "object")
    .map(String)
  return {
    name,
    in: place,
    required,
    value,
    ...(options.length === 0 ? {} : { options: options.slice(0, maximumOptions) }),
    ...(items === undefined ? {} : { isList: true as const }),
    ...(schema.format === "binary" || schema.type === "file" ? { isFile: true as const } : {})
  }
}

const parameterFields = (document: OpenApiDocument, { parameters }: Operation): ReadonlyArray<Field> =>
  parameters
    .filter((parameter) => ["path", "query", "header"].includes(textOf(parameter.in)))
    .map((parameter) => {
      const schema = document.object(parameter.schema) ?? parameter
      const isRequired = parameter.required === true || parameter.in === "path"
      const isDeclared = parameter.example !== undefined || schema.example !== undefined
      const example = exampleOf(document, parameter)
      return fieldOf(document, schema, {
        name: textOf(parameter.name),
        place: textOf(parameter.in),
        required: isRequired,
        value:
          !isRequired && !isDeclared
            ? ""
            : Array.isArray(example)
              ? example.map(exampleText).join(",")
              : parameterExample(document, parameter)
      })
    })

const credentialsOf = (document: OpenApiDocument, { operation }: Operation): ReadonlyArray<Credentials> =>
  document.securityOf(operation).flatMap(([name, scheme]): ReadonlyArray<Credentials> => {
    const type = textOf(scheme.type)
    if (type === "apiKey") {
      // Scripts cannot set the cookies of another server.
      return scheme.in === "cookie"
        ? []
        : [{ name, kind: "key", in: textOf(scheme.in), key: textOf(scheme.name) }]
    }
    if (type === "mutualTLS") return []
    const isBasic = type === "basic" || textOf(scheme.scheme).toLowerCase() === "basic"
    return [{ name, kind: isBasic ? "basic" : "bearer" }]
  })

const formFields = (document: OpenApiDocument, media: unknown): ReadonlyArray<Field> => {
  const schema = document.object(isObject(media) ? media.schema : undefined) ?? {}
  const required = new Set(listOf(schema.required))
  return entriesOf(schema.properties).flatMap(([name, given]) => {
    const property = document.object(given)
    if (property === undefined) return []
    const value = required.has(name) ? exampleText(exampleOf(document, { schema: property })) : ""
    return [fieldOf(document, property, { name, place: "body", required: required.has(name), value })]
  })
}

const bodyOf = (document: OpenApiDocument, operation: Operation): Pick<TestedRequest, "body"> => {
  const formData = operation.parameters.filter((parameter) => parameter.in === "formData")
  if (formData.length > 0) {
    const hasFile = formData.some(({ type }) => type === "file")
    const fields = formData.map((parameter) =>
      fieldOf(document, parameter, {
        name: textOf(parameter.name),
        place: "body",
        required: parameter.required === true,
        value: ""
      })
    )
    return { body: { type: hasFile ? "multipart/form-data" : "application/x-www-form-urlencoded", fields } }
  }
  const [type, media] = entriesOf(document.requestBodyOf(operation)?.content)[0] ?? []
  if (type === undefined) return {}
  if (isForm(type)) return { body: { type, fields: formFields(document, media) } }
  const text = isObject(media) ? exampleText(exampleOf(document, media)) : ""
  return { body: { type, text: text.slice(0, maximumBodyLength) } }
}

/** Renders the button of an operation; nothing for one without a server that a browser can send requests to. */
export const renderTest = (renderer: Renderer, document: OpenApiDocument, operation: Operation): Html => {
  if (operation.isWebhook || operation.method === "TRACE") return nothing
  const servers = document
    .serverUrlsOf(operation)
    .filter((url) => !/[{}]/.test(url) && renderer.permitRequests(url))
  if (servers.length === 0) return nothing
  const request: TestedRequest = {
    method: operation.method,
    path: operation.path,
    servers,
    credentials: credentialsOf(document, operation),
    fields: parameterFields(document, operation),
    ...bodyOf(document, operation)
  }
  return element(
    "button",
    { type: "button", class: "api-test js-only", "data-request": JSON.stringify(request) },
    icon("play"),
    renderer.context.messages.openApi.testIt
  )
}
