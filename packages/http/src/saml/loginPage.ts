/** The page that a browser shows after somebody has logged in. */
import type { ApiResponse } from "../server/Message.ts"

/** What a log-in gives. */
export interface Login {
  readonly token: string
  readonly user: string
  readonly organization: string
  readonly expiresAt: string
}

const style = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 15vh auto; padding: 0 1.5rem; color: #1c1c1c }
h1 { font-size: 1.5rem }
code { display: block; padding: 1rem; background: #f4f4f2; border-radius: .5rem; overflow-wrap: anywhere; user-select: all }
p { color: #555 }
@media (prefers-color-scheme: dark) {
  body { background: #181818; color: #eee } code { background: #262626 } p { color: #aaa }
}`

/** The page. Nothing on it comes from outside: a token, ids and a date of Lectern's own. */
export const welcome = (login: Login, headers: Record<string, string>): ApiResponse => ({
  status: 200,
  headers: {
    ...headers,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff"
  },
  body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Logged in · Lectern</title>
<style>${style}</style>
</head>
<body>
<h1>You are logged in</h1>
<p>This is your API token. It is shown this once, opens this organization alone, and works until ${login.expiresAt.slice(0, 10)}.</p>
<code>${login.token}</code>
<p>Organization ${login.organization}</p>
</body>
</html>
`
})
