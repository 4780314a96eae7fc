/** The errors that a workspace fails with, as one type: what a host catches. */

import { StorageUnavailable } from "@lectern/kernel"
import { FeatureError, type OperationError, operationErrors } from "@lectern/model/errors"

/** Every typed error of a workspace. Narrow it by `_tag`, and then by `reason`. */
export type LecternError = OperationError | FeatureError | StorageUnavailable

const classes = [...operationErrors, FeatureError, StorageUnavailable]

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
