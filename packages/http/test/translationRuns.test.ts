// cspell:disable
/** Runs of translations: by a deterministic model, as change requests of the variant. */
import type { Revision, Space, Translation } from "@lectern/core"
import { describe, expect, it } from "vitest"
import { validatePublicResponse } from "./contract.ts"
import { memory } from "./stores.ts"
import {
  observeTranslation,
  respondWith,
  startRecurringJobs,
  startTranslation,
  textsOf,
  translateWith,
  translating
} from "./support/translations.ts"
import { startServerOn } from "./support.ts"

const proposalOf = ({ space, changeRequest }: { space?: string; changeRequest?: string }) =>
  `/spaces/${space}/change-requests/${changeRequest}`

describe("a run of a translation", () => {
  it("proposes the translated pages in a copy of the space, and satisfies the public contract", async () => {
    const scene = await startTranslation()
    const { translation, call, path, guide } = scene
    expect(validatePublicResponse("getTranslation", 200, translation)).toBeUndefined()
    expect([translation.status, translation.title, translation.languages]).toEqual([
      "pending",
      "French",
      ["en", "fr"]
    ])
    const run = await scene.run()
    expect(run).toMatchObject({ status: "completed", pages: 2, done: 2, progress: 100, untranslated: [] })
    const { value: variant } = await call<Space>("", "GET", `/spaces/${run.space}`)
    expect(variant.title).toBe("Guide (French)")
    // The variant itself has the text of the source until people merge the change request.
    expect(Object.keys(await scene.pagesOf(`/spaces/${run.space}`))).toEqual(["Start", "Install"])
    expect(await scene.pagesOf(proposalOf(run))).toEqual({
      XStart: "XWelcome Xto Xthe Xlaunch Xguide.",
      XInstall:
        'XRun Xthe Xinstaller Xwith `npm ci`.\n\n## XCode Xof Xthe Xlaunch <a href="#code-of-the-launch" id="code-of-the-launch"></a>\n\nXAsk Xan Xoperator Xfor Xthe Xlaunch Xcode.'
    })
    expect(Object.keys(await scene.pagesOf(`/spaces/${guide}`))).toEqual(["Start", "Install"])
    const { value: after } = await call<Translation>("", "GET", path)
    expect(validatePublicResponse("getTranslation", 200, after)).toBeUndefined()
    const { value: revision } = await call<Revision>("", "GET", `${proposalOf(run)}/content`)
    expect(after.result).toEqual({ space: run.space, revision: revision.id })
    expect(after).toMatchObject({
      status: "completed",
      stats: { runs: 1, latestPages: 2, latestWords: run.translated > 0 ? expect.any(Number) : 0 }
    })
    expect(scene.model.requests.every(({ body }) => body.tools === undefined)).toBe(true)
  })

  it("translates only strings that have changed since, and keeps the corrections of people", async () => {
    const scene = await startTranslation()
    const { call, guide, model } = scene
    const first = await scene.run()
    await scene.merge(first)
    const { length } = model.requests
    const unchanged = await scene.run()
    expect([unchanged.status, unchanged.translated, model.requests.length]).toEqual(["completed", 0, length])
    expect(unchanged.changeRequest).toBeUndefined()

    const { value: tree } = await call<Revision>("", "GET", `/spaces/${guide}/content`)
    const { value: variant } = await call<Revision>("", "GET", `/spaces/${first.space}/content`)
    const [start, install] = [tree.pages[0]!.id, tree.pages[1]!.id]
    expect(variant.pages.map(({ id }) => id)).toEqual([start, install])
    const before = (await scene.pagesOf(`/spaces/${first.space}`)).XInstall!
    // A person corrects the translation, and then the source changes below it.
    await scene.edit(first.space!, {
      operation: "update_page",
      page: install,
      document: { markdown: before.replace("XRun Xthe Xinstaller Xwith", "Lancez l’installateur avec") }
    })
    const markdown =
      "Run the installer with `npm ci`.\n\n## Code of the launch\n\nAsk two operators for the launch code."
    await scene.edit(guide, { operation: "update_page", page: install, document: { markdown } })
    const second = await scene.run()
    expect(second).toMatchObject({ status: "completed", translated: 1 })
    expect(second.reused).toBeGreaterThan(1)
    expect(model.requests.slice(length).map(textsOf)).toEqual([
      { "1": "Ask two operators for the launch code." }
    ])
    expect((await scene.pagesOf(proposalOf(second))).XInstall).toBe(
      before
        .replace("XRun Xthe Xinstaller Xwith", "Lancez l’installateur avec")
        .replace("XAsk Xan Xoperator Xfor", "XAsk Xtwo Xoperators Xfor")
    )
    // The change request of a run is used by the next one until it is merged.
    await scene.edit(guide, {
      operation: "update_page",
      page: start,
      document: { markdown: "Welcome again." }
    })
    const third = await scene.run()
    expect([third.translated, third.changeRequest]).toEqual([1, second.changeRequest])
    expect(await scene.pagesOf(proposalOf(third))).toMatchObject({ XStart: "XWelcome Xagain." })
  })

  it("adds and deletes pages of the variant, with links among them", async () => {
    const scene = await startTranslation()
    const { call, guide } = scene
    await scene.merge(await scene.run())
    const { value: tree } = await call<Revision>("", "GET", `/spaces/${guide}/content`)
    await scene.edit(
      guide,
      { operation: "insert_page", type: "group", ref: "more", title: "More" },
      {
        operation: "insert_page",
        into: "more",
        ref: "deep",
        title: "Deep",
        document: { markdown: "Deep text." }
      },
      { operation: "delete_page", page: tree.pages[0]!.id }
    )
    const { value: source } = await call<Revision>("", "GET", `/spaces/${guide}/content`)
    const more = source.pages.find(({ type }) => type === "group") as { pages: ReadonlyArray<{ id: string }> }
    await scene.edit(guide, {
      operation: "update_page",
      page: tree.pages[1]!.id,
      document: { markdown: `See [the page](/pages/${more.pages[0]!.id}) below.` }
    })
    const run = await scene.run()
    const proposed = await scene.pagesOf(proposalOf(run))
    expect(proposed).toMatchObject({ XMore: "", XDeep: "XDeep Xtext.\n" })
    expect(Object.keys(proposed).toSorted()).toEqual(["XDeep", "XInstall", "XMore"])
    expect(proposed.XInstall).toMatch(/^XSee \[Xthe Xpage\]\(.+\) Xbelow\./)
    // The link refers to the page of the variant, whose id differs.
    await scene.merge(run)
    const { value: variant } = await call<Revision>("", "GET", `/spaces/${run.space}/content`)
    const group = variant.pages.find(({ type }) => type === "group") as {
      pages: ReadonlyArray<{ id: string }>
    }
    const { value: page } = await call<{ document: unknown }>(
      "",
      "GET",
      `/spaces/${run.space}/content/page/${tree.pages[1]!.id}?format=document`
    )
    expect(JSON.stringify(page.document)).toContain(`"page":"${group.pages[0]!.id}"`)
  })

  it("applies the glossary, and translates strings with a changed term again", async () => {
    const scene = await startTranslation()
    const { call, organization, model } = scene
    const glossary = `/orgs/${organization}/translations-glossary`
    await call("", "PUT", glossary, {
      operations: [{ type: "insert", translations: { en: "installer", fr: "installateur" } }]
    })
    const run = await scene.run()
    expect((await scene.pagesOf(proposalOf(run))).XInstall).toContain(
      "XRun Xthe installateur Xwith `npm ci`."
    )
    const { length } = model.requests
    const { value } = await call<{ items: ReadonlyArray<{ id: string }> }>("", "GET", glossary)
    await call("", "PUT", glossary, {
      operations: [
        { type: "update", id: value.items[0]!.id, translations: { en: "installer", fr: "programme" } }
      ]
    })
    const again = await scene.run()
    expect(again.translated).toBe(1)
    expect(model.requests.slice(length).map(textsOf)).toEqual([
      { "1": "Run the <1>installer</1> with <2/>." }
    ])
    expect((await scene.pagesOf(proposalOf(again))).XInstall).toContain("XRun Xthe programme Xwith `npm ci`.")
  })

  it("requests a rejected text again with the reason, and then reports it", async () => {
    const scene = await startTranslation()
    const problems: Array<unknown> = []
    scene.model.behave((request, response) => {
      const data = JSON.parse(request.body.messages.at(-1)!.content) as { problems?: unknown }
      if (data.problems !== undefined) problems.push(data.problems)
      const entries = Object.entries(textsOf(request)).map(([key, text]) => [
        key,
        text.includes("<1/>") ? "Sans code" : translateWith(text, (word) => `X${word}`)
      ])
      respondWith(response, JSON.stringify(Object.fromEntries(entries)))
    })
    const run = await scene.run()
    expect(problems).toEqual([{ "1": "The placeholder 1 is missing." }])
    expect(run).toMatchObject({
      status: "completed",
      untranslatedTexts: 1,
      untranslated: [
        {
          text: "Run the installer with <1/>.",
          reason: "The placeholder 1 is missing.",
          page: expect.any(String)
        }
      ]
    })
    expect((await scene.pagesOf(proposalOf(run))).XInstall).toMatch(
      /^Run the installer with `npm ci`\.\n\n## XCode/
    )
    // The next run tries it again.
    scene.model.behave(translating)
    expect((await scene.run()).untranslatedTexts).toBe(0)
  })

  it("is canceled, and proposes nothing", async () => {
    const scene = await startTranslation()
    let release = () => {}
    const waiting = new Promise<void>((resolve) => {
      scene.model.behave((request, response) => {
        resolve()
        release = () => translating(request, response)
      })
    })
    expect((await scene.send("POST", "/run")).status).toBe(204)
    await waiting
    expect(await scene.readRun()).toMatchObject({ status: "running", done: 0 })
    // A second start is the same run.
    expect((await scene.send("POST", "/run")).status).toBe(204)
    expect(scene.model.requests).toHaveLength(1)
    const canceled = (await (await scene.send("POST", "/run/cancel")).json()) as { status: string }
    expect(canceled.status).toBe("cancelled")
    release()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await scene.readRun()).toMatchObject({ status: "cancelled" })
    const { value } = await scene.call<{ items: ReadonlyArray<unknown> }>(
      "",
      "GET",
      `/orgs/${scene.organization}/change-requests`
    )
    expect(value.items).toEqual([])
    scene.model.behave(translating)
    expect((await scene.run()).status).toBe("completed")
  })

  it("ends when the tokens of the day are used, and continues on another day without repeating requests", async () => {
    const scene = await startTranslation({ limits: { tokensPerDay: 500 } })
    const failed = await scene.run()
    expect(failed).toMatchObject({
      status: "failed",
      error: expect.stringContaining("LECTERN_MODEL_TOKENS_PER_DAY")
    })
    expect(failed.changeRequest).toBeUndefined()
    const first = scene.model.requests.flatMap((request) => Object.values(textsOf(request)))
    expect(first.length).toBeGreaterThan(0)
    await scene.server.core.advance(24 * 60 * 60 * 1_000)
    let run = await scene.run()
    for (let day = 0; run.status === "failed" && day < 5; day++) {
      await scene.server.core.advance(24 * 60 * 60 * 1_000)
      run = await scene.run()
    }
    expect(run.status).toBe("completed")
    const all = scene.model.requests.flatMap((request) => Object.values(textsOf(request)))
    expect(new Set(all).size).toBe(all.length)
  })

  it("whose server has stopped is ended by the next one, with its settings, without a request", async () => {
    const scene = await startTranslation()
    const waiting = new Promise<void>((resolve) => scene.model.behave(() => resolve()))
    await scene.send("POST", "/run")
    await waiting
    const { settings } = observeTranslation(scene.server, scene)
    await startRecurringJobs(scene.server)
    expect(await settings()).toMatchObject({ status: "running" })
    await scene.server.core.advance(61_000)
    await scene.server.core.work()
    expect(await settings()).toMatchObject({ status: "completed", stats: { runs: 1 } })
    expect((await scene.readRun()).error).toContain("Run the translation again")
  })

  it("whose server has stopped has failed, and can be repeated", async () => {
    const scene = await startTranslation()
    const waiting = new Promise<void>((resolve) => scene.model.behave(() => resolve()))
    await scene.send("POST", "/run")
    await waiting
    await scene.server.core.advance(61_000)
    expect(await scene.readRun()).toMatchObject({
      status: "failed",
      error: expect.stringContaining("The server stopped during the run.")
    })
    scene.model.behave(translating)
    expect((await scene.run()).status).toBe("completed")
  })
})

describe("the access of a run", () => {
  it("is that of its caller: a space that they cannot read is not sent to the model", async () => {
    const scene = await startTranslation()
    const { call, server, organization, secret, at, model } = scene
    await call("", "PATCH", `/spaces/${secret}`, { defaultLevel: null })
    const hidden = await scene.create({ source: { space: secret, language: "en" } })
    const creator = await server.core.createUser("creator@example.com")
    await server.core.setMember(organization, creator, "create")
    const reader = await server.core.createUser("reader@example.com")
    await server.core.setMember(organization, reader, "read")
    const stranger = await server.core.createUser("stranger@example.com")
    const start = async (user: string, id: string) =>
      (await server.fetch(`/v1${at}/${id}/run`, { method: "POST", token: await server.tokenOf(user) })).status
    expect(await start(creator, hidden.id)).toBe(404)
    expect(await start(reader, scene.translation.id)).toBe(403)
    expect(await start(stranger, scene.translation.id)).toBe(404)
    expect((await server.fetch(`/v1${at}/${hidden.id}/run`, { method: "POST" })).status).toBe(401)
    expect((await scene.send("GET", "/run")).status).toBe(404)
    expect((await scene.send("PUT", "/run")).status).toBe(405)
    expect(model.requests).toEqual([])
  })

  it("requires a source, and a language model", async () => {
    const scene = await startTranslation()
    const { value } = await scene.call<Translation>("", "POST", scene.at, { title: "Only a title" })
    expect(value.object).toBe("translation-settings")
    const response = await scene.server.fetch(`/v1${scene.at}/${value.id}/run`, {
      method: "POST",
      token: scene.token
    })
    expect([response.status, await response.json()]).toMatchObject([
      409,
      { error: { reason: "TargetNotSupported" } }
    ])
    for (const input of [{}, { source: { space: scene.guide, language: "en" } }, { language: "fr" }]) {
      const rejected = await scene.server.fetch(`/v1${scene.at}`, {
        method: "POST",
        token: scene.token,
        body: JSON.stringify(input)
      })
      expect(rejected.status).toBe(400)
    }

    const without = await startServerOn(memory)
    const admin = await without.core.createUser("admin@example.com")
    const organization = await without.core.createOrganization("Acme", admin)
    const token = await without.tokenOf(admin)
    const at = `/v1/orgs/${organization}/translations`
    const created = await without.fetch(at, {
      method: "POST",
      token,
      body: JSON.stringify({ title: "French" })
    })
    const { id } = (await created.json()) as { id: string }
    for (const [method, suffix] of [
      ["POST", ""],
      ["GET", ""],
      ["POST", "/cancel"]
    ] as const) {
      const missing = await without.fetch(`${at}/${id}/run${suffix}`, { method, token })
      expect([missing.status, await missing.json()]).toMatchObject([
        409,
        { error: { reason: "ModelMissing" } }
      ])
    }
    expect((await without.fetch(`${at}/unknown/run`, { method: "POST", token })).status).toBe(404)
  })
})
