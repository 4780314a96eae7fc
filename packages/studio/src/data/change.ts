/** Changes of resources: displayed before they are sent, and undone on demand. */
import { ApiError } from "@lectern/client/fetch"
import { shellStrings } from "../strings/shell.ts"
import { translate } from "../strings/strings.ts"
import { invalidate } from "./cache.ts"
import { messageOfApiError } from "./invalidFields.ts"
import { showToast, type ToastAction } from "./toasts.ts"

/** A change of resources. */
export interface Change<Result> {
  /** Displays the change before it is sent. Returns functions that revert it. */
  readonly apply?: () => ReadonlyArray<() => void>
  /** Sends the change. */
  readonly send: () => Promise<Result>
  /** The message once the change is stored, in the past tense: "Space moved". Without it, success is silent. */
  readonly message?: string | ((result: Result) => string)
  /** The message if the change fails: "The space was not moved". */
  readonly failure: string
  /** Undoes the change on the server. The message then has the button "Undo". */
  readonly undo?: (result: Result) => Promise<unknown>
  /** The usual next step: a button of the message. */
  readonly next?: ToastAction
  /** The keys of the resources that the change affects. */
  readonly invalidates: ReadonlyArray<string>
}

/** The person has declined a question of an action, which ends without a message. */
export class Declined extends Error {}

/** Whether a request has not reached the server. Browsers report it by a message for developers, such as "Failed to fetch". */
const isConnectionFailure = (error: unknown): boolean =>
  error instanceof ApiError
    ? error._tag === "ConnectionFailed"
    : error instanceof TypeError || (error as { readonly reason?: string } | null)?.reason === "unavailable"

/** Returns the message of an error for a person: that of the server, or that there is no connection to it. */
export const messageOfError = (error: unknown): string =>
  isConnectionFailure(error)
    ? translate(shellStrings, "offlineDetail")
    : error instanceof ApiError
      ? messageOfApiError(error)
      : error instanceof Error
        ? error.message
        : String(error)

/** Displays an error of a change, with its request id. */
export const showFailure = (failure: string, error: unknown): void => {
  if (error instanceof Declined) return
  showToast({
    kind: "failed",
    message: failure,
    detail: messageOfError(error),
    requestId: error instanceof ApiError ? error.requestId : undefined
  })
}

/** Runs a change. Resolves with its result, or with `undefined` if it failed, which is displayed. */
export const runChange = async <Result>(change: Change<Result>): Promise<Result | undefined> => {
  const rollbacks = change.apply?.() ?? []
  const refresh = () => {
    for (const key of change.invalidates) invalidate(key)
  }
  try {
    const result = await change.send()
    refresh()
    const { message, undo } = change
    if (message !== undefined) {
      showToast({
        kind: "done",
        message: typeof message === "string" ? message : message(result),
        next: change.next,
        undo:
          undo === undefined
            ? undefined
            : () =>
                void undo(result).then(refresh, (error: unknown) => {
                  refresh()
                  showFailure(translate(shellStrings, "undoFailed"), error)
                })
      })
    }
    return result
  } catch (error) {
    for (const rollback of rollbacks) rollback()
    refresh()
    showFailure(change.failure, error)
    return undefined
  }
}
