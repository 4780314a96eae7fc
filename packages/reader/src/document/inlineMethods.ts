/**
 * Reads the methods of an API that pages describe by tags of their own, `{% swagger method="get" … %}` with parameters and responses
 * below it, and the older `{% api-method … %}`, as OpenAPI documents with one operation.
 */
import type { DocumentBlock } from "@lectern/core"
import { attributesIn, tagIn, toMarkdown } from "@lectern/markdown/document"
import type { Json } from "@lectern/markdown/openapi"
import { slugOf } from "@lectern/markdown/text"
import type { Block } from "./DocumentContext.ts"

/** A method, and the index of the block after it. */
export interface InlineMethod {
  readonly document: Json
  readonly method: string
  readonly path: string
  readonly end: number
}

/** A tag of a line of its own. */
interface OpenedTag {
  readonly name: string
  readonly closes: boolean
  readonly attributes: ReadonlyMap<string, string>
}

/** A part of a method: its description, a parameter or a response, with the blocks that it contains. */
interface Part {
  readonly kind: "summary" | "description" | "parameter" | "response"
  readonly attributes: ReadonlyMap<string, string>
  /** The name of the group of parameters that contains it. */
  readonly group: string
  readonly blocks: Array<Block>
}

/** Unescapes characters of Markdown in an attribute, such as the underscore in `user\_id`. */
const unescaped = (text: string): string => text.replaceAll(/\\([!-/:-@[-`{-~])/g, "$1")

const isTag = (block: { readonly type: string; readonly data?: unknown }): block is DocumentBlock.Code =>
  block.type === "code" && (block as DocumentBlock.Code).data.markdown === "tag"

const codeOf = ({ nodes }: DocumentBlock.Code): string =>
  nodes
    .map((line) => line.nodes.map(({ leaves }) => leaves.map(({ text }) => text).join("")).join(""))
    .join("\n")

const readTag = (block: { readonly type: string; readonly data?: unknown }): OpenedTag | undefined => {
  if (!isTag(block)) return undefined
  const tag = tagIn(codeOf(block))
  if (tag === undefined) return undefined
  const attributes = new Map(
    [...(attributesIn(tag.rest) ?? [])].map(([name, value]) => [name, unescaped(String(value))] as const)
  )
  return { name: tag.name, closes: tag.closes, attributes }
}

const kinds: Readonly<Record<string, Part["kind"]>> = {
  "swagger-description": "description",
  "api-method-summary": "summary",
  "api-method-description": "description",
  "swagger-parameter": "parameter",
  "api-method-parameter": "parameter",
  "swagger-response": "response",
  "api-method-response-example": "response"
}

/** The places of parameters by the name of their group. */
const places: Readonly<Record<string, string>> = {
  "api-method-path-parameters": "path",
  "api-method-headers": "header",
  "api-method-query-parameters": "query",
  "api-method-body-parameters": "body",
  "api-method-form-data-parameters": "formData"
}

/** The maximum number of blocks that a method consists of. */
const maximumBlocks = 2_000

/** Reads the parts of the method that starts at an index. Returns undefined if it is not closed before the next one. */
const readParts = (
  blocks: ReadonlyArray<{ readonly type: string; readonly data?: unknown }>,
  start: number,
  name: string
): { readonly parts: ReadonlyArray<Part>; readonly end: number } | undefined => {
  const parts: Array<Part> = []
  let [current, group]: [Part | undefined, string] = [undefined, ""]
  for (let at = start + 1; at < Math.min(blocks.length, start + maximumBlocks); at++) {
    const tag = readTag(blocks[at]!)
    if (tag === undefined) {
      if (current === undefined) {
        current = { kind: "description", attributes: new Map(), group, blocks: [] }
        parts.push(current)
      }
      current.blocks.push(blocks[at] as Block)
      continue
    }
    if (tag.closes && tag.name === name) return { parts, end: at + 1 }
    // Methods do not contain each other, so that the scans of all methods together take linear time.
    if (tag.name === name) return undefined
    const kind = kinds[tag.name]
    if (kind !== undefined) {
      current = tag.closes ? undefined : { kind, attributes: tag.attributes, group, blocks: [] }
      if (current !== undefined) parts.push(current)
    } else if (places[tag.name] !== undefined) group = tag.closes ? "" : tag.name
  }
  return undefined
}

const markdownOf = (blocks: ReadonlyArray<Block>): string =>
  blocks.length === 0
    ? ""
    : toMarkdown({ object: "document", data: {}, nodes: blocks as ReadonlyArray<DocumentBlock.Block> }).trim()

/** Returns the type of a parameter as a schema names it. */
const typeOf = (text: string | undefined): string =>
  /^(?:String|Integer|Number|Boolean|Array|Object)$/.test(text ?? "")
    ? text!.toLowerCase()
    : (text ?? "string")

const parametersOf = (parts: ReadonlyArray<Part>) =>
  parts
    .filter(({ kind }) => kind === "parameter")
    .map(({ attributes, group, blocks }) => ({
      name: attributes.get("name") ?? "",
      place: attributes.get("in") ?? places[group] ?? "query",
      isRequired: attributes.get("required") === "true",
      description: markdownOf(blocks),
      schema: { type: typeOf(attributes.get("type")) }
    }))

/** Returns the body of a request with the parameters in a place. */
const bodyOf = (parameters: ReturnType<typeof parametersOf>): Json => {
  const media = (type: string, place: string): Json => {
    const own = parameters.filter((parameter) => parameter.place === place)
    if (own.length === 0) return {}
    const properties = Object.fromEntries(
      own.map(({ name, description, schema }) => [name, { ...schema, description }])
    )
    const required = own.filter(({ isRequired }) => isRequired).map(({ name }) => name)
    return { [type]: { schema: { type: "object", properties, required } } }
  }
  return { ...media("application/json", "body"), ...media("multipart/form-data", "formData") }
}

const schemaOf = (value: unknown): Json => ({
  type: Array.isArray(value) ? "array" : value === null ? "null" : typeof value
})

/** Returns an example of a response: JSON as a value, other code as text. */
const exampleOf = (text: string): Json => {
  try {
    const example: unknown = JSON.parse(text)
    return { "application/json": { schema: schemaOf(example), example } }
  } catch {
    return { "text/plain": { schema: schemaOf(text), example: text } }
  }
}

const isCode = (block: Block): block is DocumentBlock.Code =>
  block.type === "code" && block.data.markdown === undefined

const responsesOf = (parts: ReadonlyArray<Part>): Json => {
  const responses: Record<string, Json> = {}
  for (const { kind, attributes, blocks } of parts) {
    if (kind !== "response") continue
    const written = attributes.get("status") ?? attributes.get("httpCode") ?? "default"
    // A status can have its name, as in "200: OK", and several examples.
    const code = /^\d{3}(?=\b)/.exec(written)?.[0] ?? written
    const status = code in responses ? `${written} (${Object.keys(responses).length + 1})` : code
    const example = blocks.find(isCode)
    const text = example === undefined ? "" : codeOf(example)
    const description = [
      attributes.get("description") ?? "",
      markdownOf(blocks.filter((block) => block !== example))
    ]
    responses[status] = {
      description: description.filter((part) => part !== "").join("\n\n"),
      ...(text.trim() === "" ? {} : { content: exampleOf(text) })
    }
  }
  return responses
}

/** Returns the method that starts with the tag at an index; undefined if the index has no such tag. */
export const inlineMethodAt = (
  blocks: ReadonlyArray<{ readonly type: string; readonly data?: unknown }>,
  start: number
): InlineMethod | undefined => {
  const opening = readTag(blocks[start]!)
  if (opening === undefined || opening.closes || !/^(?:swagger|api-method)$/.test(opening.name))
    return undefined
  const found = readParts(blocks, start, opening.name)
  if (found === undefined) return undefined
  const { attributes } = opening
  const textOf = (kind: Part["kind"]) =>
    found.parts
      .filter((part) => part.kind === kind)
      .map((part) => markdownOf(part.blocks))
      .filter((text) => text !== "")
      .join("\n\n")
  const parameters = parametersOf(found.parts)
  const method = (attributes.get("method") ?? "get").toLowerCase()
  const path = attributes.get("path") ?? "/"
  const content = bodyOf(parameters)
  const server = attributes.get("baseUrl") ?? attributes.get("host") ?? ""
  const summary = attributes.get("summary") ?? unescaped(textOf("summary"))
  const operation = {
    // Links refer to the method by its title.
    operationId: slugOf(summary, `${method}-${path}`),
    summary,
    description: textOf("description"),
    parameters: parameters
      .filter(({ place }) => /^(?:path|query|header|cookie)$/.test(place))
      .map(({ name, place, isRequired, description, schema }) => ({
        name,
        in: place,
        required: isRequired,
        description,
        schema
      })),
    ...(Object.keys(content).length === 0 ? {} : { requestBody: { content } }),
    responses: responsesOf(found.parts)
  }
  return {
    document: {
      openapi: "3.1.0",
      servers: server === "" ? [] : [{ url: server }],
      paths: { [path]: { [method]: operation } }
    },
    method,
    path,
    end: found.end
  }
}
