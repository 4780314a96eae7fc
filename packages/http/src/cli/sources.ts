/** The flags of the sources that the server reads: OpenAPI specs and imports. */
import { ImportLimits, OpenApiPollInterval } from "@lectern/core"
import { Effect, Layer, type Option } from "effect"
import { readRequiredSetting, settingFlag } from "../settings/Setting.ts"
import * as SourceSettings from "../settings/SourceSettings.ts"

/** The flags of the settings. */
export const sourceFlags = {
  openApiPollHours: settingFlag(SourceSettings.openApiPollHours),
  importMaxPages: settingFlag(SourceSettings.importMaxPages),
  importMaxArchiveSize: settingFlag(SourceSettings.importMaxArchiveSize),
  importMaxWebsitePages: settingFlag(SourceSettings.importMaxWebsitePages)
}

/** Reads the settings, and returns the layer that provides their values to a workspace. */
export const readSources = Effect.fnUntraced(function* (
  flags: Readonly<Record<keyof typeof sourceFlags, Option.Option<string>>>
) {
  const pollHours = yield* readRequiredSetting(SourceSettings.openApiPollHours, flags.openApiPollHours)
  const megabytes = yield* readRequiredSetting(
    SourceSettings.importMaxArchiveSize,
    flags.importMaxArchiveSize
  )
  const limits = {
    archivePages: yield* readRequiredSetting(SourceSettings.importMaxPages, flags.importMaxPages),
    archiveBytes: megabytes * 1024 * 1024,
    websitePages: yield* readRequiredSetting(
      SourceSettings.importMaxWebsitePages,
      flags.importMaxWebsitePages
    )
  }
  return Layer.merge(
    Layer.succeed(OpenApiPollInterval, pollHours * 60 * 60 * 1_000),
    Layer.succeed(ImportLimits, limits)
  )
})
