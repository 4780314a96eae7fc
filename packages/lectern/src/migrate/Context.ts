/** The context of every step of a migration: both APIs, the journal, the report, and the progress. */
import type { FindCopy, ReferenceKind } from "@lectern/formats"
import { Effect } from "effect"
import { ConfigurationError } from "../settings/Setting.ts"
import type { ApiClient, RequestFailed } from "./ApiClient.ts"
import type { Journal } from "./Journal.ts"
import { type Finding, parseFindings, type Report } from "./Report.ts"

/** The parts of an organization that can be skipped. */
export const skippableParts = [
  "members",
  "permissions",
  "openapi",
  "translations",
  "sites",
  "change-requests"
] as const

/** A part of an organization that can be skipped. */
export type Part = (typeof skippableParts)[number]

/** The context of every step of a migration. */
export interface MigrationContext {
  readonly source: ApiClient
  readonly target: ApiClient
  readonly journal: Journal
  readonly report: Report
  /** The number of documents that are read concurrently. */
  readonly concurrency: number
  /** The first pause before a repetition, in milliseconds. */
  readonly retryMillis: number
  readonly skipped: ReadonlySet<Part>
  /** Reports progress to the user. */
  readonly progress: (message: string) => Effect.Effect<void>
}

/** The errors of a step: the migration ends with a `ConfigurationError`, and the resource is reported with a `RequestFailed`. */
export type StepError = RequestFailed | ConfigurationError

/** The number of requests in a row without a response, after which the migration ends. */
const maximumUnreachable = 3

/** Counts the requests in a row without a response, by context. */
const unreachable = new WeakMap<Journal, number>()

const isFatal = ({ journal }: MigrationContext, { status, isPermanent }: RequestFailed): boolean => {
  if (status === 401 || isPermanent === true) return true
  const count = status === 0 ? (unreachable.get(journal) ?? 0) + 1 : 0
  unreachable.set(journal, count)
  return count >= maximumUnreachable
}

const stopped = ({ message, isPermanent }: RequestFailed): ConfigurationError =>
  new ConfigurationError({
    message: `The migration has stopped: ${message} ${isPermanent === true ? "Correct this, and repeat" : "Repeat"} the command to continue.`
  })

/** The findings of one step. */
export interface Findings {
  readonly missing: (message: string, resource?: string) => void
  readonly changed: (message: string, resource?: string) => void
  readonly unresolved: (references: ReadonlyArray<string>, resource?: string) => void
  /** Whether nothing is missing, also no resource that a reference leads to. */
  readonly isComplete: () => boolean
  /** The findings until now. */
  readonly all: () => ReadonlyArray<Finding>
  /** Adds findings of an earlier run. */
  readonly restore: (findings: ReadonlyArray<Finding>) => void
}

/**
 * Runs a step, which is repeated by the next run unless it succeeds. A request that fails permanently is reported as missing, and the
 * migration continues; it ends if the credentials are rejected or a server cannot be reached.
 */
export const step = <A>(
  context: MigrationContext,
  name: string,
  resource: string,
  run: (findings: Findings) => Effect.Effect<A, StepError>
): Effect.Effect<A | undefined, ConfigurationError> =>
  Effect.suspend(() => {
    const found: Array<Finding> = []
    const add =
      (kind: Finding["kind"]) =>
      (message: string, of: string = resource) => {
        found.push({ kind, resource: of, message })
      }
    let isComplete = true
    const findings: Findings = {
      isComplete: () => isComplete && found.every(({ kind }) => kind !== "missing"),
      all: () => [...found],
      restore: (earlier) => {
        found.push(...earlier)
      },
      missing: add("missing"),
      changed: add("changed"),
      unresolved: (references, of) => {
        if (references.length > 0) isComplete = false
        for (const reference of references) {
          add("changed")(
            `It refers to the ${reference}, which was not copied. The reference has the id of the source.`,
            of
          )
        }
      }
    }
    return run(findings).pipe(
      Effect.tap(() => Effect.sync(() => unreachable.set(context.journal, 0))),
      Effect.catchTag("RequestFailed", (failure) => {
        if (isFatal(context, failure)) return Effect.fail(stopped(failure))
        findings.missing(describeFailure(failure))
        return Effect.succeed(undefined)
      }),
      Effect.tap(() => context.report.replace(name, found))
    )
  })

/** Describes a request that failed permanently. */
export const describeFailure = ({ status, message }: RequestFailed): string =>
  status === 403
    ? `The token has no permission: ${message}`
    : status === 0
      ? `No complete response arrived: ${message}`
      : message

/** How a resource is created once. */
export interface Creation {
  /** Finds a copy that was created without being noted in the journal. */
  readonly findCreated: (
    isUnknown: (id: string) => boolean
  ) => Effect.Effect<string | undefined, RequestFailed>
  /** Creates the copy, and returns its id. */
  readonly create: (idempotencyKey: string) => Effect.Effect<string, RequestFailed>
}

/** Whether a request could have had its effect although it failed. */
const isAmbiguous = ({ status, reason }: RequestFailed): boolean =>
  status === 0 || status >= 500 || (status === 409 && reason === "AlreadyDone")

/**
 * Returns the id of the copy of a resource, and creates it unless it exists. A copy whose creation was interrupted is found again, so
 * that there is never a second one.
 */
export const ensureCopy = Effect.fnUntraced(function* (
  { journal }: MigrationContext,
  kind: string,
  id: string,
  { findCreated, create }: Creation
): Effect.fn.Return<string, RequestFailed> {
  const key = `${kind}/${id}`
  const copied = journal.idOf(key)
  if (copied !== undefined) return copied
  const find = Effect.suspend(() => {
    const known = new Set(journal.entries(`${kind}/`).map(([, copy]) => copy))
    const existing = journal.existing(kind)
    return findCreated((candidate) => !known.has(candidate) && existing?.has(candidate) !== true)
  })
  let copy = journal.isStarted(key) ? yield* find : undefined
  if (copy === undefined) {
    yield* journal.start(key)
    copy = yield* Effect.catchTag(create(journal.keyOf(key)), "RequestFailed", (failure) =>
      isAmbiguous(failure)
        ? Effect.flatMap(find, (found) =>
            found === undefined ? Effect.fail(failure) : Effect.succeed(found)
          )
        : Effect.fail(failure)
    )
  }
  yield* journal.finish(key, copy)
  return copy
})

/** Runs a change that can be repeated, unless it is noted as done. */
export const onceDone = Effect.fnUntraced(function* <E>(
  { journal }: MigrationContext,
  key: string,
  run: Effect.Effect<unknown, E>
): Effect.fn.Return<void, E> {
  if (journal.idOf(key) !== undefined) return
  yield* run
  yield* journal.finish(key, "1")
})

/**
 * Runs a change that can be repeated, unless it is noted as done: that is when nothing was missing. A later run then completes it, and a
 * complete one is not written again over the changes of people. Its findings are noted, and every later run reports them again.
 */
export const onceComplete = Effect.fnUntraced(function* <E>(
  { journal }: MigrationContext,
  key: string,
  findings: Findings,
  run: Effect.Effect<unknown, E>
): Effect.fn.Return<void, E> {
  const note = `found/${key}`
  if (journal.idOf(key) !== undefined) return findings.restore(parseFindings(journal.noteOf(note)))
  const before = findings.all().length
  yield* run
  if (!findings.isComplete()) return
  const found = findings.all().slice(before)
  if (found.length > 0) yield* journal.note(note, JSON.stringify(found))
  yield* journal.finish(key, "1")
})

const inSpace: ReadonlySet<ReferenceKind> = new Set(["page", "file", "reusableContent"])

const keyPart: Readonly<Partial<Record<ReferenceKind, string>>> = { reusableContent: "reusable-content" }

/** Finds the copies of the resources that the content of a space refers to. */
export const findCopyIn =
  ({ journal }: MigrationContext, space: string | undefined): FindCopy =>
  (kind, id, referenced) => {
    const container = referenced ?? space
    const key = inSpace.has(kind) ? `${container}/${id}` : id
    return journal.idOf(`${keyPart[kind] ?? kind}/${key}`)
  }

/** The text of a field. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "")
