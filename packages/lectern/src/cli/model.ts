/** The flags of the language model that answers questions. */
import { type MakeAnswers, modelAnswers } from "@lectern/answers"
import { nodeFetcher } from "@lectern/http"
import { Effect, type FileSystem, type Option } from "effect"
import * as ModelSettings from "../settings/ModelSettings.ts"
import {
  ConfigurationError,
  environmentVariable,
  readRequiredSetting,
  readSetting,
  settingFlag
} from "../settings/Setting.ts"

/** The flags of the settings. */
export const modelFlags = {
  modelUrl: settingFlag(ModelSettings.modelUrl),
  modelKey: settingFlag(ModelSettings.modelKey),
  modelName: settingFlag(ModelSettings.modelName),
  modelTimeout: settingFlag(ModelSettings.modelTimeout),
  modelMaxTokens: settingFlag(ModelSettings.modelMaxTokens),
  modelQuestionsPerHour: settingFlag(ModelSettings.modelQuestionsPerHour),
  modelTokensPerDay: settingFlag(ModelSettings.modelTokensPerDay)
}

/** The host and the port of a URL, as an entry of the destinations that a fetcher can reach. */
const destinationOf = (url: string): string => {
  const { hostname, port, protocol } = new URL(url)
  return `${hostname}:${port === "" ? (protocol === "https:" ? 443 : 80) : port}`
}

/**
 * Reads the settings of the language model. Returns `undefined` without a URL. Its fetcher reaches the host and the port of the URL, also
 * in a private network, and no other private destination.
 */
export const readModel = (
  flags: Readonly<Record<keyof typeof modelFlags, Option.Option<string>>>
): Effect.Effect<MakeAnswers | undefined, ConfigurationError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const url = yield* readSetting(ModelSettings.modelUrl, flags.modelUrl)
    const name = yield* readSetting(ModelSettings.modelName, flags.modelName)
    const key = yield* readSetting(ModelSettings.modelKey, flags.modelKey)
    const timeoutSeconds = yield* readRequiredSetting(ModelSettings.modelTimeout, flags.modelTimeout)
    const maximumAnswerTokens = yield* readRequiredSetting(ModelSettings.modelMaxTokens, flags.modelMaxTokens)
    const limits = {
      questionsPerHour: yield* readRequiredSetting(
        ModelSettings.modelQuestionsPerHour,
        flags.modelQuestionsPerHour
      ),
      tokensPerDay: yield* readRequiredSetting(ModelSettings.modelTokensPerDay, flags.modelTokensPerDay)
    }
    if (url === undefined) return undefined
    if (name === undefined) {
      return yield* new ConfigurationError({
        message: `${environmentVariable(ModelSettings.modelUrl)} requires ${environmentVariable(ModelSettings.modelName)}: the name of a model of this server.`
      })
    }
    return modelAnswers({
      url,
      key,
      name,
      timeoutMillis: timeoutSeconds * 1_000,
      maximumAnswerTokens,
      limits,
      fetch: nodeFetcher({ allow: [destinationOf(url)] })
    })
  })
