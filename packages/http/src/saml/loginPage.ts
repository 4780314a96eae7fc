/** The page that browsers show after a SAML login. */
import type { ApiResponse } from "../server/messages/Message.ts"

/** The result of a login. */
export interface Login {
  /** The API token. */
  readonly token: string
  /** The id of the user. */
  readonly user: string
  /** The id of the organization whose resources the token can access. */
  readonly organization: string
  /** When the token expires, in ISO 8601. */
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

/** The form that starts a session of the reader with the token, and returns to the page that required it. */
const sessionForm = ({
  token,
  organization
}: Login): string => `<form method="post" action="../../../~/login">
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="default" value="o/${organization}">
<p><button>Continue</button></p>
</form>
`

/** Renders the page. It needs no escaping: a token, an id and a date are its only variable parts, all from Lectern. */
export const loginPage = (
  login: Login,
  hasReader: boolean,
  headers: Record<string, string>
): ApiResponse => ({
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
${hasReader ? sessionForm(login) : ""}<p>This is your API token for this organization. It is shown only once and expires on ${login.expiresAt.slice(0, 10)}.</p>
<code>${login.token}</code>
<p>Organization ${login.organization}</p>
</body>
</html>
`
})
