/** Derives the resources of an audit record from the parameters and the result of an operation. */
import { sha256Hex } from "@lectern/kernel/sha256"

/** Parameters without ids of resources: inputs, credentials and personal data. */
const excludedParameters: ReadonlySet<string> = new Set(["input", "signature", "email", "organization"])

/** The number of characters of the fingerprint of an id that grants access. */
const fingerprintLength = 16

const maximumIdLength = 200

/** Returns a kind and an id as text. The id of an invite link is a credential, so a fingerprint represents it. */
const resourceText = (type: string, id: string): string =>
  `${type}:${
    type === "invite"
      ? sha256Hex(id).slice(0, fingerprintLength)
      : id.slice(0, maximumIdLength).toWellFormed()
  }`

const toCamelCase = (kebab: string): string =>
  kebab.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The ids in a parameter that has several, such as `content`. */
const nestedIds = ["space", "collection", "site", "changeRequest", "revision"]

/** Returns the resources that the parameters of an operation name, as in `space:<id>`. */
export const resourcesOfParameters = (parameters: Readonly<Record<string, unknown>>): Array<string> => {
  const resources: Array<string> = []
  for (const [name, value] of Object.entries(parameters)) {
    if (excludedParameters.has(name)) continue
    if (typeof value === "string") resources.push(resourceText(name, value))
    else if (typeof value === "object" && value !== null) {
      for (const nested of nestedIds) {
        const id: unknown = Reflect.get(value, nested)
        if (typeof id === "string" && id !== "") resources.push(resourceText(nested, id))
      }
    }
  }
  return resources
}

const propertyOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

/** Returns the resource that an operation returned, or undefined. */
const resourceOfResult = (result: unknown): string | undefined => {
  // The operations that create tokens for operators return the token next to its secret.
  const created = propertyOf(result, "id") === undefined ? propertyOf(result, "token") : result
  const [id, object] = [propertyOf(created, "id"), propertyOf(created, "object")]
  if (typeof id !== "string" || typeof object !== "string" || object === "organization") return undefined
  return resourceText(toCamelCase(object), id)
}

/** Returns the resources of an operation that was executed, without duplicates. */
export const resourcesOfCall = (
  parameters: Readonly<Record<string, unknown>>,
  result: unknown
): ReadonlyArray<string> => {
  const resources = resourcesOfParameters(parameters)
  const returned = resourceOfResult(result)
  const idOf = (resource: string) => resource.slice(resource.indexOf(":"))
  if (returned !== undefined && !resources.some((resource) => idOf(resource) === idOf(returned))) {
    resources.push(returned)
  }
  return [...new Set(resources)]
}

/** Returns the id of the organization that a call without an authorized organization acts on, or undefined. */
export const organizationOfCall = (
  parameters: Readonly<Record<string, unknown>>,
  result: unknown
): string | undefined => {
  const found = [
    parameters.organization,
    propertyOf(result, "organization"),
    propertyOf(propertyOf(result, "token"), "organization"),
    propertyOf(result, "object") === "organization" ? propertyOf(result, "id") : undefined
  ].find((value) => value !== undefined)
  return typeof found === "string" ? found : undefined
}
