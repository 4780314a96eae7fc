/** The links of a space in the sidebar: change requests first, and less frequent ones in a group. */

import type { Space } from "@lectern/client/fetch"
import type { ComponentType } from "react"
import { useLinkActions } from "../../actions/useLinkActions.ts"
import { Blocks, GitPullRequestArrow, History, Paperclip, Settings, Unlink } from "../../icons/icons.gen.ts"
import { ManageLinks } from "../../navigation/ManageLinks.tsx"
import { Link } from "../../router/Link.tsx"
import { useAddress } from "../../router/location.ts"
import { readStored, writeStored } from "../../store/store.ts"
import { useStrings } from "../../strings/strings.ts"
import { spaceStrings } from "./strings.ts"

interface ItemProps {
  readonly to: string
  readonly icon: ComponentType<{ readonly size: number; readonly "aria-hidden": boolean }>
  readonly text: string
  readonly count?: number | undefined
}

const Item = ({ to, icon: Icon, text, count = 0 }: ItemProps) => (
  <li>
    <Link to={to}>
      <Icon size={16} aria-hidden />
      {text}
      {count === 0 ? null : <span className="count">{count}</span>}
    </Link>
  </li>
)

const storageKey = "spaceLinks.isOpen"

/** Whether a path is that of a screen of the group. */
const isInGroup = (path: string, base: string): boolean =>
  ["files", "links", "reusable", "settings", "import", "sync", "export", "permissions"].some(
    (name) => path === `${base}/${name}` || path.startsWith(`${base}/${name}/`)
  )

/** The links of a space. */
export const SpaceLinks = ({
  spaceId,
  space
}: {
  readonly spaceId: string
  readonly space: Space | undefined
}) => {
  const t = useStrings(spaceStrings)
  const { path } = useAddress()
  const base = `/spaces/${spaceId}`
  useLinkActions([
    { to: `${base}/changes`, label: t("changeRequests"), shortcut: "g c" },
    { to: `${base}/history`, label: t("history"), shortcut: "g y" },
    { to: `${base}/files`, label: t("files"), shortcut: "g f" },
    { to: `${base}/links`, label: t("links"), shortcut: "g l" },
    { to: `${base}/reusable`, label: t("reusable"), shortcut: "g r" },
    ...(space?.permissions.admin === true ? [{ to: `${base}/settings`, label: t("spaceSettings") }] : [])
  ])
  return (
    <>
      <ul className="nav-list">
        <Item
          to={`${base}/changes`}
          icon={GitPullRequestArrow}
          text={t("changeRequests")}
          count={space?.changeRequestsOpen}
        />
        <Item to={`${base}/history`} icon={History} text={t("history")} />
      </ul>
      <details
        className="sidebar-more"
        open={readStored(storageKey) === true || isInGroup(path, base)}
        onToggle={(event) => {
          if (!isInGroup(path, base)) writeStored(storageKey, event.currentTarget.open)
        }}
      >
        <summary>{t("more")}</summary>
        <ul className="nav-list">
          <Item to={`${base}/files`} icon={Paperclip} text={t("files")} />
          <Item to={`${base}/links`} icon={Unlink} text={t("links")} />
          <Item to={`${base}/reusable`} icon={Blocks} text={t("reusable")} />
          <ManageLinks space={space} />
          {space?.permissions.admin === true ? (
            <Item to={`${base}/settings`} icon={Settings} text={t("spaceSettings")} />
          ) : null}
        </ul>
      </details>
    </>
  )
}

/** The links of a change request. */
export const ChangeLinks = ({ spaceId, number }: { readonly spaceId: string; readonly number: string }) => {
  const t = useStrings(spaceStrings)
  const base = `/spaces/${spaceId}/changes/${number}`
  useLinkActions([
    { to: `${base}/review`, label: t("reviewLink"), shortcut: "g c" },
    { to: `${base}/files`, label: t("files"), shortcut: "g f" },
    { to: `${base}/links`, label: t("links"), shortcut: "g l" },
    { to: `${base}/reusable`, label: t("reusable"), shortcut: "g r" },
    { to: `/spaces/${spaceId}`, label: t("backToSpace") }
  ])
  return (
    <ul className="nav-list">
      <Item to={`${base}/review`} icon={GitPullRequestArrow} text={t("reviewLink")} />
      <Item to={`${base}/files`} icon={Paperclip} text={t("files")} />
      <Item to={`${base}/links`} icon={Unlink} text={t("links")} />
      <Item to={`${base}/reusable`} icon={Blocks} text={t("reusable")} />
    </ul>
  )
}
