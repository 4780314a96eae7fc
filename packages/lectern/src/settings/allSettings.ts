/** Lists every setting, and finds environment variables that no setting has. */
import { editDistance } from "@lectern/core"
import * as CopySettings from "./CopySettings.ts"
import * as EdgeSettings from "./EdgeSettings.ts"
import * as LimitSettings from "./LimitSettings.ts"
import { postgresSettings } from "./postgresSettings.ts"
import * as RetentionSettings from "./RetentionSettings.ts"
import { environmentVariable, type Setting } from "./Setting.ts"
import * as Settings from "./Settings.ts"
import * as SignInSettings from "./SignInSettings.ts"
import * as SourceSettings from "./SourceSettings.ts"
import * as StorageSettings from "./StorageSettings.ts"

/** A setting, without the type of its values. */
type AnySetting = Omit<Setting<unknown>, "schema"> & { readonly schema: object }

const isSetting = (value: object): value is AnySetting => "flag" in value && "description" in value

/** Every setting of the server and of the command line. */
export const allSettings: ReadonlyArray<AnySetting> = [
  Settings,
  RetentionSettings,
  LimitSettings,
  SignInSettings,
  SourceSettings,
  EdgeSettings,
  StorageSettings,
  CopySettings,
  postgresSettings
].flatMap((declared: object) => Object.values(declared).filter(isSetting))

/** Variables that are read outside of the settings. */
const otherVariables = ["LECTERN_PDF_FONTS"]

/** Returns the names of all variables that have a meaning. */
const knownVariables = (): ReadonlyArray<string> => [
  ...allSettings.flatMap((setting) => {
    const name = environmentVariable(setting)
    return setting.isSecret === true ? [name, `${name}_FILE`] : [name]
  }),
  ...otherVariables
]

/** Kubernetes sets these for a service with the name `lectern`; the tests of this repository set the others. */
const foreignVariable = /^LECTERN_(SERVICE_|PORT_\d|TEST_|UPDATE_GOLDEN$)/

/** The maximum edit distance of a suggestion: a third of the characters after `LECTERN_`. */
const maximumDistance = (name: string): number => Math.floor((name.length - "LECTERN_".length) / 3)

const suggestionFor = (name: string, known: ReadonlyArray<string>): string | undefined => {
  const maximum = maximumDistance(name)
  const [closest] = known
    .map((candidate) => [candidate, editDistance(name, candidate, maximum)] as const)
    .filter(([, distance]) => distance <= maximum)
    .sort(([, one], [, other]) => one - other)
  return closest?.[0]
}

/**
 * Returns a message that names the variables which begin with `LECTERN_` and belong to no setting, or `undefined` if all do.
 * A misspelt variable would otherwise have no effect.
 */
export const describeUnknownVariables = (names: Iterable<string>): string | undefined => {
  const known = knownVariables()
  const unknown = [...names]
    .filter((name) => name.startsWith("LECTERN_") && !known.includes(name) && !foreignVariable.test(name))
    .sort()
  if (unknown.length === 0) return undefined
  return unknown
    .map((name) => {
      const suggestion = suggestionFor(name, known)
      return suggestion === undefined
        ? `The environment variable ${name} is not a setting: see \`lectern serve --help\`.`
        : `The environment variable ${name} is not a setting. Did you mean ${suggestion}?`
    })
    .join(" ")
}
