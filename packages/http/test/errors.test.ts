/** The error of each kind of invalid request, and the order of errors. See docs/decisions/0020-order-of-errors.md. */
import { MemoryStorage } from "@lectern/testkit"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { startServer, type TestServer } from "./support.ts"

let server: TestServer
let admin: string
let reader: string
let outsider: string
let organization: string
let space: string

beforeAll(async () => {
  server = await startServer(MemoryStorage.layer(), { bodyLimit: 2_000 })
  const { core } = server
  const [first, second, third] = [
    await core.createUser("admin@example.com"),
    await core.createUser("reader@example.com"),
    await core.createUser("outsider@example.com")
  ]
  organization = await core.createOrganization("Acme", first!)
  await core.setMember(organization, second!, "read")
  admin = await server.tokenOf(first!)
  reader = await server.tokenOf(second!)
  outsider = await server.tokenOf(third!)
  const created = await server.fetch(`/v1/orgs/${organization}/spaces`, {
    method: "POST",
    token: admin,
    body: "{}"
  })
  space = ((await created.json()) as { id: string }).id
})
afterAll(() => server.close())

const fetchError = async (path: string, init?: Parameters<TestServer["fetch"]>[1]) => {
  const response = await server.fetch(path, init)
  const body = (await response.json()) as {
    error: { code: number; reason: string; message: string; details?: ReadonlyArray<{ path: string }> }
  }
  expect(response.headers.get("content-type")).toBe("application/json")
  expect(response.headers.get("x-request-id")).toMatch(/./)
  expect(body.error.code).toBe(response.status)
  expect(body.error.reason).toMatch(/^[A-Z]\w+$/)
  expect(body.error.message).toMatch(/^[A-Z`a-z].*[.]$/)
  return { status: response.status, ...body.error, headers: response.headers }
}

describe("the message of a malformed body", () => {
  const messageOf = async (path: string, body: string | Uint8Array<ArrayBuffer>) =>
    (await fetchError(path, { method: "POST", token: admin, body })).message

  it("names the position of the first error of JSON", async () => {
    const spaces = `/v1/orgs/${organization}/spaces`
    expect(await messageOf(spaces, '{"title": "a",\n }')).toBe(
      "The input is not valid JSON: the first error is at line 2, column 2."
    )
    expect(await messageOf(spaces, '{"title": ')).toBe("The input is not valid JSON: it ends too early.")
    expect(await messageOf(spaces, "{'title': 1}")).toBe(
      "The input is not valid JSON: the first error is at line 1, column 2."
    )
    expect(await messageOf(spaces, "hello")).toBe(
      "The input is not valid JSON: the character h is unexpected."
    )
    expect(await messageOf(spaces, new Uint8Array([0x22, 0xff, 0x22]))).toBe("The input is not valid UTF-8.")
  })

  it("describes types without their internal names", async () => {
    expect(await messageOf(`/v1/orgs/${organization}/spaces`, "[]")).toBe("The input must be an object.")
    expect(await messageOf(`/v1/orgs/${organization}/spaces`, '{"title":5}')).toBe("title must be a string.")
    expect(
      await messageOf(`/v1/orgs/${organization}/invites`, '{"emails":["ada@example.com"],"role":"king"}')
    ).toBe('role must be "read" or "comment" or "edit" or "review" or "create" or "admin".')
  })
})

describe("errors are returned in the documented order:", () => {
  it("404 for an unknown path, before authentication and decoding", async () => {
    for (const path of ["/v1/nothing", "/nothing", "/v2/orgs", "/v1/spaces/%zz", "//v1/orgs"]) {
      expect((await fetchError(path, { method: "POST", body: "{" })).status).toBe(404)
    }
  })
  it("405 for an unsupported method, with the supported ones, before authentication", async () => {
    const failure = await fetchError(`/v1/spaces/${space}`, { method: "PUT" })
    expect(failure.status).toBe(405)
    expect(failure.headers.get("allow")?.split(", ").sort()).toEqual(["DELETE", "GET", "HEAD", "PATCH"])
    expect((await fetchError("/openapi.json", { method: "POST" })).status).toBe(405)
  })
  it("401 without a valid token, before the body is decoded", async () => {
    for (const token of [undefined, "unknown", "a b", "é".repeat(3)]) {
      const headers = token === undefined ? {} : { authorization: `Bearer ${encodeURIComponent(token)}` }
      const failure = await fetchError(`/v1/spaces/${space}`, { method: "PATCH", body: "{", headers })
      expect(failure.status).toBe(401)
      expect(failure.headers.get("www-authenticate")).toBe("Bearer")
    }
  })
  it("401 for another authentication scheme", async () => {
    expect((await fetchError("/v1/user", { headers: { authorization: "Basic YTpi" } })).status).toBe(401)
  })
  it("406 for a client that does not accept JSON", async () => {
    expect((await fetchError("/v1/user", { token: admin, headers: { accept: "text/html" } })).status).toBe(
      406
    )
  })
  it("415 for a body of another media type", async () => {
    const headers = { "content-type": "text/plain" }
    expect(
      (await fetchError(`/v1/spaces/${space}`, { method: "PATCH", token: admin, body: "x", headers })).status
    ).toBe(415)
  })
  it("413 for a body above the limit, with or without a content length", async () => {
    const body = JSON.stringify({ title: "x".repeat(3_000) })
    expect((await fetchError(`/v1/spaces/${space}`, { method: "PATCH", token: admin, body })).status).toBe(
      413
    )
    const stream = new ReadableStream({
      start: (controller) => {
        for (let i = 0; i < 30; i++) controller.enqueue(new TextEncoder().encode("x".repeat(100)))
        controller.close()
      }
    })
    const init = { method: "PATCH", token: admin, body: stream, duplex: "half" } as RequestInit & {
      token: string
    }
    expect((await fetchError(`/v1/spaces/${space}`, init)).status).toBe(413)
  })
  it("400 for a body that is not JSON, after authorization by the path", async () => {
    for (const body of ["{", "nul", '{"title":}', "[".repeat(900), "\u0000"]) {
      const patch = (path: string, token: string) => fetchError(path, { method: "PATCH", token, body })
      expect((await patch(`/v1/spaces/${space}`, admin)).status).toBe(400)
      expect((await patch(`/v1/spaces/${space}`, reader)).status).toBe(403)
      expect((await patch(`/v1/spaces/${space}`, outsider)).status).toBe(404)
      expect((await patch("/v1/spaces/nothing", admin)).status).toBe(404)
    }
    const invalidUtf8 = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])
    expect(
      (await fetchError(`/v1/spaces/${space}`, { method: "PATCH", token: admin, body: invalidUtf8 })).status
    ).toBe(400)
  })
  it("400 with all invalid fields, after authorization by the path", async () => {
    const body = JSON.stringify({
      title: "x".repeat(51),
      emoji: "",
      icon: "ftp://x",
      editMode: "open",
      defaultLevel: 1
    })
    const failure = await fetchError(`/v1/spaces/${space}`, { method: "PATCH", token: admin, body })
    expect([failure.status, failure.reason]).toEqual([400, "InvalidFields"])
    expect(failure.details?.map(({ path }) => path).sort()).toEqual([
      "defaultLevel",
      "editMode",
      "emoji",
      "icon",
      "title"
    ])
    const low = await fetchError(`/v1/spaces/${space}`, { method: "PATCH", token: reader, body })
    expect([low.status, low.reason]).toEqual([403, "RoleTooLow"])
    const missing = await fetchError("/v1/spaces/nothing", { method: "PATCH", token: reader, body })
    expect([missing.status, missing.reason]).toEqual([404, "SpaceNotFound"])
  })
  it("400 for an invalid `page`, `limit` or flag", async () => {
    for (const query of [
      "limit=1001",
      "limit=-1",
      "limit=1.5",
      "limit=x",
      "limit=",
      "page=x",
      "page=",
      "nested=maybe"
    ]) {
      const failure = await fetchError(`/v1/orgs/${organization}/collections?${query}`, { token: admin })
      expect([query, failure.status]).toEqual([query, 400])
      expect(failure.details?.[0]?.path).toBe(query.split("=")[0])
    }
  })
  it("400 for a cursor of another list or another filter", async () => {
    const [first, second] = await Promise.all(
      ["", ""].map(async () => {
        const path = `/v1/orgs/${organization}/collections`
        const created = await server.fetch(path, { method: "POST", token: admin, body: "{}" })
        return ((await created.json()) as { id: string }).id
      })
    )
    const list = `/v1/orgs/${organization}/collections`
    const { next } = (await (await server.fetch(`${list}?limit=1`, { token: admin })).json()) as {
      next: { page: string }
    }
    expect((await server.fetch(`${list}?limit=9&page=${next.page}`, { token: admin })).status).toBe(200)
    for (const other of [
      `${list}?nested=false&page=${next.page}`,
      `/v1/orgs/${organization}/spaces?page=${next.page}`,
      `/v1/collections/${first}/spaces?page=${next.page}`
    ]) {
      const failure = await fetchError(other, { token: admin })
      expect([failure.status, failure.details?.[0]?.path]).toEqual([400, "page"])
    }
    for (const id of [first, second]) {
      await server.fetch(`/v1/collections/${id}`, { method: "DELETE", token: admin })
    }
  })
  it("404 for an id with a suffix, such as a semicolon", async () => {
    for (const suffix of [";", ";limit=1", "%3B", "x"]) {
      expect((await fetchError(`/v1/spaces/${space}${suffix}`, { token: admin })).status).toBe(404)
    }
  })
  it("404 with the same message for hidden and for missing resources", async () => {
    const responses = []
    for (const path of [`/v1/spaces/${space}`, "/v1/spaces/nothing"]) {
      for (const init of [{}, { method: "DELETE" }, { method: "PATCH", body: "{}" }]) {
        const { status, message } = await fetchError(path, { token: outsider, ...init })
        responses.push(`${status} ${message}`)
      }
    }
    expect(new Set(responses)).toEqual(new Set(["404 There is no such space."]))
  })
  it("403 for a role that is too low, before the state is checked", async () => {
    expect((await fetchError(`/v1/spaces/${space}/restore`, { method: "POST", token: reader })).status).toBe(
      403
    )
  })
  it("409 if the state of the resource does not allow the operation", async () => {
    expect((await fetchError(`/v1/spaces/${space}/restore`, { method: "POST", token: admin })).status).toBe(
      409
    )
  })
  it("412 for a transfer to an organization in which the caller cannot create spaces", async () => {
    const body = JSON.stringify({ organization: "elsewhere" })
    expect(
      (await fetchError(`/v1/spaces/${space}/transfer`, { method: "POST", token: admin, body })).status
    ).toBe(412)
  })
})

/** A request to update a space, with any combination of problems. */
interface Request {
  readonly caller: "nobody" | "outsider" | "reader" | "creator" | "admin"
  readonly transport: "json" | "text" | "above the limit"
  /** `naming` has a field that requires the role `admin`. */
  readonly body: "valid" | "naming" | "invalid" | "malformed"
  readonly size: "small" | "large"
  readonly ifMatch: "none" | "stale"
  readonly state: "live" | "deleted"
}

/** The problems of a request, in the order in which they are reported, with the status and the reason of each. */
const order: ReadonlyArray<
  readonly [status: number, reason: string, applies: (request: Request) => boolean]
> = [
  [401, "TokenMissing", ({ caller }) => caller === "nobody"],
  [413, "BodyTooLarge", ({ transport }) => transport === "above the limit"],
  [415, "NotJson", ({ transport }) => transport === "text"],
  [404, "SpaceNotFound", ({ caller }) => caller === "outsider"],
  // A space in the trash is visible only to its administrators.
  [404, "SpaceNotFound", ({ caller, state }) => state === "deleted" && caller !== "admin"],
  [403, "RoleTooLow", ({ caller }) => caller === "reader"],
  [400, "InvalidFields", ({ body }) => body === "invalid" || body === "malformed"],
  [403, "RoleTooLow", ({ caller, body }) => caller === "creator" && body === "naming"],
  [412, "StaleVersion", ({ ifMatch }) => ifMatch === "stale"],
  [409, "SpaceDeleted", ({ state }) => state === "deleted"]
]

describe("a request with several problems is rejected for the first", () => {
  const bodyLimit = 60_000
  const bodies: Record<Request["body"], (padding: string) => string> = {
    valid: (padding) => JSON.stringify({ title: "New", padding }),
    naming: (padding) => JSON.stringify({ defaultLevel: "read", padding }),
    invalid: (padding) => JSON.stringify({ title: 1, defaultLevel: "read", padding }),
    malformed: (padding) => JSON.stringify({ title: "New", padding }).slice(0, -1)
  }
  const lengths: Record<Request["size"], number> = { small: 0, large: 50_000 }

  const requests = (["live", "deleted"] as const).flatMap((state) =>
    (["nobody", "outsider", "reader", "creator", "admin"] as const).flatMap((caller) =>
      (["json", "text", "above the limit"] as const).flatMap((transport) =>
        (["valid", "naming", "invalid", "malformed"] as const).flatMap((body) =>
          (["small", "large"] as const).flatMap((size) =>
            (["none", "stale"] as const).map(
              (ifMatch): Request => ({ caller, transport, body, size, ifMatch, state })
            )
          )
        )
      )
    )
  )

  it("in the order 401, 413, 415, 404, 403, 400, 403 for resources that the body names, 412, 409", async () => {
    const workspace = await startServer(MemoryStorage.layer(), { bodyLimit })
    onTestFinished(() => workspace.close())
    const { core } = workspace
    const admin = await core.createUser("admin@example.com")
    const organization = await core.createOrganization("Acme", admin)
    const memberOf = async (role: "read" | "create") => {
      const user = await core.createUser(`${role}@example.com`)
      await core.setMember(organization, user, role)
      return workspace.tokenOf(user)
    }
    const tokens: Record<Request["caller"], string | undefined> = {
      nobody: undefined,
      outsider: await workspace.tokenOf(await core.createUser("outsider@example.com")),
      reader: await memberOf("read"),
      creator: await memberOf("create"),
      admin: await workspace.tokenOf(admin)
    }
    const createSpace = async () => {
      const path = `/v1/orgs/${organization}/spaces`
      const created = await workspace.fetch(path, { method: "POST", token: tokens.admin!, body: "{}" })
      return ((await created.json()) as { id: string }).id
    }
    const spaces: Record<Request["state"], string> = {
      live: await createSpace(),
      deleted: await createSpace()
    }
    await workspace.fetch(`/v1/spaces/${spaces.deleted}`, { method: "DELETE", token: tokens.admin! })

    const results: Array<readonly [Request, number, string | undefined]> = []
    for (const request of requests) {
      const { caller, transport, body, size, ifMatch, state } = request
      const token = tokens[caller]
      const padding = "x".repeat(transport === "above the limit" ? bodyLimit : lengths[size])
      const response = await workspace.fetch(`/v1/spaces/${spaces[state]}`, {
        method: "PATCH",
        ...(token === undefined ? {} : { token }),
        body: bodies[body](padding),
        headers: {
          ...(transport === "text" ? { "content-type": "text/plain" } : {}),
          ...(ifMatch === "stale" ? { "if-match": '"stale"' } : {})
        }
      })
      const { error } = (await response.json()) as { error?: { reason: string } }
      results.push([request, response.status, error?.reason])
    }
    expect(results).toEqual(
      requests.map((request) => {
        const [status, reason] = order.find(([, , applies]) => applies(request)) ?? [200, undefined]
        return [request, status, reason]
      })
    )
    for (const [status, reason] of order) {
      expect(
        results.some(([, actualStatus, actualReason]) => actualStatus === status && actualReason === reason)
      ).toBe(true)
    }
  })

  it("with 400 before the authorization for a collection or an organization that the body names", async () => {
    const elsewhere = await server.core.createOrganization(
      "Elsewhere",
      await server.core.createUser("elsewhere@example.com")
    )
    const post = async (path: string, token: string, body: object) => {
      const { status, reason } = await fetchError(path, { method: "POST", token, body: JSON.stringify(body) })
      return [status, reason]
    }
    const path = `/v1/orgs/${organization}/spaces`
    for (const title of ["x".repeat(51), 1]) {
      expect(await post(path, admin, { title, parent: "nothing" })).toEqual([400, "InvalidFields"])
      expect(await post(path, reader, { title })).toEqual([400, "InvalidFields"])
      expect(await post(path, outsider, { title })).toEqual([404, "OrganizationNotFound"])
    }
    expect(await post(path, admin, { parent: "nothing" })).toEqual([404, "CollectionNotFound"])
    expect(await post(path, reader, {})).toEqual([403, "RoleTooLow"])

    const transfer = `/v1/spaces/${space}/transfer`
    expect(await post(transfer, reader, { organization: 1 })).toEqual([403, "RoleTooLow"])
    expect(await post(transfer, admin, { organization: 1 })).toEqual([400, "InvalidFields"])
    expect(await post(transfer, admin, { organization: elsewhere })).toEqual([412, "TargetNotWritable"])
    expect(await post(transfer, admin, { organization })).toEqual([409, "SameOrganization"])
  })
})

describe("the HTTP protocol", () => {
  it("ignores unknown fields and parameters", async () => {
    const body = JSON.stringify({ title: "Known", unknown: { deep: [1] }, __proto__: { admin: true } })
    const response = await server.fetch(`/v1/spaces/${space}?unknown=1&unknown=2`, {
      method: "PATCH",
      token: admin,
      body
    })
    expect(response.status).toBe(200)
    expect(((await response.json()) as { title: string }).title).toBe("Known")
  })
  it("accepts a missing body if all fields are optional", async () => {
    const response = await server.fetch(`/v1/orgs/${organization}/spaces`, { method: "POST", token: admin })
    expect(response.status).toBe(201)
    const created = (await response.json()) as { urls: { location: string } }
    expect(response.headers.get("location")).toBe(created.urls.location)
  })
  it("returns no body and no content type with status 205", async () => {
    const created = await server.fetch(`/v1/orgs/${organization}/spaces`, { method: "POST", token: admin })
    const { id } = (await created.json()) as { id: string }
    const response = await server.fetch(`/v1/spaces/${id}`, { method: "DELETE", token: admin })
    expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
      205,
      null,
      ""
    ])
  })
  it("responds to HEAD as to GET, without the body", async () => {
    const response = await server.fetch(`/v1/spaces/${space}`, { method: "HEAD", token: admin })
    expect([response.status, await response.text()]).toEqual([200, ""])
  })
  it("returns a valid request id of the client, and replaces an invalid one", async () => {
    const given = await server.fetch("/healthz", { headers: { "x-request-id": "abc-1" } })
    expect(given.headers.get("x-request-id")).toBe("abc-1")
    const replaced = await server.fetch("/healthz", { headers: { "x-request-id": "a b\tc" } })
    expect(replaced.headers.get("x-request-id")).not.toBe("a b\tc")
  })
  it("reports that it is alive, and that its store is reachable", async () => {
    expect((await server.fetch("/healthz")).status).toBe(200)
    expect((await server.fetch("/readyz")).status).toBe(200)
  })
})
