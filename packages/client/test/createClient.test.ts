import * as Client from "@lectern/client"
import { createClient, InvalidInput, NotFound, paginate } from "@lectern/client"
import { operationErrors } from "@lectern/core"
import type { SpaceId } from "@lectern/model"
import { Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest"
import { startServer, startSilentServer, type TestServer } from "./server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const clientOf = (fetch?: typeof globalThis.fetch) =>
  createClient({
    baseUrl: server.baseUrl,
    token: Redacted.value(server.token),
    ...(fetch === undefined ? {} : { fetch })
  })

const respondWith = (body: string | null, init: ResponseInit) =>
  clientOf(async () => new Response(body, init))

describe("a call that succeeds", () => {
  it("returns the resource, typed by its declaration", async () => {
    const client = clientOf()
    const created = await client.spaces.createSpace({
      params: { organizationId: server.organizationId },
      payload: { title: "Handbook" }
    })
    const spaceId: string = created.id
    const space = await client.spaces.getSpaceById({ params: { spaceId } })
    expect(space).toEqual(created)
    expect(space).toMatchObject({ object: "space", title: "Handbook" })
    expectTypeOf(space.id).toEqualTypeOf<SpaceId>()
    expectTypeOf(space.editMode).toEqualTypeOf<"live" | "locked" | undefined>()
  })

  it("takes no argument if all parts of the request are optional", async () => {
    expect((await clientOf().users.getAuthenticatedUser()).email).toBe("ada@example.com")
  })

  it("returns undefined for a response without a body", async () => {
    const client = clientOf()
    const { id } = await client.spaces.createSpace({
      params: { organizationId: server.organizationId },
      payload: {}
    })
    expect(await client.spaces.deleteSpaceById({ params: { spaceId: id } })).toBeUndefined()
  })

  it("calls an API that is mounted under a path, with or without a trailing slash", async () => {
    const mounted = await startServer({ prefix: "/docs-api" })
    try {
      for (const end of ["", "/"]) {
        const client = createClient({ baseUrl: mounted.baseUrl + end, token: mounted.token })
        expect((await client.users.getAuthenticatedUser()).object).toBe("user")
      }
    } finally {
      await mounted.close()
    }
  })

  it("encodes the path of a page, including its slashes", async () => {
    const client = clientOf()
    const { id } = await client.spaces.createSpace({
      params: { organizationId: server.organizationId },
      payload: {}
    })
    const params = { spaceId: id }
    const insert = (title: string, into: string | null) =>
      client.content.updateSpaceContent({
        params,
        payload: { changes: [{ operation: "insert_page", title, into, document: { markdown: "Hello" } }] }
      })
    await insert("Guides", null)
    const { pages } = await client.content.listPages({ params })
    await insert("Intro", pages[0]!.id)
    const page = await client.content.getPageByPath({
      params: { ...params, pagePath: "guides/intro" },
      query: { format: "markdown" }
    })
    expect(page).toMatchObject({ title: "Intro", markdown: "Hello" })
  })
})

describe("lists", () => {
  it("are iterated page by page, with the cursor of the previous page", async () => {
    const client = clientOf()
    const { id: collectionId } = await client.collections.createCollection({
      params: { organizationId: server.organizationId },
      payload: { title: "Guides" }
    })
    for (const title of ["One", "Two", "Three", "Four", "Five"]) {
      await client.spaces.createSpace({
        params: { organizationId: server.organizationId },
        payload: { title, parent: collectionId }
      })
    }
    const params = { collectionId }
    const first = await client.collections.listSpacesInCollectionById({ params, query: { limit: 2 } })
    expect(first.items.map(({ title }) => title)).toEqual(["One", "Two"])
    expect(first.count).toBe(5)

    let requests = 0
    const titles: Array<string> = []
    const pages = paginate((cursor) => {
      requests++
      return client.collections.listSpacesInCollectionById({ params, query: { limit: 2, ...cursor } })
    })
    for await (const { title } of pages) titles.push(title)
    expect(titles).toEqual(["One", "Two", "Three", "Four", "Five"])
    expect(requests).toBe(3)
  })
})

describe("a call that fails", () => {
  it("rejects with the declared error of the status", async () => {
    const error = await clientOf()
      .spaces.getSpaceById({ params: { spaceId: "nothing" } })
      .catch((error: unknown) => error)
    expect(error).toBeInstanceOf(NotFound)
    expect(error).toMatchObject({ _tag: "NotFound", message: "There is no such space." })
  })

  it("rejects with the invalid fields that the server reports", async () => {
    const error = await clientOf()
      .spaces.listSpacesInOrganizationById({
        params: { organizationId: server.organizationId },
        query: { page: "no cursor" }
      })
      .catch((error: unknown) => error)
    expect(error).toMatchObject({ _tag: "InvalidInput", details: [{ path: "page" }] })
  })

  it("rejects an invalid request with its invalid fields, without sending it", async () => {
    let sent = 0
    const client = clientOf(async () => {
      sent++
      return new Response()
    })
    const error = await client.collections
      .listSpacesInCollectionById({ params: { collectionId: "c" }, query: { limit: 1001 } })
      .catch((error: unknown) => error)
    expect(error).toBeInstanceOf(InvalidInput)
    expect(error).toMatchObject({
      details: [{ path: "limit", message: "must be a whole number from 0 to 1000" }]
    })
    expect(sent).toBe(0)
  })

  it("rejects a token that the server does not accept", async () => {
    const client = createClient({ baseUrl: server.baseUrl, token: "expired" })
    await expect(client.users.getAuthenticatedUser()).rejects.toMatchObject({ _tag: "Unauthenticated" })
  })

  it("rejects with ConnectionFailed when no response arrives", async () => {
    const client = clientOf(async () => {
      throw new TypeError("fetch failed")
    })
    await expect(client.users.getAuthenticatedUser()).rejects.toMatchObject({
      _tag: "ConnectionFailed",
      message: `No response from ${server.baseUrl}/v1/user: the server cannot be reached, or the request was blocked.`
    })
  })

  it("reports the status, the message and the request id of an undeclared response", async () => {
    const body = JSON.stringify({ error: { code: 500, message: "Something went wrong." } })
    const failing = respondWith(body, { status: 500, headers: { "x-request-id": "id-1" } })
    await expect(failing.users.getAuthenticatedUser()).rejects.toMatchObject({
      _tag: "UnexpectedResponse",
      status: 500,
      message: "Something went wrong.",
      requestId: "id-1"
    })
  })

  it.each([502, 503, 404])(
    "reports a status %i with a body that is not an error of the API",
    async (status) => {
      const proxy = respondWith("<html>Bad gateway</html>", { status })
      await expect(proxy.users.getAuthenticatedUser()).rejects.toMatchObject({
        _tag: "UnexpectedResponse",
        status
      })
    }
  )

  it("reports a success whose body does not match its declaration", async () => {
    const other = respondWith("{}", { status: 200 })
    await expect(other.users.getAuthenticatedUser()).rejects.toMatchObject({
      _tag: "UnexpectedResponse",
      message: expect.stringContaining("does not match its declaration")
    })
  })
})

describe("an aborted call", () => {
  it("rejects with the reason of its signal and closes the connection", async () => {
    const silent = await startSilentServer()
    try {
      const controller = new AbortController()
      const client = createClient({ baseUrl: silent.baseUrl, token: "t" })
      const call = client.users.getAuthenticatedUser({}, { signal: controller.signal })
      await silent.requested
      const reason = new Error("The user left the page.")
      controller.abort(reason)
      await expect(call).rejects.toBe(reason)
      await silent.closed
    } finally {
      await silent.close()
    }
  })

  it("sends nothing if its signal is already aborted", async () => {
    let sent = 0
    const client = clientOf(async () => {
      sent++
      return new Response()
    })
    const signal = AbortSignal.abort()
    await expect(client.users.getAuthenticatedUser({}, { signal })).rejects.toBe(signal.reason)
    expect(sent).toBe(0)
  })
})

describe("requests", () => {
  it("are sent by a custom fetch, with the token and without tracing headers", async () => {
    const seen: Array<Request> = []
    const client = clientOf((input, init) => {
      seen.push(new Request(input, init))
      return fetch(input, init)
    })
    await client.users.getAuthenticatedUser()
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([`GET ${server.baseUrl}/v1/user`])
    expect(Object.fromEntries(seen[0]!.headers)).toEqual({
      accept: "application/json",
      authorization: `Bearer ${Redacted.value(server.token)}`
    })
  })
})

describe("options", () => {
  it.each(["docs.example.com", "/docs", "ftp://docs.example.com", ""])(
    "reject the base URL %j",
    (baseUrl) => {
      expect(() => createClient({ baseUrl, token: "t" })).toThrow(
        "baseUrl must be an absolute http or https URL."
      )
    }
  )

  it.each(["", "two words", "line\nbreak", "t".repeat(4097)])("reject a malformed token", (token) => {
    expect(() => createClient({ baseUrl: "https://docs.example.com", token })).toThrow(
      "token must be 1 to 4096 visible ASCII characters."
    )
  })
})

describe("the error classes", () => {
  it("include every error of an operation", () => {
    for (const errorClass of operationErrors) {
      expect(Reflect.get(Client, errorClass.identifier), errorClass.identifier).toBe(errorClass)
    }
  })
})
