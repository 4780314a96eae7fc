/** Entity tags of responses: equal for equal bodies, so that clients can make conditional requests. */

/** Two numbers of 32 bits, each made in its own way: enough to tell the states of one resource apart. */
const digestOf = (text: string): string => {
  let first = 0x811c9dc5
  let second = text.length ^ 0x9e3779b9
  // Two characters at a time; the length, which is in already, tells apart what an odd one is padded with.
  const even = text.length & ~1
  for (let i = 0; i < even; i += 2) {
    const units = text.charCodeAt(i) ^ (text.charCodeAt(i + 1) << 16)
    first = Math.imul(first ^ units, 0x01000193)
    second = Math.imul(second ^ units, 0x85ebca6b)
    second ^= second >>> 15
  }
  if (even < text.length) {
    first = Math.imul(first ^ text.charCodeAt(even), 0x01000193)
    second = Math.imul(second ^ text.charCodeAt(even), 0x85ebca6b)
  }
  first ^= first >>> 16
  return `${(first >>> 0).toString(36)}_${(second >>> 0).toString(36)}`
}

/** Returns the entity tag of a body: a strong one, because it covers every byte. */
export const etagOf = (body: string): string => `"${digestOf(body)}"`

/** Whether a header such as `"a", W/"b"` or `*` matches the tag. Proxies that compress weaken tags, so weak ones match too. */
export const matchesEtag = (header: string, tag: string): boolean =>
  header.split(",").some((one) => {
    const given = one.trim()
    return given === "*" || given === tag || given === `W/${tag}`
  })
