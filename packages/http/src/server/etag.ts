/** Tags of what is answered: equal for equal texts, so that a client can ask whether something has changed. */

/** Two numbers of 32 bits, each spread over the text in its own way: 64 bits tell the states of a resource apart. */
const digestOf = (text: string): string => {
  let first = 0x811c9dc5
  let second = text.length ^ 0x9e3779b9
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    first = Math.imul(first ^ unit, 0x01000193)
    second = Math.imul(second ^ unit, 0x85ebca6b)
    second ^= second >>> 15
  }
  first ^= first >>> 16
  return (first >>> 0).toString(36) + (second >>> 0).toString(36)
}

/** The tag of a body. It is a strong one: bodies with the same tag are the same, byte for byte. */
export const tagOf = (body: string): string => `"${digestOf(body)}"`

/** Whether a header as `"a", W/"b"` or `*` names the tag. Proxies that compress weaken tags; that is looked past. */
export const names = (header: string, tag: string): boolean =>
  header.split(",").some((one) => {
    const given = one.trim()
    return given === "*" || given === tag || given === `W/${tag}`
  })
