/** The size of the caches of content in memory, which the host or the operator chooses. */
import { Context, Effect } from "effect"

const bytesPerMiB = 1024 * 1024

/** The default sum of the maximum sizes of all caches of content, in bytes: 350 MiB. */
export const defaultCacheSize: number = 350 * bytesPerMiB

/**
 * The sum of the maximum sizes of the caches of content, in bytes; 350 MiB by default. Each cache has a fixed share. It is read
 * when the workspace is built.
 */
export const CacheSize = Context.Reference<number>("@lectern/core/CacheSize", {
  defaultValue: () => defaultCacheSize
})

/** Returns the size of a cache whose size is `defaultMaximum` if the sum is the default, in the same unit; at least 1. */
export const cacheShare = (defaultMaximum: number): Effect.Effect<number> =>
  Effect.map(CacheSize, (sum) => Math.max(1, Math.floor((defaultMaximum * sum) / defaultCacheSize)))
