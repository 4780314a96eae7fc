/** Sites with one host have one origin: a role on one of them changes neither the addresses nor the scripts of the others. */

import { SystemGrant } from "@lectern/access"
import type { ApiToken, Site, SiteScript, Space } from "@lectern/core"
import { runs } from "@lectern/harness"
import { Where } from "@lectern/kernel"
import { sites as siteTable } from "@lectern/kernel/tables"
import { Effect } from "effect"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { memory } from "./stores.ts"
import { callerOf } from "./support/sites.ts"
import { startServerOn } from "./support.ts"

const start = async () => {
  const server = await startServerOn(memory)
  const { core } = server
  const admin = await core.createUser("admin@example.com")
  const guest = await core.createUser("guest@example.com")
  const tokens = { admin: await server.tokenOf(admin), guest: await server.tokenOf(guest) }
  const call = callerOf(server, tokens.admin)
  const asGuest = callerOf(server, tokens.guest)
  const createOrganization = async () => {
    const organization = await core.createOrganization("Acme", admin)
    await core.setMember(organization, guest, null)
    const at = `/orgs/${organization}`
    const space = (await call<Space>("", "POST", `${at}/spaces`, { title: "Docs" })).value.id
    const createSite = async (proxy: string | null, role: string | null, hasScript = false) => {
      const input = { title: "Docs", spaces: [space], visibility: "public" }
      const { id, urls } = (await call<Site>("", "POST", `${at}/sites`, input)).value
      const path = `${at}/sites/${id}`
      await call("", "POST", `${path}/publish`, {})
      if (role !== null) await call("", "POST", `${path}/permissions`, { role, users: [guest] })
      // Where the site is below the URL of the workspace.
      const root = urls.location.replace(/\/v1\/.*/, `/sites/${organization}`)
      const site = { id, path, root }
      if (proxy !== null) expect((await call("", "PATCH", path, { proxy })).status).toBe(200)
      if (hasScript) await call("", "POST", `${path}/scripts`, script)
      return site
    }
    return { organization, createSite }
  }
  const resolve = async (url: string) => {
    const { status, text, value } = await call<{ site?: string }>("", "POST", "/urls/published", { url })
    expect([status, text]).toEqual([200, text])
    return value.site
  }
  return { server, guest, tokens, call, asGuest, createOrganization, resolve }
}

const script = {
  name: "Chat",
  source: { type: "text", text: "console.log(1)" },
  categories: [] as ReadonlyArray<string>
}
const host = "docs.example.com"
const roles = [null, "read", "create", "admin"] as const
const levels: Readonly<Record<string, number>> = { read: 1, create: 2, admin: 3 }
const levelOf = (role: string | null | undefined) => levels[role ?? ""] ?? 0
const addresses = [host, `${host}/guide`, `${host}/guide/a`, `${host}/other`, "blog.example.com", null]

const scenes = fc.record({
  sites: fc.uniqueArray(
    fc.record({
      proxy: fc.constantFrom(...addresses),
      role: fc.constantFrom(...roles),
      hasScript: fc.boolean()
    }),
    { minLength: 2, maxLength: 3, selector: ({ proxy }) => proxy ?? Symbol() }
  ),
  actions: fc.array(
    fc.record({
      site: fc.nat(2),
      kind: fc.constantFrom("proxy", "basename", "create", "enable", "disable"),
      proxy: fc.constantFrom(...addresses),
      other: fc.nat(2)
    }),
    { minLength: 1, maxLength: 5 }
  )
})

it("a role on some sites of a host replaces no page of the others, and loads no script in their origin", async () => {
  const { call, asGuest, createOrganization, resolve } = await start()
  let cases = 0
  await fc.assert(
    fc.asyncProperty(scenes, async ({ sites, actions }) => {
      const { createSite } = await createOrganization()
      // Each case has its own addresses, because the organization of an earlier one keeps its addresses.
      const own = `case${cases++}.example`
      const addressIn = (address: string | null) => address?.replace("example", own) ?? null
      const created: Array<{ id: string; path: string; root: string; role: string | null }> = []
      for (const { proxy, role, hasScript } of sites) {
        created.push({ ...(await createSite(addressIn(proxy), role, hasScript)), role })
      }
      const foreign = created.filter(({ role }) => levelOf(role) < 2)
      const proxies = async () =>
        Promise.all(
          created.map(async ({ path }) => {
            const { proxy, hostname } = (await call<Site>("", "GET", path)).value
            return hostname ?? proxy?.origin
          })
        )
      const hostOf = (address: string | null | undefined) => address?.split("/")[0]
      const isEnabled = async ({ path }: { readonly path: string }) =>
        (await call<{ items: ReadonlyArray<SiteScript> }>("", "GET", `${path}/scripts`)).value.items.some(
          ({ enabled }) => enabled
        )
      /** The sites and scripts at the URLs of the sites on which the guest has no role that edits. */
      const seen = async () => {
        const found: Array<unknown> = []
        for (const { id, path, root } of foreign) {
          const own: string | undefined = (await proxies())[created.findIndex((one) => one.id === id)]
          const urls = [
            `${root}/${id}/page`,
            ...addresses
              .map(addressIn)
              .flatMap((one) =>
                own !== undefined && one !== null && (one === own || one.startsWith(`${own}/`))
                  ? [`https://${one}/`, `https://${one}/page`]
                  : []
              )
          ]
          for (const url of urls) found.push([url, await resolve(url)])
          const origin = hostOf(own)
          if (origin === undefined) continue
          for (const [index, proxy] of (await proxies()).entries()) {
            if (hostOf(proxy) !== origin) continue
            const { value } = await call<{ items: ReadonlyArray<unknown> }>(
              "",
              "GET",
              `${created[index]!.path}/scripts`
            )
            found.push([path, created[index]!.id, value.items.length, JSON.stringify(value.items)])
          }
        }
        return found
      }
      for (const { proxy, ...rest } of actions) {
        const action = { ...rest, proxy: addressIn(proxy) }
        const site = created[action.site % created.length]!
        const before = await seen()
        const current = await proxies()
        const needed = async (address: string | null | undefined, isScript: boolean) => {
          const index = created.indexOf(site)
          const others = created.filter(
            (_, at) => at !== index && address != null && hostOf(current[at]) === hostOf(address)
          )
          if (others.length === 0) return { others, level: isScript ? 3 : 2 }
          const enabled = await Promise.all([site, ...others].map(isEnabled))
          return { others, level: isScript || enabled.includes(true) ? 3 : 2 }
        }
        const isPermitted = async (address: string | null | undefined, isScript: boolean) => {
          const { others, level } = await needed(address, isScript)
          return [site, ...others].every(({ role }) => levelOf(role) >= level)
        }
        let sent: { readonly status: number; readonly text: string }
        let expected: boolean | undefined
        if (action.kind === "proxy") {
          const isSame = current[created.indexOf(site)] === (action.proxy ?? undefined)
          expected =
            isSame || action.proxy === null ? levelOf(site.role) >= 2 : await isPermitted(action.proxy, false)
          sent = await asGuest("", "PATCH", site.path, { proxy: action.proxy })
          if (expected && sent.status === 409) expected = undefined
        } else if (action.kind === "basename") {
          const other = created[action.other % created.length]!
          sent = await asGuest("", "PATCH", site.path, { basename: other.id })
          expect([400, 403, 404]).toContain(sent.status)
        } else if (action.kind === "create") {
          expected = await isPermitted(current[created.indexOf(site)], true)
          sent = await asGuest("", "POST", `${site.path}/scripts`, script)
        } else {
          const { items } = (
            await call<{ items: ReadonlyArray<SiteScript> }>("", "GET", `${site.path}/scripts`)
          ).value
          if (items.length === 0) continue
          const enabled = action.kind === "enable"
          expected = enabled
            ? await isPermitted(current[created.indexOf(site)], true)
            : levelOf(site.role) >= 3
          sent = await asGuest("", "PATCH", `${site.path}/scripts/${items[0]!.id}`, { enabled })
        }
        if (expected !== undefined) {
          expect([action, sent.status < 300, sent.text]).toEqual([action, expected, sent.text])
        }
        // A disabled script and a removed address are no longer at the host of the others.
        if (action.kind === "disable" || (action.kind === "proxy" && sent.status < 300)) {
          for (const [url, id] of (await seen()).filter(
            (one) => (one as ReadonlyArray<unknown>).length === 2
          ) as Array<[string, string]>) {
            const previous = (before as Array<[string, string]>).find(([one]) => one === url)
            if (previous !== undefined && foreign.some((one) => one.id === previous[1])) {
              expect([url, id]).toEqual(previous)
            }
          }
        } else expect(await seen()).toEqual(before)
      }
    }),
    runs(15)
  )
})

it("a token that is limited to one site, or to permissions, affects no other site of the host", async () => {
  const { call, tokens, createOrganization, server } = await start()
  const { organization, createSite } = await createOrganization()
  await createSite(host, null)
  const own = await createSite(null, null)
  const limited = async (input: object) =>
    callerOf(
      server,
      (await call<ApiToken & { secret: string }>("", "POST", "/user/tokens", { label: "Limited", ...input }))
        .value.secret
    )
  const address = { proxy: `${host}/guide` }
  const ofSite = await limited({ organization, site: own.id })
  expect((await ofSite("", "PATCH", own.path, { proxy: "own.example.com" })).status).toBe(200)
  const rejected = await ofSite("", "PATCH", own.path, address)
  expect([rejected.status, rejected.text]).toEqual([403, expect.stringContaining("each site of the host")])
  const ofEdits = await limited({ permissions: ["site.edit"] })
  expect((await ofEdits("", "PATCH", own.path, address)).status).toBe(200)
  // With a script at the host, the token requires the permission to configure sites.
  expect((await call("", "POST", `${own.path}/scripts`, script)).status).toBe(201)
  expect((await ofEdits("", "PATCH", own.path, { proxy: `${host}/other` })).status).toBe(403)
  const ofBoth = await limited({ permissions: ["site.edit", "site.configure"] })
  expect((await ofBoth("", "PATCH", own.path, { proxy: `${host}/other` })).status).toBe(200)
  expect(tokens.admin).not.toBe("")
})

it("an installed script remains when a grant ends, and can then only be disabled or removed", async () => {
  const { call, asGuest, createOrganization, guest } = await start()
  const { createSite } = await createOrganization()
  const root = await createSite(host, "admin")
  const guide = await createSite(`${host}/guide`, "admin")
  const installed = await asGuest<SiteScript>("", "POST", `${guide.path}/scripts`, script)
  expect([installed.status, installed.value.active]).toEqual([201, true])
  await call("", "DELETE", `${root.path}/permissions/users/${guest}`)
  const at = `${guide.path}/scripts/${installed.value.id}`
  expect((await asGuest<SiteScript>("", "GET", at)).value.active).toBe(true)
  expect((await asGuest("", "PATCH", at, { source: { type: "text", text: "alert(1)" } })).status).toBe(403)
  expect((await asGuest<SiteScript>("", "PATCH", at, { enabled: false })).value.active).toBe(false)
  expect((await asGuest("", "PATCH", at, { enabled: true })).status).toBe(403)
  expect((await asGuest("", "DELETE", at)).status).toBe(205)
  const disabled = await asGuest<SiteScript>("", "POST", `${guide.path}/scripts`, {
    ...script,
    enabled: false
  })
  expect([disabled.status, disabled.value.active]).toEqual([201, false])
})

it("a stored basename that is the id of another site, or another id, does not replace a site", async () => {
  const { call, createOrganization, resolve, server } = await start()
  const { createSite } = await createOrganization()
  const [site, other] = [await createSite(null, null), await createSite(null, null)]
  const unknown = site.id.replace(/.{8}$/, "00000000")
  const { root } = site
  const store = (basename: string) =>
    server.core.runtime.runPromise(
      Effect.gen(function* () {
        const { records } = yield* SystemGrant.make("Stores a basename that an update rejects.")
        yield* records.update(siteTable, Where.eq("id", other.id as never), { basename })
      })
    )
  await store(site.id)
  expect(await resolve(`${root}/${site.id}/page`)).toBe(site.id)
  expect(await resolve(`${root}/${other.id}/page`)).toBe(other.id)
  // Its published URL contains its id.
  expect((await call<Site>("", "GET", other.path)).value.urls.published).toBe(`${root}/${other.id}/`)
  await store(unknown)
  expect(await resolve(`${root}/${unknown}/page`)).toBe(other.id)
  expect((await call<Site>("", "GET", other.path)).value.urls.published).toBe(`${root}/${other.id}/`)
  for (const basename of [unknown, site.id, other.id, "~", "~gitbook"]) {
    expect([basename, (await call("", "PATCH", other.path, { basename })).status]).toEqual([basename, 400])
  }
  expect((await call("", "PATCH", other.path, { basename: "docs~v1" })).status).toBe(200)
})
