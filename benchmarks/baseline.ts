/**
 * The baseline servers of `main.ts`: minimal hand-written handlers for three routes, with the same queries and the same
 * response bodies as Lectern's. Run with `node baseline.ts bare|fastify sqlite|postgres <database> <port>`.
 */
import { createHash } from "node:crypto"
import { createServer } from "node:http"
import { DatabaseSync } from "node:sqlite"
import fastify from "fastify"
import pg from "pg"

type Row = Record<string, unknown>

/** Runs statements on a database. */
interface Queries {
  readonly one: (
    sql: string,
    ...parameters: ReadonlyArray<unknown>
  ) => Row | undefined | Promise<Row | undefined>
  readonly all: (
    sql: string,
    ...parameters: ReadonlyArray<unknown>
  ) => ReadonlyArray<Row> | Promise<ReadonlyArray<Row>>
  readonly inTransaction: <A>(body: (queries: Omit<Queries, "inTransaction">) => A | Promise<A>) => Promise<A>
}

const base = "http://127.0.0.1:4400"

const sqlite = (filename: string): Queries => {
  const open = () => {
    const database = new DatabaseSync(filename, { timeout: 5000 })
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")
    const statements = new Map<string, ReturnType<DatabaseSync["prepare"]>>()
    const prepare = (sql: string) => {
      const text = sql.replaceAll(/\$\d/g, "?")
      const statement = statements.get(text) ?? database.prepare(text)
      statements.set(text, statement)
      return statement
    }
    return {
      database,
      one: (sql: string, ...parameters: ReadonlyArray<unknown>) =>
        prepare(sql).get(...(parameters as Array<string>)),
      all: (sql: string, ...parameters: ReadonlyArray<unknown>) =>
        prepare(sql).all(...(parameters as Array<string>))
    }
  }
  const connection = open()
  return {
    ...connection,
    inTransaction: async (body) => {
      connection.database.exec("BEGIN IMMEDIATE")
      // The transaction is synchronous, so no other request interleaves with it.
      const value = body(connection)
      connection.database.exec("COMMIT")
      return value
    }
  }
}

const postgres = (url: string): Queries => {
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  const names = new Map<string, string>()
  const toNamedQuery = (text: string, values: ReadonlyArray<unknown>) => {
    const name = names.get(text) ?? `q${names.size}`
    names.set(text, name)
    return { name, text, values: [...values] }
  }
  const queriesOn = (client: pg.Pool | pg.PoolClient) => ({
    one: async (sql: string, ...parameters: ReadonlyArray<unknown>) =>
      (await client.query(toNamedQuery(sql, parameters))).rows[0],
    all: async (sql: string, ...parameters: ReadonlyArray<unknown>) =>
      (await client.query(toNamedQuery(sql, parameters))).rows
  })
  return {
    ...queriesOn(pool),
    inTransaction: async (body) => {
      const client = await pool.connect()
      try {
        for (;;) {
          await client.query("BEGIN ISOLATION LEVEL SERIALIZABLE")
          try {
            const value = await body(queriesOn(client))
            await client.query("COMMIT")
            return value
          } catch (error) {
            await client.query("ROLLBACK")
            if ((error as { code?: string }).code !== "40001") throw error
          }
        }
      } finally {
        client.release()
      }
    }
  }
}

const presentSpace = (row: Row, admin: boolean) => ({
  object: "space",
  id: row.id,
  title: row.title,
  emoji: row.emoji ?? "📖",
  visibility: row.parent !== null && row.defaultLevel === "inherit" ? "in-collection" : "private",
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  editMode: row.editMode,
  mergeRules: { type: "inherit" },
  urls: { location: `${base}/v1/spaces/${row.id}`, app: `${base}/s/${row.id}/` },
  organization: row.organization,
  revision: row.revision,
  defaultLevel: row.defaultLevel,
  comments: Number(row.comments),
  changeRequests: Number(row.changeRequests),
  changeRequestsOpen: Number(row.changeRequestsOpen),
  changeRequestsDraft: Number(row.changeRequestsDraft),
  permissions: {
    view: true,
    access: true,
    admin,
    viewInviteLinks: admin,
    edit: true,
    triggerGitSync: admin,
    comment: true,
    merge: true,
    review: true,
    installIntegration: admin
  }
})

const columns =
  '"id", "organization", "title", "emoji", "icon", "parent", "position", "path", "defaultLevel", "level", "editMode", "revision", "comments", "changeRequests", "changeRequestsOpen", "changeRequestsDraft", "createdAt", "updatedAt", "deletedAt"'

const authenticate = async (queries: Queries, authorization: string | undefined) => {
  const digest = createHash("sha256").update(authorization!.slice(7)).digest("hex")
  const token = await queries.one('SELECT "user", "revokedAt" FROM "apiTokens" WHERE "digest" = $1', digest)
  if (token === undefined || token.revokedAt !== null) throw new Error("401")
  return token.user
}

const isAdmin = async (queries: Omit<Queries, "inTransaction">, organization: unknown, user: unknown) => {
  const [member] = await Promise.all([
    queries.one(
      'SELECT "role", "disabled" FROM "members" WHERE "organization" = $1 AND "user" = $2',
      organization,
      user
    ),
    queries.all(
      'SELECT "target", "role" FROM "grants" WHERE "organization" = $1 AND ("user" = $2 OR "team" IN (SELECT "team" FROM "teamMembers" WHERE "user" = $3))',
      organization,
      user,
      user
    )
  ])
  return member!.role === "admin"
}

const routes = (queries: Queries) => ({
  get: async (authorization: string | undefined, id: string) => {
    const user = await authenticate(queries, authorization)
    const row = (await queries.one(`SELECT ${columns} FROM "spaces" WHERE "id" = $1`, id))!
    return JSON.stringify(presentSpace(row, await isAdmin(queries, row.organization, user)))
  },
  list: async (authorization: string | undefined, organization: string) => {
    const user = await authenticate(queries, authorization)
    const admin = await isAdmin(queries, organization, user)
    const [count, rows] = await Promise.all([
      queries.one(
        'SELECT COUNT(*) AS "count" FROM "spaces" WHERE "organization" = $1 AND "deletedAt" IS NULL',
        organization
      ),
      queries.all(
        `SELECT ${columns} FROM "spaces" WHERE "organization" = $1 AND "deletedAt" IS NULL ORDER BY "id" DESC LIMIT 51`,
        organization
      )
    ])
    const items = rows.slice(0, 50).map((row) => presentSpace(row, admin))
    return JSON.stringify({ items, count: Number(count!.count), next: { page: "x".repeat(60) } })
  },
  patch: async (authorization: string | undefined, id: string, body: string) => {
    const user = await authenticate(queries, authorization)
    const { title } = JSON.parse(body) as { title: string }
    if (typeof title !== "string" || title.length > 50) throw new Error("400")
    return queries.inTransaction((open) => {
      const finish = (row: Row, admin: boolean) => {
        const after = { ...row, title, updatedAt: new Date().toISOString() }
        const updated = open.all(
          'UPDATE "spaces" SET "title" = $1, "updatedAt" = $2 WHERE "id" = $3 RETURNING "id"',
          title,
          after.updatedAt,
          id
        )
        const text = JSON.stringify(presentSpace(after, admin))
        return updated instanceof Promise ? updated.then(() => text) : text
      }
      const row = open.one(`SELECT ${columns} FROM "spaces" WHERE "id" = $1`, id)
      if (row instanceof Promise) {
        return row.then(async (found) => finish(found!, await isAdmin(open, found!.organization, user)))
      }
      const member = open.one(
        'SELECT "role" FROM "members" WHERE "organization" = $1 AND "user" = $2',
        row!.organization,
        user
      ) as Row
      open.all(
        'SELECT "target", "role" FROM "grants" WHERE "organization" = $1 AND ("user" = $2 OR "team" IN (SELECT "team" FROM "teamMembers" WHERE "user" = $3))',
        row!.organization,
        user,
        user
      )
      return finish(row!, member.role === "admin")
    })
  }
})

const [kind, dialect, database, port] = process.argv.slice(2)
const api = routes(dialect === "sqlite" ? sqlite(database!) : postgres(database!))
process.on("SIGTERM", () => process.exit(0))

if (kind === "fastify") {
  const app = fastify()
  app.get<{ Params: { id: string } }>("/v1/spaces/:id", async (request, reply) => {
    reply.type("application/json")
    return api.get(request.headers.authorization, request.params.id)
  })
  app.get<{ Params: { id: string } }>("/v1/orgs/:id/spaces", async (request, reply) => {
    reply.type("application/json")
    return api.list(request.headers.authorization, request.params.id)
  })
  app.patch<{ Params: { id: string } }>("/v1/spaces/:id", async (request, reply) => {
    reply.type("application/json")
    return api.patch(request.headers.authorization, request.params.id, JSON.stringify(request.body))
  })
  await app.listen({ port: Number(port), host: "127.0.0.1" })
} else {
  createServer(async (request, response) => {
    const [, , collection, id] = request.url!.split("?")[0]!.split("/")
    const { authorization } = request.headers
    let text: string
    if (request.method === "PATCH") {
      let body = ""
      for await (const chunk of request) body += chunk
      text = await api.patch(authorization, id!, body)
    } else {
      text = collection === "spaces" ? await api.get(authorization, id!) : await api.list(authorization, id!)
    }
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
    response.end(text)
  }).listen(Number(port), "127.0.0.1")
}
