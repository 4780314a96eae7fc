/**
 * What an input refers to, by an id or by a name: generated inputs have a mark in its place, which becomes the id of
 * something that is there when the request is sent.
 */

import type { FieldOverride } from "@lectern/testkit/arbitraries"
import { boundsOf, checksOf, passesChecks, type SchemaNode } from "@lectern/testkit/arbitraries"
import * as fc from "fast-check"

/** The kinds of what is referred to, by the path whose last parameter names one. */
export const kinds: Readonly<Record<string, string>> = {
  organization: "/v1/orgs/:organizationId",
  user: "/v1/orgs/:organizationId/members/:userId",
  team: "/v1/orgs/:organizationId/teams/:teamId",
  collection: "/v1/collections/:collectionId",
  space: "/v1/spaces/:spaceId",
  page: "/v1/spaces/:spaceId/content/page/:pageId",
  file: "/v1/spaces/:spaceId/content/files/:fileId",
  reusable: "/v1/spaces/:spaceId/content/reusable-contents/:reusableContentId",
  revision: "/v1/spaces/:spaceId/revisions/:revisionId",
  site: "/v1/orgs/:organizationId/sites/:siteId",
  section: "/v1/orgs/:organizationId/sites/:siteId/sections/:siteSectionId",
  group: "/v1/orgs/:organizationId/sites/:siteId/section-groups/:siteSectionGroupId",
  "site-space": "/v1/orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId",
  spec: "/v1/orgs/:organizationId/openapi/:specSlug"
}

/** The kinds of ids, by what their schemas say that they are. */
const byDescription: ReadonlyArray<readonly [RegExp, string]> = [
  [/^The id of an organization\./, "organization"],
  [/^The id of a user\./, "user"],
  [/^The id of a team\./, "team"],
  [/^The id of a collection\./, "collection"],
  [/^The id of a space\./, "space"],
  [/^The id of a page\./, "page"],
  [/^The id of a file\./, "file"],
  [/^The id of a reusable content\./, "reusable"],
  [/^The id of a revision\./, "revision"],
  [/^The id of a site\./, "site"],
  [/^The id of a section of a site\./, "section"],
  [/^The id of a group of sections\./, "group"],
  [/^The id of a space on a site\./, "site-space"]
]

/** The kinds of references that are texts, or ids with other words, by the names of their fields. */
const byField: Readonly<Record<string, string>> = {
  organization: "organization",
  owner: "organization",
  creator: "user",
  contributor: "user",
  authors: "user",
  members: "user",
  add: "user",
  remove: "user",
  memberships: "user",
  user: "user",
  parent: "collection",
  collection: "collection",
  space: "space",
  page: "page",
  targetPage: "page",
  file: "file",
  reusableContent: "reusable",
  site: "site",
  spec: "spec"
}

/** Addresses at which nothing is: a fuzz run asks for nothing outside. */
const addresses = [
  "http://127.0.0.1:1/",
  "http://[::1]/",
  "http://169.254.169.254/latest/meta-data/",
  "https://docs.invalid/page.md",
  "https://docs.invalid/%zz?a=b#c",
  "http://localhost/",
  "http://0.0.0.0:65535/"
]

const looked = ["intro", "words", '"', "a", "* -x OR (", "日本", ""]

const described = (node: SchemaNode): string =>
  [...checksOf(node).map(({ annotations }) => annotations), node.annotations]
    .map((annotations) => String(annotations?.description ?? ""))
    .join(" ")

/** What a field is referring to by its declaration; undefined where it is no reference. */
const kindOf = (name: string, node: SchemaNode): string | undefined => {
  const description = described(node)
  return byDescription.find(([pattern]) => pattern.test(description))?.[1] ?? byField[name]
}

/** The mark in the place of a reference: any schema of ids or names takes it. */
const marked = /^~([a-z-]+)-(\d+)~$/

/** The mark in the place of the cursor of a list. */
export const cursorMark = "~cursor-0~"

/** The mark in the place of what had better be left out. */
export const absentMark = "~absent-0~"

/** How the fields of inputs are made that refer to something, or that lead outside. */
export const references: FieldOverride = (name, node) => {
  // Who asks for single sign-on locks out all who play.
  if (name === "sso") return fc.constant(false)
  if (name === "source" && node._tag === "Union" && node.types.every(({ _tag }) => _tag === "Literal")) {
    const sources = node.types.flatMap((type) => (type._tag === "Literal" ? [type.literal] : []))
    return fc.oneof({ arbitrary: fc.constant("markdown"), weight: 4 }, fc.constantFrom(...sources))
  }
  if (node._tag !== "String") return undefined
  if (name === "base64" || isBase64(node)) return fc.constant(image)
  // A key that is wrong lets nobody in, an administrator neither.
  if (name === "shareKey" || name === "visitorAuthToken") return mostlyAbsent(fc.constant("no-such-key"))
  if (name === "node") return mostlyAbsent(fc.constant("no-such-node"))
  if (name === "url" || name === "sourceURL") return fc.constantFrom(...addresses)
  if (name === "query" || name === "search") return fc.constantFrom(...looked)
  if (name === "page" && node.checks === undefined) return fc.constant(cursorMark)
  const kind = kindOf(name, node)
  if (kind === undefined) return undefined
  const reference = fc.nat(50).map((which) => `~${kind}-${which}~`)
  if (name.startsWith("default")) return mostlyAbsent(reference)
  const others = namesOfNothing.filter((text) => passesChecks(node, text))
  return others.length === 0
    ? reference
    : fc.oneof({ arbitrary: reference, weight: 9 }, fc.constantFrom(...others))
}

const namesOfNothing = ["日本 é", "\ud800", "a\0b", "nothing", "%2e%2e", "x".repeat(100)]

/** An image of one pixel. */
const image = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="

const isBase64 = (node: SchemaNode): boolean =>
  boundsOf(node).patterns.some(({ source }) => source.startsWith("^[A-Za-z0-9+/]"))

const mostlyAbsent = (some: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof({ arbitrary: fc.constant(absentMark), weight: 4 }, some)

/**
 * The value with every mark replaced by what `find` says; a mark of nothing stays. The names of fields stay as they are
 * where `isNamed` is false: two marks can become the same, and then one of the fields would be lost.
 */
export const resolved = (
  value: unknown,
  find: (kind: string, which: number) => string | undefined,
  isNamed = true
): unknown => {
  if (typeof value === "string") {
    const mark = marked.exec(value)
    return mark === null ? value : (find(mark[1]!, Number(mark[2])) ?? value)
  }
  if (Array.isArray(value)) return value.map((item) => resolved(item, find, isNamed))
  if (typeof value !== "object" || value === null) return value
  const fields: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) {
    if (inner === absentMark || inner === cursorMark) continue
    const name = isNamed ? String(resolved(key, find)) : key
    Object.defineProperty(fields, name, { ...own, value: resolved(inner, find, isNamed) })
  }
  return fields
}

/** So that a name like `__proto__` is a field like others. */
const own = { configurable: true, enumerable: true, writable: true }

/** What goes with few others: a rule beyond the schemas refuses most inputs that have one of these. */
const particular = new Set([
  "block",
  "target",
  "computed",
  "slug",
  "into",
  "layout",
  "cover",
  "url",
  "position"
])

/** An input without what goes with few others, where it is one of several changes, or a place. */
export const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== "object" || value === null) return value
  const isChange = "operation" in value || "base64" in value || "position" in value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isChange || !particular.has(name))
      .map(([name, inner]) => [name, plain(inner)])
  )
}

/** Whether a value refers to anything. */
export const refers = (value: unknown): boolean => {
  let found = false
  resolved(value, (kind) => {
    if (kind in kinds) found = true
    return undefined
  })
  return found
}
