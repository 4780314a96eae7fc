/**
 * The page that ends e-mails about an organization, for recipients who are not signed in. Mail programs send the POST request
 * themselves (RFC 8058); a link only displays the form, because programs that examine e-mails follow links.
 */
import {
  languageOf,
  type MailLanguage,
  maximumUnsubscribeTokenLength,
  Unsubscriptions,
  unsubscribePath
} from "@lectern/core"
import { Effect } from "effect"
import { toResponse, unknownMethod, unknownPath } from "../server/messages/failures.ts"
import type { ApiRequest, ApiResponse } from "../server/messages/Message.ts"
import type { Route } from "../server/routes/Route.ts"
import { escapeHtml, paragraph, renderSignInPage } from "../signIn/page.ts"

interface UnsubscribeTexts {
  readonly title: string
  readonly hint: string
  readonly confirm: string
  readonly done: string
  readonly invalid: string
}

const texts: Readonly<Record<MailLanguage, UnsubscribeTexts>> = {
  en: {
    title: "E-mails about notifications",
    hint: "You will receive no more e-mails about notifications of this organization. They remain in the list of the application.",
    confirm: "Send no more e-mails",
    done: "You receive no more e-mails about notifications of this organization.",
    invalid: "The link does not work: it is incomplete, or you are no longer a member of the organization."
  },
  de: {
    title: "E-Mails zu Benachrichtigungen",
    hint: "Du erhältst keine E-Mails zu Benachrichtigungen dieser Organisation mehr. In der Liste der Anwendung bleiben sie.",
    confirm: "Keine E-Mails mehr senden",
    done: "Du erhältst keine E-Mails zu Benachrichtigungen dieser Organisation mehr.",
    invalid: "Der Link funktioniert nicht: Er ist unvollständig, oder du bist kein Mitglied der Organisation mehr."
  },
  fr: {
    title: "E-mails de notification",
    hint: "Vous ne recevrez plus d’e-mails sur les notifications de cette organisation. Elles restent dans la liste de l’application.",
    confirm: "Ne plus envoyer d’e-mails",
    done: "Vous ne recevez plus d’e-mails sur les notifications de cette organisation.",
    invalid: "Le lien ne fonctionne pas : il est incomplet, ou vous n’êtes plus membre de l’organisation."
  },
  es: {
    title: "Correos de notificaciones",
    hint: "No recibirás más correos sobre las notificaciones de esta organización. Siguen en la lista de la aplicación.",
    confirm: "No enviar más correos",
    done: "No recibes más correos sobre las notificaciones de esta organización.",
    invalid: "El enlace no funciona: está incompleto, o ya no eres miembro de la organización."
  }
}

/** Decodes the token of a path; undefined for an invalid or too long one. */
const tokenOf = (path: string): string | undefined => {
  const encoded = path.slice(unsubscribePath.length)
  if (encoded.length > 3 * maximumUnsubscribeTokenLength) return undefined
  try {
    const token = decodeURIComponent(encoded)
    return token.length <= maximumUnsubscribeTokenLength ? token : undefined
  } catch {
    return undefined
  }
}

/** Creates the route of the page. It needs no session and no origin: only who has received the e-mail knows the link. */
export const makeUnsubscribePage: Effect.Effect<Route, never, Unsubscriptions> = Effect.gen(function* () {
  const { unsubscribe } = yield* Unsubscriptions

  const render = (request: ApiRequest, body: (one: UnsubscribeTexts) => string, status = 200): ApiResponse => {
    const language = languageOf(request.header("accept-language"))
    return renderSignInPage({ language, title: texts[language].title, body: body(texts[language]), status })
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
