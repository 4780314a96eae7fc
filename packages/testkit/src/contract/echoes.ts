/** What was sent is what is there afterwards: a field that is taken in and forgotten is found by what is answered. */
import { encodedDifferently } from "./exceptions.ts"
import { isObject, type Json, typeOf } from "./Schemas.ts"

/** Whether a value is shown in the form in which it was sent: ids that are shown as what they name are not. */
const isSameForm = (sent: Json, shown: Json): boolean => {
  if (typeOf(sent) !== typeOf(shown)) return false
  if (!Array.isArray(sent) || !Array.isArray(shown)) return true
  const [first, other] = [sent[0], shown[0]]
  return first === undefined || other === undefined || typeOf(first) === typeOf(other)
}

/** Whether all of what was sent is in what is shown, which may have more. */
const isIn = (sent: Json, shown: Json | undefined): boolean => {
  if (Array.isArray(sent) && Array.isArray(shown)) {
    return sent.length === shown.length && sent.every((item, index) => isIn(item, shown[index]))
  }
  if (isObject(sent)) {
    return (
      isObject(shown) &&
      Object.entries(sent).every(([name, value]) => value === undefined || isIn(value, shown[name]))
    )
  }
  return sent === shown
}

/** The fields of a body that the answer shows too, and with another value. What is null may go back to a default. */
export const forgottenIn = (body: Json | undefined, answer: Json | undefined): ReadonlyArray<string> => {
  if (!isObject(body) || !isObject(answer)) return []
  return Object.entries(body).flatMap(([name, sent]) => {
    const shown = answer[name]
    if (
      encodedDifferently[name] !== undefined ||
      sent === undefined ||
      sent === null ||
      shown === undefined ||
      !isSameForm(sent, shown)
    )
      return []
    return isIn(sent, shown) ? [] : [name]
  })
}
