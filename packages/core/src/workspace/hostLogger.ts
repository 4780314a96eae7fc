/** The log of a workspace for hosts without Effect. */
import { Cause, type Layer, Logger } from "effect"

/** A log entry. */
export interface LogEntry {
  /** The severity. */
  readonly level: "Trace" | "Debug" | "Info" | "Warn" | "Error" | "Fatal"
  /** The message. */
  readonly message: string
  /** When it was logged. */
  readonly date: Date
  /** The cause of a failure, as text with stack traces. */
  readonly cause?: string
}

/** Sends log entries to a function of the host. */
export const hostLogger = (log: (entry: LogEntry) => void): Layer.Layer<never> =>
  Logger.layer([
    Logger.make<unknown, void>(({ cause, date, logLevel, message }) => {
      if (logLevel === "All" || logLevel === "None") return
      log({
        level: logLevel,
        message: (Array.isArray(message) ? message : [message]).map(String).join(" "),
        date,
        ...(cause.reasons.length === 0 ? {} : { cause: Cause.pretty(cause) })
      })
    })
  ])
