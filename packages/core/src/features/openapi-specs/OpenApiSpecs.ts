/** Operations on OpenAPI specs. */

import { type GrantedRecords, Locks, Operations } from "@lectern/access"
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
import { OpenApiSpecChanged, openApiSpecs, openApiTexts, type SpecRow } from "@lectern/kernel/tables"
import { Conflict } from "@lectern/model/errors"
import { CreateSpec, PutSpec, SpecSlug, type SpecSource, UpdateSpec } from "@lectern/model/openapi-specs"
import { OrganizationId } from "@lectern/model/organizations"
import { PageQuery } from "@lectern/model/schema"
import { Context, Effect, Layer } from "effect"
import { presentSpec } from "../../views/openapi-specs/OpenApiSpecView.ts"
import type { OpenApiSpecsOperations } from "./OpenApiSpecsOperations.ts"
import type { PublishedSpecs } from "./PublishedSpecs.ts"
import { processSpec } from "./SpecProcessing.ts"
import { makeSpecAccess, whereSlug } from "./specAccess.ts"
import { makeDocuments, makeVersions } from "./specVersions.ts"

const makeSpecCreation = Effect.gen(function* () {
  const jobs = yield* Jobs
  const ids = yield* Ids

  /** Stores the document of a spec without a URL, and schedules the job that processes it. */
  const scheduleProcessing = Effect.fnUntraced(function* (
    records: GrantedRecords,
    row: SpecRow,
    source: SpecSource
  ) {
    yield* records.remove(openApiTexts, Where.eq("spec", row.id))
    const { id: spec, organization } = row
    if ("text" in source) yield* records.insert(openApiTexts, { spec, organization, text: source.text })
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

  return { scheduleProcessing, insertSpec }
})

const makeSpecs = Effect.gen(function* () {
  const events = yield* TransactionEvents
  const { query, command, allow } = yield* Operations
  const linkBase = yield* makeLinkBase
  const { allowSpec } = yield* makeSpecAccess

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
    )
  }
})

const makeSources = Effect.gen(function* () {
  const { command, allow } = yield* Operations
  const linkBase = yield* makeLinkBase
  const { insertSpec, scheduleProcessing } = yield* makeSpecCreation

  return {
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
    )
  }
})

const makeOpenApiSpecs = Effect.gen(function* () {
  return {
    ...(yield* makeSpecs),
    ...(yield* makeSources),
    ...(yield* makeVersions),
    ...(yield* makeDocuments)
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
