/** Loads users as resources. */

import type { GrantedReader } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import { presentUser, type UserRow, users } from "@lectern/kernel/tables"
import type { User, UserId } from "@lectern/model/users"
import { Effect } from "effect"

/** Loads users as resources, by their ids, with one query. */
export const presentUsers = (
  records: GrantedReader,
  base: string,
  ids: ReadonlyArray<UserId>
): Effect.Effect<ReadonlyMap<UserId, User>, StorageUnavailable> =>
  ids.length === 0
    ? Effect.succeed(new Map())
    : Effect.map(
        records.find(users, { where: Where.isIn<UserRow, "id">("id", [...new Set(ids)]) }),
        (rows) => new Map(rows.map((row) => [row.id, presentUser(base, row)]))
      )
