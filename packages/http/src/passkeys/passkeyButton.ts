/** The button that uses a passkey, which the program of its page displays if the browser has passkeys. */
import { alert, escapeHtml } from "../signIn/page.ts"
import type { SignInTexts } from "../signIn/texts.ts"

/** The URLs of a use, relative to the page, and the path to return to. */
export interface PasskeyUses {
  readonly options: string
  readonly result: string
  readonly returnTo: string
  /** Whether the browser suggests passkeys in the field for the address. */
  readonly isSuggested?: boolean
}

/** Renders the button, and the alert for a passkey that was not accepted. */
export const passkeyButton = (
  texts: Pick<SignInTexts, "usePasskey" | "passkeyFailed">,
  kind: "primary" | "secondary",
  { options, result, returnTo, isSuggested = false }: PasskeyUses
): string =>
  `${alert(texts.passkeyFailed).replace("<p ", "<p data-problem hidden ")}
<button type="button" hidden class="${kind}" data-passkey="${escapeHtml(options)}" data-result="${escapeHtml(result)}" data-return="${escapeHtml(returnTo)}"${isSuggested ? " data-autofill" : ""}>${escapeHtml(texts.usePasskey)}</button>`
