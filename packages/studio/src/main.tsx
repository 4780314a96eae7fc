/** The entry of the application. */
import "@lectern/editor/fonts.css"
import "./theme/tokens.css"
import "./theme/base.css"
import "./theme/components.css"
import "./theme/shell.css"
import "./theme/areas.css"
import { ApiError } from "@lectern/client/fetch"
import { lazy, StrictMode, Suspense } from "react"
import { I18nProvider } from "react-aria-components"
import { createRoot } from "react-dom/client"
import { FailedState, Skeleton } from "./components/states.tsx"
import { loadSession, sessionStore } from "./session.ts"
import { Shell } from "./shell/Shell.tsx"
import { useStore } from "./store/store.ts"
import { loadStrings, localeStore } from "./strings/strings.ts"
import { applyTheme, themeStore } from "./theme/theme.ts"

const SignIn = lazy(() => import("./shell/SignIn.tsx"))

const Application = () => {
  const locale = useStore(localeStore)
  const session = useStore(sessionStore)
  return (
    <I18nProvider locale={locale}>
      <Suspense fallback={null}>
        {session.state === "signed-in" ? (
          <Shell key={session.user.id} />
        ) : session.state === "signed-out" ? (
          <SignIn hasExpired={session.hasExpired} />
        ) : session.state === "failed" && session.error instanceof ApiError ? (
          <FailedState error={session.error} onRetry={() => void loadSession()} />
        ) : (
          <Skeleton rows={4} kind="text" />
        )}
      </Suspense>
    </I18nProvider>
  )
}

document.documentElement.lang = localeStore.get()
applyTheme(themeStore.get())
void loadSession()
void loadStrings().then(() =>
  createRoot(document.getElementById("application")!).render(
    <StrictMode>
      <Application />
    </StrictMode>
  )
)
