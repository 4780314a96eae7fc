/**
 * A setting: one value that the operator chooses, by a flag, by an environment variable, by a file that such a
 * variable names (for secrets), or by its default.
 */
import { fieldsOf } from "@lectern/core"
import { Config, Effect, FileSystem, Option, Result, Schema } from "effect"
import { Flag } from "effect/cli"

/** A command cannot start: a setting is invalid, or the database that it names cannot be opened. */
export class ConfigurationError extends Schema.TaggedError<ConfigurationError>()("ConfigurationError", {
  /** One line that names the setting, its value unless it is secret, and the allowed values. */
  message: Schema.String
}) {}

/** The declaration of a setting. */
export interface Setting<A> {
  /** The name of its flag, without dashes, as in `public-url`. */
  readonly flag: string
  /** The purpose of the setting in one sentence, for `--help`. */
  readonly description: string
  /** Decodes its value from text. */
  readonly schema: Schema.Codec<A, string>
  /** The default value, as text. Without one, the setting is optional. */
  readonly fallback?: string
  /** An environment variable that hosting platforms set, which applies if the setting's own is not set. */
  readonly platformVariable?: string
  /** Whether its value is never printed. A secret can also be read from the file that `LECTERN_…_FILE` names. */
  readonly isSecret?: boolean
}

/** Declares a setting, with the type of its schema. */
export const defineSetting = <A>(setting: Setting<A>): Setting<A> => setting

/** Returns the environment variable of a setting: `LECTERN_PUBLIC_URL` for `public-url`. */
export const environmentVariable = (setting: { readonly flag: string }): string =>
  `LECTERN_${setting.flag.toUpperCase().replaceAll("-", "_")}`

/** Creates the flag of a setting. Its value is text, which {@link readSetting} decodes. */
export const settingFlag = <A>(setting: Setting<A>): Flag.Flag<Option.Option<string>> => {
  const variables = [
    environmentVariable(setting),
    ...(setting.platformVariable === undefined ? [] : [setting.platformVariable])
  ].join(" or ")
  const fallback =
    setting.fallback === undefined || setting.fallback === "" ? "" : ` Default: ${setting.fallback}.`
  return Flag.String(setting.flag).pipe(
    Flag.withDescription(`${setting.description} Environment: ${variables}.${fallback}`),
    Flag.withMetavar(setting.flag.split("-").at(-1)!),
    Flag.optional
  )
}

/** Reads an environment variable. An empty one is not set. */
export const readVariable = (name: string): Effect.Effect<Option.Option<string>> =>
  Effect.map(Effect.orDie(Config.option(Config.String(name))), (text) =>
    Option.filter(text, (value) => value !== "")
  )

const readSecretFile = (setting: Setting<unknown>) =>
  Effect.gen(function* () {
    const name = `${environmentVariable(setting)}_FILE`
    const path = yield* readVariable(name)
    if (setting.isSecret !== true || Option.isNone(path)) return Option.none<string>()
    const files = yield* FileSystem.FileSystem
    const text = yield* Effect.mapError(
      files.readFileString(path.value),
      () => new ConfigurationError({ message: `${name}: the file ${path.value} cannot be read.` })
    )
    return Option.some(text.trim())
  })

/** A source of a setting's value, with its name for messages. */
type Source = readonly [
  name: string,
  text: Effect.Effect<Option.Option<string>, ConfigurationError, FileSystem.FileSystem>
]

/** The value of a setting, and the name of the flag or the variable that it was read from. */
export interface SourcedValue<A> {
  readonly source: string
  readonly value: A
}

/**
 * Reads and decodes a setting, with the name of its source: its flag, its variable, its file, the platform's variable or
 * its default, the first that is set. Returns `undefined` if none is. Fails with `ConfigurationError` if the value is invalid
 * or the file cannot be read.
 */
export const readSourcedSetting = <A>(
  setting: Setting<A>,
  flag: Option.Option<string>
): Effect.Effect<SourcedValue<A> | undefined, ConfigurationError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const variable = environmentVariable(setting)
    const platform = setting.platformVariable
    const sources: ReadonlyArray<Source> = [
      [`--${setting.flag}`, Effect.succeed(flag)],
      [variable, readVariable(variable)],
      [`${variable}_FILE`, readSecretFile(setting as Setting<unknown>)],
      ...(platform === undefined ? [] : [[platform, readVariable(platform)] satisfies Source]),
      [variable, Effect.succeed(Option.fromUndefinedOr(setting.fallback))]
    ]
    for (const [source, read] of sources) {
      const text = yield* read
      if (Option.isNone(text)) continue
      const value = Schema.decodeUnknownResult(setting.schema)(text.value)
      if (Result.isSuccess(value)) return { source, value: value.success }
      const problem = fieldsOf(value.failure.issue)[0]?.message ?? "is malformed"
      const actual = setting.isSecret === true ? "" : ` It is "${text.value}".`
      return yield* new ConfigurationError({ message: `${source} ${problem}.${actual}` })
    }
    return undefined
  })

/** Reads and decodes a setting, as {@link readSourcedSetting} does, and returns only its value. */
export const readSetting = <A>(
  setting: Setting<A>,
  flag: Option.Option<string>
): Effect.Effect<A | undefined, ConfigurationError, FileSystem.FileSystem> =>
  Effect.map(readSourcedSetting(setting, flag), (sourced) => sourced?.value)

/** Reads a setting that has a default. */
export const readRequiredSetting = <A>(
  setting: Setting<A>,
  flag: Option.Option<string>
): Effect.Effect<A, ConfigurationError, FileSystem.FileSystem> =>
  Effect.map(readSetting(setting, flag), (value) => value as A)
