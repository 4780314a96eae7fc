/**
 * A setting: one value that the operator chooses, by a flag, by an environment variable, by a file that such a
 * variable names (for secrets), or not at all.
 */
import { fieldsOf } from "@lectern/core"
import { Config, Effect, FileSystem, Option, Result, Schema } from "effect"
import { Flag } from "effect/cli"

/** A setting that is not as it has to be: one line that says which, and how it should be. */
export class BadSetting extends Schema.TaggedError<BadSetting>()("BadSetting", { message: Schema.String }) {}

/** What is known of a setting. */
export interface Setting<A> {
  /** The flag, without its dashes, as in `public-url`. */
  readonly flag: string
  /** What it is for, in one sentence; the help shows it. */
  readonly description: string
  /** Reads its value from text. */
  readonly schema: Schema.Codec<A, string>
  /** The value where none is given, as text; undefined where the setting may be left out. */
  readonly fallback?: string
  /** An environment variable that hosting platforms set, used where none of our own is. */
  readonly also?: string
  /** Never printed, and read from the file that `LECTERN_…_FILE` names where that is set. */
  readonly secret?: boolean
}

/** Declares a setting, with the type of its schema. */
export const defineSetting = <A>(setting: Setting<A>): Setting<A> => setting

/** The environment variable of a setting: `LECTERN_PUBLIC_URL` for `public-url`. */
export const variableOf = (setting: { readonly flag: string }): string =>
  `LECTERN_${setting.flag.toUpperCase().replaceAll("-", "_")}`

/** The flag of a setting, as text that is not looked at yet. */
export const flagOf = <A>(setting: Setting<A>): Flag.Flag<Option.Option<string>> => {
  const names = [variableOf(setting), ...(setting.also === undefined ? [] : [setting.also])].join(" or ")
  const fallback =
    setting.fallback === undefined || setting.fallback === "" ? "" : ` Default: ${setting.fallback}.`
  return Flag.String(setting.flag).pipe(
    Flag.withDescription(`${setting.description} Or set ${names}.${fallback}`),
    Flag.withMetavar(setting.flag.split("-").at(-1)!),
    Flag.optional
  )
}

const variable = (name: string): Effect.Effect<Option.Option<string>> =>
  Effect.map(Effect.orDie(Config.option(Config.String(name))), (text) =>
    Option.filter(text, (value) => value !== "")
  )

const file = (setting: Setting<unknown>) =>
  Effect.gen(function* () {
    const name = `${variableOf(setting)}_FILE`
    const path = yield* variable(name)
    if (setting.secret !== true || Option.isNone(path)) return Option.none<string>()
    const files = yield* FileSystem.FileSystem
    const text = yield* Effect.mapError(
      files.readFileString(path.value),
      () => new BadSetting({ message: `${name}: the file ${path.value} cannot be read.` })
    )
    return Option.some(text.trim())
  })

/** A place that a setting may come from: its name, for messages, and what it says. */
type Source = readonly [
  name: string,
  text: Effect.Effect<Option.Option<string>, BadSetting, FileSystem.FileSystem>
]

/** The value of a setting: from its flag, its variable, its file, the platform's variable or its default, in this order. */
export const readSetting = <A>(
  setting: Setting<A>,
  flag: Option.Option<string> = Option.none()
): Effect.Effect<A | undefined, BadSetting, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const sources: ReadonlyArray<Source> = [
      [`--${setting.flag}`, Effect.succeed(flag)],
      [variableOf(setting), variable(variableOf(setting))],
      [`${variableOf(setting)}_FILE`, file(setting as Setting<unknown>)],
      ...(setting.also === undefined ? [] : [[setting.also, variable(setting.also)] satisfies Source]),
      [variableOf(setting), Effect.succeed(Option.fromUndefinedOr(setting.fallback))]
    ]
    for (const [name, source] of sources) {
      const text = yield* source
      if (Option.isNone(text)) continue
      const value = Schema.decodeUnknownResult(setting.schema)(text.value)
      if (Result.isSuccess(value)) return value.success
      const problem = fieldsOf(value.failure.issue)[0]?.message ?? "is malformed"
      const given = setting.secret === true ? "" : ` It is "${text.value}".`
      return yield* new BadSetting({ message: `${name} ${problem}.${given}` })
    }
    return undefined
  })
