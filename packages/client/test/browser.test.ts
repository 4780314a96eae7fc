import { createContext, runInContext } from "node:vm"
import type { createClient } from "@lectern/client"
import { Redacted } from "effect"
import { expect, it } from "vitest"
import { bundleClient, serverPackages } from "./bundle.ts"
import { startServer } from "./server.ts"

/** Globals of the web platform. A browser has neither `process` nor `Buffer` nor `require`. */
const webGlobals = () => ({
  AbortController,
  AbortSignal,
  // The response bodies that `fetch` returns are of these classes.
  ArrayBuffer,
  Blob,
  FormData,
  Headers,
  ReadableStream,
  Request,
  Response,
  TextDecoder,
  TextEncoder,
  Uint8Array,
  URL,
  URLSearchParams,
  clearTimeout,
  console,
  crypto,
  fetch,
  performance,
  queueMicrotask,
  setTimeout
})

it("runs in a context with only web globals, from a bundle without packages of the server", async () => {
  const { code, packages } = await bundleClient(["@lectern/source"])
  expect(packages).toContain("@lectern/client")
  expect(serverPackages.filter((name) => packages.has(name))).toEqual([])

  const context = createContext(webGlobals())
  const script = code.replace(/export\s*\{\s*(\w+) as createClient\s*\};?\s*$/, "globalThis.create=$1")
  runInContext(`"use strict";(() => {${script}})()`, context)
  const create = context.create as typeof createClient

  const server = await startServer()
  try {
    const client = create({ baseUrl: server.baseUrl, token: Redacted.value(server.token) })
    expect((await client.users.getAuthenticatedUser()).email).toBe("ada@example.com")
    await expect(client.spaces.getSpaceById({ params: { spaceId: "nothing" } })).rejects.toMatchObject({
      _tag: "NotFound"
    })
  } finally {
    await server.close()
  }
})
