/** The dependencies and errors that all kinds of imports share. */

import {
  catchUnreadable,
  type ImportLimitsSettings,
  type NotReadable,
  type ProcessGitPack,
  type ReadImport
} from "@lectern/formats"
import type { Fetch, StorageUnavailable } from "@lectern/kernel"
import { InvalidInput, type UpstreamFailed, type UpstreamTimeout } from "@lectern/model/errors"
import { Effect } from "effect"
import type { RunContext } from "./RunContext.ts"

/** The dependencies of one import. */
export interface ImportContext {
  readonly fetch: Fetch
  readonly read: ReadImport
  /** Processes packfiles; undefined if the host cannot. */
  readonly processPack: ProcessGitPack | undefined
  readonly limits: ImportLimitsSettings
  /** The random part of the placeholders of link targets: see `markOf`. */
  readonly mark: string
  /** The run that the import belongs to; undefined for an import that a client waits for. */
  readonly run: RunContext | undefined
}

/** The errors of fetching and parsing a source. Nothing has been written when they occur. */
export type FetchError = InvalidInput | UpstreamFailed | UpstreamTimeout | StorageUnavailable

/** Creates the error of a URL that refers to an unsuitable resource. The message completes "`url` …". */
export const urlError = (message: string): InvalidInput => InvalidInput.at("url", message)

/**
 * Maps the error of unreadable bytes to the error of the URL that they were fetched from. A conversion that can succeed when it
 * is repeated fails with `StorageUnavailable`.
 */
export const mapNotReadable = <A>(
  effect: Effect.Effect<A, NotReadable>
): Effect.Effect<A, InvalidInput | StorageUnavailable> =>
  catchUnreadable(effect, ({ message }) => Effect.fail(urlError(message)))

/**
 * Returns undefined if the part of a source cannot be fetched or parsed. It fails if the server is unable to determine that
 * now: the result of an import must not depend on the load of the server.
 */
export const optional = <A>(
  effect: Effect.Effect<A, FetchError>
): Effect.Effect<A | undefined, StorageUnavailable> =>
  Effect.catchIf(
    effect,
    (error) => error._tag !== "StorageUnavailable",
    () => Effect.succeed(undefined)
  ) as Effect.Effect<A | undefined, StorageUnavailable>
