/** Questions and their answers by a language model, over an organization, a space and a site. */
import { GitBookAPI } from "@gitbook/api"
import { beginStream, deltaEvent, promptData, streamText } from "@lectern/harness/models"
import { describe, expect, it } from "vitest"
import { validatePublicResponse } from "./contract.ts"
import { memory } from "./stores.ts"
import { createContent, eventsOf, secretText, startAnswers } from "./support/answers.ts"
import { startServerOn } from "./support.ts"

const start = async (setup?: Parameters<typeof startAnswers>[0]) => {
  const started = await startAnswers(setup)
  return { ...started, ...(await createContent(started)) }
}

interface AnswerBody {
  readonly answer: { readonly markdown: string }
  readonly sources: ReadonlyArray<{ readonly space: string; readonly page: string }>
  readonly followupQuestions: ReadonlyArray<string>
}

/** Requests the whole answer as Markdown. */
const ask = async (
  {
    server,
    organization,
    token
  }: Pick<Awaited<ReturnType<typeof start>>, "server" | "organization" | "token">,
  query: string,
  asker = token
): Promise<AnswerBody> => {
  const response = await server.fetch(`/v1/orgs/${organization}/ask?format=markdown`, {
    method: "POST",
    token: asker,
    body: JSON.stringify({ query })
  })
  expect(response.status).toBe(200)
  return ((await response.json()) as { answer: AnswerBody }).answer
}

describe("an answer", () => {
  it("cites the pages that the model has read, in the shape of the contract", async () => {
    const started = await start()
    const { server, organization, token, guide, model } = started
    const response = await server.fetch(`/v1/orgs/${organization}/ask`, {
      method: "POST",
      token,
      body: JSON.stringify({ query: "installer" })
    })
    const body = (await response.json()) as { answer: AnswerBody }
    expect(validatePublicResponse("askInOrganization", 200, body)).toBeUndefined()
    expect(body.answer.sources).toMatchObject([{ space: guide }])
    const { answer, followupQuestions } = await ask(started, "installer")
    expect(answer.markdown).toMatch(
      new RegExp(`^Run the installer with .*\\[\\\\\\[1\\\\\\]\\]\\(/spaces/${guide}/pages/[\\w-]+\\)`)
    )
    expect(followupQuestions).toEqual(["More about Install?"])
    expect(model.requests[0]!.body).toMatchObject({ model: "test-model", stream: true })
    expect(model.requests[0]!.body.tools).toBeUndefined()
  })

  it("is streamed to the official client, over an organization and over a site", async () => {
    const { server, organization, token, site } = await start()
    const client = new GitBookAPI({ endpoint: server.url, authToken: token })
    const updates: Array<{ answer?: unknown }> = []
    for await (const { answer } of client.orgs.streamAskInOrganization(organization, {
      query: "installer",
      format: "document"
    })) {
      updates.push({ answer })
    }
    expect(updates.length).toBeGreaterThan(1)
    for (const update of updates) {
      expect(validatePublicResponse("askInOrganization", 200, update)).toBeUndefined()
    }
    const visitor = new GitBookAPI({ endpoint: server.url })
    const ofSite: Array<unknown> = []
    for await (const { answer } of visitor.orgs.streamAskInSite(
      organization,
      site.id,
      { question: "installer", scope: { mode: "all" } },
      { format: "markdown" }
    )) {
      ofSite.push(answer)
    }
    expect(ofSite.at(-1)).toMatchObject({ answer: { markdown: expect.stringContaining("npm ci") } })
  })

  it("is streamed over a space", async () => {
    const { server, guide, token } = await start()
    const events = await eventsOf(
      await server.fetch(`/v1/spaces/${guide}/ask/stream?query=installer&format=markdown`, { token })
    )
    expect(events.at(-1)).toEqual({ name: "done", data: {} })
    expect(events.at(-2)!.data).toMatchObject({ type: "answer", answer: { sources: [{ space: guide }] } })
  })

  it("does not ask the model if no page of the caller matches", async () => {
    const started = await start()
    const { answer, sources } = await ask(started, "zyzzyva")
    expect([answer.markdown, sources]).toEqual(["No page that you can read answers this question.\n", []])
    expect(started.model.requests).toEqual([])
  })

  it("sends the model only text that the caller can read", async () => {
    const started = await start()
    const { server, model, organization, secret, call } = started
    const member = await server.core.createUser("member@example.com")
    await server.core.setMember(organization, member, "read")
    await call("", "PATCH", `/spaces/${secret}`, { defaultLevel: null })
    const question = "What is the launch code?"
    await ask(started, question)
    expect(JSON.stringify(promptData(model.requests.at(-1)!))).toContain(secretText)
    await ask(started, question, await server.tokenOf(member))
    expect(JSON.stringify(promptData(model.requests.at(-1)!))).toContain("Ask an operator")
    expect(JSON.stringify(model.requests.at(-1)!)).not.toContain(secretText)
    const response = await server.fetch(
      `/v1/orgs/${organization}/sites/${started.site.id}/ask?format=markdown`,
      { method: "POST", body: JSON.stringify({ question, scope: { mode: "all" } }) }
    )
    expect(JSON.stringify(await eventsOf(response))).toContain("launch guide")
    expect(JSON.stringify(model.requests.at(-1)!)).not.toContain(secretText)
  })

  it("ends with the text so far before the error of a model", async () => {
    const { server, guide, token, model } = await start()
    for (const texts of [
      ["Half of"],
      ["Half of", " an answer that is long enough for another update, and", " an end"]
    ]) {
      model.behave((_, response) => {
        beginStream(response)
        for (const text of texts) response.write(deltaEvent(text))
        setTimeout(() => response.destroy(), 50)
      })
      const events = await eventsOf(
        await server.fetch(`/v1/spaces/${guide}/ask/stream?query=installer&format=markdown`, { token })
      )
      expect(events.at(-1)).toMatchObject({ name: "error", data: { error: { reason: "FetchFailed" } } })
      expect(events.at(-2)!.data).toMatchObject({
        answer: { answer: { markdown: expect.stringContaining(texts.join("").trimEnd()) } }
      })
    }
  })

  it("is replaced by a message if the model writes nothing", async () => {
    const started = await start()
    for (const text of ["", " \n\n", "[link]: https://a.example", "===questions===\nWhat is it?"]) {
      started.model.behave(streamText(text))
      const { answer, sources } = await ask(started, "installer")
      expect([answer.markdown, sources]).toEqual(["No page that you can read answers this question.\n", []])
    }
  })

  it("has links to the pages of the site if a site was asked", async () => {
    const { server, organization, site, guide } = await start()
    const response = await server.fetch(`/v1/orgs/${organization}/sites/${site.id}/ask?format=markdown`, {
      method: "POST",
      body: JSON.stringify({ question: "installer", scope: { mode: "all" } })
    })
    const events = await eventsOf(response)
    const { markdown } = (events.at(-2)!.data as { answer: AnswerBody }).answer.answer
    const [, url] = /\]\((https?:[^)]*)\)/.exec(markdown) ?? []
    expect([markdown.includes(`/spaces/${guide}/`), url]).toEqual([false, `${site.urls.published}install`])
    const resolved = await server.fetch(`/v1/urls/published?url=${encodeURIComponent(url!)}`)
    expect(await resolved.json()).toMatchObject({ site: site.id, pathname: "install" })
  })

  it("names the modes of a scope that is invalid", async () => {
    const { server, organization, site } = await start()
    for (const scope of [{ mode: "none" }, {}, "all"]) {
      const response = await server.fetch(`/v1/orgs/${organization}/sites/${site.id}/ask`, {
        method: "POST",
        body: JSON.stringify({ question: "installer", scope })
      })
      expect([response.status, await response.json()]).toMatchObject([
        400,
        {
          error: {
            details: [
              { path: "scope", message: 'must be an object with the mode "default" or "specific" or "all"' }
            ]
          }
        }
      ])
    }
  })

  it("is not available without a model, and the error names the setting", async () => {
    const server = await startServerOn(memory)
    const { organization, token, guide, site } = await createContent({ server })
    for (const [method, path] of [
      ["POST", `/orgs/${organization}/ask`],
      ["GET", `/orgs/${organization}/ask/stream?query=a`],
      ["GET", `/orgs/${organization}/ask/questions`],
      ["GET", `/orgs/${organization}/ask/questions/stream`],
      ["GET", `/spaces/${guide}/ask/stream?query=a`],
      ["POST", `/orgs/${organization}/sites/${site.id}/ask`],
      ["GET", `/orgs/${organization}/sites/${site.id}/ask/questions`]
    ] as const) {
      const response = await server.fetch(`/v1${path}`, {
        method,
        token,
        ...(method === "POST" ? { body: "{}" } : {})
      })
      expect([path, response.status, await response.json()]).toMatchObject([
        path,
        409,
        { error: { reason: "ModelMissing", message: expect.stringContaining("LECTERN_MODEL_URL") } }
      ])
    }
    expect(await (await server.fetch("/v1/ask", { token })).json()).toEqual({ isAvailable: false })
  })

  it("requires credentials for an organization and a space, and none for a public site", async () => {
    const { server, organization, guide, site } = await start()
    expect((await server.fetch(`/v1/orgs/${organization}/ask/stream?query=a`)).status).toBe(401)
    expect((await server.fetch(`/v1/spaces/${guide}/ask/stream?query=a`)).status).toBe(401)
    const response = await server.fetch(`/v1/orgs/${organization}/sites/${site.id}/ask/questions`)
    expect(response.status).toBe(200)
  })

  it("is not available for a site whose customization excludes answers", async () => {
    const { server, call, at, model } = await start()
    const { value: customization } = await call<object>("", "GET", `${at}/customization`)
    await call("", "PUT", `${at}/customization`, { ...customization, ai: { mode: "none" } })
    const response = await server.fetch(`/v1${at}/ask`, {
      method: "POST",
      body: JSON.stringify({ question: "installer", scope: { mode: "all" } })
    })
    expect([response.status, await response.json()]).toMatchObject([
      409,
      { error: { reason: "ModelMissing", message: expect.stringContaining("ai.mode") } }
    ])
    expect(model.requests).toEqual([])
  })

  it("is not found for content that the caller cannot see", async () => {
    const { server, organization, secret } = await start()
    const stranger = await server.tokenOf(await server.core.createUser("stranger@example.com"))
    for (const path of [
      `/v1/orgs/${organization}/ask/stream?query=code`,
      `/v1/spaces/${secret}/ask/stream?query=code`,
      `/v1/spaces/${secret}/ask/questions`
    ]) {
      expect([path, (await server.fetch(path, { token: stranger })).status]).toEqual([path, 404])
    }
  })

  it("rejects an empty and a long question", async () => {
    const { server, organization, token } = await start()
    for (const query of ["", " ", "a".repeat(513)]) {
      const response = await server.fetch(
        `/v1/orgs/${organization}/ask/stream?${new URLSearchParams({ query })}`,
        { token }
      )
      expect(response.status).toBe(400)
    }
  })
})

describe("recommended questions", () => {
  it("come from the pages that the caller can list", async () => {
    const { server, organization, token, guide, site } = await start()
    const questions = await (await server.fetch(`/v1/spaces/${guide}/ask/questions`, { token })).json()
    expect(questions).toEqual({ questions: ["What is Start?", "What is Install?"] })
    const ofOrganization = await (
      await server.fetch(`/v1/orgs/${organization}/ask/questions`, { token })
    ).json()
    expect(
      validatePublicResponse("getRecommendedQuestionsInOrganization", 200, ofOrganization)
    ).toBeUndefined()
    const events = await eventsOf(
      await server.fetch(`/v1/orgs/${organization}/sites/${site.id}/ask/questions`)
    )
    expect(events.map(({ data }) => data)).toEqual([
      { question: "What is Start?" },
      { question: "What is Install?" },
      {}
    ])
  })
})

describe("limits", () => {
  it("reject questions over the number of a caller, and over the tokens of an organization", async () => {
    const few = await start({ limits: { questionsPerHour: 1 } })
    const path = `/v1/spaces/${few.guide}/ask/stream?query=installer`
    await eventsOf(await few.server.fetch(path, { token: few.token }))
    const events = await eventsOf(await few.server.fetch(path, { token: few.token }))
    expect(events).toMatchObject([
      { name: "error", data: { error: { code: 429, message: "You can ask 1 question per hour." } } }
    ])
    const little = await start({ limits: { tokensPerDay: 10 } })
    const response = await little.server.fetch(`/v1/orgs/${little.organization}/ask`, {
      method: "POST",
      token: little.token,
      body: JSON.stringify({ query: "installer" })
    })
    expect([response.status, Number(response.headers.get("retry-after")) > 0]).toEqual([429, true])
    expect(little.model.requests).toEqual([])
  })

  it("reject a concurrent question, and permit it when the first is answered", async () => {
    const { server, guide, token, model } = await start({ limits: { concurrentPerCaller: 1 } })
    let finish = (): void => {}
    model.behave((request, response) => {
      finish = () => streamText("Done [1].")(request, response)
    })
    const path = `/v1/spaces/${guide}/ask/stream?query=installer`
    const first = server.fetch(path, { token }).then(eventsOf)
    await expect.poll(() => model.requests.length).toBe(1)
    const second = await eventsOf(await server.fetch(path, { token }))
    expect(second).toMatchObject([{ name: "error", data: { error: { code: 429 } } }])
    finish()
    expect((await first).at(-1)!.name).toBe("done")
    model.behave(streamText("Again [1]."))
    expect((await eventsOf(await server.fetch(path, { token }))).at(-1)!.name).toBe("done")
  })

  it("cancel the request to the model when the client disconnects", async () => {
    const { server, guide, token, model } = await start()
    model.behave(() => {})
    const controller = new AbortController()
    const response = server.fetch(`/v1/spaces/${guide}/ask/stream?query=installer`, {
      token,
      signal: controller.signal
    })
    await expect.poll(() => model.requests.length).toBe(1)
    await response
    controller.abort()
    await expect.poll(() => model.canceled()).toBe(1)
  })
})
