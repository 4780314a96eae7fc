/** Auth.js: the token of its session contains the id of the user in the workspace. */
import { Auth, type AuthConfig } from "@auth/core"
import Credentials from "@auth/core/providers/credentials"
import { createWorkspace } from "@lectern/core"
import { toWebHandler } from "@lectern/http"
import { sqlite } from "@lectern/storage-sqlite"
import { findOrCreateUser } from "./accounts.ts"

/** Creates the handler of Auth.js at `/auth`, the workspace, and its handler. */
export const makeApp = () => {
  const config: AuthConfig = {
    basePath: "/auth",
    secret: "a secret of 32 characters or more",
    trustHost: true,
    providers: [
      Credentials({
        credentials: { email: {}, password: {} },
        // Represents the verification of a password, or a provider such as GitHub.
        authorize: ({ email, password }) =>
          password === "correct" ? { id: String(email), email: String(email) } : null
      })
    ],
    callbacks: {
      // Called with the user when they sign in.
      jwt: async ({ token, user }) =>
        user?.email == null ? token : { ...token, user: await findOrCreateUser(workspace, user.email) },
      session: ({ session, token }) => ({ ...session, user: { ...session.user, id: String(token.user) } })
    }
  }
  const workspace = createWorkspace({
    storage: sqlite(":memory:"),
    authenticate: async ({ header }) => {
      const cookie = header("cookie")
      if (cookie === undefined) return undefined
      const request = new Request("http://localhost/auth/session", { headers: { cookie } })
      const session = (await (await Auth(request, config)).json()) as { user?: { id?: string } } | null
      return session?.user?.id === undefined ? undefined : { user: session.user.id }
    }
  })
  return { auth: (request: Request) => Auth(request, config), workspace, handler: toWebHandler(workspace) }
}
