/** Renders the API reference as one page that loads nothing from other servers. */
import type { Api } from "@lectern/client"
import { Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { HttpApiScalar } from "effect/http-api"

/**
 * The options of the renderer, Scalar. It offers only what belongs to the API: no developer tools, no link to an API
 * client of its vendor, no telemetry. An entered token is not stored, because published sites can have the same origin.
 */
const rendererOptions = {
  withDefaultFonts: false,
  showDeveloperTools: "never",
  hideClientButton: true,
  telemetry: false,
  persistAuth: false,
  hideModels: true,
  authentication: { preferredSecurityScheme: "token" },
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  metaData: { title: "Lectern API reference" },
  customCss: `
    :root { --scalar-font: ui-sans-serif, system-ui, sans-serif; --scalar-font-code: ui-monospace, monospace; }
    a[href^="https://www.scalar.com"] { display: none !important; }
  `
}

/** Renders the page. Colors follow the theme of the browser, and a button of the page changes them. */
export const renderReferencePage = async (api: typeof Api): Promise<string> => {
  const { handler, dispose } = HttpRouter.toWebHandler(
    HttpApiScalar.layer(api, { path: "/docs", scalar: rendererOptions }).pipe(
      Layer.provide(HttpServer.layerServices)
    ),
    { disableLogger: true }
  )
  try {
    const page = await (await handler(new Request("http://localhost/docs"))).text()
    return page.replace("<html>", '<html lang="en">')
  } finally {
    await dispose()
  }
}
