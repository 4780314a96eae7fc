/** Compares a workspace, and a running server, with the model of a workspace in random scenarios of its users. */
import assert from "node:assert/strict"
import { MemoryStorage } from "@lectern/testkit"
import {
  checkServer,
  defineStep,
  type Feature,
  makeCoreApi,
  nth,
  nthOf,
  runScenario,
  scenario,
  themes
} from "@lectern/testkit/model"
import { serverProperties } from "@lectern/testkit/properties"
import * as fc from "fast-check"
import { afterAll, expect, it } from "vitest"
import { openHost } from "./contract.ts"

it("a workspace equals the model in scenarios of sites and webhooks", async () => {
  await fc.assert(
    fc.asyncProperty(scenario(10, ["sites", "webhooks"]), async (steps) => {
      const api = makeCoreApi(MemoryStorage.layer())
      try {
        await runScenario(api, "scenario", steps)
      } finally {
        await api.close()
      }
    }),
    { numRuns: Math.ceil(3 * Number(process.env.LECTERN_TEST_RUNS ?? 1)) }
  )
})

/** A feature of a host: users set the emoji of a collection, and the model remembers it. */
const makeEmojis = (): Feature => {
  const known = new Map<string, string>()
  return {
    steps: {
      setEmoji: defineStep<{ collection: number; emoji: string }>({
        weight: 20,
        choices: { collection: nth, emoji: fc.constantFrom("1f9a6", "1f9a1") },
        run: async ({ model, user, expect }, { collection, emoji }) => {
          const collections = [...model.items.values()].filter(({ kind }) => kind === "collection")
          const chosen = nthOf(collections, collection)
          if (chosen === undefined) return
          const expectedError = model.accessError(user, chosen, "create", "change")
          await expect(["collections", "update", [chosen.id, { emoji }]], expectedError)
          if (expectedError === undefined) known.set(chosen.id, emoji)
        }
      })
    },
    compare: async ({ api, model, user }) => {
      for (const [id, emoji] of known) {
        const item = model.items.get(id)
        if (model.accessError(user, item, "read", "view") !== undefined) continue
        const outcome = await api.call(user, ["collections", "get", [id]])
        assert.ok(outcome.ok)
        assert.equal((outcome.value as { readonly emoji?: string }).emoji, emoji)
      }
    }
  }
}

it("a host adds steps of its own, and a workspace that deviates fails with the calls that show it", async () => {
  const steps = scenario(15, ["tree", "emojis"], { emojis: makeEmojis() })
  const property = fc.asyncProperty(steps, async (list) => {
    const api = makeCoreApi(MemoryStorage.layer())
    /** A workspace that loses emojis. */
    const broken = {
      ...api,
      call: (user: string, [service, method, args]: Parameters<typeof api.call>[1]) =>
        JSON.stringify(args).includes("emoji")
          ? api.call(user, [service, "get", [args[0]]])
          : api.call(user, [service, method, args])
    }
    try {
      await runScenario(broken, "scenario", list, { features: { emojis: makeEmojis() } })
    } finally {
      await api.close()
    }
  })
  const { failed, errorInstance } = await fc.check(property, { numRuns: 100 })
  expect(failed).toBe(true)
  expect(String(errorInstance)).toContain('{"emoji":"1f9a')
})

// A server, and a token of a user who administers one organization: the scenarios delete its content.
const host = await openHost()
const token = await host.createToken("ada@example.com")
await host.createOrganization("Acme", "ada@example.com")
afterAll(() => host.close?.())

// This host runs its background jobs when it is asked to. Omit `runJobs` for a server that runs them itself.
const runJobs = async () => host.runJobs?.()
serverProperties({ url: host.url, token, runJobs }, { scenarios: 1, steps: 10, seed: 1 })

const themeOf = (title: string) => themes.filter((theme) => theme.title.startsWith(title))

it("a server equals the model in scenarios of five users in two organizations", () =>
  checkServer(
    {
      url: host.url,
      token: (email) => host.createToken(email),
      createOrganization: (title, administrator) => host.createOrganization(title, administrator),
      runJobs
    },
    { themes: themeOf("all features"), scenarios: 1, steps: 10, seed: 1 }
  ))

it("waits for the background jobs of a server that runs them itself", async () => {
  const timer = setInterval(runJobs, 50)
  try {
    const themes = themeOf("members, invites")
    await checkServer({ url: host.url, token }, { themes, scenarios: 1, steps: 10, seed: 1 })
  } finally {
    clearInterval(timer)
  }
})
