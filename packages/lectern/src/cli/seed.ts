/** `lectern seed`: fills the database with example data. */
import { Console, Effect, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { ConfigurationError, settingFlag } from "../settings/Setting.ts"
import * as Settings from "../settings/Settings.ts"
import { createDemo, demoEmail } from "./demo/createDemo.ts"
import { jsonFlag } from "./output.ts"
import { readPublicUrl } from "./publicUrl.ts"
import { readEnvironment, workspaceFlags } from "./settings.ts"

export const seed = Command.make(
  "seed",
  {
    demo: Flag.Boolean("demo").pipe(
      Flag.withDescription("Create the demo: an organization with content and a published site"),
      Flag.withDefault(false)
    ),
    json: jsonFlag,
    publicUrl: settingFlag(Settings.publicUrl),
    ...workspaceFlags
  },
  Effect.fnUntraced(function* ({ demo, json, ...flags }) {
    if (!demo) {
      return yield* new ConfigurationError({
        message: "Choose what to create. `lectern seed --demo` creates an organization with a published site."
      })
    }
    const { workspace, logging } = yield* readEnvironment(flags, { publicUrl: yield* readPublicUrl(flags) })
    const { organization, siteUrl, token } = yield* createDemo.pipe(
      Effect.provide(workspace),
      Effect.provide(logging)
    )
    if (json) {
      return yield* Console.log(JSON.stringify({ organization, siteUrl, token: Redacted.value(token) }))
    }
    yield* Console.log(
      [
        `Created the organization "Tideway" (${organization}) with the administrator ${demoEmail}.`,
        "",
        `  Published site  ${siteUrl}`,
        `  API token       ${Redacted.value(token)}  (not shown again)`,
        "",
        "Run `lectern serve` if no server is running, and open the site."
      ].join("\n")
    )
  })
).pipe(
  Command.withShortDescription("Fill the database with example data."),
  Command.withDescription(
    "Fill the database with example data: an organization with members, spaces, a change request, an OpenAPI document and a published site. Fails if the database has the demo."
  ),
  Command.withExamples([
    {
      command: "lectern seed --demo",
      description: "Add the demo to ./data/lectern.db, also while a server runs"
    }
  ])
)
