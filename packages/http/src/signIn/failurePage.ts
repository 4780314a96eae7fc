/** The page of a login at an identity provider that has failed. */
import { languageOf } from "@lectern/core"
import { type Failure, toResponse } from "../server/messages/failures.ts"
import type { ApiRequest, ApiResponse } from "../server/messages/Message.ts"
import { alert, linkButton, renderSignInPage } from "./page.ts"
import { signInTexts } from "./texts.ts"

/** Renders the page of a failed login at the path of a provider, with its reason and a link to sign in. */
export const renderFailurePage = (request: ApiRequest, error: Failure): ApiResponse => {
  const language = languageOf(request.header("accept-language"))
  const texts = signInTexts[language]
  const reason = "message" in error && error.message !== "" ? error.message : texts.failed
  return renderSignInPage({
    language,
    title: texts.failed,
    body: `${alert(reason)}${linkButton("../../../~/login", texts.signIn)}`,
    status: toResponse(error).status
  })
}
