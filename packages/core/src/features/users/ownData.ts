/** Reads everything that the server stores about a person, within bounds. */

import type { GrantedReader } from "@lectern/access"
import { type StorageUnavailable, type Table, Where } from "@lectern/kernel"
import {
  apiTokens,
  changeRequests,
  commentReactions,
  commentReplies,
  comments,
  members,
  notificationSettings,
  notifications,
  oidcSubjects,
  organizations,
  type ProvisionedMemberRow,
  passkeys,
  places,
  provisionedMembers,
  reviews,
  sessions,
  spaceNotificationSettings,
  teamMembers,
  type UserRow
} from "@lectern/kernel/tables"
import type { OwnData, OwnEntries } from "@lectern/model/users"
import { Effect } from "effect"

/** The maximum number of entries of each kind in an export. */
const maximumEntries = 10_000

/** The maximum number of characters of the entries of each kind. */
const maximumCharacters = 4_000_000

/** The number of rows of a query, which bounds the memory for entries that are not exported. */
const batchSize = 200

/** The number of characters of an entry, as JSON. */
const lengthOf = (entry: unknown): number => JSON.stringify(entry).length

/** Reads the entries of a table that belong to a user, in the order of their keys, until a maximum is reached. */
const entriesOf = Effect.fnUntraced(function* <T extends Table.AnyTable, A>(
  records: GrantedReader,
  table: T,
  column: keyof Table.Row<T> & string,
  user: UserRow["id"],
  present: (row: Table.Row<T>) => A
): Effect.fn.Return<OwnEntries<A>, StorageUnavailable> {
  const where = { op: "eq", column, value: user } as unknown as Where.Where<Table.Row<T>>
  const items: Array<A> = []
  let characters = 0
  let after: ReadonlyArray<Where.Scalar> | undefined
  for (;;) {
    const rows = (yield* records.find(table, {
      where,
      limit: batchSize,
      ...(after === undefined ? {} : { after })
    })) as ReadonlyArray<Table.Row<T>>
    for (const row of rows) {
      const entry = present(row)
      characters += lengthOf(entry)
      if (items.length === maximumEntries || characters > maximumCharacters) return { items, isCut: true }
      items.push(entry)
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < batchSize) return { items, isCut: false }
    after = table.key.map((name) => Reflect.get(last, name) as Where.Scalar)
  }
})

const presentProvisioned = ({ organization, userName, externalId, profile }: ProvisionedMemberRow) => ({
  organization,
  userName,
  externalId,
  displayName: profile.displayName ?? null,
  formatted: profile.formatted ?? null,
  familyName: profile.familyName ?? null,
  givenName: profile.givenName ?? null
})

/** Returns everything that the server stores about the owner of an account, without secrets and content of other people. */
export const readOwnData = Effect.fnUntraced(function* (
  records: GrantedReader,
  account: UserRow
): Effect.fn.Return<OwnData, StorageUnavailable> {
  const of = <T extends Table.AnyTable, A>(
    table: T,
    column: keyof Table.Row<T> & string,
    present: (row: Table.Row<T>) => A
  ) => entriesOf(records, table, column, account.id, present)
  const memberships = yield* of(members, "user", ({ organization, role, joinedAt, lastSeenAt }) => ({
    organization,
    role,
    joinedAt,
    lastSeenAt
  }))
  const titles = yield* records.find(organizations, {
    select: ["id", "title"],
    where: Where.isIn(
      "id",
      memberships.items.map(({ organization }) => organization)
    )
  })
  const titleById = new Map(titles.map(({ id, title }) => [id, title]))
  return {
    object: "own-data",
    account,
    memberships: {
      ...memberships,
      items: memberships.items.map((entry) => ({ ...entry, title: titleById.get(entry.organization) ?? "" }))
    },
    teams: yield* of(teamMembers, "user", ({ team, role }) => ({ team, role })),
    sessions: yield* of(sessions, "user", ({ method, userAgent, address, createdAt, lastUsedAt }) => ({
      method,
      userAgent,
      address,
      createdAt,
      lastUsedAt
    })),
    tokens: yield* of(apiTokens, "user", ({ label, createdAt, lastUsedAt }) => ({
      label,
      createdAt,
      lastUsedAt
    })),
    identities: yield* of(oidcSubjects, "user", ({ provider, subject, createdAt }) => ({
      provider,
      subject,
      createdAt
    })),
    provisioned: yield* of(provisionedMembers, "user", presentProvisioned),
    passkeys: yield* of(passkeys, "user", ({ name, host, createdAt, lastUsedAt }) => ({
      name,
      host,
      createdAt,
      lastUsedAt
    })),
    places: yield* of(places, "user", ({ kind, space, page, at }) => ({ kind, space, page, at })),
    notifications: yield* of(notifications, "user", ({ kind, space, createdAt, readAt }) => ({
      kind,
      space,
      createdAt,
      readAt
    })),
    notificationSettings: yield* of(notificationSettings, "user", ({ user, ...settings }) => settings),
    spaceNotificationSettings: yield* of(spaceNotificationSettings, "user", ({ space, delivery }) => ({
      space,
      delivery
    })),
    comments: yield* of(comments, "postedBy", ({ id, space, body, postedAt }) => ({
      id,
      space,
      body,
      postedAt
    })),
    replies: yield* of(commentReplies, "postedBy", ({ id, comment, body, postedAt }) => ({
      id,
      comment,
      body,
      postedAt
    })),
    reactions: yield* of(commentReactions, "user", ({ target, emoji, reactedAt }) => ({
      target,
      emoji,
      reactedAt
    })),
    changeRequests: yield* of(changeRequests, "createdBy", ({ id, space, subject, createdAt }) => ({
      id,
      space,
      subject,
      createdAt
    })),
    reviews: yield* of(reviews, "reviewer", ({ id, changeRequest, status, createdAt }) => ({
      id,
      changeRequest,
      status,
      createdAt
    }))
  }
})
