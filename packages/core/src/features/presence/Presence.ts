/** Who has a page open. Announcements are rows that expire, so that all processes of a workspace see them. */

import { Operations, type Query, SystemGrant } from "@lectern/access"
import { makeLinkBase, now, type Records, type StorageUnavailable, toTimestamp, Where } from "@lectern/kernel"
import { type PresenceRow, presences } from "@lectern/kernel/tables"
import { EditableContent } from "@lectern/model/content"
import { InvalidInput } from "@lectern/model/errors"
import { AnnouncePresence, type PagePresences, presenceMillis } from "@lectern/model/presence"
import { Clock, Context, Effect, Layer } from "effect"
import { presentUsers } from "../../views/users/presentUsers.ts"
import { ContentAccess, type ContentError } from "../content/ContentAccess.ts"

/** The maximum number of others that an announcement returns. */
const maximumOthers = 100

/** The maximum number of windows of one user on one page. Further ones see the others, and are not announced. */
const maximumWindows = 20

/** Operations on presence, on behalf of the `CurrentUser`. */
export interface PresenceOperations {
  /**
   * Announces that the caller has a page open, and returns who else has. Requires the role `read` on the content, so that only users
   * who can read the page see it. Fails with `InvalidInput` if the content does not have the page. It is a query, because an
   * announcement is not data of the page: it expires, and is neither audited nor an event.
   */
  readonly announce: Query<{ content: EditableContent; input: AnnouncePresence }, PagePresences, ContentError>
  /** Removes expired announcements, and returns their number. */
  readonly purge: Effect.Effect<number, StorageUnavailable>
}

const makePresence = Effect.gen(function* () {
  const { query } = yield* Operations
  const access = yield* ContentAccess
  const { records: system } = yield* SystemGrant.make("Stores and removes announcements of open pages.")
  const linkBase = yield* makeLinkBase

  const onPage = ({ organization, subject, page }: PresenceRow): Where.Where<PresenceRow> =>
    Where.and<PresenceRow>(
      Where.eq("organization", organization),
      Where.eq("subject", subject),
      Where.eq("page", page)
    )

  const ofUser = (row: PresenceRow): Where.Where<PresenceRow> =>
    Where.and<PresenceRow>(onPage(row), Where.eq("user", row.user))

  const whereSame = (row: PresenceRow): Where.Where<PresenceRow> =>
    Where.and<PresenceRow>(ofUser(row), Where.eq("client", row.client))

  /** Stores an announcement. A repeated one is a single statement. */
  const put = Effect.fnUntraced(function* (row: PresenceRow): Effect.fn.Return<void, StorageUnavailable> {
    const { state, expiresAt } = row
    const updated = yield* system.update(presences, whereSame(row), { state, expiresAt })
    if (updated > 0 || (yield* system.count(presences, ofUser(row))) >= maximumWindows) return
    yield* system.insertMissing(presences, [row])
  })

  return {
    announce: query(
      "Presence.announce",
      { parameters: { content: EditableContent, input: AnnouncePresence }, authorize: access.allow("read") },
      function* ({ input: { page, client, state } }, { space, changeRequest, caller, tree, records }) {
        if ((yield* tree.page(page)) === undefined) {
          return yield* InvalidInput.at("page", "must be the id of a page of this content")
        }
        const millis = yield* Clock.currentTimeMillis
        const own: PresenceRow = {
          organization: space.organization,
          subject: changeRequest?.id ?? space.id,
          page,
          user: caller.user,
          client,
          space: space.id,
          state: state === "editing" ? "editing" : "viewing",
          expiresAt: toTimestamp(millis + presenceMillis)
        }
        const rows = yield* records.find(presences, {
          where: Where.and<PresenceRow>(onPage(own), Where.gt("expiresAt", toTimestamp(millis))),
          orderBy: ["client"],
          limit: maximumOthers + 1
        })
        const others = rows
          .filter((row) => row.user !== own.user || row.client !== client)
          .slice(0, maximumOthers)
        const users = yield* presentUsers(
          records,
          yield* linkBase,
          others.map(({ user }) => user)
        )
        // The write comes last, so that a request that fails announces nothing.
        yield* state === "left" ? system.remove(presences, whereSame(own)) : put(own)
        return {
          others: others.map((row) => ({
            client: row.client,
            user: users.get(row.user)!,
            state: row.state,
            expiresAt: row.expiresAt
          })),
          expiresAt: own.expiresAt
        } satisfies PagePresences
      }
    ),

    purge: Effect.flatMap(now, (time) =>
      system.remove(presences, Where.lte<PresenceRow, "expiresAt">("expiresAt", time))
    )
  }
})

/** Operations on presence: see {@link PresenceOperations}. */
export class Presence extends Context.Service<Presence, PresenceOperations>()("@lectern/core/Presence") {
  static readonly layer: Layer.Layer<Presence, never, Operations | ContentAccess | Records> = Layer.effect(
    Presence,
    makePresence
  )
}
