/** The flags of the sources that the server reads: OpenAPI specs, imports and uploads. */
import { ImportLimits, OpenApiPollInterval, UploadLimits } from "@lectern/core"
import { Effect, Layer, type Option } from "effect"
import { readRequiredSetting, settingFlag } from "../settings/Setting.ts"
import * as SourceSettings from "../settings/SourceSettings.ts"

/** The flags of the settings. */
export const sourceFlags = {
  openApiPollHours: settingFlag(SourceSettings.openApiPollHours),
  importMaxPages: settingFlag(SourceSettings.importMaxPages),
  importMaxArchiveSize: settingFlag(SourceSettings.importMaxArchiveSize),
  importMaxWebsitePages: settingFlag(SourceSettings.importMaxWebsitePages),
  uploadMaxUserSize: settingFlag(SourceSettings.uploadMaxUserSize),
  uploadMaxOrganizationSize: settingFlag(SourceSettings.uploadMaxOrganizationSize)
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
  const uploads = {
    user: yield* readRequiredSetting(SourceSettings.uploadMaxUserSize, flags.uploadMaxUserSize),
    organization: yield* readRequiredSetting(
      SourceSettings.uploadMaxOrganizationSize,
      flags.uploadMaxOrganizationSize
    )
  }
  return Layer.mergeAll(
    Layer.succeed(OpenApiPollInterval, pollHours * 60 * 60 * 1_000),
    Layer.succeed(ImportLimits, limits),
    Layer.succeed(UploadLimits, {
      userBytes: uploads.user * 1024 * 1024,
      organizationBytes: uploads.organization * 1024 * 1024
    })
  )
})
