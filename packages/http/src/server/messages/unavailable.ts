/** The reasons of responses with the status 503: the messages that clients receive, and the status of `/readyz`. */
import type { StorageUnavailable } from "@lectern/core"

/** A reason of a response with the status 503. */
export interface UnavailableReason {
  /** The message that clients receive. It does not reveal the cause, which is logged. */
  readonly message: string
  /** The status of `/readyz` while the reason holds. */
  readonly readiness: string
}

/** The reasons of the store, with everything that is derived from them. */
export const unavailableReasons: Readonly<Record<StorageUnavailable["reason"], UnavailableReason>> = {
  Unreachable: {
    message: "The database does not respond. Try again later.",
    readiness: "the database does not respond"
  },
  Contention: {
    message:
      "Other changes to the same data did not end in time, or the database does not respond. Try again.",
    readiness: "the database is locked"
  },
  Overloaded: {
    message: "Too many requests wait for the database. Try again later.",
    readiness: "no connection to the database is free"
  },
  DeadlineExceeded: {
    message: "The operation exceeded its deadline. Try again later, or send a smaller request.",
    readiness: "the database does not respond"
  },
  ReadOnly: {
    message: "The database accepts no writes now. Try again later.",
    readiness: "the database accepts no writes"
  },
  Corrupted: {
    message: "The database is corrupt. An administrator must repair it.",
    readiness: "the database is corrupt"
  },
  FileReplaced: {
    message: "The database file was replaced, moved or deleted. An administrator must restart the server.",
    readiness: "the database file was replaced, moved or deleted"
  },
  ConversionFailed: {
    message: "The conversion of the content failed, and nothing was changed. Try again later.",
    readiness: "the conversion of content fails"
  },
  SchemaTooNew: {
    message:
      "A newer version of the server upgraded the database. An administrator must upgrade this server.",
    readiness: "a newer version of Lectern migrated the database"
  }
}

/** The reasons that do not come from the store, with the messages that clients receive. */
export const serverReasons = {
  Overloaded: "The server has too many requests in progress. Try again later.",
  NotStarted: "The workspace cannot be opened. Try again later."
} as const

/** The status of `/readyz` while the server stops. */
export const stoppingReadiness = "the server is stopping"
