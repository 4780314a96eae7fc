/** The errors that a workspace fails with, as one type: what a host catches. */
import {
  Conflict,
  Forbidden,
  Gone,
  InvalidInput,
  NotFound,
  PreconditionFailed,
  Unauthenticated,
  UpstreamFailed,
  UpstreamTimeout
} from "../kernel/errors.ts"
import { StorageUnavailable } from "../kernel/storage/index.ts"

/** Every typed error of a workspace. Narrow it by `_tag`, and then by `reason`. */
export type LecternError =
  | InvalidInput
  | Unauthenticated
  | Forbidden
  | NotFound
  | Conflict
  | Gone
  | PreconditionFailed
  | UpstreamFailed
  | UpstreamTimeout
  | StorageUnavailable

const classes = [
  InvalidInput,
  Unauthenticated,
  Forbidden,
  NotFound,
  Conflict,
  Gone,
  PreconditionFailed,
  UpstreamFailed,
  UpstreamTimeout,
  StorageUnavailable
] as const

/**
 * Whether a caught value is a typed error of a workspace.
 *
 * @example
 * try {
 *   await workspace.as(user).spaces.remove({ space })
 * } catch (error) {
 *   if (isLecternError(error) && error._tag === "Conflict" && error.reason === "SpaceDeleted") return
 *   throw error
 * }
 */
export const isLecternError = (value: unknown): value is LecternError =>
  classes.some((errorClass) => value instanceof errorClass)
