/** `lectern migrate gitbook`: an organization and its copy are equal through the API, also after interruptions of the migration. */
import { appendFileSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { BackgroundWork } from "@lectern/core"
import { Effect } from "effect"
import { describe, expect, it, vi } from "vitest"
import { neverCopied } from "../../lectern/src/migrate/neverCopied.ts"
import { NoResponse, type Transport } from "../../lectern/src/migrate/Transport.ts"
import { memory, temporaryFolder } from "./stores.ts"
import {
  comparedOperations,
  compareOrganizations,
  placesOf,
  readingOperations,
  type Side
} from "./support/migration/compareOrganizations.ts"
import { type Call, createSource } from "./support/migration/createSource.ts"
import { type Faults, type MigrationSide, runMigration } from "./support/migration/runMigration.ts"
import { stageFont } from "./support/stageFont.ts"
import { startServerOn, type TestServer } from "./support.ts"

const startSide = async () => {
  const server = await startServerOn(memory)
  const user = await server.core.createUser("ada@example.com")
  const organization = await server.core.createOrganization("Acme", user)
  const side: MigrationSide = { url: server.url, organization, token: await server.tokenOf(user) }
  return { server, side }
}

type Started = Awaited<ReturnType<typeof startSide>>

const callAs =
  ({ server, side }: Started): Call =>
  async (method, path, body) => {
    const init = { method, token: side.token, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const response = await server.fetch(`/v1${path}`, init)
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === "" ? undefined : JSON.parse(text)
  }

const drain = ({ core }: TestServer) =>
  core.runtime.runPromise(Effect.flatMap(BackgroundWork, (work) => work.drain))

const startSource = async () => {
  const source = await startSide()
  await createSource(callAs(source), source.side.organization)
  await drain(source.server)
  return source
}

const sideOf = ({ server, side }: Started): Side => ({
  ...side,
  fetch: (path) => server.fetch(path, { token: side.token })
})

const expectEqual = async (source: Started, target: Started, ids: ReadonlyMap<string, string>) => {
  await drain(target.server)
  const { differences, compared, operations, empty } = await compareOrganizations(
    sideOf(source),
    sideOf(target),
    ids
  )
  expect(differences.slice(0, 3)).toEqual([])
  expect(differences).toHaveLength(0)
  expect(empty).toEqual([])
  expect(compared).toBeGreaterThan(600)
  expect(operations.size).toBeGreaterThan(75)
  expect(await placesOf(sideOf(target))).toEqual(await placesOf(sideOf(source)))
}

const missing = ({ findings }: { readonly findings: ReadonlyArray<{ readonly kind: string }> }) =>
  findings.filter(({ kind }) => kind === "missing")

/** A sequence of numbers from 0 to 1 that a seed determines. */
const makeRandom = (seed: number) => {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

const respond = (status: number, body = "", retryAfter?: string) =>
  Effect.succeed({
    status,
    retryAfter,
    contentType: "application/json",
    body: new TextEncoder().encode(body)
  })

/** Fails requests before or after they are executed: by limits, errors, timeouts, and responses that end early. */
const withFaults =
  (random: () => number, share: number) =>
  (transport: Transport): Transport =>
  (request) => {
    if (random() > share) return transport(request)
    const kind = Math.floor(random() * 6)
    if (kind === 0) return respond(429, "", "0")
    if (kind === 1) return respond(500, "<html>")
    if (kind === 2) return respond(503, "", "0")
    if (kind === 3) return Effect.fail(new NoResponse({ message: "timeout" }))
    if (kind === 4)
      return Effect.andThen(transport(request), Effect.fail(new NoResponse({ message: "reset" })))
    return Effect.map(transport(request), (response) =>
      response.status < 300 && response.body.length > 2 && response.contentType.includes("json")
        ? { ...response, body: response.body.subarray(0, Math.floor(response.body.length / 2)) }
        : response
    )
  }

class Killed extends Error {}

/** Ends the migration at a request: before it is sent, or before its response arrives. */
const withKill =
  (at: number, count: { value: number }) =>
  (transport: Transport): Transport =>
  (request) =>
    Effect.suspend(() => {
      count.value++
      if (count.value < at) return transport(request)
      const kill = Effect.die(new Killed())
      return at % 2 === 0 ? kill : Effect.andThen(transport(request), kill)
    })

/** The names of the fields of inputs of the target, and whether the source has had a value of them. */
const transferred = vi.hoisted(() => new Map<string, boolean>())

vi.mock("../../lectern/src/migrate/transferFields.ts", async (original) => {
  const { transferFields } = await original<typeof import("../../lectern/src/migrate/transferFields.ts")>()
  const recording: typeof transferFields = (fields, source, omit = []) => {
    for (const name of Object.keys(fields)) {
      const isPresent = source[name] !== undefined && source[name] !== null
      if (!omit.includes(name)) transferred.set(name, transferred.get(name) === true || isPresent)
    }
    return transferFields(fields, source, omit)
  }
  return { transferFields: recording }
})

/** The fields of inputs that no resource has, with the reason. */
const otherFields: Readonly<Record<string, string>> = {
  at: "the place of a page",
  document: "copied with the bodies",
  into: "the place of a page",
  operation: "the kind of a change",
  page: "the page of a change",
  parent: "the group of a link",
  target: "copied with the bodies"
}

/** The lists that are queries of other lists, or belong to the server. */
const derivedLists: Readonly<Record<string, string>> = {
  listOrganizationsForAuthenticatedUser: "the organizations of the caller",
  searchSpaceContent: "results of a query",
  searchOrganizationContent: "results of a query",
  listPlaces: "results of a query of the caller",
  listSiteScriptTemplates: "data of the server",
  listSiteAdaptiveTemplateConditions: "suggestions, derived from the claims",
  listOrganizationAuditEventActions: "data of the server"
}

it("copies each list of the API, or names it in the report with the reason", async () => {
  const { server } = await startSide()
  const lists = (await readingOperations(server)).filter(({ isList }) => isList)
  const compared = (await comparedOperations(server)).filter(({ isList }) => isList)
  const named = [
    ...compared.map(({ operationId }) => operationId),
    ...neverCopied.flatMap((one) => one.lists),
    ...Object.keys(derivedLists)
  ]
  expect(named.toSorted()).toEqual(lists.map(({ operationId }) => operationId).toSorted())
  for (const { text } of neverCopied) expect(text).toMatch(/^[^:]+: .+\.$/)
})

describe("an organization that is copied", () => {
  it("equals the source, by every operation that lists or returns a resource", async () => {
    const [source, target] = [await startSource(), await startSide()]
    const folder = temporaryFolder()
    const result = await runMigration(source.side, target.side, folder)
    expect(missing(result)).toEqual([])
    const invited = (findings: (typeof result)["findings"]) =>
      findings.flatMap(({ resource, message }) => (message.includes("was invited") ? [resource] : []))
    expect(invited(result.findings)).toContainEqual(expect.stringMatching(/^member \S+@example\.com$/))
    const texts = result.findings.map((finding) => JSON.stringify(finding))
    expect(texts.toSorted()).toEqual([...new Set(texts)].toSorted())
    await expectEqual(source, target, result.journalIds)
    const absent = [...transferred].flatMap(([name, isPresent]) => (isPresent ? [] : [name]))
    expect(absent.filter((name) => otherFields[name] === undefined)).toEqual([])
    // A second run finds everything copied.
    const changes: Array<string> = []
    const again = await runMigration(source.side, target.side, folder, {
      target: (transport) => (request) => {
        if (request.method === "POST") changes.push(request.url)
        return transport(request)
      }
    })
    expect(changes.filter((url) => !url.endsWith("/publish"))).toEqual([])
    expect(again.ids).toEqual(result.ids)
    // The lines of the members that the first run has invited remain.
    expect(again.findings).toEqual(result.findings)
  }, 300_000)

  it("equals the source after limits, errors, timeouts and truncated responses", async () => {
    const [source, target] = [await startSource(), await startSide()]
    const random = makeRandom(7)
    const faults: Faults = { source: withFaults(random, 0.15), target: withFaults(random, 0.15) }
    const folder = temporaryFolder()
    let result = await runMigration(source.side, target.side, folder, faults)
    for (let run = 0; run < 5 && missing(result).length > 0; run++) {
      result = await runMigration(source.side, target.side, folder, faults)
    }
    expect(missing(result)).toEqual([])
    await expectEqual(source, target, result.journalIds)
  }, 600_000)

  it("equals the source after it was killed at random requests", async () => {
    const [source, target] = [await startSource(), await startSide()]
    const folder = temporaryFolder()
    const random = makeRandom(3)
    let kills = 0
    for (;;) {
      const count = { value: 0 }
      const at = 2 + Math.floor(random() * 60)
      const killed = kills < 40
      const wrap = killed ? withKill(at, count) : undefined
      const faults: Faults = wrap === undefined ? {} : { source: wrap, target: wrap }
      const result = await runMigration(source.side, target.side, folder, faults).catch((error: unknown) => {
        if (!String(error).includes("Killed") && !(error instanceof Killed)) throw error
        return undefined
      })
      // A process that was killed can leave a part of a line.
      if (result === undefined) {
        kills++
        appendFileSync(join(folder, "journal.jsonl"), '{"started":"spa')
        continue
      }
      expect(missing(result)).toEqual([])
      await expectEqual(source, target, result.journalIds)
      expect(kills).toBeGreaterThan(20)
      return
    }
  }, 600_000)

  it("lacks the resources that the token cannot read, and the report names them", async () => {
    const [source, target] = [await startSource(), await startSide()]
    const call = callAs(source)
    const { items } = await call<{ items: ReadonlyArray<{ id: string; title: string }> }>(
      "GET",
      `/orgs/${source.side.organization}/spaces`
    )
    const guide = items.find(({ title }) => title === "Guide")!.id
    const locked = items.find(({ title }) => title === "Locked")!.id
    const organization = `/orgs/${source.side.organization}`
    const user = (await call<{ id: string }>("GET", "/user")).id
    const key = await source.server.core.runtime.runPromise(stageFont(user, source.side.organization))
    const { permissions: _, ...font } = await call<Record<string, unknown>>("PUT", `${organization}/fonts`, {
      fontFamily: "Acme Sans",
      fontFaces: [{ weight: 400, storageKey: key }]
    })
    const site = (await call<{ items: ReadonlyArray<{ id: string }> }>("GET", `${organization}/sites`))
      .items[0]!
    const customization = await call<{ styling: object }>(
      "GET",
      `${organization}/sites/${site.id}/customization`
    )
    const styling = { ...customization.styling, font, tint: { color: { light: "#123456", dark: "#123456" } } }
    await call("PUT", `${organization}/sites/${site.id}/customization`, { ...customization, styling })
    const folder = temporaryFolder()
    const faults: Faults = {
      source: (transport) => (request) => {
        if (request.url.includes(`/spaces/${locked}`))
          return respond(403, '{"error":{"code":403,"message":"No access."}}')
        if (request.url.includes("/files/") || request.url.includes("a.png")) return respond(404)
        return transport(request)
      }
    }
    const result = await runMigration(source.side, target.side, folder, faults)
    const text = JSON.stringify(missing(result))
    expect(text).toMatch(/space Locked.*No access/)
    expect(text).toMatch(/The file a\.png/)
    expect(JSON.stringify(result.findings)).toMatch(/space Guide, page start.*refers to the file/)
    expect(text).toMatch(/section Locked has no spaces/)
    expect(JSON.stringify(result.findings)).toMatch(/The font Acme Sans was not copied/)
    const copied = await callAs(target)<{ styling: { font: unknown; tint: unknown } }>(
      "GET",
      `/orgs/${target.side.organization}/sites/${result.ids.site![site.id]}/customization`
    )
    expect([copied.styling.font, copied.styling.tint]).toEqual(["Inter", styling.tint])
    expect(result.ids.space![guide]).toBeDefined()
    expect(result.ids.space![locked]).toBeUndefined()
    // The next run copies the resources that can be read now, and no longer reports them.
    const later = await runMigration(source.side, target.side, folder)
    expect(missing(later)).toEqual([])
    expect(later.ids.space![locked]).toBeDefined()
    expect(JSON.stringify(later.findings)).not.toMatch(/refers to/)
    const journal = readFileSync(join(folder, "journal.jsonl"), "utf8")
    expect(journal).not.toContain(source.side.token)
    expect(journal).not.toContain(target.side.token)
  }, 300_000)
})
