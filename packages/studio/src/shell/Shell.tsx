/** The frame: the rail, the sidebar of the screen, the screen, and the right panel that the screen opens. */
import { lazy, Suspense, useCallback, useEffect } from "react"
import { RouterProvider } from "react-aria-components"
import type { Screen } from "../actions/Area.ts"
import type { Action } from "../actions/actions.ts"
import { useShortcuts } from "../actions/shortcuts.ts"
import { areas } from "../areas.ts"
import { ButtonLink } from "../components/Button.tsx"
import { DialogHost } from "../components/openDialog.tsx"
import { EmptyState, IsBelowTitle, Skeleton } from "../components/states.tsx"
import { Toasts } from "../components/Toasts.tsx"
import { config } from "../config.ts"
import { clearCache } from "../data/cache.ts"
import { useOrganization, useOrganizations } from "../data/organization.ts"
import { useUserId } from "../data/user.ts"
import { awaitedSignIn } from "../recentSignIn.ts"
import { navigate, toHref, useAddress } from "../router/location.ts"
import { createStore, useStore } from "../store/store.ts"
import { shellStrings } from "../strings/shell.ts"
import { translate, useStrings } from "../strings/strings.ts"
import { followOrganization } from "./changes.ts"
import { ErrorBoundary } from "./ErrorBoundary.tsx"
import { PendingPalette } from "./PendingPalette.tsx"
import { Rail } from "./Rail.tsx"
import { componentOf, findScreen } from "./screens.ts"
import { isDrawerOpen, isHelpOpen, isPaletteOpen, isSidebarOpen, toggleSidebar } from "./shellState.ts"
import { useRetainedFocus } from "./useRetainedFocus.ts"

const NoOrganization = lazy(() => import("./NoOrganization.tsx"))
const Palette = lazy(() => import("./Palette.tsx"))
const RecentSignIn = lazy(() => import("./RecentSignIn.tsx"))
const ShortcutsHelp = lazy(() => import("./ShortcutsHelp.tsx"))

/** The actions of the frame and of the areas, which are possible everywhere. */
export const globalActions = (): ReadonlyArray<Action> => [
  ...areas.flatMap((area) =>
    (area.actions ?? []).map(({ id, label, shortcut, run }) => ({ id, label: label(), shortcut, run }))
  ),
  {
    id: "shell.sidebar",
    label: translate(shellStrings, "toggleSidebar"),
    shortcut: "mod+.",
    run: toggleSidebar
  },
  {
    id: "shell.help",
    label: translate(shellStrings, "shortcuts"),
    shortcut: "?",
    run: () => isHelpOpen.set(true)
  }
]

const paletteAction = (): ReadonlyArray<Action> => [
  {
    id: "shell.palette",
    label: translate(shellStrings, "searchEverything"),
    shortcut: "mod+k",
    run: () => isPaletteOpen.set(!isPaletteOpen.get())
  }
]

const NoScreen = () => {
  const t = useStrings(shellStrings)
  return (
    <EmptyState title={t("notFoundTitle")} actions={<ButtonLink to="/">{t("goHome")}</ButtonLink>}>
      {t("notFoundBody")}
    </EmptyState>
  )
}

/** The screens that display an organization. A guest of a space has the screens of the space without one. */
const organizationPattern = /^\/($|search|notifications|collections\/|sites|specs|organization)/

/** Whether a screen displays an organization, and the person is in none. */
const lacksOrganization = (
  organizations: ReadonlyArray<unknown> | undefined,
  pattern: string | undefined
): boolean => organizations?.length === 0 && pattern !== undefined && organizationPattern.test(pattern)

const hasTree = (screen: Screen | undefined): boolean => screen?.sidebar?.id === "home"

/** Follows the changes by others, for as long as an organization is displayed. */
const useBackground = (): void => {
  const { data: organization } = useOrganization()
  const id = organization?.id
  const person = useUserId()
  useEffect(() => {
    if (id === undefined || person === undefined) return
    const controller = new AbortController()
    followOrganization(id, person, controller.signal)
    return () => controller.abort()
  }, [id, person])
}

const isOnline = createStore(navigator.onLine)
for (const type of ["online", "offline"]) {
  window.addEventListener(type, () => isOnline.set(navigator.onLine))
}

/** Whether the server cannot be reached, as far as is known. */
const useIsOffline = (): boolean => {
  const { error } = useOrganization()
  return !useStore(isOnline) || error?._tag === "ConnectionFailed"
}

/** Moves the focus to the drawer when it opens, and closes it by Escape, which returns the focus. */
const useDrawerKeys = (isOpen: boolean): void => {
  useEffect(() => {
    if (!isOpen) return
    const opener = document.activeElement
    const close = ({ key, defaultPrevented }: KeyboardEvent): void => {
      if (key !== "Escape" || defaultPrevented) return
      isDrawerOpen.set(false)
      if (opener instanceof HTMLElement) opener.focus()
    }
    document.querySelector<HTMLElement>(".sidebar a")?.focus()
    window.addEventListener("keydown", close)
    return () => window.removeEventListener("keydown", close)
  }, [isOpen])
}

/** The frame of every screen. */
export const Shell = () => {
  const t = useStrings(shellStrings)
  const { path } = useAddress()
  const found = findScreen(path)
  const { data: organizations } = useOrganizations()
  const isWithout = lacksOrganization(organizations, found?.screen.pattern)
  const isOpen = useStore(isSidebarOpen)
  const isDrawer = useStore(isDrawerOpen)
  const hasPalette = useStore(isPaletteOpen)
  const hasHelp = useStore(isHelpOpen)
  const isOffline = useIsOffline()
  const endSignIn = useStore(awaitedSignIn)
  useBackground()
  useRetainedFocus()
  // The next person to sign in sees nothing of this one.
  useEffect(() => clearCache, [])
  useShortcuts(useCallback(paletteAction, []), useCallback(globalActions, []))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes when another place is opened.
  useEffect(() => isDrawerOpen.set(false), [path])
  useDrawerKeys(isDrawer)

  const ScreenComponent =
    found === undefined ? NoScreen : isWithout ? NoOrganization : componentOf(found.screen.load)
  // The tree of an organization is empty without one.
  const hasSidebar = config.hasNavigation && (organizations?.length !== 0 || !hasTree(found?.screen))
  const sidebar = hasSidebar ? found?.screen.sidebar : undefined
  const SidebarComponent = sidebar === undefined ? undefined : componentOf(sidebar.load)
  const params = found?.params ?? {}
  return (
    <RouterProvider navigate={navigate} useHref={toHref}>
      <div
        className="shell"
        data-sidebar={isOpen}
        data-drawer={isDrawer}
        data-has-sidebar={sidebar !== undefined}
        data-navigation={config.hasNavigation}
      >
        <a className="skip-link" href="#main">
          {t("skipToContent")}
        </a>
        {config.hasNavigation ? <Rail /> : null}
        {SidebarComponent === undefined ? null : (
          <aside className="sidebar" aria-label={t("navigation")}>
            <ErrorBoundary address={path}>
              <Suspense fallback={<Skeleton rows={8} />}>
                <SidebarComponent key={sidebar?.id} params={params} />
              </Suspense>
            </ErrorBoundary>
          </aside>
        )}
        {isDrawer ? (
          <button
            type="button"
            className="drawer-backdrop"
            aria-label={t("closeNavigation")}
            onClick={() => isDrawerOpen.set(false)}
          />
        ) : null}
        <main id="main" className="main" tabIndex={-1}>
          {isOffline ? (
            <p className="banner" role="status">
              {t("offlineBanner")}
            </p>
          ) : null}
          <ErrorBoundary address={path}>
            <Suspense fallback={<Skeleton rows={6} kind="text" />}>
              <IsBelowTitle value={false}>
                <ScreenComponent params={params} />
              </IsBelowTitle>
            </Suspense>
          </ErrorBoundary>
        </main>
        <Toasts />
        <DialogHost />
        <Suspense fallback={hasPalette ? <PendingPalette /> : null}>
          {hasPalette ? <Palette onClose={() => isPaletteOpen.set(false)} /> : null}
        </Suspense>
        <Suspense fallback={null}>
          {endSignIn === undefined ? null : <RecentSignIn onEnd={endSignIn} />}
        </Suspense>
        <Suspense fallback={null}>
          {hasHelp ? <ShortcutsHelp onClose={() => isHelpOpen.set(false)} /> : null}
        </Suspense>
      </div>
    </RouterProvider>
  )
}
