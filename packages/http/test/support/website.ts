/** A website for tests on a free local port, which records the requests that it receives. */
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"

/** The response of a path: an HTML page, a body with its content type, a redirect, or a request listener. */
export type Route =
  | string
  | { readonly type: string; readonly body: string | Uint8Array; readonly headers?: Record<string, string> }
  | { readonly location: string }
  | RequestListener

/** A running website. */
export interface Website {
  readonly url: string
  /** The routes by path, which can be changed while the website runs. */
  readonly routes: Map<string, Route>
  /** The requested paths, in the order of the requests. */
  readonly requestedPaths: Array<string>
  /** The maximum number of concurrent requests so far. */
  readonly maxConcurrentRequests: () => number
  readonly close: () => Promise<void>
}

/** Starts a website. */
export const startWebsite = async (routes: Record<string, Route> = {}): Promise<Website> => {
  const routesByPath = new Map(Object.entries(routes))
  const requestedPaths: Array<string> = []
  let [open, maxOpen] = [0, 0]
  const server = createServer((request, response) => {
    requestedPaths.push(request.url!)
    maxOpen = Math.max(maxOpen, ++open)
    // Before the client has the whole response, and sends the next request.
    let isOpen = true
    const close = () => {
      if (isOpen) open--
      isOpen = false
    }
    response.on("finish", close).on("close", close)
    const route = routesByPath.get(request.url!)
    if (route === undefined)
      response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not found</h1>")
    else if (typeof route === "function") route(request, response)
    else if (typeof route === "string") {
      // The delay lets concurrent requests arrive.
      setTimeout(() => response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(route), 3)
    } else if ("location" in route) response.writeHead(302, { location: route.location }).end()
    else response.writeHead(200, { "content-type": route.type, ...route.headers }).end(route.body)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    routes: routesByPath,
    requestedPaths,
    maxConcurrentRequests: () => maxOpen,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    }
  }
}

/** An image of one pixel. Different numbers give different bytes. */
export const pixelImage = (color: number): Uint8Array =>
  Buffer.concat([
    Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64"
    ),
    Buffer.from([color])
  ])

/** Pages in the layouts of different documentation generators: the same content with different surroundings. */
export const pageGenerators: ReadonlyArray<(title: string, content: string) => string> = [
  // MkDocs
  (title, content) =>
    `<!doctype html><html><head><title>${title} - Acme</title></head><body><header class="md-header"><nav><a href="/docs/">Acme</a></nav></header><div class="md-main"><div class="md-sidebar">Sidebar words</div><main><article class="md-content__inner"><h1 id="top">${title}<a class="headerlink" href="#top">¶</a></h1>${content}</article></main></div><footer>Footer words</footer></body></html>`,
  // Docusaurus
  (title, content) =>
    `<!doctype html><html><head><title>${title} | Acme</title></head><body><div id="__docusaurus"><nav class="navbar">Navbar words</nav><main><div class="container"><article><nav class="theme-doc-breadcrumbs">Breadcrumb words</nav><div class="theme-doc-markdown markdown"><header><h1>${title}</h1></header>${content}</div><footer class="theme-doc-footer"><a class="theme-edit-this-page" href="https://example.com/edit">Edit this page</a></footer></article></div></main></div></body></html>`,
  // Sphinx
  (title, content) =>
    `<html><head><title>${title} &mdash; Acme documentation</title></head><body><div class="document"><div class="documentwrapper"><div class="body" role="main"><section id="s"><h1>${title}<a class="headerlink" href="#s" title="Permalink">¶</a></h1>${content}</section></div></div><div class="sphinxsidebar" role="navigation"><p>Sidebar words</p></div></div><div class="footer" role="contentinfo">Footer words</div></body></html>`,
  // A page without markup that identifies its content.
  (title, content) =>
    `<html><head><title>${title}</title></head><body><div class="wrap"><ul class="menu"><li><a href="/docs/">Menu words</a></li></ul><div class="columns"><div><h1>${title}</h1>${content}<p>${"Many words that are content. ".repeat(20)}</p></div><div class="right"><a href="/">Right words</a></div></div></div></body></html>`,
  // A layout by tables, as in old websites.
  (title, content) =>
    `<html><head><title>${title}</title></head><body><table><tr><td width="20%"><a href="/docs/">Left words</a></td><td><h1>${title}</h1>${content}<p>${"Many words that are content. ".repeat(20)}</p></td></tr></table></body></html>`
]
