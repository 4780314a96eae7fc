/** Derives an operation from its definition: the decoding, the authorization, the transaction, the audit record, the span and the metrics. */

import {
  CurrentCause,
  type EventCause,
  HostTransactionError,
  type Ids,
  IsInHostTransaction,
  type Jobs,
  lockName,
  type Records,
  type StorageUnavailable
} from "@lectern/kernel"
import { lockKinds } from "@lectern/kernel/tables"
import { makeInputDecoder } from "@lectern/markdown/conditions"
import { Conflict, Gone, type InvalidField, InvalidInput } from "@lectern/model/errors"
import { givenRolesOf } from "@lectern/model/roles"
import type { InputDecoder } from "@lectern/model/schema"
import type { UserId } from "@lectern/model/users"
import { Context, Effect, Result, type Schema, type Scope } from "effect"
import { requireGrantable } from "../accessErrors.ts"
import { CurrentUser } from "../CurrentUser.ts"
import type { Granted, GrantedRecords } from "../grants/Grant.ts"
import { organizationsOf, writableRecords } from "../grants/issueGrant.ts"
import type { Authorization } from "./Authorization.ts"
import { auditOf } from "./auditOf.ts"
import type { makeAuditWriter } from "./auditWriter.ts"
import { CommandGuard } from "./CommandGuard.ts"
import { declaredByEndpoints } from "./endpointErrors.ts"
import type { LockList } from "./Locks.ts"
import type { AccessError } from "./Operation.ts"
import type { OperationDefinition } from "./OperationDefinition.ts"
import { hooksOf, type OperationHooks } from "./OperationHooks.ts"
import { observed, unobserved } from "./observed.ts"
import { withinScope } from "./requireScope.ts"

/** The schemas of parameters, by name. */
export type Fields = Readonly<Record<string, Schema.Top & { readonly DecodingServices: never }>>

/** `input` if all of its fields are optional: callers can then omit it. */
type OptionalInput<F extends Fields> = F extends { readonly input: infer Input extends Schema.Top }
  ? object extends Input["Encoded"]
    ? "input"
    : never
  : never

type Values<F extends Fields, Side extends "Type" | "Encoded"> = {
  readonly [K in Exclude<keyof F, OptionalInput<F>>]: F[K][Side]
} & { readonly [K in OptionalInput<F>]?: F[K][Side] }

/** The parameters as the body receives them: decoded and complete. */
type BodyParameters<F extends Fields> = { readonly [K in keyof F]: F[K]["Type"] }

/** The parameters that name the target. */
type Target<F extends Fields> = Omit<BodyParameters<F>, "input">

/** The errors of the effects that a body yields. */
export type ErrorOf<Yields> = Yields extends Effect.Effect<unknown, infer E, unknown> ? E : never
/** The services of the effects that a body yields. */
export type ServicesOf<Yields> = Yields extends Effect.Effect<unknown, unknown, infer R> ? R : never

/** The options of a definition: its parameters and its authorization. */
export interface OperationOptions<F extends Fields, Given, E, R> {
  /** The schema of each parameter. `input` is the body or the query of a request, the others are ids. */
  readonly parameters: F
  /** Authorizes the caller for the target. The body receives the result with its grant. */
  readonly authorize: Authorization<Target<F>, Given, E, R>
  /** Whether to record the calls of a query in the audit log, because it exports data; calls of commands always are. */
  readonly audited?: true
}

/** The options of the definition of a command. Without `locks`, it is a serializable transaction. */
export interface CommandOptions<F extends Fields, Given, E, R, PrepareError = never>
  extends OperationOptions<F, Given, E, R> {
  /**
   * Returns the locks that cover the queries of the command: see {@link Locks}. The command waits for others that
   * hold them, instead of conflicting with them. `caller` is the user who calls it; undefined for operators.
   */
  readonly locks?: (parameters: BodyParameters<F>, caller: UserId | undefined) => LockList
  /**
   * The reason for not declaring locks, for `core/test/serializableCommands.txt`. A serializable transaction excludes all
   * locked commands while it runs, and is retried if it conflicts with another one.
   */
  readonly serializable?: string
  /**
   * Performs external I/O before the transaction, after the caller was authorized, and returns the parameters of the body
   * with its results. Returns `undefined` if these parameters require none. Its scope closes after the transaction.
   */
  readonly prepare?: (
    parameters: BodyParameters<F>
  ) => Effect.Effect<BodyParameters<F>, PrepareError, Scope.Scope> | undefined
}

/** The second parameter of a body: the result of its authorization, with the records that the grant reaches. */
type WithRecords<Given, Available> = Given & Granted & { readonly records: Available }

/** The body of an operation. `Available` are readable records for a query, and writable records for a command. */
export type Body<F extends Fields, Given, Available, Yields, A> = (
  parameters: BodyParameters<F>,
  given: WithRecords<Given, Available>
) => Generator<Yields, A, never>

/** Runs an effect as the transaction of a command, after it has authorized again. */
type Commit = <Given extends Granted, A, E1, R1, E2, R2>(
  authorize: Effect.Effect<Given, E1, R1>,
  write: (given: WithRecords<Given, GrantedRecords>) => Effect.Effect<A, E2, R2>
) => Effect.Effect<A, E1 | E2 | StorageUnavailable, R1 | R2>

/** The body of a staged command. */
export type CommittingBody<F extends Fields, Given, Available, Yields, A> = (
  parameters: BodyParameters<F>,
  given: WithRecords<Given, Available>,
  commit: Commit
) => Generator<Yields, A, never>

const withRecords = <Given extends Granted>(given: Given): WithRecords<Given, GrantedRecords> => ({
  ...given,
  records: writableRecords(given.grant)
})

/** Rejects an operation that makes requests to other servers, while a host has a transaction open. */
const outsideOfHosts = <A, E, R>(name: string, self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) =>
    fiber.getRef(IsInHostTransaction)
      ? Effect.die(
          new HostTransactionError(
            "RequiresOutbound",
            `${name} makes requests to other servers. Call it outside of the transaction.`
          )
        )
      : self
  )

/** The result of a definition, assignable to the `Query` or `Command` that the interface of the service declares. */
export interface Defined<F extends Fields, A, E, R> {
  (parameters: Values<F, "Encoded">): Effect.Effect<A, E | InvalidInput | StorageUnavailable, R>
  readonly decoded: (parameters: Values<F, "Type">) => Effect.Effect<A, E | StorageUnavailable, R>
  readonly authorize: (target: Target<F>) => Effect.Effect<void, E | StorageUnavailable, R>
  readonly authorizeAgain: (
    target: Target<F>,
    check: Effect.Effect<void, AccessError | StorageUnavailable, CurrentUser>
  ) => Effect.Effect<void, AccessError | StorageUnavailable, CurrentUser>
  readonly definition: OperationDefinition
}

/**
 * Returns the decoder of a parameter. An absent parameter is decoded as `{}`; null is a value. The paths of invalid
 * fields start at the field for `input`, and at the name of the parameter for ids.
 */
const decoderOf = (name: string, schema: Schema.Top): InputDecoder => {
  const decode = makeInputDecoder(schema, name === "input" ? [] : [name])
  return (value) => decode(value === undefined ? {} : value)
}

/** Rejects the roles in the input of a command that the caller cannot grant: see {@link requireGrantable}. */
const withGrantableRoles = <Target extends object, A, E, R>(
  { kind, rule }: OperationDefinition,
  { input }: Fields,
  check: (target: Target) => Effect.Effect<A, E, R>
): ((target: Target) => Effect.Effect<A, E, R>) => {
  const rolesOf =
    kind === "query" || rule.kind === "operator" || input === undefined ? undefined : givenRolesOf(input)
  if (rolesOf === undefined) return check
  return (target) => {
    const granted = requireGrantable(rolesOf(Reflect.get(target, "input")))
    return Effect.tap(check(target), () =>
      Effect.withFiber((fiber) => {
        // The rule of every operation with such an input requires a caller.
        const caller = Context.getUnsafe(fiber.context, CurrentUser)
        return declaredByEndpoints<void, never, never>(Effect.provideService(granted, CurrentUser, caller))
      })
    )
  }
}

/** The services that definitions of operations use. */
export interface DefinitionServices {
  readonly records: Records["Service"]
  readonly isObserved: boolean
  readonly slowMs: number | undefined
  readonly hooks: (typeof OperationHooks)["Service"]
  readonly jobs: Jobs["Service"]
  readonly ids: Ids["Service"]
  readonly isAuditing: boolean
  readonly auditWriter: ReturnType<typeof makeAuditWriter>
  readonly definitions: Array<OperationDefinition>
}

/** Defines an operation: see {@link Operations}. A staged command makes requests to other servers, and commits afterwards. */
export const define = <const F extends Fields, Given, E1, R1, Yields, A, E2 = never>(
  { records, isObserved, slowMs, hooks, jobs, ids, isAuditing, auditWriter, definitions }: DefinitionServices,
  kind: OperationDefinition["kind"],
  name: string,
  { parameters, authorize, locks, serializable, prepare, audited }: CommandOptions<F, Given, E1, R1, E2>,
  body: CommittingBody<F, Given, GrantedRecords, Yields, A>,
  isStaged = false
): Defined<F, A, E1 | E2 | ErrorOf<Yields>, R1 | ServicesOf<Yields>> => {
  type E = E1 | E2 | ErrorOf<Yields> | StorageUnavailable
  type R = R1 | ServicesOf<Yields>
  type Complete = BodyParameters<F>

  const definition: OperationDefinition = {
    name,
    kind,
    parameters: Object.keys(parameters),
    rule: authorize.rule,
    isAudited: kind === "command" || audited === true,
    ...(locks === undefined ? {} : { locks }),
    ...(serializable === undefined ? {} : { serializable })
  }
  definitions.push(definition)
  const authorizeScoped = withinScope(definition, withGrantableRoles(definition, parameters, authorize.check))
  const decoders = new Map(Object.entries(parameters).map(([key, schema]) => [key, decoderOf(key, schema)]))
  const observe = isObserved ? observed(definition, slowMs) : unobserved
  const { before, after } = hooksOf(name, hooks, jobs, ids)
  const audit = auditOf(definition, isAuditing ? auditWriter : undefined, authorize.check)

  /** Runs an effect as the transaction of the command. */
  const inTransaction = <B, E2, R2>(complete: Complete, effect: Effect.Effect<B, E2, R2>) => {
    const hooked = after === undefined ? effect : Effect.tap(effect, (result) => after(complete, result))
    const whole = CommandGuard.around(causedBy(audit.inTransaction(complete, hooked)))
    return locks === undefined
      ? records.transaction(whole)
      : Effect.withFiber((fiber) => {
          const caller = Context.getOrUndefined(fiber.context, CurrentUser)?.id
          return records.lockedTransaction(locks(complete, caller), whole, `${name} ${caller}`)
        })
  }

  /** Names the operation as the cause of the events of its changes. */
  const causedBy = <B, E2, R2>(effect: Effect.Effect<B, E2, R2>): Effect.Effect<B, E2, R2> =>
    Effect.withFiber((fiber) => {
      const actor = Context.getOrUndefined(fiber.context, CurrentUser)?.id
      const cause: EventCause = { operation: name, actor, organization: undefined }
      return Effect.provideService(effect, CurrentCause, cause)
    })

  /** Prepares the body of a command, in its transaction: the cause of its changes, and the hook before it. */
  const authorized = <B extends Granted, E2, R2>(
    complete: Complete,
    check: Effect.Effect<B, E2, R2>
  ): Effect.Effect<B, E2 | StorageUnavailable, R2> =>
    kind === "query"
      ? check
      : Effect.tap(authorizeLocked(check), ({ grant }) =>
          Effect.withFiber((fiber): Effect.Effect<void, StorageUnavailable> => {
            const cause = fiber.getRef(CurrentCause)
            // Outside of the transaction of a staged command, there is neither.
            if (cause?.operation !== name) return Effect.void
            const organizations = organizationsOf(grant)
            if (organizations.length === 1) cause.organization = organizations[0]
            audit.addOrganizations(fiber, organizations)
            return before === undefined
              ? Effect.void
              : declaredByEndpoints<void, StorageUnavailable, never>(before(complete))
          })
        )

  /**
   * Authorizes within the locks of the command. The organization that a row names may have changed while the command
   * waited for its lock.
   */
  const authorizeLocked = <B extends Granted, E2, R2>(
    check: Effect.Effect<B, E2, R2>
  ): Effect.Effect<B, E2, R2> =>
    locks === undefined
      ? check
      : Effect.tap(check, ({ grant, lockedOrganizations = [] }) =>
          Effect.forEach(
            [...organizationsOf(grant), ...lockedOrganizations],
            (organization) => records.requireLocked(lockName(lockKinds.organization, organization)),
            { discard: true }
          )
        )

  const bodyOf = (complete: Complete): Effect.Effect<A, E, R> =>
    Effect.flatMap(authorized(complete, authorizeScoped(complete)), (given) =>
      Effect.gen(
        () =>
          body(complete, withRecords(given), (authorizeAgain, write) =>
            inTransaction(
              complete,
              Effect.flatMap(authorized(complete, authorizeAgain), (again) => write(withRecords(again)))
            )
          ) as Generator<Effect.Effect<unknown, ErrorOf<Yields>, ServicesOf<Yields>>, A, never>
      )
    )

  const execute = (complete: Complete): Effect.Effect<A, E, R> => {
    if (isStaged) return outsideOfHosts(name, bodyOf(complete))
    if (kind === "query") return bodyOf(complete)
    const prepared = prepare?.(complete)
    if (prepared === undefined) return inTransaction(complete, bodyOf(complete))
    // Access is checked again in the transaction, because it may have changed by then.
    return Effect.andThen(
      authorizeScoped(complete),
      Effect.scoped(Effect.flatMap(prepared, (result) => inTransaction(result, bodyOf(result))))
    )
  }

  const run = (complete: Complete): Effect.Effect<A, E, R> =>
    records.cacheVersions.sharing(observe(complete, audit.call(complete, execute(complete))))

  /** Decodes all parameters, and collects all invalid fields. */
  const decodeAll = (given: Readonly<Record<string, unknown>>) => {
    const decoded: Record<string, unknown> = {}
    const problems: Array<InvalidField> = []
    let isTargetDecoded = true
    for (const [key, decode] of decoders) {
      const result = decode(given[key])
      if (Result.isSuccess(result)) decoded[key] = result.success
      else {
        problems.push(...result.failure)
        if (key !== "input") isTargetDecoded = false
      }
    }
    return { decoded: decoded as Complete, problems, isTargetDecoded }
  }

  /** Ignores the errors of the target's state, over which invalid input takes precedence. */
  const authorizeTarget = (target: Target<F>): Effect.Effect<void, E, R> =>
    Effect.catch(audit.authorization(target, Effect.asVoid(authorizeScoped(target))), (error) =>
      error instanceof Conflict || error instanceof Gone ? Effect.void : Effect.fail(error)
    )

  // The value of an omitted `input`; undefined if the operation requires or has no input.
  const decodedEmpty = decoders.get("input")?.({})
  const emptyInput = decodedEmpty === undefined ? undefined : Result.getOrUndefined(decodedEmpty)

  const operation = (given: Values<F, "Encoded">): Effect.Effect<A, E | InvalidInput, R> => {
    const { decoded, problems, isTargetDecoded } = decodeAll(given)
    if (problems.length === 0) return run(decoded)
    const invalid = Effect.fail(InvalidInput.of(problems))
    return observe(decoded, isTargetDecoded ? Effect.andThen(authorizeTarget(decoded), invalid) : invalid)
  }

  return Object.assign(operation, {
    decoded: (given: Values<F, "Type">): Effect.Effect<A, E, R> =>
      run((emptyInput === undefined ? given : { input: emptyInput, ...given }) as Complete),
    authorize: authorizeTarget,
    authorizeAgain: (
      target: Target<F>,
      check: Effect.Effect<void, AccessError | StorageUnavailable, CurrentUser>
    ) => audit.authorization(target, withinScope(definition, () => check)(target)),
    definition
  })
}
