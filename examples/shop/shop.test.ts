/** The shop on both stores. PostgreSQL is tested if `DATABASE_URL` is the URL of an empty database. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createClient } from "@lectern/client"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeApp } from "./app.ts"
import { openDatabase } from "./database.ts"
import { openShop, type Shop } from "./shop.ts"
import { VotesApi } from "./votes/VotesApi.ts"

const stores = { SQLite: ":memory:", PostgreSQL: process.env.DATABASE_URL }

describe.each(Object.entries(stores))("the shop on %s", (_, url) => {
  if (url === undefined) {
    it.skip("requires DATABASE_URL")
    return
  }
  let shop: Shop
  let address: string
  let server: ReturnType<typeof createServer>

  beforeAll(async () => {
    shop = await openShop(await openDatabase(url))
    server = createServer(makeApp(shop))
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    server.closeAllConnections()
    server.close()
    await shop.close()
  })

  const post = (path: string, body: object, cookie = "") =>
    fetch(address + path, {
      method: "POST",
      headers: { "content-type": "application/json", cookie },
      body: JSON.stringify(body)
    })

  const signIn = async (email: string) => {
    expect((await post("/accounts", { email })).status).toBe(201)
    const response = await post("/sessions", { email })
    return response.headers.getSetCookie()[0]!.split(";")[0]!
  }

  it("signs its own users in to the API of the workspace", async () => {
    const cookie = await signIn("ada@example.com")
    const get = (headers: Record<string, string>) => fetch(`${address}/docs-api/v1/user`, { headers })
    expect(await (await get({ cookie })).json()).toMatchObject({ email: "ada@example.com" })
    expect((await get({})).status).toBe(401)
  })

  it("stores a product and its space together, or neither", async () => {
    const cookie = await signIn("bob@example.com")
    expect((await post("/products", { name: "Lamp" }, cookie)).status).toBe(201)
    expect((await post("/products", { name: "Lamp" }, cookie)).status).toBe(500)
    expect((await post("/products", { name: "Chair" })).status).toBe(401)
    const products = (await (await fetch(`${address}/products`)).json()) as ReadonlyArray<{ space: string }>
    const { user } = (await shop.findUser(cookie.slice("session=".length)))!
    const { items } = await shop.workspace.as(user).spaces.list({ organization: shop.organization })
    expect(items.map(({ id }) => id)).toEqual(products.map(({ space }) => space))
  })

  it("counts one vote per user, by the typed client", async () => {
    const cookie = await signIn("eve@example.com")
    const { user } = (await shop.findUser(cookie.slice("session=".length)))!
    const spaceId = await shop.createProduct(user, "Desk")
    const { secret } = await shop.workspace.tokens.create({ input: { user, label: "Test" } })
    const client = createClient({ baseUrl: `${address}/docs-api`, token: secret, features: [VotesApi] })
    const params = { spaceId }
    await client.votes.castVote({ params, payload: { answer: "no" } })
    expect(await client.votes.castVote({ params, payload: { answer: "yes" } })).toEqual({ yes: 1, no: 0 })
    expect(await client.votes.countVotes({ params })).toEqual({ yes: 1, no: 0 })
    expect(await shop.workspace.as(user).votes.count({ space: spaceId })).toEqual({ yes: 1, no: 0 })
  })
})
