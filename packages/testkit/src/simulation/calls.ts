/** Calls of operations, in a process of a simulation or in the serial execution. */
import {
  Administration,
  ChangeRequests,
  Collections,
  Comments,
  Content,
  CurrentUser,
  Events,
  GitSync,
  ImportRuns,
  Members,
  type OperationDefinition,
  Permissions,
  PublishedSites,
  Reviews,
  Revisions,
  Search,
  Sessions,
  ShareLinks,
  SignIns,
  SiteSections,
  SiteSettings,
  SiteSpaces,
  Sites,
  Spaces,
  Teams,
  Tokens,
  Uploads,
  UserId,
  Webhooks
} from "@lectern/core"
import { Cause, Clock, type Context, Effect, Exit, Option } from "effect"
import { CurrentCall, type RecordedInputs, receivedNothing } from "./callInputs.ts"
import type { Parameters } from "./mix/CallKind.ts"
import type { Process, ProcessServices } from "./Process.ts"
import { CurrentObserver, type StorageCommit, type TransactionObserver } from "./storagePort.ts"

/** The services that calls reach, by the name in the names of their operations. */
const services: Readonly<Record<string, Context.Key<ProcessServices, object>>> = {
  Administration,
  ChangeRequests,
  Collections,
  Comments,
  Content,
  Events,
  GitSync,
  ImportRuns,
  Members,
  Permissions,
  PublishedSites,
  Reviews,
  Revisions,
  Search,
  Sessions,
  ShareLinks,
  SignIns,
  SiteSections,
  SiteSettings,
  SiteSpaces,
  Sites,
  Spaces,
  Teams,
  Tokens,
  Uploads,
  Webhooks
} as Readonly<Record<string, Context.Key<ProcessServices, object>>>

/** A call, as data. */
export interface CallData {
  /** The operation, as in `Spaces.create`. */
  readonly operation: string
  readonly parameters: Parameters
  /** The user who calls; undefined for the operator. */
  readonly user: string | undefined
}

/** How a call ended. `unknown`: the caller has not received the result, so it may be committed or not. */
export type Outcome =
  | { readonly kind: "success"; readonly value: unknown; readonly text: string }
  | { readonly kind: "failure"; readonly error: string }
  | { readonly kind: "unknown"; readonly reason: string }
  | { readonly kind: "defect"; readonly message: string }

/** A call with its inputs, its commit and its result. */
export interface ExecutedCall {
  readonly call: CallData
  readonly inputs: RecordedInputs
  /** The version of the last commit of the call that has changed the store; undefined if no commit has changed it. */
  commit: StorageCommit | undefined
  outcome: Outcome
}

/** The errors of a store that does not respond, after which a result is unknown. */
const unknownErrors = new Set(["StorageUnavailable"])

/** Returns a value as text, so that equal values have equal text. */
export const toText = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner instanceof Uint8Array ? `bytes ${Array.from(inner).join(" ")}` : inner
  ) ?? "undefined"

const outcomeOf = (exit: Exit.Exit<unknown, unknown>): Outcome => {
  if (Exit.isSuccess(exit)) return { kind: "success", value: exit.value, text: toText(exit.value) }
  const error = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
  if (typeof error === "object" && error !== null && "_tag" in error) {
    const tag = String(error._tag)
    if (unknownErrors.has(tag))
      return { kind: "unknown", reason: `${tag} ${"reason" in error ? String(error.reason) : ""}` }
    return { kind: "failure", error: "reason" in error ? `${tag} ${String(error.reason)}` : tag }
  }
  if (Cause.hasInterruptsOnly(exit.cause)) return { kind: "unknown", reason: "interrupted" }
  return { kind: "defect", message: Cause.pretty(exit.cause) }
}

/** An operation of any service. */
interface AnyOperation {
  (parameters: Parameters): Effect.Effect<unknown, unknown, CurrentUser>
  readonly definition: OperationDefinition
}

/** Runs the operation of a call. */
const runOperation = ({ operation, parameters, user }: CallData) =>
  Effect.gen(function* () {
    const [service = "", method = ""] = operation.split(".")
    const key = services[service]
    const found =
      key === undefined ? undefined : (Reflect.get(yield* key, method) as AnyOperation | undefined)
    if (found === undefined) return yield* Effect.die(new Error(`There is no operation ${operation}.`))
    const effect = found(parameters)
    return yield* user === undefined
      ? (effect as Effect.Effect<unknown, unknown>)
      : CurrentUser.provide(UserId.make(user))(effect)
  })

/** A clock whose time does not change during an attempt of a call. */
const frozenClock = (clock: Clock.Clock, inputs: RecordedInputs): Clock.Clock => {
  const millis = () => inputs.timeMs
  const nanos = () => BigInt(inputs.timeMs) * 1_000_000n
  return {
    ...clock,
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos)
  }
}

/** Records the inputs of the attempt that is committed, and its commit. */
const observeCall = (
  executed: ExecutedCall,
  clock: Clock.Clock,
  replayed: RecordedInputs | undefined,
  isEnded: () => boolean
): TransactionObserver => {
  const { inputs } = executed
  let isNumbering = false
  return {
    onBegin: () => {
      isNumbering = false
      inputs.open = receivedNothing()
      if (replayed === undefined) inputs.timeMs = clock.currentTimeMillisUnsafe()
    },
    onWrite: (table) => {
      // A call can number the events of others before its own transaction.
      isNumbering ||= table === "events"
    },
    onCommit: (commit) => {
      if (!isEnded() && !isNumbering) {
        executed.commit = commit
        inputs.committed = inputs.open ?? receivedNothing()
      }
      inputs.open = undefined
    },
    onRollback: () => {
      inputs.open = undefined
    }
  }
}

/**
 * Executes a call in a process, and calls `onEnd` unless the process is killed. `replayed` are the inputs that it receives; it generates
 * them by default. Returns the call, and a function that interrupts it.
 */
export const startCall = (
  process: Process,
  call: CallData,
  replayed: RecordedInputs | undefined,
  onEnd: (executed: ExecutedCall) => void
): { readonly executed: ExecutedCall; readonly interrupt: () => void } => {
  const { clock } = process.thread
  const inputs: RecordedInputs = {
    outside: receivedNothing(),
    committed: receivedNothing(),
    open: undefined,
    timeMs: replayed?.timeMs ?? clock.currentTimeMillisUnsafe()
  }
  const executed: ExecutedCall = {
    call,
    inputs,
    commit: undefined,
    outcome: { kind: "unknown", reason: "the process was killed" }
  }
  let isEnded = false
  const effect = runOperation(call).pipe(
    Effect.provideService(
      CurrentObserver,
      observeCall(executed, clock, replayed, () => isEnded)
    ),
    Effect.provideService(CurrentCall, { recorded: inputs, replayed }),
    Effect.provideService(Clock.Clock, frozenClock(clock, inputs))
  )
  const interrupt = process.run(effect, (exit) => {
    isEnded = true
    executed.outcome = outcomeOf(exit)
    onEnd(executed)
  })
  return { executed, interrupt }
}
