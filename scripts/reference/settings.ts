/** The reference of settings, from their declarations. */
import * as CopySettings from "../../packages/lectern/src/settings/CopySettings.ts"
import * as EdgeSettings from "../../packages/lectern/src/settings/EdgeSettings.ts"
import * as LimitSettings from "../../packages/lectern/src/settings/LimitSettings.ts"
import { postgresSettings } from "../../packages/lectern/src/settings/postgresSettings.ts"
import * as RetentionSettings from "../../packages/lectern/src/settings/RetentionSettings.ts"
import { environmentVariable, type Setting } from "../../packages/lectern/src/settings/Setting.ts"
import * as Settings from "../../packages/lectern/src/settings/Settings.ts"
import * as SignInSettings from "../../packages/lectern/src/settings/SignInSettings.ts"
import * as SourceSettings from "../../packages/lectern/src/settings/SourceSettings.ts"
import * as StorageSettings from "../../packages/lectern/src/settings/StorageSettings.ts"
import { type Page, pageOf, tableOf } from "./Page.ts"

const isSetting = (value: unknown): value is Setting<unknown> =>
  typeof value === "object" && value !== null && "flag" in value && "schema" in value

const rowsOf = (module: object): ReadonlyArray<ReadonlyArray<string>> =>
  Object.values(module)
    .filter(isSetting)
    .map((setting) => {
      const file =
        setting.isSecret === true ? ` Or the file that \`${environmentVariable(setting)}_FILE\` names.` : ""
      const platform =
        setting.platformVariable === undefined ? "" : ` Falls back to \`${setting.platformVariable}\`.`
      const fallback =
        setting.fallback === undefined || setting.fallback === "" ? "none" : `\`${setting.fallback}\``
      return [
        `\`${environmentVariable(setting)}\``,
        fallback,
        `${setting.description.replace(/([^.])$/, "$1.")}${platform}${file}`
      ]
    })
    .sort(([one], [other]) => (one! < other! ? -1 : 1))

/** Generates the page. */
export const generateSettings = (): Page => {
  const head = ["variable", "default", "purpose"]
  return pageOf("docs/reference/settings.md", [
    "# Settings",
    "Set each setting with an environment variable, or with a flag of `lectern serve`: `LECTERN_PUBLIC_URL` is `--public-url`. A flag has precedence. An invalid setting is an error at start, which names the setting and the allowed values. This page is generated from the declarations.",
    "## General",
    tableOf(head, rowsOf(Settings)),
    "## Limits",
    tableOf(head, rowsOf(LimitSettings)),
    "## Sign-in and e-mail",
    tableOf(head, rowsOf(SignInSettings)),
    "## Shared caches",
    "See [HTTPS and shared caches](../guides/proxies.md).",
    tableOf(head, rowsOf(EdgeSettings)),
    "## Imports and OpenAPI specs",
    tableOf(head, rowsOf(SourceSettings)),
    "## Retention and lifetimes",
    tableOf(head, rowsOf(RetentionSettings)),
    "## Storage",
    tableOf(head, rowsOf(StorageSettings)),
    "## PostgreSQL",
    "These settings are errors with SQLite.",
    tableOf(head, rowsOf(postgresSettings)),
    "## Copies",
    "`lectern copy` reads these settings, also as flags.",
    tableOf(head, rowsOf(CopySettings))
  ])
}
