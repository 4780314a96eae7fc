/** Invites, teams and permissions over HTTP. */
import type { Member } from "@lectern/core"
import { describe, expect, it } from "vitest"
import { memory, ruleStores } from "./stores.ts"
import { callerOf, type ListPage, startOrganizationOfThree } from "./support/people.ts"
import { startServer } from "./support.ts"

describe("invites", () => {
  it("admit to their own organization, only while links are enabled, and never lower a role", async () => {
    const server = await startServer(await memory.make())
    try {
      const call = callerOf(server)
      const admin = await server.core.createUser("admin@example.com")
      const ada = await server.core.createUser("ada@example.com")
      const id = await server.core.createOrganization("Acme", admin)
      const other = await server.core.createOrganization("Other", admin)
      const [token, hers] = [await server.tokenOf(admin), await server.tokenOf(ada)]
      const links = `/orgs/${id}/link-invites`
      const createLink = async (role: string | null) =>
        (await call<{ id: string }>(token, "createOrganizationInvite", "POST", links, { role })).value.id
      const join = (invite: string, organization = id) =>
        call(hers, "joinOrganizationWithInvite", "POST", `/orgs/${organization}/invites/${invite}`)
      const role = async () =>
        (await call<Member>(token, "getMemberInOrganizationById", "GET", `/orgs/${id}/members/${ada}`)).value
          .role
      const [reader, editor] = [await createLink("read"), await createLink("edit")]
      expect((await join(editor, other)).status).toBe(404)
      await call(token, "", "PATCH", `/orgs/${id}`, { inviteLinks: false })
      expect((await join(editor)).status).toBe(409)
      await call(token, "", "PATCH", `/orgs/${id}`, { inviteLinks: true })
      expect((await join(reader)).status).toBe(200)
      expect(await role()).toBe("read")
      await join(editor)
      expect(await role()).toBe("edit")
      await join(reader)
      expect(await role()).toBe("edit")
      const listed = await call<ListPage<{ id: string }>>(token, "listOrganizationInviteLinks", "GET", links)
      expect(listed.value.items.map(({ id }) => id)).toEqual([editor, reader])
      await call(token, "updateOrganizationInviteById", "PATCH", `${links}/${reader}`, { role: "admin" })
      await join(reader)
      expect(await role()).toBe("admin")
      expect((await call(token, "", "DELETE", `${links}/${reader}`)).status).toBe(205)
      expect((await join(reader)).status).toBe(404)
    } finally {
      await server.close()
    }
  })
})

describe("teams", () => {
  for (const { name, make } of ruleStores) {
    it(`add and remove members atomically, on ${name}`, async () => {
      const server = await startServer(await make())
      try {
        const { call, admin, id, token, ada, bob, cy } = await startOrganizationOfThree(server)
        const team = (
          await call<{ id: string }>(token, "createOrganizationTeam", "PUT", `/orgs/${id}/teams`, {
            title: "  Écrivains ",
            members: [ada]
          })
        ).value.id
        const at = `/orgs/${id}/teams/${team}`
        const put = (body: unknown) =>
          call<{ error: { details: unknown } }>(token, "", "PUT", `${at}/members`, body)
        const inTeam = async () =>
          (
            await call<ListPage<{ organization: Member; team: { role: string } }>>(
              token,
              "listTeamMembersInOrganizationById",
              "GET",
              `${at}/members`
            )
          ).value.items.map(({ organization, team }) => `${organization.user.displayName} ${team.role}`)
        expect(await inTeam()).toEqual(["ada member"])
        const change = {
          add: [bob, "cy@example.com"],
          remove: ["CY@example.com", ada, "nobody@example.com"],
          memberships: { [cy]: { role: "owner" }, [bob]: { role: "owner" } }
        }
        expect((await put(change)).status).toBe(204)
        expect(await inTeam()).toEqual(["bob owner"])
        const rejected = await put({ add: [ada, "eve@example.com"], memberships: { x: { role: "owner" } } })
        expect([rejected.status, rejected.value.error.details]).toEqual([
          400,
          [
            {
              path: "add.1",
              message: "must be the user id or the e-mail address of a member of the organization"
            }
          ]
        ])
        expect(await inTeam()).toEqual(["bob owner"])
        // Adding a present member retains their role, unless the request has one.
        await put({ add: [bob, ada] })
        await call(token, "", "PUT", `${at}/members/${bob}`, {})
        expect(await inTeam()).toEqual(["bob owner", "ada member"])
        await call(token, "", "PUT", `${at}/members/${bob}`, { role: "member" })
        expect(await inTeam()).toEqual(["bob member", "ada member"])
        expect((await call(token, "", "PUT", `${at}/members/nobody`, {})).status).toBe(404)
        expect((await call(token, "", "DELETE", `${at}/members/${cy}`)).status).toBe(404)

        const titles = async (query: string) =>
          (
            await call<ListPage<{ title: string }>>(
              token,
              "listTeamsInOrganizationById",
              "GET",
              `/orgs/${id}/teams?${query}`
            )
          ).value.items.map(({ title }) => title)
        await call(token, "", "PUT", `/orgs/${id}/teams`, { title: "Readers" })
        await put({ memberships: { [bob]: { role: "owner" } } })
        expect(await titles("")).toEqual(["Readers", "Écrivains"])
        expect(await titles(`title=${encodeURIComponent("éCRI")}`)).toEqual(["Écrivains"])
        expect(await titles(`owner=${bob}`)).toEqual(["Écrivains"])
        expect(await titles(`owner=${admin}`)).toEqual(["Readers", "Écrivains"])
        const bobsTeams = await call<ListPage<{ member: unknown }>>(
          token,
          "listTeamsForOrganizationMember",
          "GET",
          `/orgs/${id}/members/${bob}/teams?title=cri`
        )
        expect(bobsTeams.value.items.map(({ member }) => member)).toEqual([{ role: "owner" }])
        expect((await call(token, "", "DELETE", at)).status).toBe(205)
        expect((await call(token, "", "GET", at)).status).toBe(404)
      } finally {
        await server.close()
      }
    })
  }
})

describe("permissions", () => {
  for (const { name, make } of ruleStores) {
    it(`retain their order when roles change, and are granted idempotently, on ${name}`, async () => {
      const server = await startServer(await make())
      try {
        const { call, id, token, ada, bob, cy } = await startOrganizationOfThree(server)
        const space = (await call<{ id: string }>(token, "", "POST", `/orgs/${id}/spaces`, {})).value.id
        const at = `/spaces/${space}/permissions`
        for (const user of [ada, bob]) {
          await call(token, "", "PATCH", `${at}/users/${user}`, { role: "edit" })
        }
        type Permission = { readonly permission: string; readonly user: { readonly id: string } }
        const list = async (query = "") =>
          (
            await call<ListPage<Permission>>(
              token,
              "listUserPermissionsInSpace",
              "GET",
              `${at}/users${query}`
            )
          ).value
        const permissions = async () =>
          (await list()).items.map(({ permission, user }) => [user.id, permission] as const)
        const first = await list("?limit=1")
        expect(first.items.map(({ user }) => user.id)).toEqual([bob])
        await call(token, "", "PATCH", `${at}/users/${ada}`, { role: "review" })
        await call(token, "", "PATCH", `${at}/users/${ada}`, { role: "review" })
        const second = await list(`?limit=1&page=${first.next!.page}`)
        expect(second.items.map(({ user }) => user.id)).toEqual([ada])
        // New grants come first in the list; updated grants retain their positions.
        await call(token, "", "POST", at, { users: [ada, cy], role: "read" })
        expect(await permissions()).toEqual([
          [cy, "read"],
          [bob, "edit"],
          [ada, "read"]
        ])
        await call(token, "", "PATCH", `${at}/users/${bob}`, { role: null })
        expect(await permissions()).toEqual([
          [cy, "read"],
          [ada, "read"]
        ])
      } finally {
        await server.close()
      }
    })
  }
})
