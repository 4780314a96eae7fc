/** A website for tests: on a free port of this machine, with what it was asked for. */
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"

/** What an address answers: a page, bytes of a type, a redirect, or whatever else. */
export type Route =
  | string
  | { readonly type: string; readonly body: string | Uint8Array; readonly headers?: Record<string, string> }
  | { readonly location: string }
  | RequestListener

/** A website that runs. */
export interface Website {
  readonly url: string
  /** Its routes, by path; they may be changed while it runs. */
  readonly routes: Map<string, Route>
  /** The paths that were asked for, in their order. */
  readonly asked: Array<string>
  /** The most requests that were open at one time. */
  readonly mostAtOnce: () => number
  readonly close: () => Promise<void>
}

/** Starts a website. */
export const startWebsite = async (routes: Record<string, Route> = {}): Promise<Website> => {
  const known = new Map(Object.entries(routes))
  const asked: Array<string> = []
  let [open, most] = [0, 0]
  const server = createServer((request, response) => {
    asked.push(request.url!)
    most = Math.max(most, ++open)
    response.on("close", () => open--)
    const route = known.get(request.url!)
    if (route === undefined)
      response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not found</h1>")
    else if (typeof route === "function") route(request, response)
    else if (typeof route === "string") {
      // As one that has to think: others come in meanwhile.
      setTimeout(() => response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(route), 3)
    } else if ("location" in route) response.writeHead(302, { location: route.location }).end()
    else response.writeHead(200, { "content-type": route.type, ...route.headers }).end(route.body)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    routes: known,
    asked,
    mostAtOnce: () => most,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    }
  }
}

/** A picture of one pixel, of some color: another number, other bytes. */
export const picture = (color: number): Uint8Array =>
  Buffer.concat([
    Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64"
    ),
    Buffer.from([color])
  ])

/** Pages as different generators of documentation write them: the same content, each time among other things. */
export const generators: ReadonlyArray<(title: string, content: string) => string> = [
  // MkDocs
  (title, content) =>
    `<!doctype html><html><head><title>${title} - Acme</title></head><body><header class="md-header"><nav><a href="/docs/">Acme</a></nav></header><div class="md-main"><div class="md-sidebar">Sidebar words</div><main><article class="md-content__inner"><h1 id="top">${title}<a class="headerlink" href="#top">¶</a></h1>${content}</article></main></div><footer>Footer words</footer></body></html>`,
  // Docusaurus
  (title, content) =>
    `<!doctype html><html><head><title>${title} | Acme</title></head><body><div id="__docusaurus"><nav class="navbar">Navbar words</nav><main><div class="container"><article><nav class="theme-doc-breadcrumbs">Breadcrumb words</nav><div class="theme-doc-markdown markdown"><header><h1>${title}</h1></header>${content}</div><footer class="theme-doc-footer"><a class="theme-edit-this-page" href="https://example.com/edit">Edit this page</a></footer></article></div></main></div></body></html>`,
  // Sphinx
  (title, content) =>
    `<html><head><title>${title} &mdash; Acme documentation</title></head><body><div class="document"><div class="documentwrapper"><div class="body" role="main"><section id="s"><h1>${title}<a class="headerlink" href="#s" title="Permalink">¶</a></h1>${content}</section></div></div><div class="sphinxsidebar" role="navigation"><p>Sidebar words</p></div></div><div class="footer" role="contentinfo">Footer words</div></body></html>`,
  // A page that says nothing of where its content is.
  (title, content) =>
    `<html><head><title>${title}</title></head><body><div class="wrap"><ul class="menu"><li><a href="/docs/">Menu words</a></li></ul><div class="columns"><div><h1>${title}</h1>${content}<p>${"Many words that are content. ".repeat(20)}</p></div><div class="right"><a href="/">Right words</a></div></div></div></body></html>`,
  // Of the old days: laid out by a table.
  (title, content) =>
    `<html><head><title>${title}</title></head><body><table><tr><td width="20%"><a href="/docs/">Left words</a></td><td><h1>${title}</h1>${content}<p>${"Many words that are content. ".repeat(20)}</p></td></tr></table></body></html>`
]
