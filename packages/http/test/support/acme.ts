/** The website of Acme: pages of every kind, among what an import must leave out. */
import { gzipSync } from "node:zlib"
import { serveSite } from "./imports.ts"
import { generators, picture, type Route } from "./website.ts"

/** How many pages of each kind the website has. */
export const [guides, references, steps] = [22, 25, 12]

/** The routes of a website of many kinds of pages. */
const acme = (): Record<string, Route> => {
  const write = (index: number, title: string, content: string) =>
    generators[index % generators.length]!(title, content)
  const routes: Record<string, Route> = {
    "/robots.txt": {
      type: "text/plain",
      body: "User-agent: *\nDisallow: /docs/secret\nSitemap: /none.xml\n\nUser-agent: Lectern\nDisallow: /docs/secret/\n"
    },
    "/sitemap.xml": {
      type: "application/xml",
      body: `<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>SITE/docs/sitemap-1.xml.gz</loc></sitemap><sitemap><loc>SITE/sitemap.xml</loc></sitemap></sitemapindex>`
    },
    "/docs/": write(
      0,
      "Acme",
      `<p>All of it: <a href="guides/">the guides</a>, <a href="/docs/steps/1">the steps</a>, <a href="cycle/a">in circles</a>,
      <a href="/docs/secret/plan">the plan</a>, <a href="/blog/">the blog</a>, <a href="manual.pdf">the manual</a>,
      <a href="old">old</a>, <a href="away">away</a>, <a href="private">private</a>, <a href="missing">missing</a>,
      <a href="picture">picture</a>, <a href="latin">latin</a>, <a href="mailto:ada@example.com">Ada</a>.</p>
      <p><img src="/img/logo.png" alt="Logo"> <img src="/img/same.png" alt="Same"> <img src="/img/other.png" alt="Other">
      <img src="/img/missing.png" alt="Missing"> <img src="/img/page.png" alt="Page"></p>`
    ),
    "/docs/guides/": write(
      1,
      "Guides",
      `<p>One of them:</p><ul>${Array.from({ length: guides }, (_, i) => `<li><a href="guide-${i + 1}.html">Guide ${i + 1}</a></li>`).join("")}</ul>`
    ),
    "/docs/cycle/a": write(
      2,
      "Circle A",
      '<p>To <a href="b">B</a>, <a href="a">here</a>, <a href="./a/">here too</a>, <a href="a?session=1">and again</a>.</p>'
    ),
    "/docs/cycle/b": write(3, "Circle B", '<p>To <a href="a">A</a> and <a href="../">up</a>.</p>'),
    "/docs/old": { location: "/docs/guides/" },
    "/docs/away": { location: "/blog/" },
    "/docs/private": { location: "http://10.0.0.1/docs/" },
    "/docs/picture": { type: "image/png", body: picture(1) },
    "/docs/latin": {
      type: "text/html",
      body: Buffer.from(
        '<html><head><meta charset="iso-8859-1"><title>Latin</title></head><body><main><h1>Caf\xe9</h1><p>Cr\xe8me br\xfbl\xe9e.</p></main></body></html>',
        "latin1"
      )
    },
    "/docs/secret/plan": write(0, "Secret", "<p>Nobody may read this.</p>"),
    "/blog/": write(0, "Blog", "<p>Not part of it.</p>"),
    "/img/logo.png": { type: "image/png", body: picture(1) },
    "/img/same.png": { type: "image/png", body: picture(1) },
    "/img/other.png": { type: "image/png", body: picture(2) },
    "/img/page.png": "<p>No picture.</p>"
  }
  // It says that it is the page without the number of the session.
  routes["/docs/cycle/a?session=1"] = (routes["/docs/cycle/a"] as string).replace(
    "<head>",
    '<head><link rel="canonical" href="/docs/cycle/a">'
  )
  for (let i = 1; i <= guides; i++) {
    routes[`/docs/guides/guide-${i}.html`] = write(
      i,
      `Guide ${i}`,
      `<p>This is guide ${i}, before <a href="guide-${(i % guides) + 1}.html#use">the next</a> and <a href="../reference/thing-${i}">its reference</a>. <a href="https://example.com/x?a=1&amp;b=2">Elsewhere</a>.</p>
      <h2 id="use">How to use it</h2><p>See <a href="#use">above</a>.</p>
      <div class="highlight-python"><div class="highlight"><pre><span>def</span> f(x):\n    return x + ${i}\n</pre></div></div>
      <table><thead><tr><th>Name</th><th align="right">Size</th></tr></thead><tbody><tr><td><code>a|b</code></td><td>${i}</td></tr></tbody></table>`
    )
  }
  for (let i = 1; i <= references; i++) {
    routes[`/docs/reference/thing-${i}`] = write(i, `Thing ${i}`, `<p>What thing ${i} is.</p>`)
  }
  for (let i = 1; i <= steps; i++) {
    const path = `/docs/steps/${Array.from({ length: i }, (_, n) => n + 1).join("/")}`
    routes[path] = write(
      i,
      `Step ${i}`,
      i === steps ? "<p>The end.</p>" : `<p><a href="${path}/${i + 1}">On</a>.</p>`
    )
  }
  routes["/docs/sitemap-1.xml.gz"] = {
    type: "application/gzip",
    body: gzipSync(
      `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${["/docs/", "/docs/secret/plan", "/blog/", ...Array.from({ length: references }, (_, i) => `/docs/reference/thing-${i + 1}`)].map((path) => `<url><loc>SITE${path}</loc></url>`).join("")}</urlset>`
    )
  }
  return routes
}

/** Serves the website, with its own address where it names itself. */
export const serveAcme = async () => {
  const site = await serveSite(acme())
  const named = (text: string) => text.replaceAll("SITE", site.url)
  const sitemap = site.routes.get("/sitemap.xml") as { type: string; body: string }
  site.routes.set("/sitemap.xml", { ...sitemap, body: named(sitemap.body) })
  const listed = [
    "/docs/",
    "/docs/secret/plan",
    "/blog/",
    ...Array.from({ length: references }, (_, i) => `/docs/reference/thing-${i + 1}`)
  ]
  site.routes.set("/docs/sitemap-1.xml.gz", {
    type: "application/gzip",
    body: gzipSync(
      `<urlset>${listed.map((path) => `<url><loc>${site.url}${path}</loc></url>`).join("")}</urlset>`
    )
  })
  site.routes.set("/robots.txt", {
    type: "text/plain",
    body: `User-agent: *\nDisallow: /docs/secret/\nSitemap: ${site.url}/sitemap.xml\n`
  })
  return site
}

/** How many pages it has: home, the list of guides, a cycle of two, one in Latin-1, and those that are counted above. */
export const acmePages = 1 + 1 + guides + references + steps + 2 + 1
