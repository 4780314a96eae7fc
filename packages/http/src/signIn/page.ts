/** Renders the pages for signing in. They need no script, and load nothing. */
import { createHash } from "node:crypto"
import type { MailLanguage } from "@lectern/core"
import type { ApiResponse } from "../server/messages/Message.ts"

/** Escapes text for HTML and for attributes in double quotes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

const styles = `
:root { color-scheme: light dark; --text: #1c2024; --muted: #60646c; --line: #80838d; --accent: #3a5bc7; --on-accent: #fff; --alert: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --text: #edeef0; --muted: #b0b4ba; --line: #777b84; --accent: #9eb1ff; --on-accent: #10131c; --alert: #ffb4ab; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 12vh 1.25rem 2rem; color: var(--text); background: Canvas; font: 1rem/1.5 ui-sans-serif, system-ui, sans-serif; }
main { max-width: 24rem; margin: auto; }
h1 { margin: 0 0 1.25rem; font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere; }
.product { margin: 0 0 .5rem; font-weight: 600; letter-spacing: .01em; }
p { margin: 0 0 1rem; color: var(--muted); overflow-wrap: anywhere; }
p[role="alert"] { color: var(--alert); }
label { display: block; margin: 0 0 .35rem; font-weight: 600; }
input { width: 100%; margin: 0 0 1rem; padding: .6rem .75rem; border: 1px solid var(--line); border-radius: .5rem; background: Canvas; color: inherit; font: inherit; }
button, a.button { display: block; width: 100%; margin: 0 0 .75rem; padding: .65rem 1rem; border: 1px solid var(--accent); border-radius: .5rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; text-align: center; text-decoration: none; overflow-wrap: anywhere; cursor: pointer; }
a.button, button.secondary { background: transparent; color: var(--accent); }
[hidden] { display: none !important; }
button.danger { border-color: var(--alert); background: transparent; color: var(--alert); }
hr { margin: 1.5rem 0; border: 0; border-top: 1px solid var(--line); }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`

const styleHash = createHash("sha256").update(styles).digest("base64")

/** The headers of pages and redirects that a sign-in consists of: no cache stores them, and no other page learns their URLs. */
export const signInHeaders = (): Record<string, string> => ({
  "cache-control": "no-store",
  "referrer-policy": "no-referrer"
})

/** The content of a page. */
export interface SignInPage {
  readonly language: MailLanguage
  readonly title: string
  /** The HTML below the title. Every value in it is escaped. */
  readonly body: string
  readonly status?: number
  /** The URL that the browser opens immediately; none by default. */
  readonly refreshTo?: string
  /** The program of the page; none by default. It can send requests to this server only. */
  readonly script?: string
}

/** Returns the directives that permit a program and its requests. */
const scriptPolicy = (script: string | undefined): string =>
  script === undefined
    ? ""
    : `script-src 'sha256-${createHash("sha256").update(script).digest("base64")}'; connect-src 'self'; `

/** Renders a page. */
export const renderSignInPage = ({
  language,
  title,
  body,
  refreshTo,
  script,
  status = 200
}: SignInPage): ApiResponse => ({
  status,
  headers: {
    ...signInHeaders(),
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; ${scriptPolicy(script)}base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    "x-content-type-options": "nosniff",
    vary: "accept-language, cookie"
  },
  body: `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${refreshTo === undefined ? "" : `<meta http-equiv="refresh" content="0;url=${escapeHtml(refreshTo)}">\n`}<title>${escapeHtml(title)} · Lectern</title>
<style>${styles}</style>
</head>
<body>
<main>
<p class="product">Lectern</p>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
${script === undefined ? "" : `<script>${script}</script>\n`}</body>
</html>
`
})

/** Renders a paragraph. */
export const paragraph = (text: string): string => `<p>${escapeHtml(text)}</p>`

/** Renders a paragraph that screen readers announce. */
export const alert = (text: string): string => `<p role="alert">${escapeHtml(text)}</p>`

/** Renders a link that looks like a button. */
export const linkButton = (href: string, text: string): string =>
  `<a class="button" href="${escapeHtml(href)}">${escapeHtml(text)}</a>`
