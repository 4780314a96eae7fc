/** The types of hooks around commands, derived from the services of a workspace. */

import type { ExecutedCall, HookedCall, Operation } from "@lectern/access"
import type { AnyFeature, ServiceTags, UserServiceTags } from "@lectern/kernel"
import type { Context } from "effect"
import type { userServices } from "./features.ts"

type Tags<HostFeatures extends ReadonlyArray<AnyFeature>> = typeof userServices &
  UserServiceTags<HostFeatures>

type ServiceOf<T extends ServiceTags, K extends keyof T> = Context.Service.Shape<T[K]>

/** The names of the operations of services, as in `Spaces.create`. */
type NamesIn<T extends ServiceTags> = {
  readonly [K in keyof T & string]: `${Capitalize<K>}.${keyof ServiceOf<T, K> & string}`
}[keyof T & string]

/** The operation with a name. */
type OperationNamed<
  T extends ServiceTags,
  Name extends string
> = Name extends `${infer Service}.${infer Method}`
  ? Uncapitalize<Service> extends keyof T
    ? Method extends keyof ServiceOf<T, Uncapitalize<Service>>
      ? ServiceOf<T, Uncapitalize<Service>>[Method]
      : never
    : never
  : never

type Before<Op, Name> =
  Op extends Operation<infer Parameters, infer _A, infer _E, infer _R>
    ? (
        call: Omit<HookedCall, "operation" | "parameters"> & {
          readonly operation: Name
          readonly parameters: Parameters
        }
      ) => Promise<void> | void
    : never

type After<Op, Name> =
  Op extends Operation<infer Parameters, infer A, infer _E, infer _R>
    ? (
        call: Omit<ExecutedCall, "operation" | "parameters" | "result"> & {
          readonly operation: Name
          readonly parameters: Omit<Parameters, "input">
          readonly result: A
        }
      ) => Promise<void> | void
    : never

/** Hooks of a host around the commands of a workspace, by the name of the command, as in `Spaces.create`. */
export interface HostHooks<HostFeatures extends ReadonlyArray<AnyFeature> = readonly []> {
  /**
   * Run in the transaction of the command, after its authorization and before its body. If one throws a `Forbidden` or an
   * `InvalidInput`, the command is rolled back and fails with this error: `throw rejectCommand("Titles need a ticket.")`. The
   * transaction is retried if it conflicts with another, so a hook can run several times and must not perform external
   * I/O.
   */
  readonly before?: {
    readonly [Name in NamesIn<Tags<HostFeatures>>]?: Before<OperationNamed<Tags<HostFeatures>, Name>, Name>
  }
  /**
   * Run after the command has committed, as background work (`workspace.work.run`): once, and again if the process is
   * killed or the hook rejects. `id` identifies the execution, to ignore a repetition.
   */
  readonly after?: {
    readonly [Name in NamesIn<Tags<HostFeatures>>]?: After<OperationNamed<Tags<HostFeatures>, Name>, Name>
  }
}
