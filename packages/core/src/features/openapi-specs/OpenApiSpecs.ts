/** Operations on OpenAPI specs. */

import {
  Ids,
  Jobs,
  makeLinkBase,
  now,
  type Records,
  readPage,
  TransactionEvents,
  Where
} from "@lectern/kernel"
import {
  OpenApiSpecChanged,
  openApiSpecs,
  openApiTexts,
  openApiVersions,
  type SpecRow,
  type SpecVersionRow
} from "@lectern/kernel/tables"
import { Conflict, type Forbidden, NotFound } from "@lectern/model/errors"
import {
  CreateSpec,
  type OpenApiSpecContent,
  type OpenApiSpecVersion,
  PutSpec,
  SpecSlug,
  type SpecSource,
  SpecVersionId,
  UpdateSpec
} from "@lectern/model/openapi-specs"
import { OrganizationId } from "@lectern/model/organizations"
import { organizationActions } from "@lectern/model/roles"
import { PageQuery } from "@lectern/model/schema"
import { Context, Effect, Layer } from "effect"
import { LRUCache } from "lru-cache"
import { CurrentUser } from "../../access/CurrentUser.ts"
import type { GrantedRecords } from "../../access/grants/Grant.ts"
import { SystemGrant } from "../../access/grants/SystemGrant.ts"
import { type Authorization, alsoForVisitors } from "../../access/operations/Authorization.ts"
import { Locks } from "../../access/operations/Locks.ts"
import { Operations } from "../../access/operations/Operations.ts"
import type { Caller } from "../../access/roles/Access.ts"
import { presentSpec, publicDocumentUrl, specsPath } from "../../views/openapi-specs/OpenApiSpecView.ts"
import { type OpenApiSpecsOperations, SpecVersionRef } from "./OpenApiSpecsOperations.ts"
import { PublishedSpecs } from "./PublishedSpecs.ts"
import { processSpec } from "./SpecProcessing.ts"

/** The maximum number of cached contents of versions: they are large, and immutable. */
const maximumCachedContents = 8

const makeOpenApiSpecs = Effect.gen(function* () {
  const events = yield* TransactionEvents
  const visitors = yield* SystemGrant.make("Serves documents to visitors who have the id of a version.")
  const { query, command, allow } = yield* Operations
  const published = yield* PublishedSpecs
  const jobs = yield* Jobs
  const ids = yield* Ids
  const linkBase = yield* makeLinkBase
  const contents = new LRUCache<string, OpenApiSpecContent>({ max: maximumCachedContents })

  const documentUrl = (base: string, id: SpecVersionId): string => `${base}${specsPath}${id}`

  const presentVersion = (
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

  const whereSlug = (organization: OrganizationId, slug: SpecSlug): Where.Where<SpecRow> =>
    Where.and<SpecRow>(Where.eq("organization", organization), Where.eq("slug", slug))

  interface SpecTarget {
    readonly organization: OrganizationId
    readonly slug: SpecSlug
  }

  const loadSpec = Effect.fnUntraced(function* (target: SpecTarget, action: "listSpecs" | "create") {
    const [given, spec] = yield* allow.loading(
      allow.organization(action),
      (records, { organization, slug }: SpecTarget) =>
        records.first(openApiSpecs, { where: whereSlug(organization, slug) })
    )(target)
    if (spec === undefined) return yield* NotFound.of("OpenAPI spec")
    return { ...given, spec }
  })

  /** Authorizes an operation on a spec of an organization. The grant has the spec. */
  const allowSpec = (
    action: "listSpecs" | "create"
  ): Authorization<
    SpecTarget,
    { readonly caller: Caller; readonly spec: SpecRow },
    NotFound | Forbidden,
    CurrentUser
  > => ({
    rule: { kind: "policy", action: `organization.${action}`, role: organizationActions[action] },
    check: (target) => loadSpec(target, action)
  })

  /**
   * Authorizes reading a version of a spec, and admits visitors to the latest version of a spec that their site displays. The
   * grant has the spec, and the version without its documents.
   */
  const allowVersion: Authorization<
    SpecTarget & { readonly version: SpecVersionRef },
    { readonly spec: SpecRow; readonly version: Pick<SpecVersionRow, "id" | "spec" | "createdAt"> },
    NotFound | Forbidden,
    CurrentUser
  > = {
    rule: alsoForVisitors(allowSpec("listSpecs").rule, "token"),
    check: Effect.fnUntraced(function* (target) {
      const { visitor } = yield* CurrentUser
      const { spec, grant } =
        visitor === undefined ? yield* loadSpec(target, "listSpecs") : yield* published.admit(visitor, target)
      const id = target.version === "latest" ? spec.lastVersion : target.version
      if (visitor !== undefined && id !== spec.lastVersion) return yield* NotFound.of("version")
      const version =
        id === null
          ? undefined
          : yield* grant.records.get(openApiVersions, { id }, ["id", "spec", "createdAt"])
      if (version?.spec !== spec.id) return yield* NotFound.of("version")
      return { spec, version, grant }
    })
  }

  /** Stores the document of a spec without a URL, and schedules the job that processes it. */
  const scheduleProcessing = Effect.fnUntraced(function* (
    records: GrantedRecords,
    row: SpecRow,
    source: SpecSource
  ) {
    yield* records.remove(openApiTexts, Where.eq("spec", row.id))
    if ("text" in source) yield* records.insert(openApiTexts, { spec: row.id, text: source.text })
    yield* jobs.enqueue(processSpec, { spec: row.id, round: row.round })
  })

  const insertSpec = Effect.fnUntraced(function* (
    records: GrantedRecords,
    organization: OrganizationId,
    slug: SpecSlug,
    source: SpecSource
  ) {
    const time = yield* now
    const row: SpecRow = {
      id: yield* ids.next,
      organization,
      slug,
      sourceURL: "url" in source ? source.url : null,
      visibility: "private",
      processingState: "pending",
      errorCode: null,
      problems: null,
      lastVersion: null,
      lastProcessedAt: null,
      polledAt: null,
      round: 1,
      createdAt: time,
      updatedAt: time
    }
    yield* records.tryInsert(openApiSpecs, row).pipe(
      Effect.catchTag("UniqueViolation", () =>
        Effect.fail(
          new Conflict({
            reason: "SlugTaken",
            message: `The organization has a spec with the slug "${slug}" already. Choose another slug.`
          })
        )
      )
    )
    yield* scheduleProcessing(records, row, source)
    return row
  })

  return {
    list: query(
      "OpenApiSpecs.list",
      {
        parameters: { organization: OrganizationId, input: PageQuery },
        authorize: allow.organization("listSpecs")
      },
      function* ({ organization, input }, { caller, records }) {
        return yield* readPage(records, input, {
          table: openApiSpecs,
          list: ["specs", organization],
          where: Where.eq<SpecRow, "organization">("organization", organization),
          orderBy: ["id"],
          direction: "desc",
          present: (rows) => Effect.map(linkBase, (base) => rows.map((row) => presentSpec(base, caller, row)))
        })
      }
    ),

    create: command(
      "OpenApiSpecs.create",
      {
        parameters: { organization: OrganizationId, input: CreateSpec },
        authorize: allow.organization("create"),
        locks: Locks.organization
      },
      function* ({ organization, input: { slug, source } }, { caller, records }) {
        return presentSpec(yield* linkBase, caller, yield* insertSpec(records, organization, slug, source))
      }
    ),

    createOrUpdate: command(
      "OpenApiSpecs.createOrUpdate",
      {
        parameters: { organization: OrganizationId, slug: SpecSlug, input: PutSpec },
        authorize: allow.organization("create"),
        locks: Locks.organization
      },
      function* ({ organization, slug, input: { source } }, { caller, records }) {
        const before = yield* records.first(openApiSpecs, { where: whereSlug(organization, slug) })
        if (before === undefined) {
          return presentSpec(yield* linkBase, caller, yield* insertSpec(records, organization, slug, source))
        }
        const changes: Partial<SpecRow> = {
          sourceURL: "url" in source ? source.url : null,
          processingState: "pending",
          round: before.round + 1,
          updatedAt: yield* now
        }
        yield* records.update(openApiSpecs, Where.eq("id", before.id), changes)
        const after = { ...before, ...changes }
        yield* scheduleProcessing(records, after, source)
        return presentSpec(yield* linkBase, caller, after)
      }
    ),

    get: query(
      "OpenApiSpecs.get",
      {
        parameters: { organization: OrganizationId, slug: SpecSlug },
        authorize: allowSpec("listSpecs")
      },
      function* (_, { caller, spec }) {
        return presentSpec(yield* linkBase, caller, spec)
      }
    ),

    update: command(
      "OpenApiSpecs.update",
      {
        parameters: { organization: OrganizationId, slug: SpecSlug, input: UpdateSpec },
        authorize: allowSpec("create"),
        locks: Locks.organization
      },
      function* ({ input: { visibility } }, { caller, spec, records }) {
        const base = yield* linkBase
        if (spec.visibility === visibility) return presentSpec(base, caller, spec)
        const changes = { visibility, updatedAt: yield* now }
        yield* records.update(openApiSpecs, Where.eq("id", spec.id), changes)
        return presentSpec(base, caller, { ...spec, ...changes })
      }
    ),

    remove: command(
      "OpenApiSpecs.remove",
      {
        parameters: { organization: OrganizationId, slug: SpecSlug },
        authorize: allowSpec("create"),
        locks: Locks.organization
      },
      function* (_, { spec, records }) {
        yield* records.remove(openApiSpecs, Where.eq("id", spec.id))
        yield* events.publish(OpenApiSpecChanged, { organization: spec.organization })
      }
    ),

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
    ),

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
        const columns = ["document", "contentType", "hash"] as const
        const found = yield* records.get(openApiVersions, { id: version }, columns)
        if (found !== undefined) return { ...found, isImmutable: true }
        const spec = yield* records.get(openApiSpecs, { id: version }, ["visibility", "lastVersion"])
        if (spec?.visibility !== "public" || spec.lastVersion === null) return undefined
        const latest = yield* records.get(openApiVersions, { id: spec.lastVersion }, columns)
        return latest === undefined ? undefined : { ...latest, isImmutable: false }
      }
    )
  }
})

/** Operations on OpenAPI specs: see {@link OpenApiSpecsOperations}. */
export class OpenApiSpecs extends Context.Service<OpenApiSpecs, OpenApiSpecsOperations>()(
  "@lectern/core/OpenApiSpecs"
) {
  static readonly layer: Layer.Layer<
    OpenApiSpecs,
    never,
    Records | Operations | PublishedSpecs | TransactionEvents | Jobs | Ids
  > = Layer.effect(OpenApiSpecs, makeOpenApiSpecs)
}
