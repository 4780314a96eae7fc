/**
 * Generates the pages of an API in markdown: one per tag, with its operations, and one for its models. They are a pure
 * function of the document.
 */
import { freeAmong, slugOf } from "../../kernel/schema/Slug.ts"
import { isObject, type Json, makeResolve, type Resolve, textOf } from "./openApiReferences.ts"
import { propertiesOf, remarksOf, typeOf } from "./specSchemas.ts"

/** A page that is generated from a spec. */
export interface SpecPage {
  /** Its content: the operations of a tag, or the models. */
  readonly doc: "operations" | "models"
  /** Identifies it among the pages of its spec: the name of the tag, or `models`. */
  readonly key: string
  /** The title: the name of the tag, or "Models". */
  readonly title: string
  /** The slug, unique among the pages of the spec. */
  readonly slug: string
  /** The description of the tag, if it has one. */
  readonly description: string | undefined
  /** The body, which begins with the description. */
  readonly markdown: string
}

/** The HTTP methods of operations, in display order. */
const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const

/** The tag of operations without tags. */
const untagged = "Operations"

interface Operation {
  readonly method: string
  readonly path: string
  readonly operation: Json
  readonly parameters: ReadonlyArray<unknown>
}

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
const entries = (value: unknown): ReadonlyArray<readonly [string, unknown]> =>
  isObject(value) ? Object.entries(value) : []

/** Escapes the text of a table cell. */
const cell = (text: string): string => text.replace(/\s*\n\s*/g, " ").replaceAll("|", "\\|")

const table = (heads: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [heads, heads.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n")

/** A code block with a fence that is longer than any within. */
const code = (language: string, text: string): string => {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  const fence = "`".repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

const json = (value: unknown): string => code("json", JSON.stringify(value, undefined, 2) ?? "null")

const join = (parts: ReadonlyArray<string>): string => parts.filter((part) => part !== "").join("\n\n")

const heading = (level: number, text: string): string => `${"#".repeat(level)} ${text.replace(/\s+/g, " ")}`

const operationsOf = (document: Json, resolve: Resolve): ReadonlyArray<Operation> =>
  entries(document.paths).flatMap(([path, given]) => {
    const item = resolve(given)
    if (!isObject(item)) return []
    return methods.flatMap((method) => {
      const operation = resolve(item[method])
      if (!isObject(operation)) return []
      const parameters = [...list(item.parameters), ...list(operation.parameters)]
      return [{ method: method.toUpperCase(), path, operation, parameters }]
    })
  })

const propertyTable = (schema: unknown, resolve: Resolve): string => {
  const properties = propertiesOf(schema, resolve)
  return properties.length === 0
    ? ""
    : table(
        ["Property", "Type", "Required", "Description"],
        properties.map(({ name, schema, isRequired }) => [
          `\`${name}\``,
          typeOf(schema),
          isRequired ? "yes" : "",
          remarksOf(schema)
        ])
      )
}

/** The examples of a body. */
const examplesOf = (media: Json, resolve: Resolve): ReadonlyArray<string> => {
  const schema = resolve(media.schema)
  const named = entries(media.examples).flatMap(([, example]) => {
    const value = resolve(example)
    return isObject(value) && "value" in value ? [value.value] : []
  })
  const own = [media.example, ...named, isObject(schema) ? schema.example : undefined]
  return own.filter((example) => example !== undefined).map(json)
}

/** The description of a body, for each of its media types. */
const content = (given: unknown, resolve: Resolve): string =>
  join(
    entries(given).flatMap(([type, media]) =>
      isObject(media)
        ? [
            `\`${type}\`: ${typeOf(media.schema)}`,
            propertyTable(media.schema, resolve),
            ...examplesOf(media, resolve)
          ]
        : []
    )
  )

/** The body of a request. In version 2 it is one of the parameters. */
const requestBody = ({ operation, parameters }: Operation, resolve: Resolve): string => {
  const body = resolve(operation.requestBody)
  if (isObject(body)) {
    return join(["### Request body", textOf(body.description), content(body.content, resolve)])
  }
  const inBody = parameters.map(resolve).find((one) => isObject(one) && one.in === "body") as Json | undefined
  return inBody === undefined
    ? ""
    : join([
        "### Request body",
        textOf(inBody.description),
        `${typeOf(inBody.schema)}`,
        propertyTable(inBody.schema, resolve)
      ])
}

const parameterTable = ({ parameters }: Operation, resolve: Resolve): string => {
  const rows = parameters
    .map(resolve)
    .filter(isObject)
    .filter((parameter) => parameter.in !== "body")
    .map((parameter) => [
      `\`${textOf(parameter.name)}\``,
      textOf(parameter.in),
      typeOf(parameter.schema ?? parameter),
      parameter.required === true ? "yes" : "",
      textOf(parameter.description) || remarksOf(parameter.schema)
    ])
  return rows.length === 0
    ? ""
    : join(["### Parameters", table(["Name", "In", "Type", "Required", "Description"], rows)])
}

const responses = ({ operation }: Operation, resolve: Resolve): string => {
  const found = entries(operation.responses)
    .map(([status, given]) => [status, resolve(given)] as const)
    .filter((entry): entry is readonly [string, Json] => isObject(entry[1]))
  if (found.length === 0) return ""
  return join([
    "### Responses",
    table(
      ["Status", "Description"],
      found.map(([status, response]) => [status, textOf(response.description)])
    ),
    ...found.map(([status, response]) => {
      const body =
        response.content === undefined && response.schema !== undefined
          ? join([typeOf(response.schema), propertyTable(response.schema, resolve)])
          : content(response.content, resolve)
      return body === "" ? "" : join([heading(4, status), body])
    })
  ])
}

const operationMarkdown = (one: Operation, resolve: Resolve): string => {
  const { method, path, operation } = one
  const title = textOf(operation.summary) || textOf(operation.operationId) || `${method} ${path}`
  return join([
    heading(2, title),
    code("http", `${method} ${path}`),
    operation.deprecated === true ? "**Deprecated.**" : "",
    textOf(operation.description),
    parameterTable(one, resolve),
    requestBody(one, resolve),
    responses(one, resolve)
  ])
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

const modelsMarkdown = (schemas: ReadonlyArray<readonly [string, unknown]>, resolve: Resolve): string =>
  join(
    schemas.map(([name, schema]) =>
      join([
        heading(2, name),
        remarksOf(resolve(schema)),
        propertyTable(schema, resolve) || `Type: ${typeOf(schema)}`,
        json(schema)
      ])
    )
  )

/** Generates the pages of a document. A tag without operations has no page. Invalid documents have no pages. */
export const specPagesOf = (document: unknown): ReadonlyArray<SpecPage> => {
  if (!isObject(document)) return []
  const resolve = makeResolve(document)
  const slugs = new Set<string>()
  const slug = (title: string): string => {
    const free = freeAmong(slugs, slugOf(title, "page"))
    slugs.add(free)
    return free
  }
  const described = new Map(
    list(document.tags)
      .filter(isObject)
      .map((tag) => [textOf(tag.name), textOf(tag.description)])
  )
  const pages: Array<SpecPage> = []
  for (const [tag, operations] of byTag(document, operationsOf(document, resolve))) {
    if (operations.length === 0) continue
    const description = described.get(tag) || undefined
    pages.push({
      doc: "operations",
      key: tag,
      title: tag,
      slug: slug(tag),
      description,
      markdown: join([description ?? "", ...operations.map((one) => operationMarkdown(one, resolve))])
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
      markdown: modelsMarkdown(schemas, resolve)
    })
  }
  return pages
}
