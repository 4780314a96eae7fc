/**
 * Requires a click before a page of another origin starts a login in a browser that has a session. An organization chooses its
 * identity provider, which can authenticate without the user: the login would sign them in to another account without their notice.
 */
import { languageOf } from "@lectern/core"
import { isOwnOrigin } from "../server/authentication/ownOrigin.ts"
import type { SessionCookies } from "../server/authentication/sessionCookies.ts"
import type { ApiRequest, ApiResponse } from "../server/messages/Message.ts"
import { linkButton, paragraph, renderSignInPage } from "./page.ts"
import { signInTexts } from "./texts.ts"

/** The login that a request starts. */
export interface StartedLogin {
  /** The name of the provider; undefined for a page without a name. */
  readonly label: string | undefined
  /** The path to return to after the login; empty for none. */
  readonly returnTo: string
}

/** Returns the page with a link that continues the login, or undefined if the login continues without it. */
export const confirmReplacement = (
  request: ApiRequest,
  cookies: Pick<SessionCookies, "read">,
  publicUrl: string,
  { label, returnTo }: StartedLogin
): ApiResponse | undefined => {
  if (cookies.read(request) === undefined || isOwnOrigin(request, publicUrl)) return undefined
  const language = languageOf(request.header("accept-language"))
  const texts = signInTexts[language]
  const query = returnTo === "" ? "" : `?${new URLSearchParams({ return: returnTo })}`
  return renderSignInPage({
    language,
    title: texts.signIn,
    body:
      paragraph(texts.replaces) +
      linkButton(`start${query}`, label === undefined ? texts.signIn : texts.continueWith(label))
  })
}
