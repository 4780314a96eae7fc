/** Entity tags for conditional requests. Equal bodies have equal tags. */

/** Hashes text to 64 bits, by two independent 32-bit hashes. Not cryptographic: it distinguishes versions of one resource. */
const digestOf = (text: string): string => {
  let first = 0x811c9dc5
  let second = text.length ^ 0x9e3779b9
  // Two characters per step. The length is part of the seed, so the padding of an odd character is unambiguous.
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

/** Returns the strong entity tag of a body. */
export const etagOf = (body: string): string => `"${digestOf(body)}"`

/**
 * Whether a header such as `"a", W/"b"` or `*` matches a tag. Weak tags match too, because proxies that compress responses
 * weaken their tags.
 */
export const matchesEtag = (header: string, tag: string): boolean =>
  header.split(",").some((entry) => {
    const candidate = entry.trim()
    return candidate === "*" || candidate === tag || candidate === `W/${tag}`
  })
