/** Writes audit records: of executed calls in their transactions, and of denied calls after the rollback. */

import {
  encodeSet,
  type IdsService,
  type Records,
  type StorageUnavailable,
  toTimestamp,
  Where
} from "@lectern/kernel"
import {
  type AuditRecordRow,
  auditRecords,
  type InstallationRow,
  type IntegrationRow,
  installations,
  integrations
} from "@lectern/kernel/tables"
import { type AuditDetails, AuditRecordId } from "@lectern/model/audit"
import { FeatureError, Forbidden, NotFound, Unauthenticated } from "@lectern/model/errors"
import type { OrganizationId } from "@lectern/model/organizations"
import { Clock, Context, Effect, type Fiber } from "effect"
import type { AuditedCall, AuditNaming } from "../AuditedCall.ts"
import { organizationOfCall, resourcesOfCall, resourcesOfParameters } from "../audit/auditedResources.ts"
import { makeDenialLimit } from "../audit/denialLimit.ts"
import type { SecurityLog } from "../audit/SecurityLog.ts"
import { CallOrigin, type Origin } from "../CallOrigin.ts"
import { CurrentUser, type Identity } from "../CurrentUser.ts"
import type { GrantedRecords } from "../grants/Grant.ts"
import { loginProviderOf } from "../limits/identityLimits.ts"
import type { OperationDefinition } from "./OperationDefinition.ts"

/**
 * How long audit records are retained, in milliseconds; 365 days by default. 0 records nothing. It is read when the workspace
 * is built.
 */
export const AuditRetention = Context.Reference<number>("@lectern/core/AuditRetention", {
  defaultValue: () => 365 * 24 * 60 * 60 * 1_000
})

/** The maximum number of organizations in whose logs a denial is recorded. */
const maximumOrganizations = 10

/** The bounds of the context that a host adds. */
const maximumContextValues = 20
const maximumContextLength = 500

const denialLimits = { perCaller: 20, perGroup: 200 }
const securityLogLimits = { perCaller: 20, perGroup: 600 }

/** The records that the writer reads and writes, in every organization. */
type AuditRecords = Pick<GrantedRecords, "insert" | "insertMany" | "first" | "inSelect">

/** The parameters of an operation. */
type Parameters = Readonly<Record<string, unknown>>

/** The error of a denied call. */
type Denial = Forbidden | NotFound | Unauthenticated | FeatureError

/** Returns text that every store can contain, of a bounded length. */
const bounded = (text: string): string =>
  String(text).slice(0, maximumContextLength).replaceAll("\0", "").toWellFormed()

const boundedContext = (
  context: Readonly<Record<string, string>>
): { readonly [name: string]: string } | undefined => {
  const entries = Object.entries(context).slice(0, maximumContextValues)
  return entries.length === 0
    ? undefined
    : Object.fromEntries(entries.map(([name, value]) => [bounded(name), bounded(value)]))
}

/** The caller, the origin and the time of a call. */
interface Caller {
  readonly timeMs: number
  readonly user: Identity | undefined
  readonly origin: Origin | undefined
}

const callerOf = (fiber: Fiber.Fiber<unknown, unknown>): Caller => ({
  timeMs: fiber.getRef(Clock.Clock).currentTimeMillisUnsafe(),
  user: Context.getOrUndefined(fiber.context, CurrentUser),
  origin: fiber.getRef(CallOrigin)
})

/** Returns the kind of the caller in a record, unless it is a user. */
const actorTypeOf = (isUser: boolean, isVisitor: boolean, isNamed: boolean): AuditDetails => {
  if (isUser) return isNamed ? {} : { actorType: "external" }
  return { actorType: isVisitor ? "visitor" : "operator" }
}

/** Returns the organizations in whose logs an executed call is recorded, each with the actor that its record names. */
const logsOf = (
  parameters: Parameters,
  { details, organizations, concerned }: AuditedCall,
  result: unknown
): ReadonlyArray<readonly [OrganizationId | null, AuditNaming]> => {
  const { organization } = details
  const own: ReadonlyArray<OrganizationId | null> =
    organization !== undefined
      ? [organization]
      : organizations.size > 0
        ? [...organizations]
        : [(organizationOfCall(parameters, result) as OrganizationId | undefined) ?? null]
  const others = [...concerned].filter(([one]) => !own.includes(one))
  return [
    ...own.filter((one) => one !== null || others.length === 0).map((one) => [one, "caller"] as const),
    ...others
  ]
}

/** Returns the organizations in whose logs a denied call is recorded: of the user, or of the provider that rejected a login. */
const organizationsOfDenial = (
  user: Identity | undefined,
  { details: { organization }, organizations }: AuditedCall
): ReadonlyArray<OrganizationId> =>
  user !== undefined
    ? [...organizations].slice(0, maximumOrganizations)
    : organization == null
      ? []
      : [organization]

/** Returns the denial that an error of a call is, or undefined. A missing resource is not a denial. */
const denialOf = (error: unknown, call: AuditedCall): Denial | undefined =>
  error instanceof Forbidden ||
  error instanceof Unauthenticated ||
  (error instanceof FeatureError && error.status === 403) ||
  (error instanceof NotFound && (call.isHidden || call.isOutsider))
    ? error
    : undefined

const rowOf = (
  id: string,
  { name, rule }: OperationDefinition,
  { user, origin, timeMs }: Caller,
  call: AuditedCall,
  record: Pick<AuditRecordRow, "organization" | "outcome"> & {
    readonly resources: ReadonlyArray<string>
    readonly details: AuditDetails
    readonly naming: AuditNaming
  }
): AuditRecordRow => {
  const { token, visitor, session } = user ?? {}
  const { actor, token: issued } = call.details
  const samlProvider = user === undefined ? undefined : loginProviderOf(user)
  const isUser = user !== undefined && visitor === undefined
  // A rejected login has no user. The host and the command line are never denied.
  const isVisitor =
    visitor !== undefined || (user === undefined && (rule.kind === "visitor" || record.outcome === "denied"))
  const isNamed = record.naming !== "nobody"
  const named = record.naming === "caller" ? origin : undefined
  const sessionId = record.naming === "caller" ? (session ?? named?.session) : undefined
  const context =
    record.naming === "caller" ? boundedContext({ ...user?.auditContext, ...named?.context }) : undefined
  return {
    id: AuditRecordId.make(id),
    organization: record.organization,
    createdAt: toTimestamp(timeMs),
    operation: name,
    outcome: record.outcome,
    actor: isNamed ? (actor ?? (isUser ? user.id : null)) : null,
    token: isNamed ? (token?.id ?? issued ?? null) : null,
    address: named?.address ?? null,
    resources: encodeSet(record.resources),
    details: {
      ...record.details,
      ...actorTypeOf(isUser || actor !== undefined, isVisitor, isNamed),
      ...(sessionId === undefined ? {} : { session: bounded(sessionId) }),
      ...(samlProvider === undefined || !isNamed ? {} : { samlProvider }),
      ...(named?.requestId === undefined ? {} : { requestId: named.requestId }),
      ...(context === undefined ? {} : { context })
    }
  }
}

/** Returns the name of the integration of a call: that of the token of an installation, or the one that it acts on. */
const integrationOf = (
  { first, inSelect }: AuditRecords,
  call: AuditedCall,
  { user }: Caller
): Effect.Effect<Pick<AuditDetails, "integration">, StorageUnavailable> => {
  const installation = user?.token?.installation
  const { integration } = call.details
  if (installation === undefined || integration !== undefined) {
    return Effect.succeed(integration === undefined ? {} : { integration })
  }
  const where = inSelect<IntegrationRow, "id", typeof installations, "integration">(
    "id",
    installations,
    "integration",
    Where.eq<InstallationRow, "id">("id", installation)
  )
  return Effect.map(first(integrations, { select: ["name"], where }), (row) =>
    row === undefined ? {} : { integration: row.name }
  )
}

/** Creates the function that records a denial in the logs of the organizations of the caller, or else in the security log. */
const makeRecordDenial = (
  ids: IdsService,
  records: AuditRecords,
  logSecurity: (typeof SecurityLog)["Service"]
) => {
  const limitDenials = makeDenialLimit(denialLimits)
  const limitSecurityLog = makeDenialLimit(securityLogLimits)

  return Effect.fnUntraced(function* (
    definition: OperationDefinition,
    parameters: Parameters,
    call: AuditedCall,
    { reason }: Denial,
    caller: Caller
  ): Effect.fn.Return<void> {
    const { user, origin, timeMs } = caller
    const key = user?.visitor === undefined ? (user?.id ?? origin?.address ?? "unknown") : "visitor"
    const organizations = organizationsOfDenial(user, call)
    for (const organization of organizations) {
      const suppressed = limitDenials(organization, key, timeMs)
      if (suppressed === undefined) continue
      const named = yield* Effect.orElseSucceed(integrationOf(records, call, caller), () => ({}))
      const row = rowOf(yield* ids.next, definition, caller, call, {
        organization,
        outcome: "denied",
        resources: resourcesOfParameters(parameters),
        details: { reason, ...named, ...(suppressed === 0 ? {} : { suppressed }) },
        naming: "caller"
      })
      yield* Effect.catchTag(records.insert(auditRecords, row), "StorageUnavailable", (error) =>
        Effect.logWarning("Cannot record a denied call.", error.reason)
      )
    }
    if (organizations.length > 0 || logSecurity === undefined) return
    const suppressed = limitSecurityLog("all", `${key} ${origin?.address}`, timeMs)
    if (suppressed === undefined) return
    yield* logSecurity({
      operation: definition.name,
      reason,
      ...(user === undefined ? {} : { user: user.id }),
      ...(user?.token === undefined ? {} : { token: user.token.id }),
      ...(origin?.address === undefined ? {} : { address: origin.address }),
      ...(origin?.requestId === undefined ? {} : { requestId: origin.requestId }),
      ...(suppressed === 0 ? {} : { suppressed })
    })
  })
}

/** Creates the functions that record the calls of operations. The records reach every row; `logSecurity` writes the security log. */
export const makeAuditWriter = (
  store: Records["Service"],
  ids: IdsService,
  records: AuditRecords,
  logSecurity: (typeof SecurityLog)["Service"]
) => {
  const recordDenial = makeRecordDenial(ids, records, logSecurity)

  /** Returns the rows of an executed call: one for each organization. */
  const rowsOfSuccess = (
    definition: OperationDefinition,
    parameters: Parameters,
    call: AuditedCall,
    result: unknown
  ): Effect.Effect<ReadonlyArray<AuditRecordRow>, StorageUnavailable> =>
    Effect.withFiber((fiber) => {
      if (call.details.isUnrecorded === true) return Effect.succeed([])
      const caller = callerOf(fiber)
      const all = [...resourcesOfCall(parameters, result), ...(call.details.resources ?? [])]
      const logs = logsOf(parameters, call, result)
      const rowIn = ([organization, naming]: (typeof logs)[number], details: AuditDetails) =>
        Effect.map(ids.next, (id) =>
          rowOf(id, definition, caller, call, {
            organization,
            outcome: "success",
            resources: all,
            details,
            naming
          })
        )
      const [log] = logs
      if (caller.user?.token?.installation === undefined && logs.length === 1 && log !== undefined) {
        const { integration } = call.details
        return Effect.map(rowIn(log, integration === undefined ? {} : { integration }), (row) => [row])
      }
      return Effect.flatMap(integrationOf(records, call, caller), (details) =>
        Effect.forEach(logs, (one) => rowIn(one, details))
      )
    })

  return {
    /** Records an executed call in its transaction. The rows are inserted when the transaction ends. */
    recordExecuted: (
      definition: OperationDefinition,
      parameters: Parameters,
      call: AuditedCall,
      result: unknown
    ): Effect.Effect<void, StorageUnavailable> =>
      Effect.flatMap(rowsOfSuccess(definition, parameters, call, result), (rows) =>
        store.deferInsert(auditRecords, rows)
      ),

    /** Records an executed call that has no transaction: in the logs of all its organizations, or in none. */
    recordRead: (
      definition: OperationDefinition,
      parameters: Parameters,
      call: AuditedCall,
      result: unknown
    ): Effect.Effect<void, StorageUnavailable> =>
      Effect.flatMap(rowsOfSuccess(definition, parameters, call, result), (rows) =>
        records.insertMany(auditRecords, rows)
      ),

    /**
     * Records a failed call if its error is a denial, after the transactions of the fiber have ended. `findMember` authorizes
     * without the scopes of the token: it finds the organization in which a token was denied.
     */
    recordFailed: (
      definition: OperationDefinition,
      parameters: Parameters,
      call: AuditedCall,
      error: unknown,
      findMember: Effect.Effect<unknown>
    ): Effect.Effect<void> => {
      const denial = denialOf(error, call)
      if (denial === undefined) return Effect.void
      return Effect.withFiber((fiber) => {
        const caller = callerOf(fiber)
        const isLimitedByToken = denial.reason === "ScopeTooNarrow" && call.organizations.size === 0
        return Effect.andThen(
          isLimitedByToken ? findMember : Effect.void,
          store.afterTransaction(recordDenial(definition, parameters, call, denial, caller))
        )
      })
    }
  }
}
