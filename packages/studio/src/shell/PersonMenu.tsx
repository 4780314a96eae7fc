/** The menu of the person: the profile, the theme, the language, and the end of the session. It is loaded when it opens. */
import type { User } from "@lectern/client/fetch"
import { Header, Menu, MenuItem, MenuSection, Separator } from "react-aria-components"
import { showToast } from "../data/toasts.ts"
import { personNames } from "../navigation/personNames.ts"
import { navigate } from "../router/location.ts"
import { signOut } from "../session.ts"
import { useStore } from "../store/store.ts"
import { shellStrings } from "../strings/shell.ts"
import { type Locale, localeStore, locales, setLocale, translate, useStrings } from "../strings/strings.ts"
import { setTheme, type Theme, themeStore } from "../theme/theme.ts"
import { isHelpOpen } from "./shellState.ts"

const themes: ReadonlyArray<readonly [Theme, "themeSystem" | "themeLight" | "themeDark"]> = [
  ["system", "themeSystem"],
  ["light", "themeLight"],
  ["dark", "themeDark"]
]

/** Changes the language, or reports that its strings were not loaded. */
const chooseLocale = (locale: Locale): void =>
  void setLocale(locale).catch(() =>
    showToast({
      kind: "failed",
      message: translate(shellStrings, navigator.onLine ? "serverAway" : "offline"),
      detail: translate(shellStrings, "offlineDetail")
    })
  )

/** The menu of the person. */
const PersonMenu = ({ user }: { readonly user: User }) => {
  const t = useStrings(shellStrings)
  const person = useStrings(personNames)
  const theme = useStore(themeStore)
  const locale = useStore(localeStore)
  const { displayName, email } = user
  return (
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
          if (keys !== "all") chooseLocale([...keys][0] as Locale)
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
  )
}

export default PersonMenu
