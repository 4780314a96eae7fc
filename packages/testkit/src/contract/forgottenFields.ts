/**
 * Compares the fields of a request with the fields of its response, to find fields that the server accepts but does not
 * store.
 */
import type { OperationId } from "./endpoints.ts"
import { encodedDifferently, nullResets } from "./exceptions.ts"
import { isObject, type Json, typeOf } from "./Schemas.ts"

/**
 * Whether a response represents a value in the same form as the request. Ids may be expanded to resources, for example.
 */
const isSameForm = (sent: Json, returned: Json): boolean => {
  if (typeOf(sent) !== typeOf(returned)) return false
  if (!Array.isArray(sent) || !Array.isArray(returned)) return true
  const [first, other] = [sent[0], returned[0]]
  return first === undefined || other === undefined || typeOf(first) === typeOf(other)
}

/** Whether a value contains everything that was sent. It may contain more. `isReset` is whether a sent null resets to a default. */
const isContained = (sent: Json, returned: Json | undefined, isReset: boolean): boolean => {
  if (sent === null && isReset) return true
  if (Array.isArray(sent) && Array.isArray(returned)) {
    return (
      sent.length === returned.length &&
      sent.every((item, index) => isContained(item, returned[index], isReset))
    )
  }
  if (isObject(sent)) {
    return (
      isObject(returned) &&
      Object.entries(sent).every(
        ([name, value]) => value === undefined || isContained(value, returned[name], isReset)
      )
    )
  }
  return sent === returned
}

/**
 * Returns the fields that have another value in the response than in the request. Null is skipped: it may reset to a
 * default.
 */
export const findForgottenFields = (
  operation: OperationId,
  body: Json | undefined,
  response: Json | undefined
): ReadonlyArray<string> => {
  if (!isObject(body) || !isObject(response)) return []
  return Object.entries(body).flatMap(([name, sent]) => {
    const returned = response[name]
    if (
      encodedDifferently[name] !== undefined ||
      sent === undefined ||
      sent === null ||
      returned === undefined ||
      !isSameForm(sent, returned)
    )
      return []
    return isContained(sent, returned, nullResets[operation] !== undefined) ? [] : [name]
  })
}
