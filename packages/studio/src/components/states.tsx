/** The states of every list and screen: loading, empty, failed, not permitted, not found. */
import type { ApiError } from "@lectern/client/fetch"
import { createContext, type ReactNode, useContext } from "react"
import type { Resource } from "../data/useResource.ts"
import { CircleSlash, CloudOff, Lock, SearchX } from "../icons/icons.gen.ts"
import { shellStrings } from "../strings/shell.ts"
import { useStrings } from "../strings/strings.ts"
import { Button, ButtonLink } from "./Button.tsx"

/** Properties of {@link Skeleton}. */
export interface SkeletonProps {
  /** The number of lines. */
  readonly rows?: number
  readonly kind?: "list" | "text" | "cards"
}

/** Gray lines in place of content that is loading. */
export const Skeleton = ({ rows = 6, kind = "list" }: SkeletonProps) => {
  const t = useStrings(shellStrings)
  return (
    <div className={`skeleton skeleton-${kind}`} role="status" aria-label={t("loading")}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are equal and never move.
        <span key={index} className={`skeleton-row skeleton-row-${index % 4}`} />
      ))}
    </div>
  )
}

/** Properties of {@link EmptyState}. */
export interface EmptyStateProps {
  readonly icon?: ReactNode
  readonly title: string
  /** One sentence on what this is. */
  readonly children?: ReactNode
  /** The one action, and a link to the guide. */
  readonly actions?: ReactNode
}

/** Whether the component is below the title of a screen, or in addition to it, as in a sidebar or a dialog. */
export const IsBelowTitle = createContext(true)

/** The purpose of an empty place, with its one action. Without a title above, its title is that of the screen. */
export const EmptyState = ({ icon, title, children, actions }: EmptyStateProps) => {
  const Title = useContext(IsBelowTitle) ? "h2" : "h1"
  return (
    <div className="state">
      {icon === undefined ? null : (
        <div className="state-icon" aria-hidden>
          {icon}
        </div>
      )}
      <Title className="state-title">{title}</Title>
      {children === undefined ? null : <p>{children}</p>}
      {actions === undefined ? null : <div className="state-actions">{actions}</div>}
    </div>
  )
}

/** A screen that the permissions of the person do not include. */
export const NotPermitted = () => {
  const t = useStrings(shellStrings)
  return (
    <EmptyState icon={<Lock />} title={t("forbiddenTitle")}>
      {t("forbiddenBody")}
    </EmptyState>
  )
}

/** Properties of {@link FailedState}. */
export interface FailedStateProps {
  readonly error: ApiError
  readonly onRetry: () => void
}

/** The error of a resource that could not be loaded. */
export const FailedState = ({ error, onRetry }: FailedStateProps) => {
  const t = useStrings(shellStrings)
  const home = (
    <ButtonLink to="/" variant="normal">
      {t("goHome")}
    </ButtonLink>
  )
  if (error._tag === "NotFound") {
    return (
      <EmptyState icon={<SearchX />} title={t("notFoundTitle")} actions={home}>
        {t("notFoundBody")}
      </EmptyState>
    )
  }
  if (error._tag === "Forbidden") {
    return (
      <EmptyState icon={<Lock />} title={t("forbiddenTitle")} actions={home}>
        {error.message} {t("forbiddenBody")}
      </EmptyState>
    )
  }
  const isOffline = error._tag === "ConnectionFailed"
  return (
    <EmptyState
      icon={isOffline ? <CloudOff /> : <CircleSlash />}
      title={isOffline ? t(navigator.onLine ? "serverAway" : "offline") : t("failedTitle")}
      actions={<Button onPress={onRetry}>{t("retry")}</Button>}
    >
      {isOffline ? t("serverAwayBody") : error.message}
      {error.requestId === undefined ? null : (
        <code className="request-id">{t("requestId", { id: error.requestId })}</code>
      )}
    </EmptyState>
  )
}

/** Properties of {@link Loaded}. */
export interface LoadedProps<Data> {
  readonly resource: Resource<Data>
  /** Displayed while nothing is known; lines of a list by default. */
  readonly skeleton?: ReactNode
  readonly children: (data: Data) => ReactNode
}

/** Displays a resource, or its state until it is loaded. Known data remains while it is refreshed, and if that fails. */
export const Loaded = <Data,>({ resource, skeleton, children }: LoadedProps<Data>) => {
  const { data, error, reload } = resource
  if (data !== undefined) {
    const isGone = error !== undefined && (error._tag === "NotFound" || error._tag === "Forbidden")
    if (!isGone) return children(data)
  }
  if (error !== undefined) return <FailedState error={error} onRetry={reload} />
  return skeleton ?? <Skeleton />
}
