/** `/metrics`, the log of slow operations, and the export of telemetry, by the command in a process of its own. */

import { mkdtempSync, rmSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { createTestDatabase } from "@lectern/harness/postgres"
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest"
import { describeUnknownVariables } from "../../lectern/src/settings/allSettings.ts"
import { adminToken, call, runCommand, serve } from "./processes.ts"
import { until } from "./support/until.ts"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "lectern-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const database = (name: string) => `sqlite:${join(folder, name)}`
const metricsToken = "the-token-that-reads-the-metrics"

/** A sample of the text format: its name, its labels and its value. */
interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const sampleLine = /^([a-z_]+)(?:\{([^}]*)\})? (\S+)$/

/** Parses the text format strictly: each family is declared once, before its samples. */
const parseMetrics = (exposition: string): ReadonlyArray<Sample> => {
  const families = new Set<string>()
  let family = ""
  return exposition
    .trimEnd()
    .split("\n")
    .flatMap((line): ReadonlyArray<Sample> => {
      const declared = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line)?.[1]
      if (declared !== undefined) {
        expect(families).not.toContain(declared)
        families.add(declared)
        family = declared
        return []
      }
      if (line.startsWith("# HELP ")) return []
      const [, name, labels = "", value] = sampleLine.exec(line) ?? []
      expect(name, line).toBeDefined()
      expect(name!.replace(/_(bucket|sum|count)$/, ""), line).toBe(family.replace(/_count$/, ""))
      expect(Number(value), line).not.toBeNaN()
      return [
        {
          name: name!,
          labels: Object.fromEntries(
            [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, text]) => [label, text])
          ),
          value: Number(value)
        }
      ]
    })
}

const readMetrics = async (url: string, token?: string): Promise<ReadonlyArray<Sample>> => {
  const response = await fetch(`${url}/metrics`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` }
  })
  expect(response.status).toBe(200)
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8")
  return parseMetrics(await response.text())
}

const sum = (
  samples: ReadonlyArray<Sample>,
  name: string,
  labels: Readonly<Record<string, string>> = {}
): number => {
  const found = samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, text]) => sample.labels[label] === text)
  )
  expect(found, `${name} ${JSON.stringify(labels)}`).not.toEqual([])
  return found.reduce((total, { value }) => total + value, 0)
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await new Promise((resolve) => server.once("listening", resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Creates a space, and edits it concurrently. */
const editConcurrently = async (server: { readonly url: string }, writers: number) => {
  const { items } = await call<{ items: ReadonlyArray<{ id: string }> }>(server, "/v1/orgs")
  const space = await call<{ id: string }>(server, `/v1/orgs/${items[0]!.id}/spaces`, {
    method: "POST",
    body: JSON.stringify({ title: "Edited" })
  })
  await Promise.all(
    Array.from({ length: writers }, (_, index) =>
      call(server, `/v1/spaces/${space.id}/content`, {
        method: "POST",
        body: JSON.stringify({
          changes: [{ operation: "insert_page", title: `Page ${index}`, document: { markdown: "Text." } }]
        })
      })
    )
  )
}

describe("/metrics", () => {
  it("requires its token, and is absent without one", async () => {
    const open = await serve(database("open.db"))
    expect((await fetch(`${open.url}/metrics`)).status).toBe(404)
    await open.end("SIGTERM")
    const server = await serve(database("token.db"), [], {}, { LECTERN_METRICS_TOKEN: metricsToken })
    for (const authorization of [undefined, "Bearer", `Bearer ${adminToken}`, `Bearer ${metricsToken}x`]) {
      const response = await fetch(`${server.url}/metrics`, {
        headers: authorization === undefined ? {} : { authorization }
      })
      expect(response.status).toBe(401)
      expect(await response.text()).not.toContain("lectern_")
    }
    expect(sum(await readMetrics(server.url, metricsToken), "process_resident_memory_bytes")).toBeGreaterThan(
      1e6
    )
    await server.end("SIGTERM")
  })

  for (const store of ["SQLite", "PostgreSQL"] as const) {
    it(`counts requests, statements, jobs and the state of ${store} under concurrent writers`, async () => {
      const url = store === "SQLite" ? database("writers.db") : await createTestDatabase(inject("postgres"))
      const port = await freePort()
      const server = await serve(url, ["--metrics-port", String(port)])
      const metrics = `http://127.0.0.1:${port}`
      await editConcurrently(server, 20)
      await fetch(`${server.url}/v1/spaces/unknown`, { method: "BREW" }).catch(() => {})
      await fetch(`${server.url}/v1/spaces/unknown`)
      const samples = await readMetrics(metrics)
      const edits = { method: "POST", route: "/v1/spaces/:spaceId/content", status: "200" }
      expect(sum(samples, "lectern_http_request_duration_ms_count", edits)).toBe(20)
      expect(sum(samples, "lectern_http_request_duration_ms_bucket", { ...edits, le: "+Inf" })).toBe(20)
      expect(
        sum(samples, "lectern_http_request_duration_ms_count", {
          route: "/v1/spaces/:spaceId",
          status: "401"
        })
      ).toBe(1)
      expect(
        sum(samples, "lectern_operation_duration_ms_count", { operation: "Content.edit", outcome: "success" })
      ).toBe(20)
      for (const statement of ["select", "insert", "update"]) {
        expect(sum(samples, "lectern_statement_duration_ms_count", { statement })).toBeGreaterThan(0)
      }
      for (const name of ["conflicts", "retries", "escalations"]) {
        expect(sum(samples, `lectern_transaction_${name}_total`)).toBeGreaterThanOrEqual(0)
      }
      if (store === "PostgreSQL") {
        expect(sum(samples, "lectern_pool_connections", { state: "maximum" })).toBe(10)
        expect(sum(samples, "lectern_pool_connections", { state: "in_use" })).toBeLessThanOrEqual(10)
        expect(sum(samples, "lectern_pool_waiting")).toBe(0)
      } else {
        expect(sum(samples, "lectern_wal_bytes")).toBeGreaterThan(0)
      }
      expect(sum(samples, "lectern_jobs", { kind: "purge", state: "waiting" })).toBe(1)
      for (const name of ["lectern_job_age_ms", "lectern_outbox_events", "lectern_outbox_age_ms"]) {
        expect(sum(samples, name)).toBeGreaterThanOrEqual(0)
      }
      await until("events leave the outbox without webhooks", async () => {
        const current = await readMetrics(metrics)
        return sum(current, "lectern_outbox_events") === 0 && sum(current, "lectern_outbox_age_ms") === 0
      })
      expect(sum(samples, "lectern_store_up")).toBe(1)
      expect(sum(samples, "lectern_event_loop_delay_ms", { quantile: "max" })).toBeGreaterThanOrEqual(0)
      expect(sum(samples, "lectern_cache_lookups_total", { cache: "content nodes" })).toBeGreaterThan(0)
      expect(sum(samples, "lectern_cache_lookups_total", { result: "hit" })).toBeGreaterThan(0)
      await server.end("SIGTERM")
    })
  }

  it("does not collect under another path of the metrics port", async () => {
    const port = await freePort()
    const server = await serve(database("paths.db"), [
      "--metrics-port",
      String(port),
      "--metrics-token",
      metricsToken
    ])
    expect((await fetch(`http://127.0.0.1:${port}/v1/orgs`)).status).toBe(404)
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(401)
    await server.end("SIGTERM")
  })
})

it("logs an operation over the threshold with its statements, and none at 0", async () => {
  const run = async (name: string, slowOperationMs: string) => {
    const server = await serve(
      database(name),
      ["--log-format", "json", "--slow-operation-ms", slowOperationMs],
      {}
    )
    await editConcurrently(server, 2)
    await server.end("SIGTERM")
    return server
      .printed()
      .split("\n")
      .filter((line) => line.includes("slow operation"))
      .map((line) => JSON.parse(line).annotations as Record<string, unknown>)
  }
  const slow = await run("slow.db", "0.001")
  const edit = slow.find(({ operation }) => operation === "Content.edit")
  expect(edit).toMatchObject({ outcome: "success", statementCount: expect.any(Number) })
  const statements = edit?.statements as ReadonlyArray<{ text: string; count: number; totalMs: number }>
  expect(statements.some(({ text }) => text.startsWith('INSERT INTO "revisions"'))).toBe(true)
  // Statements have placeholders instead of values.
  expect(JSON.stringify(statements)).not.toContain("Page 0")
  expect(await run("fast.db", "0")).toEqual([])
})

it("exports traces, metrics and logs by the variables of OpenTelemetry", async () => {
  const received = new Map<string, Array<string>>()
  const collector = createServer((request: IncomingMessage, response) => {
    void text(request).then((body) => {
      received.set(request.url!, [...(received.get(request.url!) ?? []), body])
      response.writeHead(200, { "content-type": "application/json" }).end("{}")
    })
  }).listen(0, "127.0.0.1")
  onTestFinished(() => void collector.close())
  await new Promise((resolve) => collector.once("listening", resolve))
  const { port } = collector.address() as AddressInfo
  const server = await serve(
    database("otlp.db"),
    ["--log-level", "info", "--log-format", "json"],
    {},
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=test",
      OTEL_BSP_SCHEDULE_DELAY: "50",
      OTEL_BLRP_SCHEDULE_DELAY: "50",
      OTEL_METRIC_EXPORT_INTERVAL: "50"
    }
  )
  const traceId = "0af7651916cd43dd8448eb211c80319c"
  const response = await fetch(`${server.url}/v1/orgs`, {
    headers: {
      authorization: `Bearer ${adminToken}`,
      traceparent: `00-${traceId}-b7ad6b7169203331-01`,
      "x-request-id": "traced-request"
    }
  })
  expect(response.status).toBe(200)
  const contains = (path: string, part: string) =>
    (received.get(path) ?? []).some((body) => body.includes(part))
  await until("the traces arrive", () => contains("/v1/traces", "Organizations.list"))
  await until("the logs arrive", () => contains("/v1/logs", "traced-request"))
  await until("the metrics arrive", () => contains("/v1/metrics", "lectern_store_up"))
  expect(contains("/v1/traces", traceId)).toBe(true)
  expect(contains("/v1/traces", "deployment.environment")).toBe(true)
  expect(contains("/v1/traces", '"lectern"')).toBe(true)
  await until("the metrics of the request arrive", () =>
    contains("/v1/metrics", "lectern_http_request_duration_ms")
  )
  // The log is also written to the standard output.
  await until("the log is written", () => server.printed().includes("traced-request"))
  await server.end("SIGTERM")
})

it("rejects protocols and exporters of OpenTelemetry that it does not support", async () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" }
  for (const [variables, message] of [
    [{ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, "OTEL_EXPORTER_OTLP_PROTOCOL must be"],
    [{ ...endpoint, OTEL_TRACES_EXPORTER: "zipkin" }, "OTEL_TRACES_EXPORTER must be otlp or none"],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }, "must be an http or https URL"]
  ] as const) {
    const { code, errors } = await runCommand(["serve", "--database-url", "sqlite::memory:"], variables)
    expect([code, errors]).toEqual([1, expect.stringContaining(message)])
  }
})

describe("lectern info", () => {
  it("prints versions, settings without secrets and counts, and changes nothing", async () => {
    const env = { LECTERN_DATABASE_URL: database("info.db"), LECTERN_ADMIN_TOKEN: adminToken }
    const absent = JSON.parse((await runCommand(["info", "--json"], env)).output)
    expect(absent.schema.version).toBe(0)
    expect(absent.counts).toBeUndefined()
    await runCommand(["init"], env)
    const { output } = await runCommand(["info", "--json"], env)
    expect(output).not.toContain(adminToken)
    expect(JSON.parse(output)).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      node: process.versions.node,
      schema: { version: absent.schema.supported, supported: absent.schema.supported },
      settings: { LECTERN_ADMIN_TOKEN: "(secret)" },
      counts: { organizations: 1, users: 1, spaces: 0 },
      backlog: { deadJobs: {}, jobAgeMs: expect.any(Number) }
    })
    expect((await runCommand(["info"], env)).output).toContain("  organizations  1\n")
  })
})

describe("unknown environment variables", () => {
  it("are rejected by name, with the closest setting", async () => {
    const run = (variables: Record<string, string>) => runCommand(["migrate", "status"], variables)
    const misspelt = await run({
      LECTERN_DATABASE_URI: "sqlite:x.db",
      LECTERN_PROT: "80",
      LECTERN_TOTALLY_UNKNOWN: "1"
    })
    expect(misspelt.code).toBe(1)
    expect(misspelt.errors).toContain(
      "LECTERN_DATABASE_URI is not a setting. Did you mean LECTERN_DATABASE_URL?"
    )
    expect(misspelt.errors).toContain("LECTERN_PROT is not a setting. Did you mean LECTERN_PORT?")
    expect(misspelt.errors).toContain("LECTERN_TOTALLY_UNKNOWN is not a setting: see")
    // Every variable of the reference is accepted.
    const reference = await readFile(new URL("../../../docs/reference/cli.md", import.meta.url), "utf8")
    const documented = [...reference.matchAll(/Environment: (LECTERN_\w+)/g)].map(([, name]) => name!)
    expect(documented).toContain("LECTERN_TO")
    expect(describeUnknownVariables(documented)).toBeUndefined()
    // Kubernetes sets these for a service with the name `lectern`.
    const kubernetes = await run({
      LECTERN_DATABASE_URL: database("kubernetes.db"),
      LECTERN_SERVICE_HOST: "10.0.0.1",
      LECTERN_PORT_4400_TCP: "tcp://10.0.0.1:4400"
    })
    expect(kubernetes.errors).toBe("")
  })
})
