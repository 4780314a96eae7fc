/** `lectern reindex`: what pages are found by, made anew. */
import { SearchIndex, SystemGrant, spaces } from "@lectern/core"
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { common, inWorkspace } from "./settings.ts"

export const reindex = Command.make(
  "reindex",
  common,
  Effect.fnUntraced(function* (flags) {
    const { workspace, logging } = yield* inWorkspace(flags)
    yield* Effect.gen(function* () {
      const { records } = yield* SystemGrant.make(
        "Lists every space, for an operator who rebuilds the index."
      )
      const index = yield* SearchIndex
      const all = yield* records.find(spaces, { select: ["id", "title"] })
      let total = 0
      for (const [at, { id, title }] of all.entries()) {
        const pages = yield* index.rebuild(id)
        total += pages
        yield* Console.log(`${at + 1} of ${all.length}  ${title}: ${pages} pages`)
      }
      yield* Console.log(`${total} pages in ${all.length} spaces can be found.`)
    }).pipe(Effect.provide(workspace), Effect.provide(logging))
  })
).pipe(
  Command.withDescription(
    "Make the search index anew, space by space. The server may run meanwhile; nothing is lost where it is stopped."
  )
)
