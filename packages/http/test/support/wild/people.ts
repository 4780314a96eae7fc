/** Steps on people and their organizations, and what goes on by itself. */
import {
  BackgroundWork,
  Content,
  CurrentUser,
  Members,
  OpenApiSpecs,
  Organizations,
  Spaces,
  Teams,
  Users
} from "@lectern/core"
import { Effect } from "effect"
import { Passing, type Picks, pick } from "./picks.ts"

export const onPeople = {
  openWith: Effect.fnUntraced(function* ([a]: Picks) {
    const site = yield* pick("sites", a)
    const defaultContent = { type: "site", site: site.id }
    yield* (yield* Organizations).update(site.organization as string, { defaultContent } as never)
  }),
  dismiss: Effect.fnUntraced(function* ([a]: Picks) {
    const row = yield* pick("members", a)
    yield* (yield* Members).remove(row.organization as string, row.user as string)
  }),
  removeTeam: Effect.fnUntraced(function* ([a]: Picks) {
    const row = yield* pick("teams", a)
    yield* (yield* Teams).remove(row.organization as string, row.id)
  }),
  createTeam: Effect.fnUntraced(function* ([a, b]: Picks) {
    const row = yield* pick("members", a)
    yield* (yield* Teams).create(
      row.organization as string,
      { title: "Team", members: b % 2 === 0 ? [] : [row.user] } as never
    )
  }),
  enforceSso: Effect.fnUntraced(function* ([a, b]: Picks) {
    const { id } = yield* pick("organizations", a)
    yield* (yield* Organizations).update(id, {
      sso: b % 2 === 0,
      emailDomains: b % 3 === 0 ? [] : ["example.com"]
    } as never)
  }),
  callOneself: Effect.fnUntraced(function* ([a]: Picks) {
    const { id } = yield* CurrentUser
    yield* (yield* Users).update(id, { displayName: `Name ${a}` })
  }),
  putSpec: Effect.fnUntraced(function* ([a, b]: Picks) {
    const { id } = yield* pick("organizations", a)
    const text =
      b % 3 === 0
        ? "nonsense: ["
        : JSON.stringify({ openapi: "3.1.0", info: { title: `T${b}`, version: "1" }, paths: {} })
    yield* (yield* OpenApiSpecs).put(id, "spec", { source: { text } })
  }),
  work: Effect.fnUntraced(function* (_: Picks) {
    yield* (yield* BackgroundWork).drain
  }),
  /** A week goes by, and what is in the bin for so long goes. */
  week: Effect.fnUntraced(function* (_: Picks) {
    yield* (yield* Passing)(8 * 24 * 60 * 60 * 1000)
    yield* (yield* Spaces).purge
    yield* (yield* Content).sweep
  })
}
