/**
 * Hosts whose sites load scripts of others serve only pages of sites, and what these load without a session. A script has the origin of
 * its page, so that the origin must not be that of the application, of the API or of a session.
 */
import type { Answers } from "@lectern/answers"
import { downloadsPath, exportsPath, PublicUrl, pdfsPath, SiteScripts } from "@lectern/core"
import { fontsPath, nameOfHost } from "@lectern/model/sites"
import { Effect } from "effect"
import type { Dispatcher } from "./Dispatcher.ts"
import { requestKindOf } from "./limits/requestKind.ts"
import type { ApiRequest } from "./messages/Message.ts"
import { hostOf, makePageRoute, type PageReader } from "./routes/pages.ts"
import { mcpSuffix } from "./routes/siteMcpPath.ts"
import { unknownPage } from "./routes/unknownPages.ts"

/** Paths that are served at every host: their URLs are signed or contain a digest, and no session has an effect. */
const withoutSession = [downloadsPath, exportsPath, fontsPath, pdfsPath]

/** Whether a site can have a name: not an address. */
const canBeOfSite = (host: string): boolean => /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/i.test(host)

/** The cookie with the token of a visitor, the only one that pages of a site read. */
const visitorCookie = /^lectern-visitor=/

/** Returns a request without the cookies of sessions, which a browser can still have from before a script was installed. */
const withoutSessions = (request: ApiRequest): ApiRequest => ({
  ...request,
  header: (name) => {
    const value = request.header(name)
    if (name !== "cookie" || value === undefined) return value
    const kept = value.split(";").filter((part) => visitorCookie.test(part.trim()))
    return kept.length === 0 ? undefined : kept.join(";")
  }
})

/** Serves only pages of sites at hosts whose sites load scripts. */
export const makeScriptHosts = Effect.fnUntraced(function* (
  reader: PageReader | undefined,
  answers: Answers | undefined
) {
  const scripts = yield* SiteScripts
  const publicHost = URL.parse(yield* PublicUrl)?.host
  const pages = makePageRoute(reader, answers)

  const servesScripts = (request: ApiRequest) => {
    const host = hostOf(request)?.toLowerCase()
    // The port is not a part of the name, and cookies are the same for all ports.
    const name = host === undefined ? "" : nameOfHost(host)
    return host === publicHost || request.baseUrl !== undefined || !canBeOfSite(name) || reader === undefined
      ? Effect.succeed(false)
      : // Without the store, nothing is served to a page that may have scripts.
        Effect.catch(scripts.servesScripts({ host: name }), () => Effect.succeed(true))
  }

  return (dispatch: Dispatcher): Dispatcher =>
    (request) =>
      Effect.flatMap(servesScripts(request), (isScriptHost) => {
        if (!isScriptHost) return dispatch(request)
        const [path = ""] = request.url.split("?", 1)
        const visit = withoutSessions(request)
        // They have no limits, so that no page is rendered for them.
        if (requestKindOf(request) === "health") {
          return path === "/metrics" ? Effect.succeed(unknownPage(visit)) : dispatch(visit)
        }
        if (withoutSession.some((prefix) => path.startsWith(prefix)) || path.endsWith(mcpSuffix)) {
          return dispatch(visit)
        }
        return Effect.map(pages(visit), (page) => page ?? unknownPage(visit))
      })
})
