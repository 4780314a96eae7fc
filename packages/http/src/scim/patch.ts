/** Applies PATCH operations (RFC 7644, section 3.5.2) and the bodies of POST and PUT to the attributes of a resource. */
import { Result, Schema } from "effect"
import {
  type AttributeDefinition,
  groupSchema,
  type ResourceDefinition,
  resolveAttribute,
  userSchema
} from "./attributes.ts"
import { valuePredicate } from "./evaluate.ts"
import { type Filter, parsePath } from "./filter.ts"
import { badRequest, type ScimError } from "./scimError.ts"

/** The attributes of a resource that clients write, by their names. */
export type Document = Readonly<Record<string, unknown>>

type Patched = Result.Result<Document, ScimError>

/** The schema of the message of a PATCH request. */
export const patchSchema = "urn:ietf:params:scim:api:messages:2.0:PatchOp"

/** The maximum number of operations of a PATCH request. */
export const maximumOperations = 500

/** The body of a PATCH request. Some clients write the operators with a capital letter. */
export const PatchRequest = Schema.Struct({
  schemas: Schema.Array(Schema.String).check(Schema.isMaxLength(10)),
  Operations: Schema.Array(
    Schema.Struct({
      op: Schema.String,
      path: Schema.optionalKey(Schema.NullOr(Schema.String)),
      value: Schema.optionalKey(Schema.Unknown)
    })
  ).check(Schema.isMinLength(1), Schema.isMaxLength(maximumOperations))
})

type Operator = "add" | "replace" | "remove"

const operators: ReadonlyArray<string> = ["add", "replace", "remove"]

const isOperator = (text: string): text is Operator => operators.includes(text)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const reject = (...[scimType, detail]: Parameters<typeof badRequest>) =>
  Result.fail(badRequest(scimType, detail))

const without = (document: Document, name: string): Document => {
  const { [name]: _, ...rest } = document
  return rest
}

/** Returns the value of an attribute that is not complex; null if it is removed. */
const simpleValue = (
  { name, type }: AttributeDefinition,
  value: unknown
): Result.Result<string | boolean | null, ScimError> => {
  if (value === null || value === "") return Result.succeed(null)
  if (type === "boolean") {
    if (typeof value === "boolean") return Result.succeed(value)
    const text = typeof value === "string" ? value.toLowerCase() : ""
    return text === "true" || text === "false"
      ? Result.succeed(text === "true")
      : reject("invalidValue", `${name} must be true or false.`)
  }
  return typeof value === "string"
    ? Result.succeed(value)
    : reject("invalidValue", `${name} must be a string.`)
}

const writeSimple = (document: Document, attribute: AttributeDefinition, value: unknown): Patched =>
  Result.flatMap(simpleValue(attribute, value), (simple): Patched => {
    if (simple !== null) return Result.succeed({ ...document, [attribute.name]: simple })
    return attribute.required
      ? reject("mutability", `${attribute.name} is required, and cannot be removed.`)
      : Result.succeed(without(document, attribute.name))
  })

/** Writes sub-attributes of a complex attribute; the others keep their values. */
const writeComplex = (
  document: Document,
  attribute: AttributeDefinition,
  entries: ReadonlyArray<readonly [AttributeDefinition, unknown]>
): Patched => {
  const current = document[attribute.name]
  let inner: Patched = Result.succeed(isObject(current) ? current : {})
  for (const [sub, value] of entries) inner = Result.flatMap(inner, (one) => writeSimple(one, sub, value))
  return Result.map(inner, (value) =>
    Object.keys(value).length === 0
      ? without(document, attribute.name)
      : { ...document, [attribute.name]: value }
  )
}

const patchComplex = (
  document: Document,
  attribute: AttributeDefinition,
  sub: AttributeDefinition | undefined,
  operator: Operator,
  value: unknown
): Patched => {
  if (sub !== undefined)
    return writeComplex(document, attribute, [[sub, operator === "remove" ? null : value]])
  if (operator === "remove" || value === null) return Result.succeed(without(document, attribute.name))
  if (!isObject(value)) return reject("invalidValue", `${attribute.name} must be an object.`)
  const entries = Object.entries(value).flatMap(([key, one]) => {
    const found = attribute.subAttributes?.find(({ name }) => name.toLowerCase() === key.toLowerCase())
    return found === undefined ? [] : [[found, one] as const]
  })
  return writeComplex(document, attribute, entries)
}

/** A value of a multi-valued attribute, which its `value` identifies. */
interface Entry {
  readonly value: string
}

const entriesOf = (document: Document, { name }: AttributeDefinition): ReadonlyArray<Entry> =>
  (document[name] as ReadonlyArray<Entry> | undefined) ?? []

const readEntries = (
  { name }: AttributeDefinition,
  value: unknown
): Result.Result<ReadonlyArray<Entry>, ScimError> => {
  const list = Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]
  const entries: Array<Entry> = []
  for (const item of list) {
    const id: unknown = isObject(item) ? item.value : undefined
    if (typeof id !== "string")
      return reject("invalidValue", `Each of ${name} must have a string as its \`value\`.`)
    entries.push({ value: id })
  }
  return Result.succeed(entries)
}

const unique = (entries: ReadonlyArray<Entry>): ReadonlyArray<Entry> => [
  ...new Map(entries.map((entry) => [entry.value, entry])).values()
]

/** Patches the values that a filter selects: they can be removed, and are immutable. */
const patchSelected = (
  document: Document,
  attribute: AttributeDefinition,
  operator: Operator,
  filter: Filter
): Patched =>
  Result.flatMap(valuePredicate(attribute, filter), (matches): Patched => {
    const entries = entriesOf(document, attribute)
    // The type of a member is not stored, because it is always the same.
    const isSelected = (entry: Entry) => matches({ ...entry, type: "User" })
    if (operator === "remove") {
      return Result.succeed({ ...document, [attribute.name]: entries.filter((entry) => !isSelected(entry)) })
    }
    return entries.some(isSelected)
      ? reject("mutability", `A value of ${attribute.name} cannot change. Remove it, and add another.`)
      : reject("noTarget", `No value of ${attribute.name} matches the filter.`)
  })

const patchEntries = (
  document: Document,
  attribute: AttributeDefinition,
  operator: Operator,
  value: unknown
): Patched =>
  Result.map(readEntries(attribute, value), (given) => {
    const current = entriesOf(document, attribute)
    const removed = new Set(given.map((entry) => entry.value))
    const next =
      operator === "add"
        ? unique([...current, ...given])
        : operator === "replace"
          ? unique(given)
          : value === undefined || value === null
            ? []
            : current.filter((entry) => !removed.has(entry.value))
    return { ...document, [attribute.name]: next }
  })

/** Patches the attribute of a path. `isLenient`: in the body of POST or PUT, attributes that clients cannot write are ignored. */
const patchAt = (
  definition: ResourceDefinition,
  document: Document,
  operator: Operator,
  path: string,
  value: unknown,
  isLenient: boolean
): Patched =>
  Result.flatMap(parsePath(path), ({ name, filter, sub: after }): Patched => {
    const found = resolveAttribute(definition, after === undefined ? name : `${name}.${after}`)
    if (found === "ignored") return Result.succeed(document)
    if (found === undefined) {
      return isLenient || /^urn:/i.test(name)
        ? Result.succeed(document)
        : reject("invalidPath", `There is no attribute ${name.slice(0, 100)}.`)
    }
    const { attribute, sub } = found
    if (attribute.mutability === "readOnly") {
      return isLenient ? Result.succeed(document) : reject("mutability", `${attribute.name} is read-only.`)
    }
    // The account of a user, to which the address belongs, is not the organization's to change.
    if (attribute.mutability === "immutable") return Result.succeed(document)
    if (attribute.multiValued) {
      if (sub !== undefined) return reject("mutability", `${attribute.name}.${sub.name} cannot change.`)
      return filter === undefined
        ? patchEntries(document, attribute, operator, value)
        : patchSelected(document, attribute, operator, filter)
    }
    if (filter !== undefined) return reject("invalidPath", `${attribute.name} has one value, and no filter.`)
    return attribute.type === "complex"
      ? patchComplex(document, attribute, sub, operator, value)
      : writeSimple(document, attribute, operator === "remove" ? null : value)
  })

/** Patches the attributes that an object names. The keys can be paths, also with the URN of the schema as an object of its own. */
const patchAll = (
  definition: ResourceDefinition,
  document: Document,
  operator: Operator,
  value: unknown,
  isLenient: boolean
): Patched => {
  if (!isObject(value)) return reject("invalidValue", "The value must be an object with attributes.")
  let patched: Patched = Result.succeed(document)
  for (const [key, one] of Object.entries(value)) {
    patched = Result.flatMap(patched, (current) => {
      const isReadOnly = /^(schemas|id|meta)$/i.test(key)
      if (isReadOnly) return Result.succeed(current)
      return key === userSchema || key === groupSchema
        ? Result.succeed(current)
        : patchAt(definition, current, operator, key, one, isLenient)
    })
  }
  return patched
}

/** Returns the attributes that the body of POST or PUT states. Unknown and read-only attributes are ignored. */
export const readDocument = (definition: ResourceDefinition, body: unknown): Patched => {
  if (!isObject(body)) return reject("invalidSyntax", "The body must be a JSON object.")
  // A key of a body is a name, and no path with a filter.
  const named = Object.entries(body).filter(([key]) => /^[\w$:.-]{1,200}$/.test(key))
  return patchAll(definition, {}, "replace", Object.fromEntries(named), true)
}

/** Applies the operations of a PATCH request in their order, all or none. */
export const applyPatch = (
  definition: ResourceDefinition,
  document: Document,
  { schemas, Operations }: typeof PatchRequest.Type
): Patched => {
  if (!schemas.includes(patchSchema)) return reject("invalidSyntax", `\`schemas\` must have ${patchSchema}.`)
  let patched: Patched = Result.succeed(document)
  for (const { op, path, value } of Operations) {
    const operator = op.toLowerCase()
    if (!isOperator(operator)) return reject("invalidSyntax", `The operator must be add, replace or remove.`)
    patched = Result.flatMap(patched, (current) => {
      if (path !== undefined && path !== null) {
        return operator !== "remove" && value === undefined
          ? reject("invalidValue", `The operation ${operator} requires a value.`)
          : patchAt(definition, current, operator, path, value, false)
      }
      return operator === "remove"
        ? reject("noTarget", "The operation remove requires a path.")
        : patchAll(definition, current, operator, value, false)
    })
  }
  return patched
}
