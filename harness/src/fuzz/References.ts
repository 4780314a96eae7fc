/**
 * References to resources in generated inputs. Generation does not know which resources exist, so it generates marks,
 * such as `~space-3~`, which are replaced by ids or names of existing resources when the request is sent.
 */

import type { FieldOverride } from "@lectern/testkit/arbitraries"
import { boundsOf, checksOf, passesChecks, type SchemaNode } from "@lectern/testkit/arbitraries"
import * as fc from "fast-check"

/** The kinds of references, with the path whose last parameter identifies a resource of the kind. */
export const pathByKind: Readonly<Record<string, string>> = {
  organization: "/v1/orgs/:organizationId",
  user: "/v1/orgs/:organizationId/members/:userId",
  team: "/v1/orgs/:organizationId/teams/:teamId",
  collection: "/v1/collections/:collectionId",
  space: "/v1/spaces/:spaceId",
  page: "/v1/spaces/:spaceId/content/page/:pageId",
  file: "/v1/spaces/:spaceId/content/files/:fileId",
  reusable: "/v1/spaces/:spaceId/content/reusable-contents/:reusableContentId",
  revision: "/v1/spaces/:spaceId/revisions/:revisionId",
  "import-run": "/v1/org/:organizationId/imports/:importRunId",
  site: "/v1/orgs/:organizationId/sites/:siteId",
  section: "/v1/orgs/:organizationId/sites/:siteId/sections/:siteSectionId",
  group: "/v1/orgs/:organizationId/sites/:siteId/section-groups/:siteSectionGroupId",
  "site-space": "/v1/orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId",
  spec: "/v1/orgs/:organizationId/openapi/:specSlug"
}

/** The kinds of ids, by the description of their schema. */
const kindsByDescription: ReadonlyArray<readonly [RegExp, string]> = [
  [/^The id of an organization\./, "organization"],
  [/^The id of a user\./, "user"],
  [/^The id of a team\./, "team"],
  [/^The id of a collection\./, "collection"],
  [/^The id of a space\./, "space"],
  [/^The id of a page\./, "page"],
  [/^The id of a file\./, "file"],
  [/^The id of a reusable content\./, "reusable"],
  [/^The id of a revision\./, "revision"],
  [/^The id of an import run\./, "import-run"],
  [/^The id of a site\./, "site"],
  [/^The id of a section of a site\./, "section"],
  [/^The id of a group of sections\./, "group"],
  [/^The id of a space on a site\./, "site-space"]
]

/** The kinds of references whose schema has no such description, by field name. */
const kindByField: Readonly<Record<string, string>> = {
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

/** URLs that are not reachable, so that a fuzz run does not depend on the network. */
const unreachableUrls = [
  "http://127.0.0.1:1/",
  "http://[::1]/",
  "http://169.254.169.254/latest/meta-data/",
  "https://docs.invalid/page.md",
  "https://docs.invalid/%zz?a=b#c",
  "http://localhost/",
  "http://0.0.0.0:65535/"
]

const searchQueries = ["intro", "words", '"', "a", "* -x OR (", "日本", ""]

const descriptionOf = (node: SchemaNode): string =>
  [...checksOf(node).map(({ annotations }) => annotations), node.annotations]
    .map((annotations) => String(annotations?.description ?? ""))
    .join(" ")

/** Returns the kind of reference of a field; undefined if it is not a reference. */
const referenceKindOf = (name: string, node: SchemaNode): string | undefined => {
  const description = descriptionOf(node)
  return kindsByDescription.find(([pattern]) => pattern.test(description))?.[1] ?? kindByField[name]
}

/** The pattern of a mark. Marks are valid for all schemas of ids and names. */
const markPattern = /^~([a-z-]+)-(\d+)~$/

/** The mark for the cursor of a list. */
export const cursorMark = "~cursor-0~"

/** The mark for a field that must be omitted. */
export const omittedMark = "~absent-0~"

/** Overrides the arbitraries of fields that are references, URLs or cursors. */
export const referenceOverride: FieldOverride = (name, node) => {
  // Single sign-on would lock out all users of the run.
  if (name === "sso") return fc.constant(false)
  if (name === "source" && node._tag === "Union" && node.types.every(({ _tag }) => _tag === "Literal")) {
    const sources = node.types.flatMap((type) => (type._tag === "Literal" ? [type.literal] : []))
    return fc.oneof({ arbitrary: fc.constant("markdown"), weight: 4 }, fc.constantFrom(...sources))
  }
  if (node._tag !== "String") return undefined
  if (name === "base64" || isBase64(node)) return fc.constant(imageBase64)
  // A wrong key denies access to administrators, too.
  if (name === "shareKey" || name === "visitorAuthToken") return mostlyOmitted(fc.constant("no-such-key"))
  if (name === "node") return mostlyOmitted(fc.constant("no-such-node"))
  if (name === "url" || name === "sourceURL") return fc.constantFrom(...unreachableUrls)
  // Documents keep the slug of a spec as it was written, whether or not the organization has such a spec.
  if (name === "spec") return fc.constant("no-such-spec")
  if (name === "query" || name === "search") return fc.constantFrom(...searchQueries)
  if (name === "page" && node.checks === undefined) return fc.constant(cursorMark)
  const kind = referenceKindOf(name, node)
  if (kind === undefined) return undefined
  const reference = fc.nat(50).map((which) => `~${kind}-${which}~`)
  if (name.startsWith("default")) return mostlyOmitted(reference)
  const others = unknownNames.filter((text) => passesChecks(node, text))
  return others.length === 0
    ? reference
    : fc.oneof({ arbitrary: reference, weight: 9 }, fc.constantFrom(...others))
}

const unknownNames = ["日本 é", "\ud800", "a\0b", "nothing", "%2e%2e", "x".repeat(100)]

/** A PNG image of one pixel. */
const imageBase64 =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="

const isBase64 = (node: SchemaNode): boolean =>
  boundsOf(node).patterns.some(({ source }) => source.startsWith("^[A-Za-z0-9+/]"))

const mostlyOmitted = (some: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof({ arbitrary: fc.constant(omittedMark), weight: 4 }, some)

/**
 * Replaces every mark in a value by the result of `find`; if that is undefined, the mark stays. Set `replacesKeys` to
 * false to leave marks in field names: two of them may resolve to the same name, and one field would be lost.
 */
export const resolveMarks = (
  value: unknown,
  find: (kind: string, which: number) => string | undefined,
  replacesKeys = true
): unknown => {
  if (typeof value === "string") {
    const mark = markPattern.exec(value)
    return mark === null ? value : (find(mark[1]!, Number(mark[2])) ?? value)
  }
  if (Array.isArray(value)) return value.map((item) => resolveMarks(item, find, replacesKeys))
  if (typeof value !== "object" || value === null) return value
  const fields: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) {
    if (inner === omittedMark || inner === cursorMark) continue
    const name = replacesKeys ? String(resolveMarks(key, find)) : key
    Object.defineProperty(fields, name, { ...dataProperty, value: resolveMarks(inner, find, replacesKeys) })
  }
  return fields
}

/** The attributes of an ordinary field, with which names such as `__proto__` can be defined, too. */
const dataProperty = { configurable: true, enumerable: true, writable: true }

/** Fields for which rules beyond the schema reject most generated inputs. */
const restrictedFields = new Set([
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

/** Removes the restricted fields from changes and positions, so that more inputs are accepted. */
export const withoutRestrictedFields = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutRestrictedFields)
  if (typeof value !== "object" || value === null) return value
  const isChange = "operation" in value || "base64" in value || "position" in value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isChange || !restrictedFields.has(name))
      .map(([name, inner]) => [name, withoutRestrictedFields(inner)])
  )
}

/** Whether a value contains a mark of a reference. */
export const hasReferences = (value: unknown): boolean => {
  let found = false
  resolveMarks(value, (kind) => {
    if (kind in pathByKind) found = true
    return undefined
  })
  return found
}
