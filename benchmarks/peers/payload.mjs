/**
 * The server of Payload that `benchmarks/peers.ts` measures: a collection of pages with drafts and versions, over the REST
 * API, without Next. `peers.ts` copies it to a folder where Payload is installed, with the texts of its pages, and runs it with
 * `node payload.mjs <database> <port>`. It prints a line of JSON with the API key and the ids of the pages. A line
 * on its input, `{ "kind": …, "calls": … }`, runs calls of the Local API, and prints their CPU time.
 */
import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { createInterface } from "node:readline"
import { postgresAdapter } from "@payloadcms/db-postgres"
import { sqliteAdapter } from "@payloadcms/db-sqlite"
import { buildConfig, getPayload, handleEndpoints } from "payload"

const [database, port] = process.argv.slice(2)
const texts = JSON.parse(readFileSync("texts.json", "utf8"))

const config = await buildConfig({
  secret: randomBytes(16).toString("hex"),
  db: database.startsWith("postgres")
    ? postgresAdapter({ pool: { connectionString: database, max: 10 }, push: true })
    : sqliteAdapter({ client: { url: `file:${database}` }, wal: true, push: true }),
  telemetry: false,
  logger: { options: { level: "error" } },
  collections: [
    { slug: "users", auth: { useAPIKey: true }, fields: [] },
    {
      slug: "pages",
      versions: { drafts: true, maxPerDoc: 0 },
      access: {
        read: ({ req }) => Boolean(req.user),
        create: ({ req }) => Boolean(req.user),
        update: ({ req }) => Boolean(req.user)
      },
      fields: [
        { name: "title", type: "text", required: true },
        { name: "slug", type: "text", index: true },
        { name: "body", type: "textarea" }
      ]
    }
  ]
})
const payload = await getPayload({ config })
const key = randomBytes(16).toString("hex")
const user = await payload.create({
  collection: "users",
  data: {
    email: "bench@example.com",
    password: randomBytes(16).toString("hex"),
    enableAPIKey: true,
    apiKey: key
  }
})
const pages = []
for (const [index, body] of texts.entries()) {
  const data = { title: `Page ${index}`, slug: `page-${index}`, body, _status: "published" }
  pages.push((await payload.create({ collection: "pages", data })).id)
}

const server = createServer(async (incoming, outgoing) => {
  const body = []
  for await (const chunk of incoming) body.push(chunk)
  const request = new Request(`http://127.0.0.1:${port}${incoming.url}`, {
    method: incoming.method,
    headers: incoming.headers,
    ...(body.length === 0 ? {} : { body: Buffer.concat(body) })
  })
  const response = await handleEndpoints({ config, request })
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  outgoing.end(Buffer.from(await response.arrayBuffer()))
})
server.listen(Number(port), "127.0.0.1", () => console.log(JSON.stringify({ key, pages })))

let version = 0
const update = (id, data, more = {}) =>
  payload.update({ collection: "pages", id, data, user, overrideAccess: false, ...more })
const bodyOf = (page) => `${texts[page % texts.length]}\n\nVersion ${++version} of this process.\n`
const localCalls = {
  edit: (page) => update(pages[page], { body: bodyOf(page) }),
  "create, edit and publish": async (page) => {
    await update(pages[page], { title: `Page ${page}` }, { draft: true })
    await update(pages[page], { body: bodyOf(page) }, { draft: true })
    await update(pages[page], { _status: "published" })
  }
}
for await (const line of createInterface({ input: process.stdin })) {
  const { kind, calls } = JSON.parse(line)
  const started = process.cpuUsage()
  for (let call = 0; call < calls; call++) await localCalls[kind](call % pages.length)
  const { user: own, system } = process.cpuUsage(started)
  console.log(JSON.stringify({ cpuUs: (own + system) / calls }))
}
