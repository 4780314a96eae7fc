/** Renders the button that opens the form to send a request of an operation. The script of the page builds the form. */
import {
  entriesOf,
  exampleText,
  isForm,
  type Json,
  listOf,
  type Media,
  type OpenApiDocument,
  type OperationDetail,
  type OperationPage,
  requestMediaOf,
  textOf
} from "@lectern/markdown/openapi"
import { element, type Html, nothing } from "../html/Html.ts"
import { icon } from "../html/icons.ts"
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

const parameterFields = (document: OpenApiDocument, { parameters }: OperationPage): ReadonlyArray<Field> =>
  parameters
    .filter(({ place }) => place !== "cookie")
    .map(({ name, place, schema, isRequired, example, sample }) => {
      const required = isRequired || place === "path"
      const list = Array.isArray(example) ? example.map(exampleText).join(",") : sample
      const value = required || example !== undefined ? list : ""
      return fieldOf(document, document.object(schema) ?? {}, { name, place, required, value })
    })

const credentialsOf = ({ schemes }: OperationPage): ReadonlyArray<Credentials> =>
  schemes.flatMap(([name, scheme]): ReadonlyArray<Credentials> => {
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

const formFields = (
  document: OpenApiDocument,
  { definition }: Media,
  detail: OperationDetail
): ReadonlyArray<Field> => {
  const schema = document.object(definition.schema) ?? {}
  const requiredNames = new Set(listOf(schema.required))
  return detail.firstOf(entriesOf(schema.properties)).flatMap(([name, given]) => {
    const property = document.object(given)
    if (property === undefined) return []
    const required = requiredNames.has(name)
    const value = required ? detail.textOf(detail.exampleOf(document, { schema: property })) : ""
    return [fieldOf(document, property, { name, place: "body", required, value })]
  })
}

const bodyOf = (document: OpenApiDocument, { body, detail }: OperationPage): Pick<TestedRequest, "body"> => {
  const media = requestMediaOf(body)
  if (media === undefined) return {}
  const { type, definition } = media
  if (isForm(type)) return { body: { type, fields: formFields(document, media, detail) } }
  return {
    body: { type, text: detail.textOf(detail.exampleOf(document, definition)).slice(0, maximumBodyLength) }
  }
}

/** Renders the button of an operation; nothing for one without a server that a browser can send requests to. */
export const renderTest = (renderer: Renderer, document: OpenApiDocument, page: OperationPage): Html => {
  const { method, path, isWebhook, serverUrls } = page
  if (isWebhook || method === "TRACE") return nothing
  const servers = serverUrls.filter((url) => !/[{}]/.test(url) && renderer.permitRequests(url))
  if (servers.length === 0) return nothing
  const request: TestedRequest = {
    method,
    path,
    servers,
    credentials: credentialsOf(page),
    fields: parameterFields(document, page),
    ...bodyOf(document, page)
  }
  const written = JSON.stringify(request)
  if (!page.detail.takeCharacters(written.length)) return nothing
  return element(
    "button",
    { type: "button", class: "api-test js-only", "data-request": written },
    icon("play"),
    renderer.context.messages.openApi.testIt
  )
}
