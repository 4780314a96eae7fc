/** Signs in. It is the only screen without the frame. */
import { ApiError } from "@lectern/client/fetch"
import { type FormEvent, useEffect, useState } from "react"
import { Button } from "../components/Button.tsx"
import { TextField } from "../components/fields.tsx"
import { config } from "../config.ts"
import { messageOfError } from "../data/change.ts"
import { onPossibleSignIn } from "../recentSignIn.ts"
import { resumeSession, signIn, signInPageUrl } from "../session.ts"
import { shellStrings } from "../strings/shell.ts"
import { useStrings } from "../strings/strings.ts"
import { Logo } from "./Logo.tsx"

/** The form that signs in. The address remains, and is displayed afterwards. */
const SignIn = ({ hasExpired }: { readonly hasExpired: boolean }) => {
  const t = useStrings(shellStrings)
  const [token, setToken] = useState("")
  const [error, setError] = useState<string>()
  const [isSending, setIsSending] = useState(false)
  // The person can sign in in another tab, and return to this one with its text.
  useEffect(() => onPossibleSignIn(() => void resumeSession()), [])
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (token.trim() === "" || isSending) return
    setIsSending(true)
    try {
      await signIn(token.trim())
    } catch (failure) {
      const isRejected = failure instanceof ApiError && failure._tag === "Unauthenticated"
      setError(isRejected ? t("tokenWrong") : messageOfError(failure))
      setIsSending(false)
    }
  }
  const [beforeCommand, afterCommand] = t("tokenHint", { command: "\u0000" }).split("\u0000")
  return (
    <main className="sign-in">
      <form className="sign-in-card" onSubmit={onSubmit}>
        <Logo size={36} />
        <h1>{t("signInTitle", { name: config.name })}</h1>
        <p>{hasExpired ? t("sessionExpired") : t("signInAccount")}</p>
        <a className="button button-primary" href={signInPageUrl()}>
          {t("signIn")}
        </a>
        <details className="sign-in-token">
          <summary>{t("useToken")}</summary>
          <p className="muted">{t("signInBody")}</p>
          <TextField
            label={t("token")}
            type="password"
            name="token"
            autoComplete="off"
            value={token}
            onChange={setToken}
            error={error}
            description={
              <>
                {beforeCommand}
                <code>lectern token create</code>
                {afterCommand}
              </>
            }
          />
          <Button type="submit" isPending={isSending}>
            {t("signIn")}
          </Button>
        </details>
      </form>
    </main>
  )
}

export default SignIn
