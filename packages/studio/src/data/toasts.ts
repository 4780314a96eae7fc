/** Messages on changes, which disappear after some seconds. */
import { createStore } from "../store/store.ts"

/** A button of a message. */
export interface ToastAction {
  readonly label: string
  readonly run: () => void
}

/** A message on a change. */
export interface Toast {
  readonly id: number
  readonly kind: "done" | "failed"
  readonly message: string
  /** More about a failure: what happened to the work, or the message of the server. */
  readonly detail?: string | undefined
  /** The request id of a failure, with which the server logged it. */
  readonly requestId?: string | undefined
  /** The usual next step. */
  readonly next?: ToastAction | undefined
  /** Whether the message stays until it is dismissed, because the next step is needed. */
  readonly isLasting?: boolean
  /** Undoes the change. */
  readonly undo?: (() => void) | undefined
}

/** The messages that are displayed, oldest first. */
export const toastStore = createStore<ReadonlyArray<Toast>>([])

const maximumToasts = 4

let lastId = 0

/** Displays a message. Returns its id. */
export const showToast = (toast: Omit<Toast, "id">): number => {
  const id = ++lastId
  toastStore.set([...toastStore.get(), { ...toast, id }].slice(-maximumToasts))
  return id
}

/** Removes a message. */
export const dismissToast = (id: number): void =>
  toastStore.set(toastStore.get().filter((toast) => toast.id !== id))
