/** The contract suite is checked itself: a server that lies in one way is found out, each time by what it lied about. */
import {
  type ContractResult,
  contractOperations,
  contractScenarios,
  runContract
} from "@lectern/testkit/contract"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { memory } from "./stores.ts"
import { editJson, type Lie, startProxy } from "./support/proxy.ts"
import { startServer, type TestServer } from "./support.ts"

let server: TestServer
const users = new Map<string, string>()
beforeAll(async () => {
  server = await startServer(await memory.make())
})
afterAll(() => server.close())

const listings = /\/translations\?/
const settings = /\/translations\/[^/?]+$/
const story = contractScenarios.filter(({ title }) => title.startsWith("Translations"))

/** Tells a story to a server that lies. */
const tellTo = async (lie: Lie): Promise<ContractResult> => {
  const proxy = await startProxy(server.url, lie)
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
    story
  )
}

describe("a server that", () => {
  it("keeps the contract is told nothing against, but what the story leaves out", async () => {
    const { problems, missing, counts } = await tellTo({})
    expect(problems).toEqual([])
    expect(counts).toMatchObject({ operations: 5, fields: 2 })
    expect(missing.filter((line) => line.includes("ranslation"))).toEqual([])
    expect(missing).toContain("createSite was not called")
    expect(missing.length).toBe(contractOperations.length - 5)
  })

  const lies: Record<string, readonly [lie: Lie, problem: RegExp]> = {
    "forgets tags": [
      { give: ({ headers }) => void delete headers.etag },
      /^getTranslation: returned 200 without the declared header ETag/
    ],
    "forgets where it created something": [
      { give: ({ headers }) => void delete headers.location },
      /^createTranslation: returned 201 without the declared header Location/
    ],
    "answers a field that it does not declare": [
      {
        give: (answer, { path }) => {
          if (settings.test(path) && answer.status === 200)
            editJson(answer, (value) => Object.assign(value, { secret: 1 }))
        }
      },
      /^getTranslation: returned 200 with a body that does not match its schema: .*additional/
    ],
    "answers something else than JSON": [
      {
        give: (answer, { path }) => {
          if (/\/user$/.test(path)) answer.headers["content-type"] = "text/html"
        }
      },
      /^getAuthenticatedUser: returned 200 with the content type text\/html/
    ],
    "counts wrong": [
      {
        give: (answer, { path }) => {
          if (listings.test(path) && answer.status === 200)
            editJson(answer, (value) => Object.assign(value, { count: 7 }))
        }
      },
      /^listTranslations: returned a count of 7 for 2 items/
    ],
    "loses what is on a second page": [
      {
        give: (answer, { path }) => {
          if (/limit=1&page|page=.*limit=1$/.test(path) && answer.status === 200) {
            editJson(answer, (value) => Object.assign(value, { items: [] }))
          }
        }
      },
      /^listTranslations: returned other items page by page/
    ],
    "takes a limit over the edge": [
      {
        take: (request) => {
          Object.assign(request, { path: request.path.replace("limit=1001", "limit=1000") })
        }
      },
      /^listTranslations: query.limit maximum: 1001 returned 200/
    ],
    "takes a title over the edge": [
      {
        take: (request) => {
          if (request.body !== "" && request.path.includes("translations")) {
            editJson(request, (value) => {
              if (typeof value.title === "string") value.title = value.title.slice(0, 100)
            })
          }
        }
      },
      /^createTranslation: body.title maxLength: 101 characters returned 201/
    ],
    "counts the characters of a title in units": [
      {
        give: (answer, { path, body }) => {
          if (!path.includes("translations") || !body.includes("\u{1f600}") || answer.status >= 300) return
          Object.assign(answer, {
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
          answer.headers["content-type"] = "application/json"
        }
      },
      /^createTranslation: body.title maxLength: 100 emojis returned 400/
    ],
    "says another path of what is wrong": [
      {
        give: (answer, { path }) => {
          if (path.includes("translations"))
            answer.body = answer.body.replace('"path":"title"', '"path":"name"')
        }
      },
      /^createTranslation: body.title maxLength: 101 characters returned 400/
    ],
    "refuses what it does not know": [
      {
        give: (answer, { body }) => {
          if (!body.includes("unknownToTheServer")) return
          answer.status = 400
          answer.body = JSON.stringify({
            error: { code: 400, reason: "InvalidFields", message: "There is too much." }
          })
        }
      },
      /^createTranslation: body unknown: an unknown field returned 400/
    ],
    "tells apart what is hidden": [
      {
        give: (answer, { path }) => {
          if (!path.includes("contract-unknown") || answer.status !== 404) return
          answer.status = 403
          answer.body = JSON.stringify({
            error: { code: 403, reason: "RoleTooLow", message: "Not for you." }
          })
        }
      },
      /^getTranslation: returned 403 for an unknown translationSettingsId, expected an error with 404/
    ],
    "writes an error in another shape": [
      {
        give: (answer) => {
          if (answer.status === 401) answer.body = JSON.stringify({ message: "No." })
        }
      },
      /^createTranslation: returned 401 for a request without a token, expected an error with 401/
    ],
    "answers its own tag in full": [
      { take: ({ headers }) => void delete headers["if-none-match"] },
      /^getTranslation: returned 200 for its own entity tag/
    ],
    "does not look at the tag of a change": [
      { take: ({ headers }) => void delete headers["if-match"] },
      /^updateTranslation: returned 200 for a wrong entity tag/
    ],
    "has another status of a success": [
      {
        give: (answer, { method }) => {
          if (method === "DELETE" && answer.status === 205) answer.status = 204
        }
      },
      /^deleteTranslation: returned the undeclared status 204/
    ],
    "fails where nobody looks": [
      {
        give: (answer, { path }) => {
          if (!path.includes("page=no-page")) return
          answer.status = 500
          answer.body = JSON.stringify({ error: { code: 500, reason: "Defect", message: "Oh." } })
        }
      },
      /^listTranslations: returned 500/
    ]
  }

  for (const [what, [lie, problem]] of Object.entries(lies)) {
    it(`${what} is found out`, async () => {
      const { problems } = await tellTo(lie)
      expect(problems).toEqual(expect.arrayContaining([expect.stringMatching(problem)]))
    })
  }

  it("lets in others is found out", async () => {
    let admin: string | undefined
    const { problems } = await tellTo({
      take: ({ headers, path, method }) => {
        // Who creates the first settings may; whoever comes then is taken for them.
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

  it("declares what no story sends, tries or calls is found out", async () => {
    type Operation = {
      parameters: Array<object>
      requestBody: { content: Record<string, { schema: object }> }
    }
    const { missing } = await tellTo({
      give: (answer, { path }) => {
        if (path !== "/openapi.json") return
        editJson(answer, ({ paths, components }) => {
          const operations = paths as Record<string, Record<string, Operation>>
          const at = operations["/v1/orgs/{organizationId}/translations"]!
          at.get!.parameters.push({ name: "language", in: "query", schema: { type: "string", maxLength: 5 } })
          const { schemas } = components as { schemas: Record<string, { properties: object }> }
          Object.assign(schemas.PutTranslationSettings!.properties, {
            tone: { type: "string", enum: ["soft"] }
          })
        })
      }
    })
    expect(missing).toEqual(
      expect.arrayContaining([
        "listTranslations: query.language was not sent",
        "listTranslations: query.language maxLength was not tried",
        "createTranslation: body.tone was not sent",
        "createTranslation: body.tone enum was not tried"
      ])
    )
  })
})
