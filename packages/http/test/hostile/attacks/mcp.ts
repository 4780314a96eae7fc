/** Attacks on the MCP servers of the workspace and of sites. */
import { type Attack, attackWith, type DeclaredCosts, fill } from "../Attack.ts"
import type { Scene } from "../scene.ts"

const headers = { accept: "application/json, text/event-stream" }

/** Sends a body to both servers; to that of a site without credentials. */
const both = (name: string, body: () => unknown, costs: DeclaredCosts = {}): ReadonlyArray<Attack> =>
  bothServers(name, body).map((attack) => ({ ...attack, costs }))

const bothServers = (name: string, body: () => unknown): ReadonlyArray<Attack> => [
  attackWith("MCP", `${name} to a site`, ({ published }: Scene) => ({
    method: "POST",
    path: `${published}~gitbook/mcp`,
    headers,
    isAnonymous: true,
    body: body()
  })),
  attackWith("MCP", `${name} to the workspace`, () => ({
    method: "POST",
    path: "/v1/mcp",
    headers,
    body: body()
  }))
]

const messages = (count: number, message: object): ReadonlyArray<object> =>
  Array.from({ length: count }, (_, id) => ({ jsonrpc: "2.0", id, ...message }))

const search = { method: "tools/call", params: { name: "search", arguments: { query: "word word a b" } } }

const call = (params: string): string => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`

/** The cost of a message that is rejected before it is parsed, or small. */
const rejected: DeclaredCosts = { cpuMs: 100 }

const manyKeys = (count = 95_000): string =>
  Array.from({ length: count }, (_, i) => `"${i.toString(36)}":1`).join(",")

/** Attacks on MCP servers. */
export const mcpAttacks: ReadonlyArray<Attack> = [
  ...both("10 searches", () => messages(10, search)),
  ...both("1,000 searches", () => messages(1_000, search)),
  ...both("5,000 pings", () => messages(5_000, { method: "ping" })),
  ...both("a batch of empty lists", () => `[${fill("[],")}[]]`),
  ...both("parameters of 50,000 levels", () => call(`${`{"a":`.repeat(50_000)}1${"}".repeat(50_000)}`)),
  ...both("parameters of 800 levels", () => call(`${`{"a":`.repeat(800)}1${"}".repeat(800)}`)),
  ...both(
    "95,000 arguments",
    () => call(`{"name":"search","arguments":{"query":"a",${manyKeys()}}}`),
    rejected
  ),
  ...both(
    "95,000 keys of metadata",
    () => call(`{"_meta":{${manyKeys()}},"name":"search","arguments":{"query":"a"}}`),
    rejected
  ),
  ...both(
    "95,000 keys of a message",
    () => `{"jsonrpc":"2.0","id":1,"method":"ping",${manyKeys()}}`,
    rejected
  ),
  ...both(
    "95,000 capabilities",
    () => `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{${manyKeys()}}}}`,
    rejected
  ),
  ...both(
    "as many arguments as are accepted",
    () => call(`{"name":"search","arguments":{"query":"nowhere",${manyKeys(290)}}}`),
    rejected
  ),
  ...both(
    "10 messages with as many values as are accepted",
    () =>
      `[${Array(10)
        .fill(call(`{"name":"search","arguments":{"query":[${Array(900).fill("{}").join(",")}]}}`))
        .join(",")}]`,
    rejected
  ),
  ...both("a long query", () => ({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "search", arguments: { query: fill("a ") } }
  }))
]
