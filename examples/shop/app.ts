/** The application of the shop in Express, with the API of the workspace under `/docs-api`. */
import { toNodeListener } from "@lectern/http"
import express from "express"
import type { Shop } from "./shop.ts"
import { votesHttp } from "./votes/votesFeature.ts"

/** Creates the application. */
export const makeApp = (shop: Shop) => {
  const app = express()
  app.use("/docs-api", toNodeListener(shop.workspace, { features: [votesHttp] }))
  app.use(express.json())
  app.post("/accounts", async (request, response) => {
    await shop.signUp(String(request.body.email))
    response.sendStatus(201)
  })
  app.post("/sessions", async (request, response) => {
    response.cookie("session", await shop.signIn(String(request.body.email)), { httpOnly: true })
    response.sendStatus(201)
  })
  app.get("/products", async (_request, response) => {
    response.json(await shop.products())
  })
  app.post("/products", async (request, response) => {
    const session = /session=([\w-]+)/.exec(request.headers.cookie ?? "")?.[1] ?? ""
    const caller = await shop.findUser(session)
    if (caller === undefined) response.sendStatus(401)
    else
      response.status(201).json({ space: await shop.createProduct(caller.user, String(request.body.name)) })
  })
  return app
}
