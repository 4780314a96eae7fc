/** `lectern slugs`: assigns the slugs of their source to pages of earlier imports. */
import { Content, CurrentUser, PageId, SpaceId, type UserId } from "@lectern/core"
import { slugChangesOf } from "@lectern/formats"
import { Console, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { ConfigurationError } from "../settings/Setting.ts"
import { findAccount } from "./accounts.ts"
import { jsonFlag, printResult } from "./output.ts"
import { readEnvironment, workspaceFlags } from "./settings.ts"

/** The number of changes that are stored as one revision. */
const changesPerEdit = 50

/** Runs an operation on the content of a space as its user, and explains why it is rejected. */
const perform = <A, E extends { readonly _tag: string; readonly message: string }>(
  user: UserId,
  operation: Effect.Effect<A, E, CurrentUser>
): Effect.Effect<A, ConfigurationError> =>
  operation.pipe(
    CurrentUser.provide(user),
    Effect.mapError(({ message }) => new ConfigurationError({ message }))
  )

const count = (changes: number): string => (changes === 1 ? "1 page" : `${changes} pages`)

export const slugs = Command.make(
  "slugs",
  {
    space: Argument.String("space").pipe(Argument.withDescription("The id of the space")),
    as: Flag.String("as").pipe(
      Flag.withDescription("The e-mail address of an editor of the space, who is the author of the changes")
    ),
    apply: Flag.Boolean("apply").pipe(
      Flag.withDescription("Change the slugs. Without it, the command prints the changes"),
      Flag.withDefault(false)
    ),
    json: jsonFlag,
    ...workspaceFlags
  },
  Effect.fnUntraced(function* ({ space: given, as, apply, json, ...flags }) {
    const { workspace, logging } = yield* readEnvironment(flags)
    yield* Effect.gen(function* () {
      const editor = yield* findAccount(as)
      const space = SpaceId.make(given)
      const content = yield* Content
      const { pages } = yield* perform(
        editor.id,
        content.listPages({ content: { space }, input: { metadata: true } })
      )
      const changes = slugChangesOf(pages)
      for (let at = 0; apply && at < changes.length; at += changesPerEdit) {
        const some = changes.slice(at, at + changesPerEdit)
        const input = {
          message: "Use the slugs of the source",
          changes: some.map(({ page, slug }) => ({
            operation: "update_page" as const,
            page: PageId.make(page),
            slug
          }))
        }
        yield* perform(editor.id, content.edit({ content: { space }, input }))
      }
      const summary = apply
        ? `Changed the slugs of ${count(changes.length)}. The former URLs redirect to the pages.`
        : `Would change the slugs of ${count(changes.length)}. Repeat the command with --apply to change them.`
      yield* printResult(json, { applied: apply, changes }, summary)
      if (json) return
      for (const { from, to } of changes) yield* Console.log(`  /${from} → /${to}`)
    }).pipe(Effect.provide(workspace), Effect.provide(logging))
  })
).pipe(
  Command.withShortDescription("Give pages of earlier imports the slugs of their source."),
  Command.withDescription(
    "Give pages of earlier imports the slugs of their source. Versions before 0.1.0 derived slugs by another rule than GitBook, and imports never change the slug of a page. The command prints each URL with the new one, and changes them with --apply. Former URLs redirect to the pages. Slugs that a writer has chosen stay."
  ),
  Command.withExamples([
    {
      command: "lectern slugs <space> --as ada@example.com",
      description: "Print the URLs that would change"
    },
    {
      command: "lectern slugs <space> --as ada@example.com --apply",
      description: "Change them, with redirects"
    }
  ])
)
