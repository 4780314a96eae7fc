/** An Express application with sessions of `express-session`: its users are users of the workspace. */
import { createWorkspace, type HostAuthenticate } from "@lectern/core"
import { toNodeListener } from "@lectern/http"
import { makeReader } from "@lectern/reader"
import { sqlite } from "@lectern/storage-sqlite"
import { unsign } from "cookie-signature"
import express from "express"
import session from "express-session"
import { findOrCreateUser } from "./accounts.ts"

declare module "express-session" {
  interface SessionData {
    user: string
  }
}

const secret = "a secret of 32 characters or more"

/** Returns the function that finds the user of a request in the store of the sessions, for every route of Lectern. */
const authenticateBy =
  (store: session.Store): HostAuthenticate =>
  async ({ header }) => {
    const cookie = /(?:^|;\s*)connect\.sid=s%3A([^;]+)/.exec(header("cookie") ?? "")?.[1]
    const id = cookie === undefined ? false : unsign(decodeURIComponent(cookie), secret)
    if (id === false) return undefined
    const found = await new Promise<session.SessionData | null | undefined>((resolve, reject) =>
      store.get(id, (error, data) => (error ? reject(error) : resolve(data)))
    )
    return found?.user === undefined ? undefined : { user: found.user }
  }

/** Creates the application. `/login` represents the page on which the host verifies a password. */
export const makeApp = async () => {
  const store = new session.MemoryStore()
  const workspace = createWorkspace({
    storage: sqlite(":memory:"),
    authenticate: authenticateBy(store),
    signInUrl: "https://acme.example/login",
    publicUrl: "https://acme.example/docs-api"
  })
  const app = express()
  app.use(session({ secret, store, resave: false, saveUninitialized: false }))
  app.post("/login", express.json(), async (request, response) => {
    const { email } = request.body as { readonly email: string }
    request.session.user = await findOrCreateUser(workspace, email)
    response.sendStatus(204)
  })
  app.use("/docs-api", toNodeListener(workspace, { reader: makeReader }))
  return { app, workspace }
}
