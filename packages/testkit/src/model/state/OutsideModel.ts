/** The states of webhooks, Git synchronizations and uploads in the model of a workspace. */

/** A webhook of an organization. */
export interface WebhookState {
  readonly organization: string
  url: string
  description: string | null
  events: ReadonlyArray<string>
  active: boolean
  /** Until when requests are also signed with the former secret, in milliseconds since 1970. */
  formerSecretUntil: number | undefined
  /** All secrets that it has had. */
  readonly secrets: Set<string>
}

/** An operation of the Git synchronization of a space. */
export interface GitOperationState {
  readonly direction: "import" | "export"
  /** The path of its repository, without the extension. */
  readonly repository: string
  readonly ref: string
}

/** The Git synchronization of a space. */
export interface GitState {
  /** The operation that started last. */
  started: GitOperationState
  /** The operations that have not ended; the first one is `started`. */
  queue: ReadonlyArray<GitOperationState>
  /** When the event occurred that started the latest operation; undefined if no request had a time. */
  timestamp: string | undefined
}

/** A file that a user uploads, or has uploaded. */
export interface UploadState {
  readonly organization: string
  readonly user: string
  readonly url: string
  readonly size: number
  /** When it was requested, in milliseconds since 1970. */
  readonly createdAt: number
}

/** Ends the operations of a space: its repositories do not exist, so all of them fail. */
export const endGitOperations = (states: Iterable<GitState>): void => {
  for (const state of states) {
    state.started = state.queue.at(-1) ?? state.started
    state.queue = []
  }
}
