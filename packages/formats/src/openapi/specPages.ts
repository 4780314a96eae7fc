/**
 * Generates the pages of an API in Markdown: one per tag, with its operations, and one for its models. They are a pure
 * function of the documents.
 */

import { estimateParseCost, maximumParseCost } from "@lectern/markdown/document"
import {
  type Body,
  type Constraint,
  constraintsOf,
  declaredExamples,
  Expansions,
  isObject,
  type Json,
  maximumProperties,
  OpenApiDocument,
  type Operation,
  type OperationDetail,
  type OperationPage,
  operationPageOf,
  PageDetail,
  type Resolve,
  textOf,
  typeOf
} from "@lectern/markdown/openapi"
import { freeAmong, slugOf } from "@lectern/markdown/text"
import { describeAuthentication, serverList } from "./specAuthentication.ts"
import { code, codeTabs, heading, inlineCode, join, json, table } from "./specMarkdown.ts"

/** A page that is generated from a spec. */
export interface SpecPage {
  /** Its content: the operations of a tag, or the models. */
  readonly doc: "operations" | "models"
  /** Identifies it among the pages of its spec: the name of the tag, or `models`. */
  readonly key: string
  /** The title: the display name, the summary or the name of the tag, or "Models". */
  readonly title: string
  /** The slug, unique among the pages of the spec. */
  readonly slug: string
  /** The description of the tag, if it has one. */
  readonly description: string | undefined
  /** The body, which begins with the description. */
  readonly markdown: string
}

/** How much a page shows. Pages that would be too large to be parsed show less. */
interface Detail {
  /** The levels of nested properties. 0 shows the properties of schemas that are not references. */
  readonly depth: number
  /** Whether the page has generated samples and code. */
  readonly hasSamples: boolean
}

/** From the most detailed. */
const details: ReadonlyArray<Detail> = [
  { depth: 4, hasSamples: true },
  { depth: 2, hasSamples: true },
  { depth: 1, hasSamples: false }
]
const leastDetail: Detail = { depth: 0, hasSamples: false }

/** The part of the maximum cost of parsing that a page may have. */
const maximumPageCost = maximumParseCost * 0.8

/**
 * The maximum number of characters of all detailed pages, and in addition the number per character of the documents, because
 * documents can reference a large schema many times.
 */
const maximumCharacters = { base: 8_000_000, perCharacter: 4 }

/** The maximum number of steps of the expansions of all pages. */
const maximumSteps = 1_000_000

/** The input of the Markdown of a page. */
interface PageSource {
  readonly document: OpenApiDocument
  readonly detail: Detail
  /** Whether the page has all models, so that references within a model are not expanded. */
  readonly hasModels: boolean
  /** The detail that all operations of the page have. */
  readonly pageDetail: PageDetail
}

/** The input of the Markdown of an operation or of a model. */
interface Source extends PageSource {
  /** The detail that the operation or the model can take from that of its page. */
  readonly allowance: OperationDetail
}

const unresolved: Resolve = (value) => (isObject(value) && typeof value.$ref === "string" ? undefined : value)

const constraintLabels: Readonly<Record<Constraint["kind"], string>> = {
  options: "One of",
  default: "Default",
  example: "Example",
  minimum: "Minimum",
  maximum: "Maximum",
  minLength: "Minimum length",
  maxLength: "Maximum length",
  minItems: "Minimum number of items",
  maxItems: "Maximum number of items",
  pattern: "Pattern"
}

/** The description and the constraints of a value, as text. `description` and `example` replace the ones of its schema. */
const remarksOf = (schema: unknown, description = "", example?: unknown): string => {
  const known = isObject(schema) ? schema : {}
  return [
    description || textOf(known.description),
    known.deprecated === true ? "Deprecated." : "",
    ...constraintsOf(known, example).map(
      ({ kind, values }) => `${constraintLabels[kind]}: ${values.map(inlineCode).join(", ")}.`
    )
  ]
    .filter((part) => part !== "")
    .join(" ")
}

/** The sentence of a page that does not have everything. */
const incompleteText = "This page does not show all details: the OpenAPI document has them."

const propertyTable = (schema: unknown, { document, detail, hasModels, allowance }: Source): string => {
  const { depth } = detail
  const nesting = { depth: Math.max(depth, 1), includesReferences: !hasModels }
  const properties = allowance.nestedPropertiesOf(
    schema,
    depth === 0 ? unresolved : document.resolve,
    nesting
  )
  if (properties.length === 0) return ""
  const rows = properties
    .slice(0, maximumProperties)
    .map(({ name, schema, isRequired }) => [
      `\`${name}\``,
      typeOf(document, schema),
      isRequired ? "yes" : "",
      remarksOf(schema)
    ])
    .filter(([name, , , remarks]) =>
      allowance.takeProperty(/[.[]/.test(name!) ? 1 : 0, name!.length + remarks!.length)
    )
  if (rows.length === 0) return ""
  return join([
    table(["Property", "Type", "Required", "Description"], rows),
    properties.length > maximumProperties ? `These are the first ${maximumProperties} properties.` : ""
  ])
}

/** The properties of the alternatives of a schema. A page of models has references to others by their names only. */
const alternativeTables = (given: unknown, source: Source): ReadonlyArray<string> => {
  const { document, allowance, hasModels } = source
  const schema = document.object(given)
  const alternatives = schema === undefined ? [] : allowance.expand(schema, document.resolve).alternatives
  return allowance.firstOf(alternatives).flatMap((one) => {
    const properties = hasModels && isObject(one) && "$ref" in one ? "" : propertyTable(one, source)
    const title = textOf(document.object(one)?.title) || typeOf(document, one)
    return properties === "" ? [] : [`One of the alternatives is ${inlineCode(title)}:`, properties]
  })
}

/** The examples of a body; a sample of its schema if it has no example. */
const bodyExamples = (media: Json, { document, detail, allowance }: Source): ReadonlyArray<string> => {
  const declared = declaredExamples(document, media)
  const sample =
    declared.length > 0 || !detail.hasSamples ? undefined : allowance.sampleOf(document, media.schema)
  const examples = typeof sample === "object" && sample !== null ? [sample] : declared
  return allowance.firstOf(examples).flatMap((example) => {
    const text = code("json", allowance.jsonOf(example))
    return allowance.takeCharacters(text.length) ? [text] : []
  })
}

/** The description of a body, for each of its media types. */
const bodyMarkdown = ({ media }: Body, source: Source): string =>
  join(
    media.flatMap(({ type, definition }) =>
      // Many responses can have the same list of media types.
      source.allowance.takeProperty(0, type.length)
        ? [
            `${inlineCode(type)}: ${typeOf(source.document, definition.schema)}`,
            propertyTable(definition.schema, source),
            ...alternativeTables(definition.schema, source),
            ...bodyExamples(definition, source)
          ]
        : []
    )
  )

const parameterTable = ({ parameters }: OperationPage, { document, allowance }: Source): string => {
  const rows = parameters
    .map(({ name, place, schema, isRequired, description, example }) => [
      `\`${name}\``,
      place,
      typeOf(document, schema),
      isRequired ? "yes" : "",
      remarksOf(schema, description, example)
    ])
    .filter(([name, , , , remarks]) => allowance.takeProperty(0, name!.length + remarks!.length))
  return rows.length === 0
    ? ""
    : join(["### Parameters", table(["Name", "In", "Type", "Required", "Description"], rows)])
}

const responsesMarkdown = ({ responses }: OperationPage, source: Source): string => {
  if (responses.length === 0) return ""
  return join([
    "### Responses",
    table(
      ["Status", "Description"],
      responses.map(({ status, description }) => [status, description])
    ),
    ...responses.map((response) => {
      const body = bodyMarkdown(response, source)
      return body === "" ? "" : join([heading(4, response.status), body])
    })
  ])
}

const callbacksMarkdown = ({ callbacks }: OperationPage, source: Source): string =>
  callbacks.length === 0
    ? ""
    : join([
        "### Callbacks",
        ...callbacks.flatMap(({ name, page: { method, path, description, body } }) => [
          heading(4, name),
          code("http", `${method} ${path}`),
          description,
          body === undefined ? "" : bodyMarkdown(body, source)
        ])
      ])

/** The title of a tag without one: a name without capitals, such as `user-settings`, is read as words. */
const titleOfTag = (tag: string): string => {
  if (!/^[a-z][a-z0-9]*(?:[-_ ][a-z0-9]+)*$/.test(tag)) return tag
  const words = tag.replaceAll(/[-_]/g, " ")
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

const operationMarkdown = (operation: Operation, given: PageSource): string => {
  const page = operationPageOf(given.document, operation, given.pageDetail)
  const source: Source = { ...given, allowance: page.detail }
  const { method, path, body, ownServers, isWebhook } = page
  const samples = source.detail.hasSamples ? page.samples() : []
  return join([
    heading(2, page.title),
    isWebhook
      ? `The API sends this request, with the method \`${method}\`.`
      : code("http", `${method} ${path}`),
    page.isDeprecated ? "**Deprecated.**" : "",
    page.description,
    ownServers.length === 0 ? "" : join(["### Servers", serverList(ownServers)]),
    describeAuthentication(page.requirements),
    parameterTable(page, source),
    body === undefined ? "" : join(["### Request body", body.description, bodyMarkdown(body, source)]),
    samples.length === 0 ? "" : join(["### Code samples", codeTabs(samples)]),
    responsesMarkdown(page, source),
    callbacksMarkdown(page, source),
    page.detail.isIncomplete ? incompleteText : ""
  ])
}

const modelMarkdown = ([name, schema]: readonly [string, unknown], given: PageSource): string => {
  const source: Source = { ...given, allowance: given.pageDetail.operation() }
  return join([
    heading(2, name),
    remarksOf(source.document.resolve(schema)),
    propertyTable(schema, source) || `Type: ${typeOf(source.document, schema)}`,
    ...alternativeTables(schema, source),
    json(schema),
    source.allowance.isIncomplete ? incompleteText : ""
  ])
}

/** Generates the pages of a document. A tag without operations has no page. Invalid documents have no pages. */
export const specPagesOf = (given: unknown, files: Json = {}, characters = 0): ReadonlyArray<SpecPage> => {
  if (!isObject(given)) return []
  const document = new OpenApiDocument(given, { files })
  const slugs = new Set<string>()
  const slug = (title: string): string => {
    const free = freeAmong(slugs, slugOf(title, "page"))
    slugs.add(free)
    return free
  }
  const expansions = new Expansions(maximumSteps)
  let remaining = maximumCharacters.base + maximumCharacters.perCharacter * characters

  /** Joins parts with as much detail as the page can have. */
  const withDetail = <A>(
    head: ReadonlyArray<string>,
    items: ReadonlyArray<A>,
    hasModels: boolean,
    toMarkdown: (item: A, source: PageSource) => string
  ): string => {
    for (const detail of details) {
      const pageDetail = new PageDetail(expansions)
      const parts = [...head]
      let cost = 0
      let length = 0
      for (const item of items) {
        const part = toMarkdown(item, { document, detail, hasModels, pageDetail })
        parts.push(part)
        cost += estimateParseCost(part, maximumPageCost)
        length += part.length
        if (cost > maximumPageCost || length > remaining) break
      }
      if (cost <= maximumPageCost && length <= remaining) {
        remaining -= length
        return join(parts)
      }
    }
    const source = { document, detail: leastDetail, hasModels, pageDetail: new PageDetail(expansions) }
    return join([...head, ...items.map((item) => toMarkdown(item, source)), incompleteText])
  }

  const { tags, servers, schemas } = document
  const serversMarkdown = servers.length === 0 ? "" : join(["**Servers**", serverList(servers)])
  const pages: Array<SpecPage> = []
  for (const [tag, operations] of document.operationsByTag) {
    if (operations.length === 0) continue
    const description = textOf(tags.get(tag)?.description) || undefined
    const given = tags.get(tag)
    const title =
      textOf(given?.["x-page-title"]) ||
      textOf(given?.["x-displayName"]) ||
      textOf(given?.summary) ||
      titleOfTag(tag)
    pages.push({
      doc: "operations",
      key: tag,
      title,
      slug: slug(title),
      description,
      markdown: withDetail([description ?? "", serversMarkdown], operations, false, operationMarkdown)
    })
  }
  if (schemas.length > 0) {
    pages.push({
      doc: "models",
      key: "models",
      title: "Models",
      slug: slug("Models"),
      description: undefined,
      markdown: withDetail([], schemas, true, modelMarkdown)
    })
  }
  return pages
}

/** Generates the pages of a version from its documents: a JSON object of documents by name, in UTF-8. */
export const specPagesOfFiles = (files: Uint8Array): ReadonlyArray<SpecPage> => {
  const documents: unknown = JSON.parse(new TextDecoder().decode(files))
  return isObject(documents) ? specPagesOf(Object.values(documents)[0], documents, files.length) : []
}
