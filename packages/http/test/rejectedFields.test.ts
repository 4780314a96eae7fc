/**
 * Fields of the public contract that Lectern does not have: each one that a client would take for a protection is rejected, and the others are
 * listed here.
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { Api } from "@lectern/client"
import { makeInputDecoder } from "@lectern/core"
import { Result, type Schema } from "effect"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { expect, it } from "vitest"

/** Fields that have no effect, and whose absence discloses nothing and permits nothing. */
const harmless: Readonly<Record<string, string>> = {
  addExternalLinkToSite: "localizedTitle localizedDescription",
  addSectionGroupToSite: "parent",
  addSectionToSite: "template pageId siteSectionGroupId",
  addSpaceToSite: "template pageId title",
  createChangeRequest: "template",
  createSpace: "language template computedSource empty",
  exportToGitRepository: "standalone",
  overrideSiteSpaceCustomizationById: "localizedTitle",
  postCommentInChangeRequest: "tableCell",
  postCommentInSpace: "tableCell",
  startImportRun: "site enhance",
  updateChangeRequestById: "links",
  updateCommentReplyInChangeRequest: "resolved",
  updateSiteById: "styleguide",
  updateSiteCustomizationById: "localizedTitle",
  updateSiteExternalLinkById: "localizedTitle localizedDescription",
  updateSitePublishingAuthById: "logoutURL",
  updateSiteSectionById: "localizedTitle localizedDescription siteSectionGroupId",
  updateSiteSectionGroupById: "localizedTitle parentSectionGroupId",
  updateSiteSpaceById: "pageId spaceId",
  updateSpaceById: "language",
  // Decided with invitations.
  createOrganizationInvite: "level space collection",
  updateOrganizationInviteById: "level",
  // The operation has no body.
  duplicateSiteSpace: "draft"
}

interface Json {
  readonly [name: string]: Json
}

const withoutNames = (path: string): string => path.replace(/:\w+|\{\w+\}/g, "*")

const endpoints = Object.values(Api.groups as unknown as Record<string, HttpApiGroup.Top>).flatMap(
  (group) => Object.values(group.endpoints) as ReadonlyArray<HttpApiEndpoint.Top>
)
const byPath = new Map(endpoints.map((one) => [`${one.method} ${withoutNames(one.path)}`, one]))

const payloadOf = (endpoint: HttpApiEndpoint.Top): Schema.Top | undefined =>
  endpoint.payload.get("application/json")?.schemas[0]

/** Returns the names of the properties of a schema of Effect; undefined if it can have any. */
const propertiesOf = (ast: unknown): ReadonlySet<string> | undefined => {
  const names = new Set<string>()
  let isOpen = false
  const visit = (node: unknown): void => {
    const { _tag, propertySignatures, indexSignatures, types, encoding } = node as Record<string, unknown> & {
      readonly [name: string]: ReadonlyArray<Record<string, unknown>>
    }
    if ((_tag as unknown) === "Objects") {
      for (const { name } of propertySignatures!) names.add(String(name))
      if (indexSignatures!.length > 0) isOpen = true
    }
    if ((_tag as unknown) === "Union") types!.forEach(visit)
    for (const { to } of encoding ?? []) visit(to)
  }
  visit(ast)
  return isOpen ? undefined : names
}

/** Returns the fields of bodies that a version of the contract has and Lectern lacks, by operation. */
const missingFields = (client: string): ReadonlyArray<readonly [operation: string, field: string]> => {
  const file = join(dirname(createRequire(import.meta.url).resolve(client)), "../spec/openapi.json")
  const contract = JSON.parse(readFileSync(file, "utf8")) as Json
  const resolve = (schema: Json | undefined): Json | undefined =>
    schema?.$ref === undefined
      ? schema
      : resolve(
          String(schema.$ref)
            .slice(2)
            .split("/")
            .reduce((at: Json, key) => at[key]!, contract)
        )
  const propertiesIn = (given: Json | undefined, depth = 0): ReadonlyArray<string> => {
    const schema = resolve(given)
    if (schema === undefined || depth > 6) return []
    const parts = ["allOf", "oneOf", "anyOf"].flatMap(
      (key) => (schema[key] ?? []) as unknown as ReadonlyArray<Json>
    )
    return [
      ...Object.keys(schema.properties ?? {}),
      ...parts.flatMap((part) => propertiesIn(part, depth + 1))
    ]
  }
  return Object.entries(contract.paths!).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const endpoint = byPath.get(`${method.toUpperCase()} /v1${withoutNames(path)}`)
      const body = operation.requestBody?.content?.["application/json"]?.schema
      if (endpoint === undefined || body === undefined) return []
      const payload = payloadOf(endpoint)
      const own = payload === undefined ? new Set<string>() : propertiesOf(payload.ast)
      if (own === undefined) return []
      return propertiesIn(body)
        .filter((name) => !own.has(name))
        .map((name) => [String(operation.operationId), name] as const)
    })
  )
}

/** Returns the fields of an input that an operation rejects, with a value. */
const rejects = (endpoint: HttpApiEndpoint.Top, field: string, value: unknown): boolean => {
  const payload = payloadOf(endpoint)
  if (payload === undefined) return false
  const decoded = makeInputDecoder(payload)({ [field]: value })
  return Result.isFailure(decoded) && decoded.failure.some(({ path }) => path === field)
}

const endpointOf = (operation: string): HttpApiEndpoint.Top =>
  endpoints.find(({ identifier }) => identifier === operation)!

it("a field of the contract that would protect something is rejected, unless it has its effect", () => {
  const accepted = ["@gitbook/api", "gitbook-api-next"].flatMap((client) =>
    missingFields(client).flatMap(([operation, field]) => {
      const isHarmless = harmless[operation]?.split(" ").includes(field) === true
      return isHarmless || rejects(endpointOf(operation), field, true) ? [] : [`${operation} ${field}`]
    })
  )
  expect(accepted).toEqual([])
})

it("a value that states what is the case is accepted", () => {
  for (const [operation, field, value] of [
    ["updateSiteSpaceById", "draft", false],
    ["updateSiteSpaceById", "hidden", false],
    ["updateSiteSectionById", "draft", false],
    ["createSiteMcpServer", "condition", null],
    ["updateSiteById", "defaultLevel", "inherit"]
  ] as const) {
    expect([operation, field, rejects(endpointOf(operation), field, value)]).toEqual([
      operation,
      field,
      false
    ])
  }
})

it("the limits of a token are not changed by an update that looks like one", () => {
  for (const [field, value] of Object.entries({
    permissions: ["spaces:read"],
    organization: "acme",
    site: "site",
    readOnly: true,
    expiresAt: "2027-01-01T00:00:00Z",
    renewable: false
  })) {
    expect([field, rejects(endpointOf("updateApiToken"), field, value)]).toEqual([field, true])
  }
  expect(rejects(endpointOf("updateTeamInOrganizationById"), "members", [])).toBe(true)
})
