/** Serves the files of a site that its administrators have added: fonts of the organization, and scripts as text. */
import { CustomFonts, SiteScripts } from "@lectern/core"
import { fontTypes } from "@lectern/model/sites"
import { Effect } from "effect"
import { fontAssetOf } from "../assets/customFonts.ts"
import { type ReaderRequest, rendered, respond } from "../http/messages.ts"
import type { ReadableSite } from "./ReadableSite.ts"

/** Creates the function that serves a file; `undefined` for another name. */
export const makeServeFile = Effect.gen(function* () {
  const fonts = yield* CustomFonts
  const scripts = yield* SiteScripts

  /** Serves a file of a font of the organization, which the style sheet names. */
  const serveFont = Effect.fnUntraced(function* (request: ReaderRequest, site: ReadableSite, name: string) {
    const file = fontAssetOf(name)
    if (file === undefined) return undefined
    const found = yield* fonts
      .getFile({ organization: site.organization, font: file.font, hash: file.hash })
      .pipe(Effect.catchTag("InvalidInput", () => Effect.succeed(undefined)))
    return found?.format === file.format
      ? respond(request, rendered(fontTypes[file.format], found.bytes), "immutable")
      : undefined
  })

  /** Serves the text of a script of the site as a file, so that the policy of pages permits no inline script. */
  const serveScript = Effect.fnUntraced(function* (request: ReaderRequest, site: ReadableSite, name: string) {
    const { visitor } = site.identity
    if (site.scripts === undefined || !name.startsWith("script.")) return undefined
    if (visitor === undefined || visitor === "anonymous") return undefined
    const text = yield* scripts
      .getText({ organization: site.organization, site: visitor.site, file: name })
      .pipe(Effect.catchTag("InvalidInput", () => Effect.succeed(undefined)))
    return text === undefined
      ? undefined
      : respond(request, rendered("text/javascript; charset=utf-8", text), "immutable")
  })

  return Effect.fnUntraced(function* (request: ReaderRequest, site: ReadableSite, name: string) {
    return (yield* serveFont(request, site, name)) ?? (yield* serveScript(request, site, name))
  })
})
