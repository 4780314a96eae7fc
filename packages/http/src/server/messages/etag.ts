/** Entity tags for conditional requests (RFC 9110, section 8.8.3). Bodies with equal tags are equal. */
import { hash } from "node:crypto"

/** The number of hexadecimal digits of a tag: 128 bits of the digest. */
const tagDigits = 32

/** Returns the strong entity tag of a body: the beginning of its SHA-256 digest. */
export const etagOf = (body: string | Uint8Array): string =>
  `"${hash("sha256", body, "hex").slice(0, tagDigits)}"`

/** The entity tags of a header, each with its optional `W/`. Tags can contain commas. */
const tagPattern = /(?:W\/)?"[\x21\x23-\x7e\x80-\uffff]*"/g

const matches = (header: string, isMatch: (candidate: string) => boolean): boolean =>
  header.trim() === "*" || (header.match(tagPattern) ?? []).some(isMatch)

/**
 * Whether the value of `If-None-Match`, such as `"a", W/"b"` or `*`, matches a strong tag. The comparison is weak: the weak
 * form of the tag matches too.
 */
export const matchesEtag = (header: string, tag: string): boolean =>
  matches(header, (candidate) => candidate === tag || candidate === `W/${tag}`)

/**
 * Whether the value of `If-Match` matches a strong tag. The comparison is strong: a weak tag never matches, not even one that
 * a proxy has weakened when it compressed the response.
 */
export const matchesEtagStrongly = (header: string, tag: string): boolean =>
  matches(header, (candidate) => candidate === tag)

/** Whether all tags of a header are weak, so that `If-Match` cannot match. */
export const hasOnlyWeakTags = (header: string): boolean => {
  const tags = header.match(tagPattern) ?? []
  return tags.length > 0 && tags.every((tag) => tag.startsWith("W/"))
}
