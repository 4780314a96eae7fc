/** Rotation of the secret: signed URLs and encrypted values survive it, and nothing secret is stored in plain text. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import {
  Administration,
  type RecordsAdapter,
  Secrets,
  SigningSecret,
  Workspace,
  type WorkspaceSecret,
  WorkspaceSecrets
} from "@lectern/core"
import { sqlite } from "@lectern/storage-sqlite"
import { Effect, Layer, Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminToken, call, runCommand, serve } from "./processes.ts"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "lectern-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const one = "the-first-secret-of-this-workspace"
const two = "the-second-secret-of-this-workspace"

const clientSecret = "the-secret-of-a-client-at-a-provider"
const gitPassword = "the-password-of-a-git-server"

/** The warning about a secret that the workspace has generated. */
const generatedWarning = "is stored in the database, so every backup contains it"

/** A value that a secret with an id has encrypted. */
const sealed = /\b\d+:[\w-]{16}\.[\w-]{22,}/g

/** Reads every stored text, by `table.column`. */
const storedTexts = (file: string): ReadonlyArray<readonly [column: string, text: string]> => {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
    return tables.flatMap(({ name }) =>
      database
        .prepare(`SELECT * FROM "${String(name)}"`)
        .all()
        .flatMap((row) =>
          Object.entries(row).flatMap(([column, value]) =>
            typeof value === "string" ? [[`${String(name)}.${column}`, value] as const] : []
          )
        )
    )
  } finally {
    database.close()
  }
}

/** Reads every encrypted value of every column. */
const sealedValues = (file: string): ReadonlyArray<readonly [column: string, value: string]> =>
  storedTexts(file).flatMap(([column, text]) =>
    Array.from(text.matchAll(sealed), ([value]) => [column, value] as const)
  )

/** The columns of the scenario with encrypted values. */
const encryptedColumns = [
  "gitSyncs.credentials",
  "oidcProviders.clientSecret",
  "organizations.visitorKey",
  "secrets.value",
  "siteSettings.privateKey",
  "webhooks.secret"
]

interface World {
  readonly space: string
  readonly site: string
  readonly fileUrl: string
  readonly privateKey: string
  readonly claims: string | undefined
}

describe("rotation of the secret", () => {
  const file = () => join(folder, "rotated.db")
  const url = () => `sqlite:${file()}`
  const withSecrets = (variables: Record<string, string>) => serve(url(), [], {}, variables)

  /** Reads everything that depends on the secret. */
  const observe = async (server: { readonly url: string }, world: Omit<World, "privateKey" | "claims">) => {
    const { items } = await call<{ items: ReadonlyArray<{ id: string }> }>(server, "/v1/orgs")
    const organization = `/v1/orgs/${items[0]!.id}`
    const auth = await call<{ privateKey: string }>(
      server,
      `${organization}/sites/${world.site}/publishing/auth`
    )
    const ping = await call<{ serviceVisitorClaims?: string }>(server, `${organization}/ping`, {
      method: "POST"
    })
    const file = new URL(world.fileUrl)
    const download = await fetch(`${server.url}${file.pathname}${file.search}`)
    return {
      privateKey: auth.privateKey,
      hasClaims: ping.serviceVisitorClaims !== undefined,
      download: [download.status, await download.text()]
    }
  }

  it("keeps URLs and keys valid from the generated secret over two rotations, and re-encrypts all values", async () => {
    const generated = await withSecrets({ LECTERN_LOG_LEVEL: "warn" })
    const { items } = await call<{ items: ReadonlyArray<{ id: string }> }>(generated, "/v1/orgs")
    const organization = `/v1/orgs/${items[0]!.id}`
    const create = (path: string, body: object) =>
      call<{ id: string }>(generated, path, { method: "POST", body: JSON.stringify(body) })
    const space = await create(`${organization}/spaces`, { title: "Handbook" })
    const { insertedFiles } = await call<{ insertedFiles: ReadonlyArray<{ downloadURL: string }> }>(
      generated,
      `/v1/spaces/${space.id}/content`,
      {
        method: "POST",
        body: JSON.stringify({
          changes: [
            {
              operation: "insert_files",
              files: [
                {
                  name: "note.txt",
                  contentType: "text/plain",
                  base64: Buffer.from("note").toString("base64")
                }
              ]
            }
          ]
        })
      }
    )
    const site = await create(`${organization}/sites`, { title: "Docs", spaces: [space.id] })
    await create(`${organization}/webhooks`, { url: "https://example.com/hook" })
    await create(`${organization}/oidc`, { label: "Acme", clientSecret })
    await create(`/v1/spaces/${space.id}/git/import`, {
      url: `https://writer:${gitPassword}@git.example.com/docs.git`,
      ref: "refs/heads/main"
    })
    await runCommand(["org", "visitor-key", items[0]!.id, "--yes"], { LECTERN_DATABASE_URL: url() })
    const world = { space: space.id, site: site.id, fileUrl: insertedFiles[0]!.downloadURL }
    const before = await observe(generated, world)
    expect(before).toMatchObject({ hasClaims: true, download: [200, "note"] })
    expect(generated.printed()).toContain(generatedWarning)
    await generated.end("SIGTERM")

    const stages: ReadonlyArray<Record<string, string>> = [
      { LECTERN_SECRETS: `1:${one}` },
      { LECTERN_SECRETS: `2:${two},1:${one}` }
    ]
    for (const [index, variables] of stages.entries()) {
      const env = { LECTERN_DATABASE_URL: url(), ...variables }
      const server = await withSecrets(variables)
      expect(await observe(server, world)).toEqual(before)
      expect(server.printed()).not.toContain(generatedWarning)
      expect((await runCommand(["secrets", "status"], env)).output).toContain("lectern secrets rotate")
      const rotated = await runCommand(["secrets", "rotate"], env)
      expect([rotated.code, rotated.output]).toEqual([0, expect.stringMatching(/Re-encrypted [1-9]/)])
      expect(await observe(server, world)).toEqual(before)
      await server.end("SIGTERM")
      // A column with an encrypted value that `encryptedTables` does not list still has the former secret.
      const values = sealedValues(file())
      expect(values.filter(([, value]) => !value.startsWith(`${index + 1}:`))).toEqual([])
      expect([...new Set(values.map(([column]) => column))].toSorted()).toEqual(
        expect.arrayContaining(encryptedColumns)
      )
      for (const secret of [before.privateKey, clientSecret, gitPassword]) {
        expect(storedTexts(file()).filter(([, text]) => text.includes(secret))).toEqual([])
      }
      const again = await runCommand(["secrets", "rotate"], env)
      expect(again.output).toContain("Re-encrypted 0 values")
    }

    // After the re-encryption, the first secret only verifies URLs that it has signed.
    const env = { LECTERN_DATABASE_URL: url(), LECTERN_SECRETS: `2:${two}` }
    const status = await runCommand(["secrets", "status"], env)
    expect([status.code, status.output]).toEqual([0, expect.stringContaining("encrypts all values")])
    const doctor = await runCommand(["doctor"], env)
    expect(doctor.output).toContain("No problems found.")
    const last = await withSecrets({ LECTERN_SECRETS: `2:${two}` })
    expect(await observe(last, world)).toEqual(before)
    await last.end("SIGTERM")

    const lost = await runCommand(["secrets", "status"], {
      LECTERN_DATABASE_URL: url(),
      LECTERN_SECRETS: "3:a-secret-that-encrypts-nothing-here"
    })
    expect(lost.code).toBe(3)
  })

  it("rejects secrets that are too short, without an id, or with the same id", async () => {
    for (const secrets of ["short", `${one}`, `1:short`, `1:${one},1:${two}`]) {
      const { code, errors } = await runCommand(["serve", "--database-url", "sqlite::memory:"], {
        LECTERN_SECRETS: secrets,
        LECTERN_ADMIN_TOKEN: adminToken
      })
      expect([code, errors]).toEqual([1, expect.stringContaining("LECTERN_SECRETS must")])
      expect(errors).not.toContain(one)
    }
  })
})

it("reads visitor keys that an earlier version stored in plain text, and encrypts them", async () => {
  const file = join(folder, "plain.db")
  const run = <A, E>(
    effect: Effect.Effect<A, E, Administration | Secrets>,
    storage: Layer.Layer<RecordsAdapter, unknown>,
    secrets: ReadonlyArray<WorkspaceSecret> = []
  ) =>
    Effect.runPromise(
      effect.pipe(
        Effect.provide(
          Workspace.layer.pipe(
            Layer.provide(storage),
            Layer.provide(Layer.succeed(WorkspaceSecrets, secrets)),
            Layer.provide(Layer.succeed(SigningSecret, Redacted.make(one)))
          )
        )
      ) as Effect.Effect<A, E>
    )
  const bootstrap = Effect.gen(function* () {
    const administration = yield* Administration
    yield* administration.bootstrap({ input: { organization: "Acme", email: "ada@example.com" } })
  })
  await run(bootstrap, sqlite(file))
  const database = new DatabaseSync(file)
  database.exec(`UPDATE "organizations" SET "visitorKey" = 'a-key-in-plain-text'`)
  database.close()
  const count = Effect.flatMap(Secrets, ({ count }) => count)
  const rotate = Effect.flatMap(Secrets, ({ rotate }) => rotate)
  const counts = { table: "organizations", current: 0, former: 1, unreadable: 0 }
  expect(await run(count, sqlite(file))).toContainEqual(counts)
  expect(await run(rotate, sqlite(file))).toContainEqual(counts)
  expect(await run(count, sqlite(file))).toContainEqual({ ...counts, current: 1, former: 0 })
  expect(storedTexts(file).filter(([, text]) => text.includes("a-key-in-plain-text"))).toEqual([])
})
