/** What callers do with OpenAPI specs (decision D11). */
import { Context, Effect, Layer, Schema } from "effect"
import { LRUCache } from "lru-cache"
import { Access, type Caller } from "../../access/Access.ts"
import { Conflict, NotFound } from "../../kernel/errors.ts"
import { Ids } from "../../kernel/ids/Ids.ts"
import { Jobs } from "../../kernel/jobs/Jobs.ts"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { command, query } from "../../kernel/operation/Operation.ts"
import { readPage } from "../../kernel/pagination/paginate.ts"
import { PageQuery } from "../../kernel/schema/Pagination.ts"
import { Records, Where } from "../../kernel/storage/index.ts"
import { now } from "../../kernel/time.ts"
import {
  CreateSpec,
  type OpenApiSpecContent,
  type OpenApiSpecVersion,
  openApiSpecs,
  openApiTexts,
  openApiVersions,
  PutSpec,
  type SpecRow,
  SpecSlug,
  type SpecSource,
  SpecVersionId,
  type SpecVersionRow
} from "../../model/openapi-specs/OpenApiSpec.ts"
import { OrganizationId } from "../../model/organizations/Organization.ts"
import type { OrganizationAction } from "../../model/roles/Policy.ts"
import { presentSpec } from "../../views/openapi-specs/OpenApiSpecView.ts"
import { processSpec } from "./SpecProcessing.ts"

/** Where documents are served, behind the address of the workspace; the id of a version is not guessed. */
export const specsPath = "/openapi-specs/"

/** Names a version: by its id, or the last one. */
export const SpecVersionRef = Schema.Union([Schema.Literal("latest"), SpecVersionId])

/** How many versions are kept in memory as they are answered: they are large, and never change. */
const keptContents = 8

const makeOpenApiSpecs = Effect.gen(function* () {
  const records = yield* Records
  const access = yield* Access
  const jobs = yield* Jobs
  const ids = yield* Ids
  const base = yield* PublicUrl
  const contents = new LRUCache<string, OpenApiSpecContent>({ max: keptContents })

  const change = command(records)

  const present = (caller: Caller, row: SpecRow) => presentSpec(base, caller, row)

  const documentUrl = (id: SpecVersionId): string => `${base}${specsPath}${id}`

  const presentVersion = (
    spec: SpecRow,
    { id, createdAt }: Pick<SpecVersionRow, "id" | "createdAt">
  ): OpenApiSpecVersion => ({
    object: "openapi-spec-version",
    id,
    createdAt,
    url: documentUrl(id),
    urls: { location: `${base}/v1/orgs/${spec.organization}/openapi/${spec.slug}/versions/${id}` }
  })

  const bySlug = (organization: OrganizationId, slug: SpecSlug): Where.Where<SpecRow> =>
    Where.and<SpecRow>(Where.eq("organization", organization), Where.eq("slug", slug))

  const load = Effect.fnUntraced(function* (
    organization: OrganizationId,
    slug: SpecSlug,
    action: OrganizationAction
  ) {
    const [caller, row] = yield* records.both(
      access.organization(organization, action),
      records.first(openApiSpecs, { where: bySlug(organization, slug) })
    )
    if (row === undefined) return yield* NotFound.of("OpenAPI spec")
    return { caller, row }
  })

  /** Notes where a spec comes from, and has it read. */
  const process = Effect.fnUntraced(function* (row: SpecRow, source: SpecSource) {
    yield* records.remove(openApiTexts, Where.eq("spec", row.id))
    if ("text" in source) yield* records.insert(openApiTexts, { spec: row.id, text: source.text })
    yield* jobs.enqueue(processSpec, { spec: row.id, round: row.round })
  })

  const create = Effect.fnUntraced(function* (
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
      processingState: "pending",
      errorCode: null,
      lastVersion: null,
      lastProcessedAt: null,
      round: 1,
      createdAt: time,
      updatedAt: time
    }
    yield* records
      .tryInsert(openApiSpecs, row)
      .pipe(
        Effect.catchTag("UniqueViolation", () =>
          Effect.fail(new Conflict({ message: "The organization has a spec with this slug already." }))
        )
      )
    yield* process(row, source)
    return row
  })

  /** A version of a spec, without what is in it. */
  const version = Effect.fnUntraced(function* (
    organization: OrganizationId,
    slug: SpecSlug,
    ref: typeof SpecVersionRef.Type
  ) {
    const { row: spec } = yield* load(organization, slug, "listSpecs")
    const id = ref === "latest" ? spec.lastVersion : ref
    const row =
      id === null ? undefined : yield* records.get(openApiVersions, { id }, ["id", "spec", "createdAt"])
    if (row?.spec !== spec.id) return yield* NotFound.of("version")
    return { spec, row }
  })

  return {
    /** The specs of an organization, newest first. */
    list: query([OrganizationId, PageQuery], function* (organization, page) {
      const caller = yield* access.organization(organization, "listSpecs")
      return yield* readPage(records, page, {
        table: openApiSpecs,
        list: ["specs", organization],
        where: Where.eq<SpecRow, "organization">("organization", organization),
        orderBy: ["id"],
        direction: "desc",
        present: (rows) => Effect.succeed(rows.map((row) => present(caller, row)))
      })
    }),

    /** Makes a spec. It is read in the background: what comes out is in `processingState`. */
    create: change([OrganizationId, CreateSpec], function* (organization, { slug, source }) {
      const caller = yield* access.organization(organization, "create")
      return present(caller, yield* create(organization, slug, source))
    }),

    /** Makes a spec, or says where it comes from now, and has it read again. */
    put: change([OrganizationId, SpecSlug, PutSpec], function* (organization, slug, { source }) {
      const caller = yield* access.organization(organization, "create")
      const before = yield* records.first(openApiSpecs, { where: bySlug(organization, slug) })
      if (before === undefined) return present(caller, yield* create(organization, slug, source))
      const changes: Partial<SpecRow> = {
        sourceURL: "url" in source ? source.url : null,
        processingState: "pending",
        round: before.round + 1,
        updatedAt: yield* now
      }
      yield* records.update(openApiSpecs, Where.eq("id", before.id), changes)
      const after = { ...before, ...changes }
      yield* process(after, source)
      return present(caller, after)
    }),

    /** The spec. */
    get: query([OrganizationId, SpecSlug], function* (organization, slug) {
      const { caller, row } = yield* load(organization, slug, "listSpecs")
      return present(caller, row)
    }),

    /** Removes the spec with all of its versions. */
    remove: change([OrganizationId, SpecSlug], function* (organization, slug) {
      const { row } = yield* load(organization, slug, "create")
      yield* records.remove(openApiSpecs, Where.eq("id", row.id))
    }),

    /** The versions of a spec, newest first. */
    versions: query([OrganizationId, SpecSlug, PageQuery], function* (organization, slug, page) {
      const { row: spec } = yield* load(organization, slug, "listSpecs")
      return yield* readPage(records, page, {
        table: openApiVersions,
        list: ["versions of spec", spec.id],
        where: Where.eq<SpecVersionRow, "spec">("spec", spec.id),
        orderBy: ["id"],
        direction: "desc",
        select: ["id", "spec", "createdAt"],
        present: (rows) => Effect.succeed(rows.map((row) => presentVersion(spec, row)))
      })
    }),

    /** A version, by its id, or the last one. */
    version: query([OrganizationId, SpecSlug, SpecVersionRef], function* (organization, slug, ref) {
      const { spec, row } = yield* version(organization, slug, ref)
      return presentVersion(spec, row)
    }),

    /** What is in a version: its parsed documents. */
    content: query([OrganizationId, SpecSlug, SpecVersionRef], function* (organization, slug, ref) {
      const { row } = yield* version(organization, slug, ref)
      const known = contents.get(row.id)
      if (known !== undefined) return known
      const stored = yield* records.get(openApiVersions, { id: row.id }, ["files"])
      const content: OpenApiSpecContent = Object.freeze({
        filesystem: JSON.parse(new TextDecoder().decode(stored!.files)) as OpenApiSpecContent["filesystem"],
        url: documentUrl(row.id)
      })
      contents.set(row.id, content)
      return content
    }),

    /** The document of a version as it came, for whoever knows its id; undefined where there is none. */
    document: query([SpecVersionId], function* (id) {
      return yield* records.get(openApiVersions, { id }, ["document", "contentType", "hash"])
    })
  }
})

/** See the module's comment. */
export class OpenApiSpecs extends Context.Service<OpenApiSpecs, Effect.Success<typeof makeOpenApiSpecs>>()(
  "@lectern/core/OpenApiSpecs"
) {
  static readonly layer: Layer.Layer<OpenApiSpecs, never, Records | Access | Jobs | Ids> = Layer.effect(
    OpenApiSpecs,
    makeOpenApiSpecs
  )
}
