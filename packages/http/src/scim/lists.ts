/** Lists of resources: filters, order and pages (RFC 7644, section 3.4.2). */
import type { OrganizationId } from "@lectern/core"
import { Effect, Result } from "effect"
import { maximumResults } from "./discovery.ts"
import { filterPredicate } from "./evaluate.ts"
import { type Filter, parseFilter } from "./filter.ts"
import { lookupOf, namesAttribute } from "./lookup.ts"
import { type Projection, projector, returnsAttribute, sortResources } from "./projection.ts"
import { badRequest, type ScimError } from "./scimError.ts"
import type { Action, ResourceStore, StoredResource } from "./store.ts"

/** The parameters of a list. */
export interface ListQuery extends Projection {
  readonly filter?: string | undefined
  readonly sortBy?: string | undefined
  readonly isDescending: boolean
  /** The position of the first resource, from 1. */
  readonly startIndex: number
  readonly count: number
}

/** The number of resources of a list without `count`. */
export const defaultCount = 100

/** The maximum number of resources on which a filter without an indexed attribute is evaluated. */
export const maximumEvaluated = 10_000

/** The number of resources of a query that evaluates a filter. */
const batchSize = 500

const listSchema = "urn:ietf:params:scim:api:messages:2.0:ListResponse"

type Json = Readonly<Record<string, unknown>>

const listResponse = (total: number, startIndex: number, resources: ReadonlyArray<Json>) => ({
  schemas: [listSchema],
  totalResults: total,
  itemsPerPage: resources.length,
  startIndex,
  Resources: resources
})

/** Returns a list of all resources as one page, for the endpoints of discovery. */
export const wholeList = (resources: ReadonlyArray<Json>) => listResponse(resources.length, 1, resources)

const tooMany = badRequest(
  "tooMany",
  `The filter is evaluated on at most ${maximumEvaluated} resources. Compare id, userName, externalId, displayName or an e-mail address by \`eq\`.`
)

/** Reads the resources that can match a filter, in batches. Fails with `tooMany` if they are too many. */
const readAll = Effect.fnUntraced(function* <Item extends StoredResource>(
  store: ResourceStore<Item>,
  organization: OrganizationId,
  filter: Filter | undefined,
  withMembers: boolean
) {
  const lookup =
    filter === undefined ? undefined : lookupOf(store.definition, Object.values(store.indexed).flat(), filter)
  const items: Array<Item> = []
  let after: string | undefined
  for (;;) {
    const part = yield* store.find(organization, {
      ...(lookup === undefined ? {} : { lookup }),
      ...(after === undefined ? {} : { after }),
      limit: batchSize,
      withMembers
    })
    if (part.total > maximumEvaluated) return yield* Effect.fail(tooMany)
    items.push(...part.items)
    after = part.items.at(-1)?.position
    if (after === undefined || part.items.length < batchSize) return items
  }
})

const parse = (text: string | undefined): Result.Result<Filter | undefined, ScimError> =>
  text === undefined ? Result.succeed(undefined) : parseFilter(text)

/** Returns a page of the resources of an organization that match. */
export const listResources = <Item extends StoredResource>(
  store: ResourceStore<Item>,
  base: string,
  organization: OrganizationId,
  query: ListQuery
): Action<ReturnType<typeof listResponse>> =>
  Effect.gen(function* () {
    const { definition } = store
    const { startIndex, count, sortBy, isDescending } = query
    const filter = yield* Effect.fromResult(parse(query.filter))
    const withMembers =
      returnsAttribute(definition, query, "members") ||
      (filter !== undefined && namesAttribute(definition, filter, "members"))
    const show = projector(definition, query)
    if (filter === undefined && sortBy === undefined) {
      const selection = { offset: startIndex - 1, limit: count, withMembers }
      const { total, items } = yield* store.find(organization, selection)
      const resources = items.map((item) => show(store.present(base, item)))
      return listResponse(total, startIndex, resources)
    }
    const matches =
      filter === undefined ? () => true : yield* Effect.fromResult(filterPredicate(definition, filter))
    const found = (yield* readAll(store, organization, filter, withMembers))
      .map((item) => store.present(base, item))
      .filter(matches)
    const sorted = sortBy === undefined ? found : sortResources(definition, found, sortBy, isDescending)
    return listResponse(
      sorted.length,
      startIndex,
      sorted.slice(startIndex - 1, startIndex - 1 + count).map(show)
    )
  })

/** Reads a whole number, with bounds (RFC 7644: a value below the minimum is the minimum). */
const readInteger = (value: unknown, fallback: number, minimum: number, maximum: number): number => {
  const number = typeof value === "number" ? value : typeof value === "string" ? Number(value) : Number.NaN
  return Number.isSafeInteger(number) ? Math.min(Math.max(number, minimum), maximum) : fallback
}

const textIn = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined

/** Reads the parameters of a list from the query of a request, or from the body of a search. */
export const readListQuery = (values: Json, { attributes, excludedAttributes }: Projection): ListQuery => ({
  attributes,
  excludedAttributes,
  filter: textIn(values.filter),
  sortBy: textIn(values.sortBy)?.slice(0, 200),
  isDescending: textIn(values.sortOrder)?.toLowerCase() === "descending",
  startIndex: readInteger(values.startIndex, 1, 1, 1_000_000),
  count: readInteger(values.count, defaultCount, 0, maximumResults)
})
