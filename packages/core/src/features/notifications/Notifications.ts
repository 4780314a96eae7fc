/** Operations on the notifications of a user, and on how they receive them. */

import {
  Access,
  type AccessError,
  type Caller,
  type Command,
  type GrantedReader,
  Locks,
  Operations,
  type Query
} from "@lectern/access"
import { makeLinkBase, now, readPage, Where } from "@lectern/kernel"
import {
  type NotificationRow,
  notificationSettings,
  notifications,
  type SpaceRow,
  spaceNotificationSettings,
  spaces
} from "@lectern/kernel/tables"
import { InvalidInput } from "@lectern/model/errors"
import {
  defaultDelivery,
  ListNotifications,
  maximumSpaceSettings,
  type Notification,
  type NotificationSettings,
  ReadNotifications,
  UpdateNotificationSettings,
  UpdateSpaceNotificationSettings
} from "@lectern/model/notifications"
import { OrganizationId } from "@lectern/model/organizations"
import type { Page } from "@lectern/model/schema"
import { SpaceId } from "@lectern/model/spaces"
import { Context, Effect, Layer } from "effect"
import { Mails } from "../mail/Mails.ts"
import type { SpaceError } from "../spaces/Spaces.ts"
import { presentNotifications } from "./presentNotifications.ts"
import { setDelivery, setSpaceDelivery, spaceSettingsOf } from "./settings.ts"
import { notificationsOf } from "./storeNotifications.ts"

/**
 * Operations on the notifications of the `CurrentUser`. No other user can see or change them. They fail with `NotFound` for an
 * organization or a space that the caller cannot see.
 */
export interface NotificationsOperations {
  /** Lists the notifications about what the caller can see now, the last one first. */
  readonly list: Query<
    { organization: OrganizationId; input?: ListNotifications },
    Page<Notification>,
    AccessError
  >
  /** Marks notifications as read: the ones with the ids, or all of them. */
  readonly read: Command<{ organization: OrganizationId; input?: ReadNotifications }, void, AccessError>
  /** Returns how the caller receives notifications in the organization. */
  readonly getSettings: Query<{ organization: OrganizationId }, NotificationSettings, AccessError>
  /** Sets how the caller receives notifications about everything without a setting of its own. */
  readonly updateSettings: Command<
    { organization: OrganizationId; input: UpdateNotificationSettings },
    void,
    AccessError
  >
  /**
   * Sets how the caller receives notifications about a space. Fails with `InvalidInput` beyond 100 spaces with a setting of their
   * own.
   */
  readonly updateSpaceSettings: Command<
    { space: SpaceId; input: UpdateSpaceNotificationSettings },
    void,
    SpaceError
  >
}

const makeVisibility = Effect.gen(function* () {
  const access = yield* Access

  /** Selects the spaces that a caller can see. */
  const visibleSpaces = (caller: Caller) =>
    Effect.map(access.whereVisible(caller), (visible) =>
      Where.and<SpaceRow>(Where.eq("organization", caller.organization), Where.isNull("deletedAt"), visible)
    )

  /** Selects the notifications of a caller about spaces that they can see, and about no space. */
  const visibleTo = (records: GrantedReader, caller: Caller) =>
    Effect.map(visibleSpaces(caller), (visible) =>
      Where.and<NotificationRow>(
        notificationsOf(caller.organization, caller.user),
        Where.or<NotificationRow>(
          Where.isNull("space"),
          records.inSelect<NotificationRow, "space", typeof spaces, "id">("space", spaces, "id", visible)
        )
      )
    )

  return { visibleSpaces, visibleTo }
})

const makeInbox = Effect.gen(function* () {
  const { query, command, allow } = yield* Operations
  const linkBase = yield* makeLinkBase
  const { visibleTo } = yield* makeVisibility

  return {
    list: query(
      "Notifications.list",
      {
        parameters: { organization: OrganizationId, input: ListNotifications },
        authorize: allow.organization("list")
      },
      function* ({ organization, input }, { caller, records }) {
        const base = yield* linkBase
        const unread = input.unread === true
        return yield* readPage(records, input, {
          table: notifications,
          list: ["notifications", organization, caller.user, unread],
          where: Where.and<NotificationRow>(
            yield* visibleTo(records, caller),
            unread ? Where.isNull("readAt") : Where.all
          ),
          orderBy: ["id"],
          direction: "desc",
          present: (rows) => presentNotifications(records, base, rows)
        })
      }
    ),

    read: command(
      "Notifications.read",
      {
        parameters: { organization: OrganizationId, input: ReadNotifications },
        authorize: allow.organization("list"),
        locks: Locks.notifications
      },
      function* ({ organization, input: { notifications: ids } }, { caller, records }) {
        yield* records.update(
          notifications,
          Where.and<NotificationRow>(
            notificationsOf(organization, caller.user),
            Where.isNull("readAt"),
            ids === undefined ? Where.all : Where.isIn("id", ids)
          ),
          { readAt: yield* now, mailDueAt: null }
        )
      }
    )
  }
})

const makePreferences = Effect.gen(function* () {
  const { query, command, allow } = yield* Operations
  const { isAvailable: hasMail } = yield* Mails
  const { visibleSpaces } = yield* makeVisibility

  return {
    getSettings: query(
      "Notifications.getSettings",
      { parameters: { organization: OrganizationId }, authorize: allow.organization("list") },
      function* ({ organization }, { caller, records }) {
        const general = yield* records.get(notificationSettings, { organization, user: caller.user })
        const own = yield* records.find(spaceNotificationSettings, {
          where: spaceSettingsOf(organization, caller.user),
          limit: maximumSpaceSettings
        })
        const visible = yield* records.find(spaces, {
          select: ["id", "title"],
          where: Where.and<SpaceRow>(
            yield* visibleSpaces(caller),
            Where.isIn(
              "id",
              own.map(({ space }) => space)
            )
          )
        })
        const deliveryOf = new Map(own.map(({ space, delivery }) => [space, delivery]))
        return {
          object: "notification-settings" as const,
          organization,
          delivery: general?.delivery ?? defaultDelivery,
          ...(general?.language == null ? {} : { language: general.language }),
          hasMail,
          spaces: visible.map(({ id, title }) => ({ id, title, delivery: deliveryOf.get(id)! }))
        }
      }
    ),

    updateSettings: command(
      "Notifications.updateSettings",
      {
        parameters: { organization: OrganizationId, input: UpdateNotificationSettings },
        authorize: allow.organization("list"),
        locks: Locks.notifications
      },
      function* ({ organization, input }, { caller, records }) {
        yield* setDelivery(records, { organization, user: caller.user, ...input })
      }
    ),

    updateSpaceSettings: command(
      "Notifications.updateSpaceSettings",
      {
        parameters: { space: SpaceId, input: UpdateSpaceNotificationSettings },
        authorize: allow.space("read"),
        locks: Locks.spaceNotifications
      },
      function* ({ input: { delivery } }, { space, caller, records }) {
        const key = { organization: space.organization, user: caller.user, space: space.id }
        const stored = yield* setSpaceDelivery(records, key, delivery)
        if (!stored) {
          return yield* InvalidInput.at(
            "delivery",
            `must be null: ${maximumSpaceSettings} spaces have a setting of their own. Remove one first`
          )
        }
      }
    )
  }
})

const makeNotifications = Effect.gen(function* () {
  return { ...(yield* makeInbox), ...(yield* makePreferences) }
})

/** Operations on the notifications of a user: see {@link NotificationsOperations}. */
export class Notifications extends Context.Service<Notifications, NotificationsOperations>()(
  "@lectern/core/Notifications"
) {
  static readonly layer: Layer.Layer<Notifications, never, Operations | Access | Mails> = Layer.effect(
    Notifications,
    makeNotifications
  )
}
