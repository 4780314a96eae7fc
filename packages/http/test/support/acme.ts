/** The website of Acme: pages of every kind, and resources that an import must skip. */
import { gzipSync } from "node:zlib"
import { serveSite } from "./imports.ts"
import { pageGenerators, pixelImage, type Route } from "./website.ts"

/** The number of pages of each kind. */
export const [guideCount, referenceCount, stepCount] = [22, 25, 12]

/** The routes of the website. */
const acmeRoutes = (): Record<string, Route> => {
  const write = (index: number, title: string, content: string) =>
    pageGenerators[index % pageGenerators.length]!(title, content)
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
      `<p>One of them:</p><ul>${Array.from({ length: guideCount }, (_, i) => `<li><a href="guide-${i + 1}.html">Guide ${i + 1}</a></li>`).join("")}</ul>`
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
    "/docs/picture": { type: "image/png", body: pixelImage(1) },
    "/docs/latin": {
      type: "text/html",
      body: Buffer.from(
        '<html><head><meta charset="iso-8859-1"><title>Latin</title></head><body><main><h1>Caf\xe9</h1><p>Cr\xe8me br\xfbl\xe9e.</p></main></body></html>',
        "latin1"
      )
    },
    "/docs/secret/plan": write(0, "Secret", "<p>Nobody may read this.</p>"),
    "/blog/": write(0, "Blog", "<p>Not part of it.</p>"),
    "/img/logo.png": { type: "image/png", body: pixelImage(1) },
    "/img/same.png": { type: "image/png", body: pixelImage(1) },
    "/img/other.png": { type: "image/png", body: pixelImage(2) },
    "/img/page.png": "<p>No picture.</p>"
  }
  // Its canonical URL is the page without the session parameter.
  routes["/docs/cycle/a?session=1"] = (routes["/docs/cycle/a"] as string).replace(
    "<head>",
    '<head><link rel="canonical" href="/docs/cycle/a">'
  )
  for (let i = 1; i <= guideCount; i++) {
    routes[`/docs/guides/guide-${i}.html`] = write(
      i,
      `Guide ${i}`,
      `<p>This is guide ${i}, before <a href="guide-${(i % guideCount) + 1}.html#use">the next</a> and <a href="../reference/thing-${i}">its reference</a>. <a href="https://example.com/x?a=1&amp;b=2">Elsewhere</a>.</p>
      <h2 id="use">How to use it</h2><p>See <a href="#use">above</a>.</p>
      <div class="highlight-python"><div class="highlight"><pre><span>def</span> f(x):\n    return x + ${i}\n</pre></div></div>
      <table><thead><tr><th>Name</th><th align="right">Size</th></tr></thead><tbody><tr><td><code>a|b</code></td><td>${i}</td></tr></tbody></table>`
    )
  }
  for (let i = 1; i <= referenceCount; i++) {
    routes[`/docs/reference/thing-${i}`] = write(i, `Thing ${i}`, `<p>What thing ${i} is.</p>`)
  }
  for (let i = 1; i <= stepCount; i++) {
    const path = `/docs/steps/${Array.from({ length: i }, (_, n) => n + 1).join("/")}`
    routes[path] = write(
      i,
      `Step ${i}`,
      i === stepCount ? "<p>The end.</p>" : `<p><a href="${path}/${i + 1}">On</a>.</p>`
    )
  }
  routes["/docs/sitemap-1.xml.gz"] = {
    type: "application/gzip",
    body: gzipSync(
      `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${["/docs/", "/docs/secret/plan", "/blog/", ...Array.from({ length: referenceCount }, (_, i) => `/docs/reference/thing-${i + 1}`)].map((path) => `<url><loc>SITE${path}</loc></url>`).join("")}</urlset>`
    )
  }
  return routes
}

/** Serves the website, with its own URL in its sitemap and robots.txt. */
export const serveAcme = async () => {
  const site = await serveSite(acmeRoutes())
  const withSiteUrl = (text: string) => text.replaceAll("SITE", site.url)
  const sitemap = site.routes.get("/sitemap.xml") as { type: string; body: string }
  site.routes.set("/sitemap.xml", { ...sitemap, body: withSiteUrl(sitemap.body) })
  const listed = [
    "/docs/",
    "/docs/secret/plan",
    "/blog/",
    ...Array.from({ length: referenceCount }, (_, i) => `/docs/reference/thing-${i + 1}`)
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

/** The number of pages: home, the list of guides, a cycle of two, one in Latin-1, and the pages counted above. */
export const acmePageCount = 1 + 1 + guideCount + referenceCount + stepCount + 2 + 1
