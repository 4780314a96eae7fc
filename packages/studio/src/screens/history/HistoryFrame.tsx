/** The frame of the lists of the history. */
import type { ReactNode } from "react"
import { useLinkActions } from "../../actions/useLinkActions.ts"
import { ScreenFrame } from "../../components/Screen.tsx"
import { useSpace } from "../../data/spaces.ts"
import { Link } from "../../router/Link.tsx"
import { useStrings } from "../../strings/strings.ts"
import { historyStrings } from "./strings.ts"

/** Properties of {@link HistoryFrame}. */
export interface HistoryFrameProps {
  readonly spaceId: string
  readonly current: "revisions" | "deletedPages"
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** The frame of the lists of the history. */
export const HistoryFrame = ({ spaceId, current, actions, children }: HistoryFrameProps) => {
  const t = useStrings(historyStrings)
  const space = useSpace(spaceId)
  const base = `/spaces/${spaceId}/history`
  useLinkActions([
    { to: base, label: t("revisions") },
    { to: `${base}/deleted`, label: t("deletedPages") }
  ])
  return (
    <ScreenFrame
      title={t("history")}
      width="text"
      above={space.data === undefined ? undefined : <Link to={`/spaces/${spaceId}`}>{space.data.title}</Link>}
      actions={actions}
    >
      <nav className="tabs" aria-label={t("history")}>
        <Link to={base} data-current={current === "revisions"}>
          {t("revisions")}
        </Link>
        <Link to={`${base}/deleted`} data-current={current === "deletedPages"}>
          {t("deletedPages")}
        </Link>
      </nav>
      {children}
    </ScreenFrame>
  )
}
