/** `lectern reindex`: rebuilds the search index. */
import { SearchIndex, SystemGrant, spaces } from "@lectern/core"
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { jsonFlag, printResult } from "./output.ts"
import { inWorkspace, workspaceFlags } from "./settings.ts"

export const reindex = Command.make(
  "reindex",
  { json: jsonFlag, ...workspaceFlags },
  Effect.fnUntraced(function* (flags) {
    yield* Effect.gen(function* () {
      const { records } = yield* SystemGrant.make(
        "Lists every space, for an operator who rebuilds the index."
      )
      const index = yield* SearchIndex
      const allSpaces = yield* records.find(spaces, { select: ["id", "title"] })
      let total = 0
      for (const [position, { id, title }] of allSpaces.entries()) {
        const pages = yield* index.rebuild(id)
        total += pages
        if (!flags.json)
          yield* Console.log(`${position + 1} of ${allSpaces.length}  ${title}: ${pages} pages`)
      }
      yield* printResult(
        flags.json,
        { pages: total, spaces: allSpaces.length },
        `Indexed ${total} pages in ${allSpaces.length} spaces.`
      )
    }).pipe(inWorkspace(flags))
  })
).pipe(
  Command.withShortDescription("Rebuild the search index."),
  Command.withDescription(
    "Rebuild the search index, one space at a time. It is safe while the server runs, and safe to interrupt."
  ),
  Command.withExamples([
    { command: "lectern reindex", description: "Rebuild the index of ./data/lectern.db" }
  ])
)
