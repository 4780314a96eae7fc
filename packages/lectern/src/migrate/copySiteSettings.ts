/** Copies the settings of sites: the customization, the claims of visitors, share links, MCP servers and scripts. */
import { mapReferences } from "@lectern/formats"
import {
  AdaptiveJsonSchema,
  CreateSiteMcpServer,
  CreateSiteScript,
  Customization,
  UpdatePublishingAuth,
  UpdateShareLink
} from "@lectern/model"
import { CustomizationOverride } from "@lectern/model/sites"
import { Effect, Schema } from "effect"
import type { Fields, Item, RequestFailed } from "./ApiClient.ts"
import {
  ensureCopy,
  type Findings,
  findCopyIn,
  type MigrationContext,
  onceComplete,
  onceDone,
  step,
  textOf
} from "./Context.ts"
import type { SitePaths } from "./copySites.ts"
import { transferFields } from "./transferFields.ts"

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Replaces the ids of links, of pinned pages and of weights. */
const mapCustomization = (context: MigrationContext, customization: Fields, findings: Findings): Fields => {
  const find = findCopyIn(context, undefined)
  const { value, unresolved } = mapReferences(customization, find)
  findings.unresolved(unresolved)
  const mapped = value as Fields
  if (!isObject(mapped.search)) return mapped
  const mapPlace = (place: unknown): ReadonlyArray<Fields> => {
    if (!isObject(place)) return []
    const space = find("space", textOf(place.space))
    const page = place.page === undefined ? undefined : find("page", textOf(place.page), textOf(place.space))
    if (space === undefined || (place.page !== undefined && page === undefined)) {
      findings.missing(`A setting of the search of the page ${textOf(place.page)}, which was not copied.`)
      return []
    }
    return [{ ...place, space, ...(page === undefined ? {} : { page }) }]
  }
  const search = Object.fromEntries(
    Object.entries(mapped.search).map(([name, list]) => [
      name,
      (name === "pins" || name === "boosts") && Array.isArray(list) ? list.flatMap(mapPlace) : list
    ])
  )
  return { ...mapped, search }
}

/**
 * Replaces the fonts that the organization has uploaded by the fonts of another customization, or omits them. A migration does not copy the files of
 * fonts.
 */
const withoutOwnFonts = (customization: Fields, defaults: Fields, findings: Findings): Fields => {
  const { styling } = customization
  if (!isObject(styling)) return customization
  const given = isObject(defaults.styling) ? defaults.styling : {}
  const replaced = Object.entries(styling).flatMap(([name, value]) => {
    if (!isObject(value) || value.fontFaces === undefined) return [[name, value]]
    findings.changed(`The font ${textOf(value.fontFamily)} was not copied: upload it in the settings.`)
    return given[name] === undefined ? [] : [[name, given[name]]]
  })
  return { ...customization, styling: Object.fromEntries(replaced) }
}

/** Names the images of the source that the copy still refers to. */
const reportImages = (value: unknown, findings: Findings): void => {
  if (typeof value === "string" && /^https:\/\/[^/]*(gitbook|googleapis)\./.test(value)) {
    findings.changed(
      `It has an image of the source, ${value}: upload it elsewhere before you close the account.`
    )
  } else if (typeof value === "object" && value !== null) {
    for (const field of Object.values(value)) reportImages(field, findings)
  }
}

const copyCustomization = Effect.fnUntraced(function* (
  context: MigrationContext,
  paths: SitePaths,
  findings: Findings
) {
  const customization = yield* context.source.get(`${paths.from}/customization`)
  const current = yield* context.target.get(`${paths.to}/customization`)
  const { values, problems } = transferFields(Customization.fields, customization)
  for (const problem of problems) findings.changed(problem, "customization")
  reportImages(values, findings)
  // Fields without a valid value keep their defaults.
  const required = Object.fromEntries(
    Object.entries(current).filter(
      ([name]) => values[name] === undefined && customization[name] !== undefined
    )
  )
  yield* context.target.send({
    method: "PUT",
    path: `${paths.to}/customization`,
    body: mapCustomization(context, withoutOwnFonts({ ...required, ...values }, current, findings), findings),
    isRepeatable: true
  })
})

/** The values of a customization that differ from the customization of the site. Values of groups are compared one by one. */
const differencesOf = (own: unknown, site: unknown, schema: Schema.Struct.Fields): Fields =>
  Object.fromEntries(
    Object.keys(schema).flatMap((name): ReadonlyArray<readonly [string, unknown]> => {
      const [value, inherited] = [
        isObject(own) ? own[name] : undefined,
        isObject(site) ? site[name] : undefined
      ]
      if (value === undefined || JSON.stringify(value) === JSON.stringify(inherited)) return []
      const fields = groupOf(schema[name])
      return [[name, fields === undefined ? value : differencesOf(value, inherited, fields)]]
    })
  )

/** The fields of a group of values, such as `styling`. */
const groupOf = (schema: unknown): Schema.Struct.Fields | undefined => {
  const inner = (schema as { readonly schema?: { readonly fields?: Schema.Struct.Fields } }).schema
  return inner?.fields
}

const copyOverrides = Effect.fnUntraced(function* (
  context: MigrationContext,
  paths: SitePaths,
  findings: Findings
) {
  const { source, target, journal } = context
  const site = yield* source.get(`${paths.from}/customization`)
  for (const siteSpace of yield* source.list(`${paths.from}/site-spaces`)) {
    const copy = journal.idOf(`site-space/${siteSpace.id}`)
    if (copy === undefined) continue
    const own = yield* source.get(`${paths.from}/site-spaces/${siteSpace.id}/customization`)
    const differences = differencesOf(own, site, CustomizationOverride.fields)
    if (Object.keys(differences).length === 0) continue
    const { values, problems } = transferFields(CustomizationOverride.fields, differences)
    for (const problem of problems) findings.changed(problem, `customization of ${textOf(siteSpace.title)}`)
    yield* target.send({
      method: "PATCH",
      path: `${paths.to}/site-spaces/${copy}/customization`,
      body: mapCustomization(context, withoutOwnFonts(values, {}, findings), findings),
      isRepeatable: true
    })
  }
})

const copyAdaptiveSchema = Effect.fnUntraced(function* (
  context: MigrationContext,
  paths: SitePaths,
  findings: Findings
) {
  const result = yield* Effect.result(context.source.get(`${paths.from}/adaptive-schema`))
  if (result._tag === "Failure") return result.failure.status === 404 ? undefined : yield* result.failure
  const decoded = Schema.decodeUnknownOption(AdaptiveJsonSchema)(result.success.jsonSchema)
  if (decoded._tag === "None")
    return findings.missing("The schema of the claims of visitors is not valid here.")
  yield* context.target.send({
    method: "PUT",
    path: `${paths.to}/adaptive-schema`,
    body: { jsonSchema: result.success.jsonSchema },
    isRepeatable: true
  })
  return undefined
})

const copyAuthentication = Effect.fnUntraced(function* (
  context: MigrationContext,
  site: Item,
  paths: SitePaths,
  findings: Findings
) {
  if (site.visibility !== "visitor-auth") return
  const auth = yield* context.source.get(`${paths.from}/publishing/auth`)
  const { values } = transferFields(UpdatePublishingAuth.fields, auth)
  yield* context.target.send({
    method: "PATCH",
    path: `${paths.to}/publishing/auth`,
    body: values,
    isRepeatable: true
  })
  findings.changed(
    "The copy has another key for the tokens of visitors: set it in the backend that signs them."
  )
})

const copyShareLinks = Effect.fnUntraced(function* (
  context: MigrationContext,
  paths: SitePaths,
  findings: Findings
): Effect.fn.Return<void, RequestFailed> {
  const { source, target } = context
  for (const link of (yield* source.list(`${paths.from}/share-links`)).toReversed()) {
    const name = textOf(link.name).trim().slice(0, 50)
    const id = yield* ensureCopy(context, "share-link", link.id, {
      findCreated: (isUnknown) =>
        Effect.map(
          target.list(`${paths.to}/share-links`),
          (links) => links.find((one) => isUnknown(one.id) && one.name === name)?.id
        ),
      create: (idempotencyKey) =>
        Effect.map(
          target.send({ method: "POST", path: `${paths.to}/share-links`, body: { name }, idempotencyKey }),
          (created) => textOf(created.id)
        )
    })
    findings.changed(`The share link ${name} has another key: its URL is in the settings of the copy.`)
    const { values } = transferFields(UpdateShareLink.fields, link, ["name"])
    yield* onceDone(
      context,
      `share-link-settings/${link.id}`,
      target.send({
        method: "PATCH",
        path: `${paths.to}/share-links/${id}`,
        body: values,
        isRepeatable: true
      })
    )
  }
})

const copyMcpServers = Effect.fnUntraced(function* (
  context: MigrationContext,
  paths: SitePaths,
  findings: Findings
): Effect.fn.Return<void, RequestFailed> {
  const { source, target } = context
  for (const server of (yield* source.list(`${paths.from}/mcp-servers`)).toReversed()) {
    const { values, problems } = transferFields(CreateSiteMcpServer.fields, server)
    for (const problem of problems) findings.changed(problem, `MCP server ${textOf(server.name)}`)
    yield* ensureCopy(context, "mcp-server", server.id, {
      findCreated: (isUnknown) =>
        Effect.map(
          target.list(`${paths.to}/mcp-servers`),
          (servers) => servers.find((one) => isUnknown(one.id) && one.name === values.name)?.id
        ),
      create: (idempotencyKey) =>
        Effect.map(
          target.send({
            method: "POST",
            path: `${paths.to}/mcp-servers`,
            body: { headers: {}, ...values },
            idempotencyKey
          }),
          ({ id }) => textOf(id)
        )
    })
  }
})

/** Copies the scripts that administrators have installed as data. Other servers of this API do not serve them. */
const copyScripts = Effect.fnUntraced(function* (
  context: MigrationContext,
  paths: SitePaths,
  findings: Findings
): Effect.fn.Return<void, RequestFailed> {
  const { source, target } = context
  const listed = yield* Effect.result(source.list(`${paths.from}/scripts`))
  if (listed._tag === "Failure") return listed.failure.status === 404 ? undefined : yield* listed.failure
  for (const script of listed.success.toReversed()) {
    const { values, problems } = transferFields(CreateSiteScript.fields, script)
    for (const problem of problems) findings.changed(problem, `script ${textOf(script.name)}`)
    yield* ensureCopy(context, "script", script.id, {
      findCreated: (isUnknown) =>
        Effect.map(
          target.list(`${paths.to}/scripts`),
          (scripts) => scripts.find((one) => isUnknown(one.id) && one.name === values.name)?.id
        ),
      create: (idempotencyKey) =>
        Effect.map(
          target.send({ method: "POST", path: `${paths.to}/scripts`, body: values, idempotencyKey }),
          ({ id }) => textOf(id)
        )
    })
  }
  return undefined
})

/** Copies the settings of a site that its structure requires, or that require it. */
export const copySiteSettings = Effect.fnUntraced(function* (
  context: MigrationContext,
  site: Item,
  paths: SitePaths,
  name: string,
  when: "before structure" | "after structure"
) {
  const settings: Readonly<Record<string, (findings: Findings) => Effect.Effect<unknown, RequestFailed>>> =
    when === "before structure"
      ? { claims: (findings) => copyAdaptiveSchema(context, paths, findings) }
      : {
          customization: (findings) => copyCustomization(context, paths, findings),
          overrides: (findings) => copyOverrides(context, paths, findings),
          authentication: (findings) => copyAuthentication(context, site, paths, findings),
          "share-links": (findings) => copyShareLinks(context, paths, findings),
          "mcp-servers": (findings) => copyMcpServers(context, paths, findings),
          scripts: (findings) => copyScripts(context, paths, findings)
        }
  for (const [setting, copy] of Object.entries(settings)) {
    const key = `site-${setting}/${site.id}`
    yield* step(context, key, name, (findings) => onceComplete(context, key, findings, copy(findings)))
  }
})
