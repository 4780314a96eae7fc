/** Steps on content: edits, change requests, and what is said of both. */
import { ChangeRequests, Comments, Content, type CurrentUser, type Records } from "@lectern/core"
import { Effect } from "effect"
import { at, type Picks, pick, rowsOf } from "./picks.ts"

const titles = ["Guide", "Intro", "API", "Guide"]
const texts = [
  "",
  "# A\n\nOf [the guide](/guide).",
  "One\n\nTwo\n\nThree",
  "One\n\n2\n\nThree",
  "One\n\nTwo\n\n3"
]

/** A content, its pages, and whether it is of a change request. */
const contentAt = Effect.fnUntraced(function* (a: number, b: number) {
  const space = yield* pick("spaces", a, (row) => row.deletedAt === null)
  const requests = (yield* rowsOf("changeRequests")).filter((row) => row.space === space.id)
  const request = b % 2 === 0 ? undefined : requests[b % Math.max(1, requests.length)]
  const of = { space: space.id, ...(request === undefined ? {} : { changeRequest: request.id }) }
  const content = yield* Content
  const pages: Array<string> = []
  const collect = (all: ReadonlyArray<{ readonly id: string; readonly pages?: unknown }>): void => {
    for (const page of all) {
      pages.push(page.id)
      if (page.pages !== undefined) collect(page.pages as never)
    }
  }
  collect((yield* content.revision(of as never)).pages as never)
  return { space, of, pages }
})

const edited = (
  change: (
    pages: ReadonlyArray<string>,
    n: Picks,
    space: string
  ) => Effect.Effect<object, unknown, Records> | object
) =>
  Effect.fnUntraced(function* (n: Picks) {
    const { of, pages, space } = yield* contentAt(n[0], n[1])
    const made = change(pages, n, space.id)
    const one = Effect.isEffect(made) ? yield* made : made
    yield* (yield* Content).edit(of as never, { changes: [one] } as never)
  })

const into = (pages: ReadonlyArray<string>, n: number) => (n % 3 === 0 ? null : (at(pages, n) ?? null))

const onRequest = (
  use: (
    requests: ChangeRequests["Service"],
    space: string,
    id: string
  ) => Effect.Effect<unknown, unknown, CurrentUser>
) =>
  Effect.fnUntraced(function* ([a]: Picks) {
    const row = yield* pick("changeRequests", a)
    yield* use(yield* ChangeRequests, row.space as string, row.id)
  })

const onComment = (
  use: (all: Comments["Service"], ref: never, id: string) => Effect.Effect<unknown, unknown, CurrentUser>
) =>
  Effect.fnUntraced(function* ([a]: Picks) {
    const row = yield* pick("comments", a)
    const ref = {
      space: row.space,
      ...(row.changeRequest === null ? {} : { changeRequest: row.changeRequest })
    }
    yield* use(yield* Comments, ref as never, row.id)
  })

export const onContents = {
  insert: edited((pages, [, , c, d]) => ({
    operation: "insert_page",
    ...(d % 7 === 0
      ? { type: "group", into: null }
      : { into: into(pages, c), document: { markdown: at(texts, d) } }),
    title: at(titles, c),
    ...(d % 3 === 0 ? { at: d % 4 } : {})
  })),
  move: edited((pages, [, , c, d]) => ({
    operation: "update_page",
    page: at(pages, c),
    into: into(pages, d),
    ...(d % 2 === 0 ? { at: d % 5 } : {})
  })),
  rename: edited((pages, [, , c, d]) => ({
    operation: "update_page",
    page: at(pages, c),
    title: at(titles, d),
    slug: d % 2 === 0 ? "guide" : ""
  })),
  write: edited((pages, [, , c, d]) => ({
    operation: "update_page",
    page: at(pages, c),
    document: { markdown: at(texts, d) }
  })),
  hide: edited((pages, [, , c, d]) => ({
    operation: "update_page",
    page: at(pages, c),
    hidden: d % 2 === 0
  })),
  delete: edited((pages, [, , c]) => ({ operation: "delete_page", page: at(pages, c) })),
  revert: edited((_, [, , c, d], space) =>
    Effect.gen(function* () {
      const revision = yield* pick("revisions", c, (row) => row.space === space)
      const found = yield* pick("searchPages", d, (row) => row.space === space)
      return { operation: "revert_page", page: found.page ?? "nothing", revision: revision.id }
    })
  ),
  upload: edited((_, [, , c]) => ({
    operation: "insert_files",
    files: [{ name: `${c % 3}.txt`, contentType: "text/plain", base64: "aGk=" }]
  })),
  propose: Effect.fnUntraced(function* ([a]: Picks) {
    yield* (yield* ChangeRequests).create((yield* pick("spaces", a)).id, {})
  }),
  merge: onRequest((requests, space, id) => requests.merge(space, id)),
  pull: onRequest((requests, space, id) => requests.pull(space, id)),
  archive: onRequest((requests, space, id) => requests.update(space, id, { status: "archived" })),
  reopen: onRequest((requests, space, id) => requests.update(space, id, { status: "open" })),
  comment: Effect.fnUntraced(function* (n: Picks) {
    const { of, pages } = yield* contentAt(n[0], n[1])
    const page = n[2] % 2 === 0 ? {} : { page: at(pages, n[2]) ?? "nothing" }
    yield* (yield* Comments).create(of as never, { body: { markdown: "Hm, @bob@example.com" }, ...page })
  }),
  reply: onComment((all, ref, id) => all.createReply(ref, id, { body: { markdown: "Ah" } })),
  resolve: onComment((all, ref, id) => all.update(ref, id, { resolved: true })),
  react: onComment((all, ref, id) => all.update(ref, id, { addedReactions: ["👍"], resolved: false })),
  uncomment: onComment((all, ref, id) => all.remove(ref, id))
}
