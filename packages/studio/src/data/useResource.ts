/** Displays a resource from the cache, and loads it. */
import type { ApiError } from "@lectern/client/fetch"
import { useCallback, useRef, useSyncExternalStore } from "react"
import { readSnapshot, reload, type Snapshot, subscribe } from "./cache.ts"

/** A resource of the server, as far as it is known. */
export interface Resource<Data> {
  /** The data, possibly out of date while it is refreshed. */
  readonly data: Data | undefined
  /** The error of the last request. There can be data from before it. */
  readonly error: ApiError | undefined
  readonly isLoading: boolean
  readonly reload: () => void
}

/** Options of {@link useResource}. */
export interface ResourceOptions {
  /** How old data may be to be displayed without a request, in milliseconds; 2 seconds by default. */
  readonly staleAfterMs?: number
}

const idle: Snapshot = { data: undefined, error: undefined, isLoading: false, loadedAt: 0 }

/**
 * Returns the resource with a key. `load` requests it; it must depend on nothing that the key does not name. Without a key,
 * nothing is loaded.
 */
export const useResource = <Data>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<Data>,
  { staleAfterMs = 2_000 }: ResourceOptions = {}
): Resource<Data> => {
  const latest = useRef(load)
  latest.current = load
  const listen = useCallback(
    (listener: () => void) =>
      key === undefined
        ? () => undefined
        : subscribe(key, (signal) => latest.current(signal), staleAfterMs, listener),
    [key, staleAfterMs]
  )
  const snapshot = useSyncExternalStore(listen, () => (key === undefined ? idle : readSnapshot(key)))
  const reloadKey = useCallback(() => {
    if (key !== undefined) reload(key)
  }, [key])
  return {
    data: snapshot.data as Data | undefined,
    error: snapshot.error,
    isLoading: snapshot.isLoading || (key !== undefined && snapshot.loadedAt === 0 && !snapshot.error),
    reload: reloadKey
  }
}
