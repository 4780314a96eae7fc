/** Steps on the tree of collections and spaces. */
import { Collections, Grants, Spaces } from "@lectern/core"
import { Effect } from "effect"
import { type Picks, pick } from "./picks.ts"

export const onPlaces = {
  share: Effect.fnUntraced(function* ([a, b, c]: Picks) {
    const content =
      b % 2 === 0
        ? { space: (yield* pick("spaces", a)).id }
        : { collection: (yield* pick("collections", a)).id }
    const whom =
      c % 2 === 0
        ? { teams: [(yield* pick("teams", b)).id] }
        : { users: [(yield* pick("members", b)).user as string] }
    yield* (yield* Grants).share(content, { ...whom, role: "edit" } as never)
  }),
  createSpace: Effect.fnUntraced(function* ([a, b]: Picks) {
    const parent = yield* pick("collections", a)
    const organization = b % 4 === 0 ? (yield* pick("organizations", b)).id : (parent.organization as string)
    yield* (yield* Spaces).create(organization, {
      title: "Space",
      ...(b % 2 === 0 ? {} : { parent: parent.id })
    })
  }),
  createFolder: Effect.fnUntraced(function* ([a, b]: Picks) {
    const parent = yield* pick("collections", a)
    yield* (yield* Collections).create(parent.organization as string, {
      title: "Folder",
      ...(b % 3 === 0 ? {} : { parent: parent.id })
    })
  }),
  moveSpace: Effect.fnUntraced(function* ([a, b]: Picks) {
    const parent = b % 3 === 0 ? null : (yield* pick("collections", b)).id
    yield* (yield* Spaces).move((yield* pick("spaces", a)).id, { parent })
  }),
  moveFolder: Effect.fnUntraced(function* ([a, b]: Picks) {
    const parent = b % 3 === 0 ? null : (yield* pick("collections", b)).id
    yield* (yield* Collections).move((yield* pick("collections", a)).id, { parent })
  }),
  removeFolder: Effect.fnUntraced(function* ([a]: Picks) {
    yield* (yield* Collections).remove((yield* pick("collections", a)).id)
  }),
  transferSpace: Effect.fnUntraced(function* ([a, b]: Picks) {
    yield* (yield* Spaces).transfer((yield* pick("spaces", a)).id, {
      organization: (yield* pick("organizations", b)).id
    })
  }),
  transferFolder: Effect.fnUntraced(function* ([a, b]: Picks) {
    yield* (yield* Collections).transfer((yield* pick("collections", a)).id, {
      organization: (yield* pick("organizations", b)).id
    })
  }),
  duplicate: Effect.fnUntraced(function* ([a]: Picks) {
    yield* (yield* Spaces).duplicate((yield* pick("spaces", a)).id)
  }),
  bin: Effect.fnUntraced(function* ([a]: Picks) {
    yield* (yield* Spaces).remove((yield* pick("spaces", a)).id)
  }),
  restore: Effect.fnUntraced(function* ([a]: Picks) {
    yield* (yield* Spaces).restore((yield* pick("spaces", a, (row) => row.deletedAt !== null)).id)
  })
}
