/** The rail: the organization, the start page, the search and the person. */
import { Home, Menu as MenuIcon, PanelLeft, Search } from "lucide-react"
import {
  Button,
  Header,
  Menu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
  Separator
} from "react-aria-components"
import { formatShortcut } from "../actions/shortcuts.ts"
import { Avatar } from "../components/Avatar.tsx"
import { IconButton } from "../components/Button.tsx"
import { chooseOrganization, useOrganization, useOrganizations } from "../data/organization.ts"
import { personNames } from "../navigation/personNames.ts"
import { Link } from "../router/Link.tsx"
import { navigate } from "../router/location.ts"
import { sessionStore, signOut } from "../session.ts"
import { useStore } from "../store/store.ts"
import { shellStrings } from "../strings/shell.ts"
import { type Locale, localeStore, locales, setLocale, useStrings } from "../strings/strings.ts"
import { setTheme, type Theme, themeStore } from "../theme/theme.ts"
import { Logo } from "./Logo.tsx"
import { isDrawerOpen, isHelpOpen, isPaletteOpen, toggleSidebar } from "./shellState.ts"

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

const themes: ReadonlyArray<readonly [Theme, "themeSystem" | "themeLight" | "themeDark"]> = [
  ["system", "themeSystem"],
  ["light", "themeLight"],
  ["dark", "themeDark"]
]

const PersonMenu = () => {
  const t = useStrings(shellStrings)
  const person = useStrings(personNames)
  const session = useStore(sessionStore)
  const theme = useStore(themeStore)
  const locale = useStore(localeStore)
  if (session.state !== "signed-in") return null
  const { displayName, email } = session.user
  return (
    <MenuTrigger>
      <Button className="rail-person" aria-label={t("account")}>
        <Avatar name={displayName} />
      </Button>
      <Popover className="popover" placement="right bottom">
        <Menu className="menu" aria-label={t("account")}>
          <MenuSection>
            <Header className="menu-header">
              <strong>{displayName}</strong>
              {email === undefined || email === displayName ? null : <span>{email}</span>}
            </Header>
            <MenuItem className="menu-item" onAction={() => navigate("/me")} textValue={person("profile")}>
              <span className="menu-label">{person("profile")}</span>
            </MenuItem>
            <MenuItem
              className="menu-item"
              onAction={() => navigate("/me/sessions")}
              textValue={person("sessions")}
            >
              <span className="menu-label">{person("sessions")}</span>
            </MenuItem>
            <MenuItem className="menu-item" onAction={() => isHelpOpen.set(true)} textValue={t("shortcuts")}>
              <span className="menu-label">{t("shortcuts")}</span>
              <kbd>?</kbd>
            </MenuItem>
          </MenuSection>
          <Separator className="menu-separator" />
          <MenuSection
            selectionMode="single"
            selectedKeys={[theme]}
            disallowEmptySelection
            onSelectionChange={(keys) => {
              if (keys !== "all") setTheme([...keys][0] as Theme)
            }}
          >
            <Header className="menu-header">{t("theme")}</Header>
            {themes.map(([id, key]) => (
              <MenuItem key={id} id={id} className="menu-item" textValue={t(key)}>
                <span className="menu-label">{t(key)}</span>
              </MenuItem>
            ))}
          </MenuSection>
          <Separator className="menu-separator" />
          <MenuSection
            selectionMode="single"
            selectedKeys={[locale]}
            disallowEmptySelection
            onSelectionChange={(keys) => {
              if (keys !== "all") setLocale([...keys][0] as Locale)
            }}
          >
            <Header className="menu-header">{t("language")}</Header>
            {Object.entries(locales).map(([id, name]) => (
              <MenuItem key={id} id={id} className="menu-item" textValue={name}>
                <span className="menu-label" lang={id}>
                  {name}
                </span>
              </MenuItem>
            ))}
          </MenuSection>
          <Separator className="menu-separator" />
          <MenuItem className="menu-item" onAction={() => void signOut()} textValue={t("signOut")}>
            <span className="menu-label">{t("signOut")}</span>
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
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
      <PersonMenu />
    </nav>
  )
}
