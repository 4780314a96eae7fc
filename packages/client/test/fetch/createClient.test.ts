import { Api } from "@lectern/client"
import { ApiError, createClient, type FetchClientOptions, paginate } from "@lectern/client/fetch"
import { Redacted } from "effect"
import { afterAll, afterEach, beforeAll, describe, expect, expectTypeOf, it, vi } from "vitest"
import { startServer, startSilentServer, type TestServer } from "../server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
afterEach(() => vi.unstubAllGlobals())

const clientOf = (options: FetchClientOptions = {}) =>
  createClient({ baseUrl: server.baseUrl, token: Redacted.value(server.token), ...options })

const createSpace = (title: string) =>
  clientOf().spaces.createSpace({ params: { organizationId: server.organizationId }, payload: { title } })

const failureOf = async (promise: Promise<unknown>): Promise<ApiError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason
  )
  expect(error).toBeInstanceOf(ApiError)
  return error as ApiError
}

const respondWith = (body: string | null, init: ResponseInit) =>
  clientOf({ fetch: async () => new Response(body, init) })

it("has the operations of Api, with their methods and paths", async () => {
  const requests: Array<string> = []
  const client = createClient({
    baseUrl: "https://docs.example.com",
    fetch: async (url, init) => {
      requests.push(`${init?.method} ${String(url)}`)
      return new Response(null, { status: 204 })
    }
  })
  const expected: Array<string> = []
  for (const [group, { endpoints }] of Object.entries(Api.groups)) {
    for (const [id, { method, path }] of Object.entries<{ method: string; path: string }>(endpoints)) {
      const names = Array.from(path.matchAll(/:(\w+)/g), ([, name]) => name!)
      const operations = client[group as "spaces"] as unknown as Record<
        string,
        (request: object) => Promise<unknown>
      >
      await operations[id]!({ params: Object.fromEntries(names.map((name) => [name, `${name}/é`])) })
      const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(`${name}/é`))
      expected.push(`${method} https://docs.example.com${filled}`)
    }
  }
  expect(expected.length).toBeGreaterThan(200)
  expect(requests).toEqual(expected)
})

describe("a call that succeeds", () => {
  it("returns the resource, typed by its declaration", async () => {
    const created = await createSpace("Handbook")
    const space = await clientOf().spaces.getSpaceById({ params: { spaceId: created.id } })
    expect(space).toEqual(created)
    expectTypeOf(space.editMode).toEqualTypeOf<"live" | "locked" | undefined>()
  })

  it("takes no argument if all parts of the request are optional", async () => {
    expect((await clientOf().users.getAuthenticatedUser()).email).toBe("ada@example.com")
  })

  it("returns undefined for a response without a body", async () => {
    const { id } = await createSpace("Gone")
    expect(await clientOf().spaces.deleteSpaceById({ params: { spaceId: id } })).toBeUndefined()
  })

  it("sends an empty body if an operation has only optional fields", async () => {
    const { id } = await createSpace("Duplicated")
    expect((await clientOf().spaces.duplicateSpace({ params: { spaceId: id } })).title).toContain(
      "Duplicated"
    )
  })

  it("calls an API that is mounted under a path, with or without a trailing slash", async () => {
    const mounted = await startServer({ prefix: "/docs-api" })
    try {
      for (const end of ["", "/"]) {
        const client = createClient({ baseUrl: mounted.baseUrl + end, token: Redacted.value(mounted.token) })
        expect((await client.users.getAuthenticatedUser()).object).toBe("user")
      }
    } finally {
      await mounted.close()
    }
  })

  it("iterates over lists page by page", async () => {
    const client = clientOf()
    const { id: collectionId } = await client.collections.createCollection({
      params: { organizationId: server.organizationId },
      payload: { title: "Guides" }
    })
    for (const title of ["One", "Two", "Three"]) {
      await client.spaces.createSpace({
        params: { organizationId: server.organizationId },
        payload: { title, parent: collectionId }
      })
    }
    const pages = paginate((cursor) =>
      client.collections.listSpacesInCollectionById({
        params: { collectionId },
        query: { limit: 2, ...cursor }
      })
    )
    const titles: Array<string> = []
    for await (const { title } of pages) titles.push(title)
    expect(titles).toEqual(["One", "Two", "Three"])
  })

  it("uploads files as a form, and reports that all of it was sent", async () => {
    const { id } = await createSpace("Files")
    const form = new FormData()
    form.append("files", new Blob(["hello"]), "hello.txt")
    const progress: Array<unknown> = []
    const result = await clientOf().content.updateSpaceContent(
      { params: { spaceId: id }, payload: form },
      { onUploadProgress: (sent) => progress.push(sent) }
    )
    expect(result.insertedFiles?.map(({ name }) => name)).toEqual(["hello.txt"])
    expect(progress).toEqual([{ sentBytes: 5, totalBytes: 5 }])
  })

  it("reports the progress that XMLHttpRequest observes where it exists", async () => {
    vi.stubGlobal("XMLHttpRequest", FakeXmlHttpRequest)
    const progress: Array<unknown> = []
    const form = new FormData()
    form.append("files", new Blob(["hello"]), "hello.txt")
    const result = await clientOf().content.updateSpaceContent(
      { params: { spaceId: "s" }, payload: form },
      { onUploadProgress: (sent) => progress.push(sent) }
    )
    expect(result).toEqual({ sentBy: "XMLHttpRequest" })
    expect(progress).toEqual([
      { sentBytes: 2, totalBytes: 5 },
      { sentBytes: 5, totalBytes: 5 }
    ])
  })

  it("changes a resource only in the version that was read", async () => {
    const client = clientOf()
    const { id: spaceId } = await createSpace("Version")
    let etag: string | undefined
    await client.spaces.getSpaceById(
      { params: { spaceId } },
      {
        onResponse: (response) => {
          etag = response.etag
        }
      }
    )
    const rename = (title: string) =>
      client.spaces.updateSpaceById({ params: { spaceId }, payload: { title } }, { ifMatch: etag! })
    await rename("Version 2")
    expect((await failureOf(rename("Version 3")))._tag).toBe("PreconditionFailed")
  })
})

describe("credentials", () => {
  const seen = async (options: FetchClientOptions) => {
    let init: RequestInit = {}
    const client = createClient({
      baseUrl: "https://docs.example.com",
      fetch: async (_, requestInit) => {
        init = requestInit!
        return new Response("{}")
      },
      ...options
    })
    await client.users.getAuthenticatedUser()
    return {
      authorization: new Headers(init.headers).get("authorization"),
      credentials: init.credentials,
      init
    }
  }

  it("are the session of the same origin without a token", async () => {
    expect(await seen({})).toMatchObject({ authorization: null, credentials: "same-origin" })
  })

  it("are only the token if there is one", async () => {
    expect(await seen({ token: "secret" })).toMatchObject({
      authorization: "Bearer secret",
      credentials: "omit"
    })
  })

  it("follow the current token and the headers of the host", async () => {
    let token: string | undefined = "one"
    const options = { token: () => token, headers: () => ({ "x-host": token ?? "none" }) }
    expect(await seen(options)).toMatchObject({ authorization: "Bearer one" })
    token = undefined
    const { authorization, init } = await seen(options)
    expect(authorization).toBeNull()
    expect(new Headers(init.headers).get("x-host")).toBe("none")
  })
})

describe("a call that fails", () => {
  it("rejects with the status, the code, the message and the request id", async () => {
    const error = await failureOf(clientOf().spaces.getSpaceById({ params: { spaceId: "missing" } }))
    expect(error).toMatchObject({ _tag: "NotFound", status: 404, code: "SpaceNotFound" })
    expect(error.message).not.toBe("")
    expect(error.requestId).toMatch(/\S/)
  })

  it("has every invalid field", async () => {
    const payload = { title: 1 } as unknown as { readonly title: string }
    const error = await failureOf(
      clientOf().spaces.createSpace({ params: { organizationId: server.organizationId }, payload })
    )
    expect(error).toMatchObject({ _tag: "InvalidInput", code: "InvalidFields" })
    expect(error.details.map(({ path }) => path)).toEqual(["title"])
  })

  it("reports a response that is not of the API, with its status", async () => {
    const bodies = ["<h1>Bad gateway</h1>", "null", '{"error":"no"}', ""]
    for (const body of bodies) {
      const error = await failureOf(respondWith(body, { status: 502 }).users.getAuthenticatedUser())
      expect(error).toMatchObject({ _tag: "UnexpectedResponse", code: "Unknown", status: 502 })
    }
  })

  it("reports a successful response that is not JSON", async () => {
    const error = await failureOf(respondWith("<html>", { status: 200 }).users.getAuthenticatedUser())
    expect(error._tag).toBe("UnexpectedResponse")
  })

  it("states after how many seconds it can be repeated", async () => {
    const body = JSON.stringify({ error: { code: 429, reason: "RateLimitExceeded", message: "Too many." } })
    const client = respondWith(body, { status: 429, headers: { "retry-after": "7" } })
    const error = await failureOf(client.users.getAuthenticatedUser())
    expect(error).toMatchObject({ _tag: "RateLimited", retryAfterSeconds: 7 })
  })

  it("is reported to the listener of the client", async () => {
    const errors: Array<ApiError> = []
    const client = clientOf({ token: "wrong", onError: (error) => errors.push(error) })
    const error = await failureOf(client.users.getAuthenticatedUser())
    expect(errors).toEqual([error])
    expect(error._tag).toBe("Unauthenticated")
  })

  it("reports a server that cannot be reached, with the error of fetch", async () => {
    const error = await failureOf(
      createClient({ baseUrl: "http://127.0.0.1:1" }).users.getAuthenticatedUser()
    )
    expect(error).toMatchObject({ _tag: "ConnectionFailed", status: 0 })
    expect(error.cause).toBeInstanceOf(Error)
  })

  it("rejects a missing path parameter before it is sent", async () => {
    const params = {} as { readonly spaceId: string }
    await expect(clientOf().spaces.getSpaceById({ params })).rejects.toThrow("spaceId is missing")
  })

  it("closes the connection and rejects with the reason of the signal when it is aborted", async () => {
    const silent = await startSilentServer()
    try {
      const controller = new AbortController()
      const call = createClient({ baseUrl: silent.baseUrl, token: "token" }).users.getAuthenticatedUser(
        {},
        { signal: controller.signal }
      )
      await silent.requested
      const reason = new Error("left")
      controller.abort(reason)
      await expect(call).rejects.toBe(reason)
      await silent.closed
    } finally {
      await silent.close()
    }
  })
})

/** Sends nothing: it reports two steps of progress, then responds. */
class FakeXmlHttpRequest extends EventTarget {
  readonly upload = new EventTarget()
  readonly status = 200
  readonly responseText = JSON.stringify({ sentBy: "XMLHttpRequest" })
  withCredentials = false
  open(): void {}
  setRequestHeader(): void {}
  getResponseHeader(): null {
    return null
  }
  send(): void {
    for (const loaded of [2, 5]) {
      this.upload.dispatchEvent(Object.assign(new Event("progress"), { loaded, total: 5 }))
    }
    this.dispatchEvent(new Event("load"))
    this.dispatchEvent(new Event("loadend"))
  }
}
