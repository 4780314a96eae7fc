/** Kinds of calls, from which the users of a simulation choose. */
import type { Choice, KnownResources } from "./KnownResources.ts"

/** The parameters of a call, by name. */
export type Parameters = Readonly<Record<string, unknown>>

/** A kind of call. */
export interface CallKind {
  /** The name of the kind, unique. */
  readonly name: string
  /** The operation, as in `Spaces.create`. */
  readonly operation: string
  readonly isQuery: boolean
  /** Whether the operator or the server calls, and not a user. */
  readonly isOperator: boolean
  /** Whether the result depends on commits of commands only, and not on background work. */
  readonly isCompared: boolean
  /** Chooses the parameters; undefined if the resources do not exist yet. */
  readonly choose: (choice: Choice) => Parameters | undefined
  /** Adds the resources in the result of a successful call to the known ones. */
  readonly learn: (known: KnownResources, result: unknown, parameters: Parameters, user: string) => void
}

type Options = Partial<Pick<CallKind, "isCompared" | "isOperator" | "learn" | "name">>

const define =
  (isQuery: boolean) =>
  (
    operation: string,
    choose: CallKind["choose"],
    { name, isCompared, isOperator, learn }: Options = {}
  ): CallKind => ({
    name: name ?? operation,
    operation,
    isQuery,
    isOperator: isOperator ?? false,
    isCompared: isCompared ?? true,
    choose,
    learn: learn ?? (() => {})
  })

/** Defines a kind of command. */
export const command = define(false)

/** Defines a kind of query. */
export const query = define(true)

/** Returns the id of a resource, or of a part of a result. */
export const idIn = (result: unknown): string | undefined => {
  if (typeof result !== "object" || result === null || !("id" in result)) return undefined
  return typeof result.id === "string" ? result.id : undefined
}

/** Adds the id of the result to a list. */
export const learnId =
  (list: (known: KnownResources) => Array<string>): CallKind["learn"] =>
  (known, result) => {
    const id = idIn(result)
    if (id !== undefined) list(known).push(id)
  }
