/** Pages that the server renders itself: when they are preferred to JSON, and their frame. */
import type { ApiRequest } from "../messages/Message.ts"

/** Returns the quality of a media type in an `Accept` header, 0 to 1. Only the exact type counts, not a wildcard. */
const qualityOf = (accept: string, mediaType: string): number => {
  for (const range of accept.split(",")) {
    const [type, ...parameters] = range.split(";").map((part) => part.trim().toLowerCase())
    if (type !== mediaType) continue
    const quality = parameters.find((parameter) => parameter.startsWith("q="))
    const value = quality === undefined ? 1 : Number(quality.slice(2))
    return value >= 0 && value <= 1 ? value : 0
  }
  return 0
}

/** Whether a client prefers HTML to JSON. Clients that name no type, such as `curl`, receive JSON. */
export const prefersHtml = (request: Pick<ApiRequest, "header">): boolean => {
  const accept = request.header("accept") ?? ""
  const html = qualityOf(accept, "text/html")
  return html > 0 && html >= qualityOf(accept, "application/json")
}

/** Escapes text for HTML and for quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

const styles = `
:root { color-scheme: light dark; --text: #1c2024; --muted: #60646c; --line: #e0e1e6; --card: #fcfcfd; --accent: #3a5bc7; --code: #f0f0f3; }
@media (prefers-color-scheme: dark) {
  :root { --text: #edeef0; --muted: #b0b4ba; --line: #363a3f; --card: #18191b; --accent: #9eb1ff; --code: #212225; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 4rem 1.25rem; color: var(--text); background: Canvas; font: 1rem/1.6 ui-sans-serif, system-ui, sans-serif; }
main { max-width: 44rem; margin: auto; }
h1 { margin: 0 0 .5rem; font-size: 2.25rem; line-height: 1.2; letter-spacing: -.02em; }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.1rem; }
p { margin: 0; color: var(--muted); }
ul { display: grid; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); gap: 1rem; margin: 2rem 0 0; padding: 0; list-style: none; }
li a { display: block; height: 100%; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--card); color: inherit; text-decoration: none; }
li a:hover, li a:focus-visible { border-color: var(--accent); }
li strong { display: block; color: var(--accent); }
li span { color: var(--muted); font-size: .925rem; }
pre { margin: 0 0 .75rem; padding: 1rem 1.25rem; overflow-x: auto; border-radius: .75rem; background: var(--code); font: .85rem/1.6 ui-monospace, monospace; }
`

/** The headers of a page, which loads nothing and runs no script. */
export const htmlHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

/** Renders a page. The title and the content are HTML. */
export const renderHtmlPage = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${styles}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`
