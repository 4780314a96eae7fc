/** The rail: the organization, the start page, the search and the person. */

import { lazy, Suspense } from "react"
import { Button, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components"
import { formatShortcut } from "../actions/shortcuts.ts"
import { Avatar } from "../components/Avatar.tsx"
import { IconButton } from "../components/Button.tsx"
import { useUnreadCount } from "../data/notifications.ts"
import { chooseOrganization, useOrganization, useOrganizations } from "../data/organization.ts"
import { Bell, Home, Menu as MenuIcon, PanelLeft, Search } from "../icons/icons.gen.ts"
import { Link } from "../router/Link.tsx"
import { navigate } from "../router/location.ts"
import { sessionStore } from "../session.ts"
import { useStore } from "../store/store.ts"
import { notificationStrings } from "../strings/notifications.ts"
import { shellStrings } from "../strings/shell.ts"
import { useStrings } from "../strings/strings.ts"
import { Logo } from "./Logo.tsx"
import { isDrawerOpen, isPaletteOpen, toggleSidebar } from "./shellState.ts"

const OrganizationMenu = () => {
  const t = useStrings(shellStrings)
  const { data: current } = useOrganization()
  const { data: organizations = [] } = useOrganizations()
  if (current === undefined) return <Logo size={32} />
  return (
    <MenuTrigger>
      <Button className="rail-organization" aria-label={`${t("switchOrganization")}: ${current.title}`}>
        <Avatar name={current.title} isSquare />
      </Button>
      <Popover className="popover" placement="right top">
        <Menu
          className="menu"
          aria-label={t("switchOrganization")}
          selectionMode="single"
          selectedKeys={[current.id]}
          items={organizations}
          onAction={(id) => {
            chooseOrganization(String(id))
            navigate("/")
          }}
        >
          {({ id, title }) => (
            <MenuItem id={id} textValue={title} className="menu-item">
              <Avatar name={title} size="small" isSquare />
              <span className="menu-label">{title}</span>
            </MenuItem>
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

const PersonMenu = lazy(() => import("./PersonMenu.tsx"))

const Person = () => {
  const t = useStrings(shellStrings)
  const session = useStore(sessionStore)
  if (session.state !== "signed-in") return null
  return (
    <MenuTrigger>
      <Button className="rail-person" aria-label={t("account")}>
        <Avatar name={session.user.displayName} />
      </Button>
      <Popover className="popover" placement="right bottom">
        <Suspense fallback={null}>
          <PersonMenu user={session.user} />
        </Suspense>
      </Popover>
    </MenuTrigger>
  )
}

/** The link to the notifications, with the number of unread ones. */
const NotificationsLink = () => {
  const t = useStrings(notificationStrings)
  const count = useUnreadCount() ?? 0
  const label = count === 0 ? t("title") : t("unreadCount", { count })
  return (
    <Link to="/notifications" className="icon-button rail-link" aria-label={label} title={label}>
      <Bell size={20} aria-hidden />
      {count === 0 ? null : (
        <span className="rail-badge" aria-hidden>
          {count > 99 ? "99+" : count}
        </span>
      )}
    </Link>
  )
}

/** The rail on the left of wide windows, and at the top of narrow ones. */
export const Rail = () => {
  const t = useStrings(shellStrings)
  const isOpen = useStore(isDrawerOpen)
  return (
    <nav className="rail" aria-label={t("navigation")}>
      <div className="rail-narrow">
        <IconButton
          label={isOpen ? t("closeNavigation") : t("openNavigation")}
          icon={<MenuIcon size={20} />}
          aria-expanded={isOpen}
          onPress={() => isDrawerOpen.set(!isOpen)}
        />
      </div>
      <OrganizationMenu />
      <Link to="/" className="icon-button rail-link" aria-label={t("home")} title={t("home")}>
        <Home size={20} aria-hidden />
      </Link>
      <IconButton
        label={`${t("searchEverything")} (${formatShortcut("mod+k")})`}
        icon={<Search size={20} />}
        onPress={() => isPaletteOpen.set(true)}
      />
      <div className="rail-wide">
        <IconButton label={t("toggleSidebar")} icon={<PanelLeft size={20} />} onPress={toggleSidebar} />
      </div>
      <div className="rail-space" />
      <NotificationsLink />
      <Person />
    </nav>
  )
}
