/** Bookmarks: a feature of a host, which marks spaces for their readers. */
import {
  type AccessError,
  type Command,
  type Conflict,
  type Gone,
  Ids,
  Operations,
  type OrganizationId,
  type Query,
  SpaceId,
  spaces,
  Table,
  type UserId,
  users,
  Where
} from "@lectern/core"
import { Context, Effect, Layer, Schema } from "effect"

/** The table of bookmarks. They are deleted with their space, and with their user. */
export const bookmarks = Table.makeProtected("bookmarks", {
  columns: {
    id: Table.text(),
    organization: Table.text<OrganizationId>(),
    user: Table.text<UserId>(),
    space: Table.text<SpaceId>(),
    title: Table.text()
  },
  key: ["id"],
  tenant: "organization",
  owner: "user",
  unique: [["user", "space"]],
  references: {
    user: { table: () => users, onRemove: "cascade" },
    space: { table: () => spaces, onRemove: "cascade" }
  },
  indexes: [["user", "id"]]
})

/** A stored bookmark. */
export interface BookmarkRow extends Table.Row<typeof bookmarks> {}

/** A bookmark, as its user sees it. */
export interface Bookmark {
  readonly id: string
  readonly space: SpaceId
  readonly title: string
}

const AddBookmark = Schema.Struct({ title: Schema.NonEmptyString })

/** The operations of {@link Bookmarks}. */
export interface BookmarksOperations {
  /** Marks a space that the caller can read. */
  readonly add: Command<
    { space: SpaceId; input: typeof AddBookmark.Type },
    Bookmark,
    AccessError | Conflict | Gone
  >
  /** Returns the bookmarks of the caller. */
  readonly list: Query<Record<never, never>, ReadonlyArray<Bookmark>>
}

const presentBookmark = ({ id, space, title }: BookmarkRow): Bookmark => ({ id, space, title })

const makeBookmarks = Effect.gen(function* () {
  const ids = yield* Ids
  const { query, command, allow } = yield* Operations

  return {
    add: command(
      "Bookmarks.add",
      { parameters: { space: SpaceId, input: AddBookmark }, authorize: allow.space("view") },
      function* ({ input: { title } }, { space, caller, records }) {
        const row: BookmarkRow = {
          id: yield* ids.next,
          organization: space.organization,
          user: caller.user,
          space: space.id,
          title
        }
        yield* records.insert(bookmarks, row)
        return presentBookmark(row)
      }
    ),

    list: query(
      "Bookmarks.list",
      { parameters: {}, authorize: allow.signedIn("their own bookmarks") },
      function* (_, { user, records }) {
        const rows = yield* records.find(bookmarks, {
          where: Where.eq<BookmarkRow, "user">("user", user.id),
          orderBy: ["id"]
        })
        return rows.map(presentBookmark)
      }
    )
  }
})

/** Operations on bookmarks. */
export class Bookmarks extends Context.Service<Bookmarks, BookmarksOperations>()("test/Bookmarks") {
  static readonly layer: Layer.Layer<Bookmarks, never, Ids | Operations> = Layer.effect(
    Bookmarks,
    makeBookmarks
  )
}
