/** The dialog of a request that requires a recent sign-in. The form that sent the request remains open below it. */
import { useEffect, useState } from "react"
import { Button } from "../components/Button.tsx"
import { Dialog } from "../components/Dialog.tsx"
import { useOrganization } from "../data/organization.ts"
import { signInByPasskey, useSecondFactor } from "../data/passkeys.ts"
import { onPossibleSignIn } from "../recentSignIn.ts"
import { client, sessionStore, signInPageUrl } from "../session.ts"
import { useStore } from "../store/store.ts"
import { useStrings } from "../strings/strings.ts"
import { recentSignInStrings } from "./recentSignInStrings.ts"

/** Returns the time of the sign-in of this browser, which changes with each sign-in. */
const timeOfSignIn = async (): Promise<string | undefined> => {
  const { items } = await client.sessions.listSessions({ query: { limit: 100 } })
  const current = items.find((session) => session.current)
  return current === undefined ? undefined : `${current.id} ${current.authenticatedAt}`
}

/** Calls `onSignIn` when the person has signed in in another tab of this browser. */
const useSignInElsewhere = (onSignIn: () => void): void => {
  useEffect(() => {
    let isOver = false
    const first = timeOfSignIn().catch(() => undefined)
    const check = async () => {
      // A passkey can only be used in the tab with the focus: the request is sent again when the person returns.
      if (!document.hasFocus()) return
      const [before, now] = await Promise.all([first, timeOfSignIn().catch(() => undefined)])
      if (!isOver && now !== undefined && now !== before) onSignIn()
    }
    const stop = onPossibleSignIn(() => void check())
    return () => {
      isOver = true
      stop()
    }
  }, [onSignIn])
}

/** Signs in by a passkey. Another person can have chosen theirs: the application then starts again as that person. */
const confirmByPasskey = async (person: string): Promise<void> => {
  await signInByPasskey()
  const { id } = await client.users.getAuthenticatedUser()
  if (id !== person) window.location.reload()
}

/** Requests a sign-in, by a passkey in this tab or on the page of the server in another tab. */
const RecentSignIn = ({ onEnd }: { readonly onEnd: (hasSignedIn: boolean) => void }) => {
  const t = useStrings(recentSignInStrings)
  const session = useStore(sessionStore)
  const { data: organization } = useOrganization()
  const { data: factor } = useSecondFactor()
  const [hasFailed, setHasFailed] = useState(false)
  const [onSignIn] = useState(() => () => onEnd(true))
  useSignInElsewhere(onSignIn)
  if (session.state !== "signed-in") return null
  const { id, email } = session.user
  const hasPasskey = factor?.unavailable === undefined && (factor?.passkeys.length ?? 0) > 0
  const onPasskey = () => {
    setHasFailed(false)
    void confirmByPasskey(id).then(onSignIn, () => setHasFailed(true))
  }
  const [beforeCommand, afterCommand] = t("command", { command: "\u0000" }).split("\u0000")
  return (
    <Dialog title={t("title")} onClose={() => onEnd(false)} isDismissable={false}>
      <div className="dialog-body">
        <p>{t("body")}</p>
        {hasFailed ? (
          <p role="alert" className="form-error">
            {t("passkeyFailed")}
          </p>
        ) : null}
        {hasPasskey ? null : <p className="muted">{t("newTab")}</p>}
        {organization?.permissions.admin === true && !hasPasskey ? (
          <p className="muted small">
            {beforeCommand}
            <code>npx lectern sign-in {email}</code>
            {afterCommand}
          </p>
        ) : null}
      </div>
      <footer className="dialog-footer">
        <Button variant="quiet" onPress={() => onEnd(false)}>
          {t("cancel")}
        </Button>
        <a
          className={hasPasskey ? "button button-normal" : "button button-primary"}
          href={signInPageUrl()}
          target="_blank"
          rel="noreferrer"
        >
          {t("signInTab")}
        </a>
        {hasPasskey ? (
          <Button variant="primary" onPress={onPasskey}>
            {t("usePasskey")}
          </Button>
        ) : null}
      </footer>
    </Dialog>
  )
}

export default RecentSignIn
