/**
 * Documents of GitBook as documents of Lectern. What Markdown can represent is not changed. The rest is replaced by the nearest valid
 * structure, and described.
 */
import { fromMarkdown, toMarkdown } from "@lectern/markdown/document"
import { JsonDocument } from "@lectern/model/document"
import { fieldsOf } from "@lectern/model/schema"
import { Result, Schema } from "effect"

/** A document that was read, and what of it was changed. */
export interface ReadDocument {
  readonly document: JsonDocument
  /** The parts without a form in Markdown, one sentence each. Empty for a document that a server of Lectern returned. */
  readonly problems: ReadonlyArray<string>
}

type Fields = Readonly<Record<string, unknown>>
type MutableFields = Record<string, unknown>

/** How often a document is decoded. Each time, at least one of its fields or nodes is removed. */
const maximumRounds = 500

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null

const decode = Schema.decodeUnknownResult(JsonDocument, { errors: "all" })

/** The object or the array at a path, with the path from the root to it. */
const containersOf = (root: unknown, path: ReadonlyArray<string>) => {
  const containers: Array<unknown> = [root]
  for (const name of path) {
    const at = containers.at(-1)
    if (!isObject(at) || !Object.hasOwn(at, name)) break
    containers.push(at[name])
  }
  return containers
}

/** The nodes that remain of a node that cannot be represented. */
const contentOf = (node: Fields): ReadonlyArray<unknown> => {
  const nodes = Array.isArray(node.nodes) ? (node.nodes as ReadonlyArray<unknown>) : []
  const fragments = Array.isArray(node.fragments) ? (node.fragments as ReadonlyArray<unknown>) : []
  const inFragments = fragments.flatMap((fragment) => (isObject(fragment) ? contentOf(fragment) : []))
  return [...nodes.filter((child) => isObject(child) && typeof child.object === "string"), ...inFragments]
}

const describeNode = (node: Fields): string =>
  `${String(node.object)} ${JSON.stringify(node.type ?? node.fragment ?? "without a type")}`

/** Removes the node or the field that an error names. Returns a description, or undefined if it is the document itself. */
const repair = (
  root: MutableFields,
  { path, message }: { readonly path: string; readonly message: string }
) => {
  const names = path === "" ? [] : path.split(".")
  const containers = containersOf(root, names)
  const depth = containers.length - 1
  const parent = containers[depth - 1]
  const name = names[depth - 1]
  const isWhole = depth === names.length
  // A field that is present is removed first. Its node is removed if the field is required, missing or its type.
  const isField = isObject(parent) && !Array.isArray(parent) && name !== "type" && name !== "object"
  if (
    isWhole &&
    isField &&
    name !== undefined &&
    !["nodes", "fragments", "leaves", "data", "ref"].includes(name)
  ) {
    delete (parent as MutableFields)[name]
    return `The field ${JSON.stringify(name)} at ${path} was omitted: it ${message}.`
  }
  for (let at = depth; at > 0; at--) {
    const node = containers[at]
    const siblings = containers[at - 1]
    if (!Array.isArray(siblings)) continue
    if (!isObject(node)) {
      siblings.splice(Number(names[at - 1]), 1)
      return `The value at ${path} was omitted: it ${message}.`
    }
    const content = contentOf(node)
    siblings.splice(Number(names[at - 1]), 1, ...content)
    const kept = content.length === 0 ? "was omitted" : "was replaced by its content"
    return `The ${describeNode(node)} at ${path} ${kept}: it ${message}.`
  }
  return undefined
}

/** Fields that documents do not keep, because they are derived. */
const derived = new Set(["key", "isVoid", "schemaVersion"])

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (isObject(value) && Object.keys(value).length === 0)

/** Describes the fields of the input that the decoded document does not have. */
const omittedFields = (input: unknown, decoded: unknown, found: Set<string>): void => {
  if (!isObject(input) || !isObject(decoded)) return
  for (const [name, value] of Object.entries(input)) {
    if (Object.hasOwn(decoded, name)) omittedFields(value, decoded[name], found)
    else if (!derived.has(name) && !isEmpty(value)) {
      const node = input.type === undefined ? "an object" : describeNode(input)
      found.add(`The field ${JSON.stringify(name)} of ${node} was omitted: Markdown has no form for it.`)
    }
  }
}

const headingsOf = (value: unknown): ReadonlyArray<Fields> => {
  if (Array.isArray(value)) return value.flatMap(headingsOf)
  if (!isObject(value)) return []
  if (value.object === "block" && typeof value.type === "string" && value.type.startsWith("heading-"))
    return [value]
  return Object.values(value).flatMap(headingsOf)
}

const idOf = ({ meta, data }: Fields): unknown =>
  (isObject(meta) ? meta.id : undefined) ?? (isObject(data) ? data.id : undefined)

/** States the ids of headings that are not derived from their text, so that links to them remain valid. */
const withAnchors = (document: JsonDocument): JsonDocument => {
  const headings = headingsOf(document)
  const derivedIds = headingsOf(fromMarkdown(toMarkdown(document))).map(idOf)
  if (derivedIds.length !== headings.length) return document
  const anchors = new Map<unknown, string>()
  headings.forEach((heading, index) => {
    const id = idOf(heading)
    if (typeof id === "string" && id !== derivedIds[index] && /^[^\s"]+$/.test(id)) anchors.set(heading, id)
  })
  if (anchors.size === 0) return document
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    if (!isObject(value)) return value
    const anchor = anchors.get(value)
    const copy = Object.fromEntries(Object.entries(value).map(([name, field]) => [name, visit(field)]))
    return anchor === undefined ? copy : { ...copy, data: { ...(copy.data as Fields), anchor } }
  }
  return visit(document) as JsonDocument
}

/**
 * Reads a document that another server returned. A document of Lectern is not changed; of others, parts without a form in Markdown
 * are omitted or replaced by their content. Returns `undefined` if the input is not a document, or is larger than documents can be.
 */
export const readForeignDocument = (input: unknown): ReadDocument | undefined => {
  if (!isObject(input) || input.object !== "document" || !Array.isArray(input.nodes)) return undefined
  const root = structuredClone({ ...input, data: isObject(input.data) ? input.data : {} }) as MutableFields
  const problems: Array<string> = []
  for (let round = 0; round < maximumRounds; round++) {
    const result = decode(root)
    if (Result.isSuccess(result)) {
      const omitted = new Set<string>()
      omittedFields(root, result.success, omitted)
      return { document: withAnchors(result.success), problems: [...problems, ...omitted] }
    }
    // The first error only: a repair moves what follows it.
    const [error] = fieldsOf(result.failure.issue)
    const problem = error === undefined ? undefined : repair(root, error)
    if (problem === undefined) return undefined
    problems.push(problem)
  }
  return undefined
}
