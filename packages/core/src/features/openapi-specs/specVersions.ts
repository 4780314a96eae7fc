/** Operations on the versions of OpenAPI specs and their documents. */

import { Operations, SystemGrant } from "@lectern/access"
import { makeLinkBase, readPage, Where } from "@lectern/kernel"
import {
  isInUse,
  openApiSpecs,
  openApiVersions,
  organizations,
  type SpecRow,
  type SpecVersionRow
} from "@lectern/kernel/tables"
import { NotFound } from "@lectern/model/errors"
import {
  type OpenApiSpecContent,
  type OpenApiSpecVersion,
  SpecSlug,
  SpecVersionId
} from "@lectern/model/openapi-specs"
import { OrganizationId } from "@lectern/model/organizations"
import { PageQuery } from "@lectern/model/schema"
import { Effect } from "effect"
import { LRUCache } from "lru-cache"
import { publicDocumentUrl, specsPath } from "../../views/openapi-specs/OpenApiSpecView.ts"
import { SpecVersionRef } from "./OpenApiSpecsOperations.ts"
import { makeSpecAccess } from "./specAccess.ts"

/** The maximum number of cached contents of versions: they are large, and immutable. */
const maximumCachedContents = 8

/** Returns the URL of the documents of a version. */
export const documentUrl = (base: string, id: SpecVersionId): string => `${base}${specsPath}${id}`

export const presentVersion = (
  base: string,
  spec: SpecRow,
  { id, createdAt }: Pick<SpecVersionRow, "id" | "createdAt">
): OpenApiSpecVersion => ({
  object: "openapi-spec-version",
  id,
  createdAt,
  url: documentUrl(base, id),
  urls: { location: `${base}/v1/orgs/${spec.organization}/openapi/${spec.slug}/versions/${id}` }
})

/** Creates the operations on versions. */
export const makeVersions = Effect.gen(function* () {
  const { query } = yield* Operations
  const linkBase = yield* makeLinkBase
  const contents = new LRUCache<string, OpenApiSpecContent>({ max: maximumCachedContents })
  const { allowSpec, allowVersion } = yield* makeSpecAccess

  return {
    listVersions: query(
      "OpenApiSpecs.listVersions",
      {
        parameters: { organization: OrganizationId, slug: SpecSlug, input: PageQuery },
        authorize: allowSpec("listSpecs")
      },
      function* ({ input }, { spec, records }) {
        return yield* readPage(records, input, {
          table: openApiVersions,
          list: ["versions of spec", spec.id],
          where: Where.eq<SpecVersionRow, "spec">("spec", spec.id),
          orderBy: ["id"],
          direction: "desc",
          select: ["id", "spec", "createdAt"],
          present: (rows) =>
            Effect.map(linkBase, (base) => rows.map((row) => presentVersion(base, spec, row)))
        })
      }
    ),

    getVersion: query(
      "OpenApiSpecs.getVersion",
      {
        parameters: { organization: OrganizationId, slug: SpecSlug, version: SpecVersionRef },
        authorize: allowVersion
      },
      function* (_, { spec, version }) {
        return presentVersion(yield* linkBase, spec, version)
      }
    ),

    getContent: query(
      "OpenApiSpecs.getContent",
      {
        parameters: { organization: OrganizationId, slug: SpecSlug, version: SpecVersionRef },
        authorize: allowVersion
      },
      function* (_, { spec, version, records }) {
        const base = yield* linkBase
        const url = documentUrl(base, version.id)
        const urls = { source: url, public: publicDocumentUrl(base, spec) ?? null }
        const key = JSON.stringify(urls)
        const cached = contents.get(key)
        if (cached !== undefined) return cached
        const stored = yield* records.get(openApiVersions, { id: version.id }, ["files"])
        const content: OpenApiSpecContent = Object.freeze({
          filesystem: JSON.parse(new TextDecoder().decode(stored!.files)) as OpenApiSpecContent["filesystem"],
          url,
          urls
        })
        contents.set(key, content)
        return content
      }
    )
  }
})

/** Creates the operations that return documents as they were received. */
export const makeDocuments = Effect.gen(function* () {
  const visitors = yield* SystemGrant.make("Serves documents to visitors who have the id of a version.")
  const { query } = yield* Operations
  const { allowSpec } = yield* makeSpecAccess

  return {
    getRawContent: query(
      "OpenApiSpecs.getRawContent",
      { parameters: { organization: OrganizationId, slug: SpecSlug }, authorize: allowSpec("listSpecs") },
      function* (_, { spec, records }) {
        const version =
          spec.lastVersion === null
            ? undefined
            : yield* records.get(openApiVersions, { id: spec.lastVersion }, ["document", "contentType"])
        if (version === undefined) return yield* NotFound.of("version")
        return {
          text: new TextDecoder().decode(version.document),
          format: version.contentType === "application/json" ? ("json" as const) : ("yaml" as const)
        }
      }
    ),

    getDocument: query(
      "OpenApiSpecs.getDocument",
      {
        parameters: { version: SpecVersionId },
        authorize: {
          rule: {
            kind: "visitor",
            why: "The URL of a document contains the unguessable id of its version, or the id of a public spec."
          },
          check: () => Effect.succeed({ grant: visitors.grant })
        }
      },
      function* ({ version }, { records }) {
        const columns = ["document", "contentType", "hash", "spec"] as const
        const found = yield* records.get(openApiVersions, { id: version }, columns)
        const spec = yield* records.get(
          openApiSpecs,
          { id: found === undefined ? (version as string as SpecRow["id"]) : found.spec },
          ["organization", "visibility", "lastVersion"]
        )
        if (spec === undefined) return undefined
        if (!isInUse(yield* records.get(organizations, { id: spec.organization }, ["deletedAt"])))
          return undefined
        if (found !== undefined) return { ...found, isImmutable: true }
        if (spec.visibility !== "public" || spec.lastVersion === null) return undefined
        const latest = yield* records.get(openApiVersions, { id: spec.lastVersion }, columns)
        return latest === undefined ? undefined : { ...latest, isImmutable: false }
      }
    )
  }
})
