/** The notifications of the person: actions of others that concern them, and failures. */
import type { Notification } from "@lectern/client/fetch"
import { useState } from "react"
import { Button, ButtonLink } from "../../components/Button.tsx"
import { ScreenFrame } from "../../components/Screen.tsx"
import { EmptyState, Loaded } from "../../components/states.tsx"
import { markAsRead, useNotifications } from "../../data/notifications.ts"
import { useOrganization } from "../../data/organization.ts"
import {
  AtSign,
  Bell,
  CheckCheck,
  CircleAlert,
  GitMerge,
  GitPullRequestArrow,
  type LucideIcon,
  MessageSquare,
  Reply,
  UserRoundCheck,
  UserRoundPlus
} from "../../icons/icons.gen.ts"
import { Link } from "../../router/Link.tsx"
import { useFormats } from "../../strings/formats.ts"
import { notificationStrings } from "../../strings/notifications.ts"
import { shellStrings } from "../../strings/shell.ts"
import { useStrings } from "../../strings/strings.ts"
import { pathOfNotification } from "./pathOfNotification.ts"
import "./notifications.css"

const icons: Readonly<Record<Notification["kind"], LucideIcon>> = {
  mention: AtSign,
  reply: Reply,
  comment: MessageSquare,
  reviewRequested: UserRoundCheck,
  review: CheckCheck,
  merged: GitMerge,
  conflict: GitPullRequestArrow,
  added: UserRoundPlus,
  importFailed: CircleAlert,
  synchronizationFailed: CircleAlert,
  webhookDisabled: CircleAlert
}

/** The number of notifications that are displayed first, and that each "Show more" adds. */
const step = 30

/** The maximum number of notifications that are displayed. */
const maximumDisplayed = 300

const Item = ({
  notification,
  organizationId
}: {
  readonly notification: Notification
  readonly organizationId: string
}) => {
  const t = useStrings(notificationStrings)
  const { ago } = useFormats()
  const { kind, actor, changeRequest, space, createdAt, readAt, id } = notification
  const isUnread = readAt === undefined
  const Icon = icons[kind]
  const markOne = () => {
    if (isUnread) void markAsRead(organizationId, [id])
  }
  const text = t(kind, { actor: actor?.displayName ?? t("somebody") })
  const subject =
    changeRequest === undefined ? undefined : `#${changeRequest.number} ${changeRequest.subject}`
  return (
    <li className="notification" data-unread={isUnread}>
      <span className="list-icon">
        <Icon size={18} aria-hidden />
      </span>
      <div className="list-text">
        <Link className="list-link" to={pathOfNotification(notification)} onClick={markOne}>
          {text}
        </Link>
        <p className="list-detail">
          {subject === undefined ? null : <span>{subject}</span>}
          {space === undefined ? null : <span>{space.title}</span>}
          <time dateTime={createdAt}>{ago(createdAt)}</time>
          {isUnread ? <span className="notification-state">{t("isUnread")}</span> : null}
        </p>
      </div>
      {isUnread ? (
        <Button size="small" aria-label={`${t("markOne")}: ${text}`} onPress={markOne}>
          {t("markOne")}
        </Button>
      ) : null}
    </li>
  )
}

/** The notifications of the person. */
const NotificationsScreen = () => {
  const t = useStrings(notificationStrings)
  const shell = useStrings(shellStrings)
  const [isUnreadOnly, setUnreadOnly] = useState(false)
  const [limit, setLimit] = useState(step)
  const { data: organization } = useOrganization()
  const list = useNotifications(isUnreadOnly, limit)
  const hasUnread = list.data?.items.some(({ readAt }) => readAt === undefined) === true
  return (
    <ScreenFrame
      title={t("title")}
      actions={
        <>
          <ButtonLink to="/me/notifications">{t("settings")}</ButtonLink>
          {organization !== undefined && hasUnread ? (
            <Button onPress={() => void markAsRead(organization.id)}>{t("markAll")}</Button>
          ) : null}
        </>
      }
      meta={
        <div className="notification-filter" role="group" aria-label={t("filter")}>
          {[false, true].map((unread) => (
            <Button
              key={String(unread)}
              size="small"
              aria-pressed={isUnreadOnly === unread}
              onPress={() => setUnreadOnly(unread)}
            >
              {t(unread ? "unread" : "all")}
            </Button>
          ))}
        </div>
      }
    >
      <Loaded resource={list}>
        {({ items, count }) =>
          items.length === 0 ? (
            <EmptyState icon={<Bell />} title={t(isUnreadOnly ? "emptyUnread" : "emptyTitle")}>
              {t("emptyBody")}
            </EmptyState>
          ) : (
            <>
              <ul className="list">
                {items.map((notification) => (
                  <Item
                    key={notification.id}
                    notification={notification}
                    organizationId={organization?.id ?? ""}
                  />
                ))}
              </ul>
              {count > items.length && limit < maximumDisplayed ? (
                <Button onPress={() => setLimit(limit + step)}>{shell("showMore")}</Button>
              ) : null}
            </>
          )
        }
      </Loaded>
    </ScreenFrame>
  )
}

export default NotificationsScreen
