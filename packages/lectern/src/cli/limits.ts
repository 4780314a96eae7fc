/** The flags of `lectern serve` that limit requests. */

import type { Limits } from "@lectern/http"
import { Effect, type FileSystem, type Option } from "effect"
import * as LimitSettings from "../settings/LimitSettings.ts"
import { type ConfigurationError, readRequiredSetting, settingFlag } from "../settings/Setting.ts"

/** The flags that limit requests. */
export const limitFlags = {
  rateLimits: settingFlag(LimitSettings.rateLimits),
  maxConcurrentRequests: settingFlag(LimitSettings.maxConcurrentRequests),
  requestTimeout: settingFlag(LimitSettings.requestTimeout),
  downloadTimeout: settingFlag(LimitSettings.downloadTimeout),
  importTimeout: settingFlag(LimitSettings.importTimeout),
  uploadTimeout: settingFlag(LimitSettings.uploadTimeout),
  bodyIdleTimeout: settingFlag(LimitSettings.bodyIdleTimeout),
  drainDelay: settingFlag(LimitSettings.drainDelay)
}

/** The values of {@link limitFlags}, as text. */
type LimitFlags = { readonly [K in keyof typeof limitFlags]: Option.Option<string> }

/** Reads the limits of requests. Several processes can share a PostgreSQL database, and then share their counts. */
export const readLimits = (
  flags: LimitFlags,
  isShared: boolean
): Effect.Effect<Limits & { readonly drainDelayMs: number }, ConfigurationError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const rateLimits = yield* readRequiredSetting(LimitSettings.rateLimits, flags.rateLimits)
    const seconds = {
      request: yield* readRequiredSetting(LimitSettings.requestTimeout, flags.requestTimeout),
      download: yield* readRequiredSetting(LimitSettings.downloadTimeout, flags.downloadTimeout),
      upload: yield* readRequiredSetting(LimitSettings.uploadTimeout, flags.uploadTimeout),
      idle: yield* readRequiredSetting(LimitSettings.bodyIdleTimeout, flags.bodyIdleTimeout),
      import: yield* readRequiredSetting(LimitSettings.importTimeout, flags.importTimeout),
      drain: yield* readRequiredSetting(LimitSettings.drainDelay, flags.drainDelay)
    }
    return {
      ...(rateLimits === false ? {} : { rateLimits, sharesRateLimits: isShared }),
      maxConcurrentRequests: yield* readRequiredSetting(
        LimitSettings.maxConcurrentRequests,
        flags.maxConcurrentRequests
      ),
      requestTimeoutMs: seconds.request * 1000,
      downloadTimeoutMs: seconds.download * 1000,
      importTimeoutMs: seconds.import * 1000,
      uploadTimeoutMs: seconds.upload * 1000,
      bodyIdleTimeoutMs: seconds.idle * 1000,
      drainDelayMs: seconds.drain * 1000
    }
  })
