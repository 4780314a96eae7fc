/**
 * The page that ends e-mails about an organization, for recipients who are not signed in. Mail programs send the POST request
 * themselves (RFC 8058); a link only displays the form, because programs that examine e-mails follow links.
 */
import { languageOf, maximumUnsubscribeTokenLength, Unsubscriptions, unsubscribePath } from "@lectern/core"
import { Effect } from "effect"
import { decodePath } from "../server/messages/decodePath.ts"
import { toResponse, unknownMethod, unknownPath } from "../server/messages/failures.ts"
import type { ApiRequest, ApiResponse } from "../server/messages/Message.ts"
import type { Route } from "../server/routes/Route.ts"
import { escapeHtml, paragraph, renderSignInPage } from "./page.ts"
import { type UnsubscribeTexts, unsubscribeTexts } from "./unsubscribeTexts.ts"

/** Decodes the token of a path; undefined for an invalid or too long one. */
const tokenOf = (path: string): string | undefined => {
  const encoded = path.slice(unsubscribePath.length)
  if (encoded.length > 3 * maximumUnsubscribeTokenLength) return undefined
  const token = decodePath(encoded)
  return token === undefined || token.length > maximumUnsubscribeTokenLength ? undefined : token
}

/** Creates the route of the page. It needs no session and no origin: only the recipient of the e-mail has the link. */
export const makeUnsubscribePage: Effect.Effect<Route, never, Unsubscriptions> = Effect.gen(function* () {
  const { unsubscribe } = yield* Unsubscriptions

  const render = (
    request: ApiRequest,
    body: (one: UnsubscribeTexts) => string,
    status = 200
  ): ApiResponse => {
    const language = languageOf(request.header("accept-language"))
    return renderSignInPage({
      language,
      title: unsubscribeTexts[language].title,
      body: body(unsubscribeTexts[language]),
      status
    })
  }

  return (request) => {
    const [path] = request.url.split("?", 1)
    const token = tokenOf(path!)
    if (token === undefined || token === "") return Effect.succeed(unknownPath())
    if (request.method === "GET" || request.method === "HEAD") {
      return Effect.succeed(
        render(
          request,
          ({ hint, confirm }) =>
            `${paragraph(hint)}<form method="post"><button>${escapeHtml(confirm)}</button></form>`
        )
      )
    }
    if (request.method !== "POST") {
      return Effect.succeed(unknownMethod(request.method, ["GET", "HEAD", "POST"]))
    }
    return unsubscribe({ token }).pipe(
      Effect.as(render(request, ({ done }) => paragraph(done))),
      Effect.catchTag("NotFound", () =>
        Effect.succeed(render(request, ({ invalid }) => paragraph(invalid), 404))
      ),
      Effect.catch((error) => Effect.succeed(toResponse(error)))
    )
  }
})
