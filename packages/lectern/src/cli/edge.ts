/** The flags of shared caches in front of the server. */
import type { EdgeCachingOptions } from "@lectern/core"
import { type EdgePurge, purgeEdge } from "@lectern/http/server"
import { Effect, type Option } from "effect"
import * as EdgeSettings from "../settings/EdgeSettings.ts"
import {
  ConfigurationError,
  environmentVariable,
  readRequiredSetting,
  readSetting,
  settingFlag
} from "../settings/Setting.ts"

/** The flags of the settings. */
export const edgeFlags = {
  edgeMaxAge: settingFlag(EdgeSettings.edgeMaxAge),
  edgeStale: settingFlag(EdgeSettings.edgeStale),
  edgePurgeUrl: settingFlag(EdgeSettings.edgePurgeUrl),
  edgePurgeToken: settingFlag(EdgeSettings.edgePurgeToken)
}

/** Shared caches, and the receiver of purges. */
interface Edge {
  readonly caching: EdgeCachingOptions | undefined
  readonly purge: EdgePurge | undefined
}

/** Reads the settings. Fails with `ConfigurationError` if a purge is configured, and nothing is stored. */
export const readEdge = Effect.fnUntraced(function* (
  flags: Readonly<Record<keyof typeof edgeFlags, Option.Option<string>>>
) {
  const maxAgeSeconds = yield* readRequiredSetting(EdgeSettings.edgeMaxAge, flags.edgeMaxAge)
  const staleSeconds = yield* readRequiredSetting(EdgeSettings.edgeStale, flags.edgeStale)
  const url = yield* readSetting(EdgeSettings.edgePurgeUrl, flags.edgePurgeUrl)
  const token = yield* readSetting(EdgeSettings.edgePurgeToken, flags.edgePurgeToken)
  if (maxAgeSeconds === 0 && (staleSeconds > 0 || url !== undefined)) {
    const [setting, required] = [
      url === undefined ? EdgeSettings.edgeStale : EdgeSettings.edgePurgeUrl,
      EdgeSettings.edgeMaxAge
    ].map(environmentVariable)
    return yield* new ConfigurationError({
      message: `${setting} requires ${required}: shared caches store nothing otherwise.`
    })
  }
  return {
    caching: maxAgeSeconds === 0 ? undefined : { maxAgeSeconds, staleSeconds },
    purge: url === undefined ? undefined : { url, ...(token === undefined ? {} : { token }) }
  } satisfies Edge
})

/** Sends purges until the scope closes, if there is a receiver. */
export const purgeWhileServing = ({ purge }: Edge) =>
  purge === undefined ? Effect.void : Effect.asVoid(Effect.forkScoped(purgeEdge(purge)))
