/** Tests of the contract suite: it detects each of these violations by a server. */
import {
  type ContractResult,
  type ContractScenario,
  contractOperations,
  contractScenarios,
  operationsOfBrowsers,
  runContract
} from "@lectern/testkit/contract"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { memory } from "./stores.ts"
import { editJson, type ProxyEdits, startProxy } from "./support/proxy.ts"
import { startServer, type TestServer } from "./support.ts"

let server: TestServer
const users = new Map<string, string>()
beforeAll(async () => {
  server = await startServer(await memory.make())
})
afterAll(() => server.close())

const listings = /\/translations\?/
const settings = /\/translations\/[^/?]+$/
const translationScenarios = contractScenarios.filter(({ title }) => title.startsWith("Translation settings"))

/** Runs the scenarios of translations against a server behind a proxy that makes these edits. */
const runContractThrough = async (
  edits: ProxyEdits,
  scenarios: ReadonlyArray<ContractScenario> = translationScenarios
): Promise<ContractResult> => {
  const proxy = await startProxy(server.url, edits)
  const userOf = async (email: string) => {
    const user = users.get(email) ?? (await server.core.createUser(email))
    users.set(email, user)
    return user
  }
  return await runContract(
    {
      url: proxy.url,
      createToken: async (email) => server.tokenOf(await userOf(email)),
      createOrganization: async (title, admin) => server.core.createOrganization(title, await userOf(admin)),
      close: proxy.close
    },
    scenarios
  )
}

/** Shortens titles, so that the server accepts longer ones than it declares. */
const shortened: ProxyEdits = {
  editRequest: (request) => {
    if (request.body === "" || !request.path.includes("translations")) return
    editJson(request, (value) => {
      if (typeof value.title === "string") value.title = value.title.slice(0, 100)
    })
  }
}
const acceptsLongTitle =
  /^createTranslation: body.title maxLength: 101 characters returned 201, expected 400 with an error at "title":/

describe("the contract suite", () => {
  it("reports no problem of a conforming server, and the operations that the scenario does not call", async () => {
    const { problems, missing, counts } = await runContractThrough({})
    expect(problems).toEqual([])
    expect(counts).toMatchObject({ operations: 6, fields: 11 })
    expect(missing.filter((line) => line.includes("ranslation"))).toEqual([])
    expect(missing).toContain("createSite was not called")
    const uncalled = missing.filter((line) => line.endsWith(" was not called"))
    expect(uncalled).toHaveLength(contractOperations.length - counts.operations - operationsOfBrowsers.size)
  })

  const violations: Record<string, readonly [edits: ProxyEdits, problem: RegExp]> = {
    "omits entity tags": [
      { editResponse: ({ headers }) => void delete headers.etag },
      /^getTranslation: returned 200 without the declared header ETag/
    ],
    "omits Location": [
      { editResponse: ({ headers }) => void delete headers.location },
      /^createTranslation: returned 201 without the declared header Location/
    ],
    "returns an undeclared field": [
      {
        editResponse: (response, { path }) => {
          if (settings.test(path) && response.status === 200)
            editJson(response, (value) => Object.assign(value, { secret: 1 }))
        }
      },
      /^getTranslation: returned 200 with a body that does not match its schema: .*additional/
    ],
    "returns another content type than JSON": [
      {
        editResponse: (response, { path }) => {
          if (/\/user$/.test(path)) response.headers["content-type"] = "text/html"
        }
      },
      /^getAuthenticatedUser: returned 200 with the content type text\/html/
    ],
    "returns a wrong count": [
      {
        editResponse: (response, { path }) => {
          if (listings.test(path) && response.status === 200)
            editJson(response, (value) => Object.assign(value, { count: 7 }))
        }
      },
      /^listTranslations: returned a count of 7 for 2 items/
    ],
    "loses the items of the second page": [
      {
        editResponse: (response, { path }) => {
          if (/limit=1&page|page=.*limit=1$/.test(path) && response.status === 200) {
            editJson(response, (value) => Object.assign(value, { items: [] }))
          }
        }
      },
      /^listTranslations: returned other items page by page/
    ],
    "accepts a limit above the maximum": [
      {
        editRequest: (request) => {
          Object.assign(request, { path: request.path.replace("limit=1001", "limit=1000") })
        }
      },
      /^listTranslations: query.limit maximum: 1001 returned 200/
    ],
    "accepts a title above the maximum length": [shortened, acceptsLongTitle],
    "does not declare a field that it accepts": [
      {
        editResponse: (response, { path }) => {
          if (path !== "/openapi.json") return
          editJson(response, ({ components }) => {
            const { schemas } = components as { schemas: Record<string, { properties: { title?: object } }> }
            delete schemas.CreateTranslationSettings!.properties.title
          })
        }
      },
      /^createTranslation: is called with body.title, which its document does not declare/
    ],
    "measures the length of a title in UTF-16 code units": [
      {
        editResponse: (response, { path, body }) => {
          if (!path.includes("translations") || !body.includes("\u{1f600}") || response.status >= 300) return
          Object.assign(response, {
            status: 400,
            body: JSON.stringify({
              error: {
                code: 400,
                reason: "InvalidFields",
                message: "title is long.",
                details: [{ path: "title", message: "is long" }]
              }
            })
          })
          response.headers["content-type"] = "application/json"
        }
      },
      /^createTranslation: body.title maxLength: 100 emojis returned 400, expected 201:/
    ],
    "reports an error with a wrong path": [
      {
        editResponse: (response, { path }) => {
          if (path.includes("translations"))
            response.body = response.body.replace('"path":"title"', '"path":"name"')
        }
      },
      /^createTranslation: body.title maxLength: 101 characters returned 400/
    ],
    "rejects unknown fields": [
      {
        editResponse: (response, { body }) => {
          if (!body.includes("unknownToTheServer")) return
          response.status = 400
          response.body = JSON.stringify({
            error: { code: 400, reason: "InvalidFields", message: "There is too much." }
          })
        }
      },
      /^createTranslation: body unknown: an unknown field returned 400/
    ],
    "distinguishes hidden from missing resources": [
      {
        editResponse: (response, { path }) => {
          if (!path.includes("contract-unknown") || response.status !== 404) return
          response.status = 403
          response.body = JSON.stringify({
            error: { code: 403, reason: "RoleTooLow", message: "Not for you." }
          })
        }
      },
      /^getTranslation: returned 403 for an unknown translationSettingsId, expected an error with 404/
    ],
    "returns an error body of another shape": [
      {
        editResponse: (response) => {
          if (response.status === 401) response.body = JSON.stringify({ message: "No." })
        }
      },
      /^createTranslation: returned 401 for a request without a token, expected an error with 401/
    ],
    "ignores If-None-Match": [
      { editRequest: ({ headers }) => void delete headers["if-none-match"] },
      /^getTranslation: returned 200 for its own entity tag/
    ],
    "ignores If-Match": [
      { editRequest: ({ headers }) => void delete headers["if-match"] },
      /^updateTranslation: returned 200 for a wrong entity tag/
    ],
    "ignores Idempotency-Key": [
      { editRequest: ({ headers }) => void delete headers["idempotency-key"] },
      /^createTranslation: returned 201 for a malformed idempotency key/
    ],
    "returns another success status": [
      {
        editResponse: (response, { method }) => {
          if (method === "DELETE" && response.status === 205) response.status = 204
        }
      },
      /^deleteTranslation: returned the undeclared status 204/
    ],
    "returns 500 for an invalid cursor": [
      {
        editResponse: (response, { path }) => {
          if (!path.includes("page=no-page")) return
          response.status = 500
          response.body = JSON.stringify({ error: { code: 500, reason: "Defect", message: "Oh." } })
        }
      },
      /^listTranslations: returned 500/
    ]
  }

  for (const [what, [edits, problem]] of Object.entries(violations)) {
    it(`detects a server that ${what}`, async () => {
      const { problems } = await runContractThrough(edits)
      expect(problems).toEqual(expect.arrayContaining([expect.stringMatching(problem)]))
    })
  }

  it("detects a bound that is not enforced with two values of each bound", async () => {
    const briefly: ContractScenario = {
      title: "Each bound is checked with two values",
      run: async ({ client }) => {
        client.isBrief = true
      }
    }
    const { problems } = await runContractThrough(shortened, [briefly, ...translationScenarios])
    expect(problems).toEqual(expect.arrayContaining([expect.stringMatching(acceptsLongTitle)]))
  })

  it("detects a server that authorizes the wrong callers", async () => {
    let admin: string | undefined
    const { problems } = await runContractThrough({
      editRequest: ({ headers, path, method }) => {
        // The server treats all callers as the administrator who created the first settings.
        if (method === "POST" && path.endsWith("/invites")) admin = headers.authorization
        if (admin !== undefined && path.includes("/translations")) headers.authorization = admin
      }
    })
    for (const who of [
      "a request without a token",
      "an invalid token",
      "an outsider",
      "a member with the role read"
    ]) {
      const found = problems.some((line) => line.startsWith(`createTranslation: returned 201 for ${who},`))
      expect([who, found]).toEqual([who, true])
    }
  })

  it("reports declared parameters, fields and limits that no scenario covers", async () => {
    type Operation = {
      parameters: Array<object>
      requestBody: { content: Record<string, { schema: object }> }
    }
    const { missing } = await runContractThrough({
      editResponse: (response, { path }) => {
        if (path !== "/openapi.json") return
        editJson(response, ({ paths, components }) => {
          const operations = paths as Record<string, Record<string, Operation>>
          const path = operations["/v1/orgs/{organizationId}/translations"]!
          path.get!.parameters.push({
            name: "dialect",
            in: "query",
            schema: { type: "string", maxLength: 5 }
          })
          const { schemas } = components as { schemas: Record<string, { properties: object }> }
          Object.assign(schemas.CreateTranslationSettings!.properties, {
            tone: { type: "string", enum: ["soft"] }
          })
        })
      }
    })
    expect(missing).toEqual(
      expect.arrayContaining([
        "listTranslations: query.dialect was not sent",
        "listTranslations: query.dialect maxLength was not checked",
        "createTranslation: body.tone was not sent",
        "createTranslation: body.tone enum was not checked"
      ])
    )
  })
})
