/**
 * Generates the pages of an API in Markdown: one per tag, with its operations, and one for its models. They are a pure
 * function of the documents.
 */

import { estimateParseCost, maximumParseCost } from "@lectern/markdown/document"
import { freeAmong, slugOf } from "@lectern/markdown/text"
import { isObject, type Json, makeResolve, methods, type Resolve, textOf } from "./openApiReferences.ts"
import { code, entries, heading, join, json, list, table } from "./specMarkdown.ts"
import {
  codeSamples,
  describeAuthentication,
  describeOwnServers,
  describeServers,
  type Operation
} from "./specRequests.ts"
import { examplesOf, sampleOf } from "./specSamples.ts"
import { maximumProperties, nestedPropertiesOf, remarksOf, typeOf } from "./specSchemas.ts"

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

/** The tag of operations without tags. */
const untagged = "Operations"

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

/** The input of the Markdown of operations and models. */
interface Source {
  readonly document: Json
  readonly resolve: Resolve
  readonly detail: Detail
  /** Whether the page has all models, so that references within a model are not expanded. */
  readonly hasModels: boolean
}

const operationsOf = (document: Json, resolve: Resolve): ReadonlyArray<Operation> =>
  entries(document.paths).flatMap(([path, given]) => {
    const item = resolve(given)
    if (!isObject(item)) return []
    return methods.flatMap((method) => {
      const operation = resolve(item[method])
      if (!isObject(operation)) return []
      const parameters = [...list(item.parameters), ...list(operation.parameters)]
        .map(resolve)
        .filter(isObject)
      return [{ method: method.toUpperCase(), path, item, operation, parameters }]
    })
  })

const unresolved: Resolve = (value) => (isObject(value) && typeof value.$ref === "string" ? undefined : value)

const propertyTable = (schema: unknown, { resolve, detail: { depth }, hasModels }: Source): string => {
  const nesting = { depth: Math.max(depth, 1), includesReferences: !hasModels }
  const properties = nestedPropertiesOf(schema, depth === 0 ? unresolved : resolve, nesting)
  if (properties.length === 0) return ""
  const rows = properties
    .slice(0, maximumProperties)
    .map(({ name, schema, isRequired }) => [
      `\`${name}\``,
      typeOf(schema),
      isRequired ? "yes" : "",
      remarksOf(schema)
    ])
  return join([
    table(["Property", "Type", "Required", "Description"], rows),
    properties.length > maximumProperties ? `These are the first ${maximumProperties} properties.` : ""
  ])
}

/** The examples of a body; a sample of its schema if it has no example. */
const bodyExamples = (media: Json, { resolve, detail }: Source): ReadonlyArray<string> => {
  const examples = examplesOf(media, resolve)
  if (examples.length > 0) return examples.map(json)
  const schema = resolve(media.schema)
  const sample = detail.hasSamples && isObject(schema) ? sampleOf(schema, resolve) : undefined
  return typeof sample === "object" && sample !== null ? [json(sample)] : []
}

/** The description of a body, for each of its media types. */
const content = (given: unknown, source: Source): string =>
  join(
    entries(given).flatMap(([type, media]) =>
      isObject(media)
        ? [
            `\`${type}\`: ${typeOf(media.schema)}`,
            propertyTable(media.schema, source),
            ...bodyExamples(media, source)
          ]
        : []
    )
  )

/** The body of a request. In version 2 it is one of the parameters. */
const requestBody = ({ operation, parameters }: Operation, source: Source): string => {
  const body = source.resolve(operation.requestBody)
  if (isObject(body)) {
    return join(["### Request body", textOf(body.description), content(body.content, source)])
  }
  const inBody = parameters.find((parameter) => parameter.in === "body")
  return inBody === undefined
    ? ""
    : join([
        "### Request body",
        textOf(inBody.description),
        typeOf(inBody.schema),
        propertyTable(inBody.schema, source),
        ...bodyExamples(inBody, source)
      ])
}

const parameterTable = ({ parameters }: Operation, resolve: Resolve): string => {
  const rows = parameters
    .filter((parameter) => parameter.in !== "body")
    .map((parameter) => {
      const [example] = examplesOf(parameter, resolve)
      const described = [
        textOf(parameter.description),
        remarksOf(parameter.schema),
        example === undefined || remarksOf(parameter.schema).includes("Example: ")
          ? ""
          : `Example: \`${JSON.stringify(example)}\`.`
      ]
      return [
        `\`${textOf(parameter.name)}\``,
        textOf(parameter.in),
        typeOf(parameter.schema ?? parameter),
        parameter.required === true ? "yes" : "",
        described.filter((part) => part !== "").join(" ")
      ]
    })
  return rows.length === 0
    ? ""
    : join(["### Parameters", table(["Name", "In", "Type", "Required", "Description"], rows)])
}

/** The body of a response. In version 2 its schema is in the response, and its examples are by media type. */
const responseBody = (response: Json, source: Source): string => {
  if (response.content !== undefined || response.schema === undefined)
    return content(response.content, source)
  const examples = entries(response.examples).map(([, example]) => json(example))
  return join([
    typeOf(response.schema),
    propertyTable(response.schema, source),
    ...(examples.length > 0 ? examples : bodyExamples({ schema: response.schema }, source))
  ])
}

const responses = ({ operation }: Operation, source: Source): string => {
  const found = entries(operation.responses)
    .map(([status, given]) => [status, source.resolve(given)] as const)
    .filter((entry): entry is readonly [string, Json] => isObject(entry[1]))
  if (found.length === 0) return ""
  return join([
    "### Responses",
    table(
      ["Status", "Description"],
      found.map(([status, response]) => [status, textOf(response.description)])
    ),
    ...found.map(([status, response]) => {
      const body = responseBody(response, source)
      return body === "" ? "" : join([heading(4, status), body])
    })
  ])
}

const operationMarkdown = (one: Operation, source: Source): string => {
  const { method, path, operation } = one
  const { document, resolve, detail } = source
  const title = textOf(operation.summary) || textOf(operation.operationId) || `${method} ${path}`
  return join([
    heading(2, title),
    code("http", `${method} ${path}`),
    operation.deprecated === true ? "**Deprecated.**" : "",
    textOf(operation.description),
    describeOwnServers(one),
    describeAuthentication(document, one, resolve),
    parameterTable(one, resolve),
    requestBody(one, source),
    detail.hasSamples ? codeSamples(document, one, resolve) : "",
    responses(one, source)
  ])
}

/** The title of a tag that has none: a name without capitals, such as `user-settings`, is read as words. */
const titleOfTag = (tag: string): string => {
  if (!/^[a-z][a-z0-9]*(?:[-_ ][a-z0-9]+)*$/.test(tag)) return tag
  const words = tag.replaceAll(/[-_]/g, " ")
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** The operations by tag: declared tags in their order, then the others in order of appearance. */
const byTag = (
  document: Json,
  operations: ReadonlyArray<Operation>
): ReadonlyMap<string, Array<Operation>> => {
  const found = new Map<string, Array<Operation>>(
    list(document.tags).flatMap((tag) =>
      isObject(tag) && textOf(tag.name) !== "" ? [[textOf(tag.name), []]] : []
    )
  )
  for (const one of operations) {
    const tags = list(one.operation.tags)
      .map(textOf)
      .filter((tag) => tag !== "")
    for (const tag of tags.length === 0 ? [untagged] : tags) {
      const there = found.get(tag)
      if (there === undefined) found.set(tag, [one])
      else there.push(one)
    }
  }
  return found
}

const modelMarkdown = ([name, schema]: readonly [string, unknown], source: Source): string =>
  join([
    heading(2, name),
    remarksOf(source.resolve(schema)),
    propertyTable(schema, source) || `Type: ${typeOf(schema)}`,
    json(schema)
  ])

/** Generates the pages of a document. A tag without operations has no page. Invalid documents have no pages. */
export const specPagesOf = (document: unknown, files: Json = {}, characters = 0): ReadonlyArray<SpecPage> => {
  if (!isObject(document)) return []
  const resolve = makeResolve(document, files)
  const slugs = new Set<string>()
  const slug = (title: string): string => {
    const free = freeAmong(slugs, slugOf(title, "page"))
    slugs.add(free)
    return free
  }
  let remaining = maximumCharacters.base + maximumCharacters.perCharacter * characters

  /** Joins parts with as much detail as the page can have. */
  const withDetail = <A>(
    head: ReadonlyArray<string>,
    items: ReadonlyArray<A>,
    hasModels: boolean,
    toMarkdown: (item: A, source: Source) => string
  ): string => {
    for (const detail of details) {
      const parts = [...head]
      let cost = 0
      let length = 0
      for (const item of items) {
        const part = toMarkdown(item, { document, resolve, detail, hasModels })
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
    const source = { document, resolve, detail: leastDetail, hasModels }
    return join([...head, ...items.map((item) => toMarkdown(item, source))])
  }

  const tags = new Map(
    list(document.tags)
      .filter(isObject)
      .map((tag) => [textOf(tag.name), tag])
  )
  const servers = describeServers(document)
  const pages: Array<SpecPage> = []
  for (const [tag, operations] of byTag(document, operationsOf(document, resolve))) {
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
      markdown: withDetail([description ?? "", servers], operations, false, operationMarkdown)
    })
  }
  const components = isObject(document.components) ? document.components.schemas : document.definitions
  const schemas = entries(components)
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
