/** The HTML document of the application, and its content security policy. */
import type { Manifest } from "./bundle.ts"

/** Options of {@link renderPage}. */
export interface PageOptions {
  readonly api: string
  readonly basePath: string
  /** The base URL of the documentation; empty for none. */
  readonly help: string
  /** The name of the product, as in the titles of windows. */
  readonly name: string
  /** Whether the rail and the sidebar are displayed. */
  readonly hasNavigation: boolean
  /** The values of tokens of design by their names. */
  readonly tokens: Readonly<Record<string, string>>
  readonly manifest: Manifest
  /** A random value that permits style elements that the components create. */
  readonly nonce: string
}

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

const originOf = (api: string): string => (URL.canParse(api) ? ` ${new URL(api).origin}` : "")

/** Returns the policy: scripts, styles and requests of this server only, and of the API if it has another origin. */
export const policyOf = ({ api, nonce }: PageOptions): string => {
  const origin = originOf(api)
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data: blob:${origin}`,
    `media-src 'self' blob:${origin}`,
    "font-src 'self'",
    `connect-src 'self'${origin}`,
    `frame-src 'self'${origin}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'"
  ].join("; ")
}

const icon =
  "data:image/svg+xml," +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#346ddb"/><path d="M16 11.5c-2.4-1.7-5.2-2.3-8.5-2v10c3.3-.3 6.1.3 8.5 2 2.4-1.7 5.2-2.3 8.5-2v-10c-3.3-.3-6.1.3-8.5 2Zm0 0v10M12 25h8" fill="none" stroke="#fff" stroke-width="2" stroke-linejoin="round" stroke-linecap="round"/></svg>'
  )

/** Returns the style element of the tokens of a host. It follows the style sheets, and has the nonce of the policy. */
const renderTokens = ({ tokens, nonce }: PageOptions): ReadonlyArray<string> => {
  const values = Object.entries(tokens).map(([name, value]) => `${name}:${value}`)
  return values.length === 0 ? [] : [`<style nonce="${nonce}">:root{${values.join(";")}}</style>`]
}

/** Returns the document. Every address has the same one: the application reads the address. */
export const renderPage = (options: PageOptions): string => {
  const { api, basePath, help, name, hasNavigation, manifest, nonce } = options
  const base = escapeHtml(`${basePath}/assets`)
  const styles = manifest.styles.map((file) => `<link rel="stylesheet" href="${base}/${file}">`)
  const preload = manifest.preload.map((file) => `<link rel="modulepreload" href="${base}/${file}">`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<meta name="lectern-api" content="${escapeHtml(api)}">
<meta name="lectern-base" content="${escapeHtml(basePath)}">
<meta name="lectern-help" content="${escapeHtml(help)}">
<meta name="lectern-name" content="${escapeHtml(name)}">
<meta name="lectern-navigation" content="${hasNavigation ? "displayed" : "hidden"}">
<meta property="csp-nonce" nonce="${nonce}">
<title>${escapeHtml(name)}</title>
<link rel="icon" href="${icon}">
${[...styles, ...renderTokens(options), ...preload].join("\n")}
<script type="module" src="${base}/${manifest.script}"></script>
</head>
<body><div id="application"></div></body>
</html>
`
}
