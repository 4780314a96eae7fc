/** The requirements of RFC 7643 and RFC 7644, each with the requests that examine it: the list in the guide is derived from it. */
import { expect } from "vitest"
import { patchOf, type ScimClient, type ScimResult } from "./scim.ts"

/** A requirement. */
export interface ScimRequirement {
  /** The section of RFC 7644, or of RFC 7643 with its number before it. */
  readonly section: string
  readonly title: string
  /** Whether Lectern has the feature. Without it, `verify` examines that requests are rejected. */
  readonly isSupported: boolean
  readonly verify: (client: ScimClient, seed: Seed) => Promise<void>
}

/** The resources that the requirements are examined on. */
export interface Seed {
  readonly user: ScimResult["body"]
  readonly group: ScimResult["body"]
}

const userSchema = "urn:ietf:params:scim:schemas:core:2.0:User"
const groupSchema = "urn:ietf:params:scim:schemas:core:2.0:Group"

/** Creates the resources. */
export const seedScim = async ({ send }: ScimClient): Promise<Seed> => {
  const user = await send("POST", "/Users", {
    schemas: [userSchema],
    userName: "bjensen@acme.example.com",
    externalId: "bjensen",
    name: { familyName: "Jensen", givenName: "Barbara" }
  })
  await send("POST", "/Users", { schemas: [userSchema], userName: "zoe@acme.example.com" })
  const group = await send("POST", "/Groups", {
    schemas: [groupSchema],
    displayName: "Tour Guides",
    members: [{ value: user.body.id }]
  })
  expect([user.status, group.status]).toEqual([201, 201])
  return { user: user.body, group: group.body }
}

const requirement = (
  section: string,
  title: string,
  verify: ScimRequirement["verify"],
  isSupported = true
): ScimRequirement => ({ section, title, verify, isSupported })

const filtered = async ({ send }: ScimClient, filter: string) =>
  (await send("GET", `/Users?filter=${encodeURIComponent(filter)}`)).body.Resources.map(({ id }) => id)

/** The requirements, in the order of the RFC. */
export const scimRequirements: ReadonlyArray<ScimRequirement> = [
  requirement(
    "3.1",
    "Responses have the type `application/scim+json`, and requests also `application/json`",
    async ({ send }, { user }) => {
      expect((await send("GET", `/Users/${user.id}`)).headers.get("content-type")).toBe(
        "application/scim+json"
      )
      const json = { "content-type": "application/json" }
      expect((await send("POST", "/Users", { userName: "json@acme.example.com" }, json)).status).toBe(201)
    }
  ),
  requirement("3.3", "POST creates a resource: 201, `Location` and `ETag`", async ({ send }) => {
    const { status, headers, body } = await send("POST", "/Users", { userName: "new@acme.example.com" })
    expect([status, headers.get("location"), headers.get("etag")]).toEqual([
      201,
      body.meta.location,
      body.meta.version
    ])
  }),
  requirement("3.3", "A duplicate fails with 409 and `uniqueness`", async ({ send }) => {
    const { status, body } = await send("POST", "/Users", { userName: "BJENSEN@acme.example.com" })
    expect([status, body.scimType]).toEqual([409, "uniqueness"])
  }),
  requirement("3.4.1", "GET returns a resource by its id", async ({ send }, { user, group }) => {
    expect((await send("GET", `/Users/${user.id}`)).body).toEqual(user)
    expect((await send("GET", `/Groups/${group.id}`)).body).toEqual(group)
  }),
  requirement("3.4.2", "GET returns a `ListResponse`", async ({ send }) => {
    const { body } = await send("GET", "/Groups")
    expect(body.schemas).toEqual(["urn:ietf:params:scim:api:messages:2.0:ListResponse"])
    expect([body.totalResults, body.startIndex, body.itemsPerPage]).toEqual([1, 1, 1])
  }),
  requirement(
    "3.4.2.2",
    "Filters with `eq`, `ne`, `co`, `sw`, `ew`, `pr`, `gt`, `ge`, `lt` and `le`",
    async (client, { user }) => {
      for (const filter of [
        'userName eq "BJensen@acme.example.com"',
        'name.familyName co "ens"',
        'name.familyName sw "J"',
        'name.familyName ew "N"',
        "externalId pr",
        'externalId ge "bjensen"',
        'name.familyName le "jensen"'
      ]) {
        expect([filter, await filtered(client, filter)]).toEqual([filter, [user.id]])
      }
      expect(await filtered(client, 'externalId gt "bjensen" or externalId lt "bjensen"')).toEqual([])
      expect(await filtered(client, 'userName ne "bjensen@acme.example.com"')).not.toContain(user.id)
    }
  ),
  requirement("3.4.2.2", "Filters with `and`, `or`, `not` and parentheses", async (client, { user }) => {
    const filter = 'not (userName sw "z") and (externalId eq "x" or externalId eq "bjensen")'
    expect(await filtered(client, filter)).toEqual([user.id])
  }),
  requirement(
    "3.4.2.2",
    'Filters of the values of an attribute: `emails[type eq "work"]`',
    async (client, { user }) => {
      expect(await filtered(client, 'emails[type eq "work" and value sw "bjensen"]')).toEqual([user.id])
      expect(await filtered(client, 'emails[type eq "work"].value eq "bjensen@acme.example.com"')).toEqual([
        user.id
      ])
    }
  ),
  requirement("3.4.2.2", "An invalid filter fails with 400 and `invalidFilter`", async ({ send }) => {
    const { status, body } = await send("GET", "/Users?filter=userName+is+1")
    expect([status, body.scimType]).toEqual([400, "invalidFilter"])
  }),
  requirement("3.4.2.3", "Lists in the order of an attribute: `sortBy`, `sortOrder`", async ({ send }) => {
    const names = async (order: string) =>
      (await send("GET", `/Users?sortBy=userName&sortOrder=${order}`)).body.Resources.map(
        ({ userName }) => userName
      )
    const ascending = await names("ascending")
    expect(ascending).toEqual(ascending.toSorted())
    expect(await names("descending")).toEqual(ascending.toReversed())
  }),
  requirement("3.4.2.4", "Pages by `startIndex` and `count`", async ({ send }) => {
    const { body } = await send("GET", "/Users?startIndex=2&count=1")
    expect([body.startIndex, body.itemsPerPage, body.totalResults > 1]).toEqual([2, 1, true])
  }),
  requirement("3.4.3", "POST `/.search` on users and on groups", async ({ send }, { user }) => {
    const { body } = await send("POST", "/Users/.search", {
      filter: 'externalId eq "bjensen"',
      attributes: ["userName"]
    })
    expect(body.Resources).toEqual([{ schemas: [userSchema], id: user.id, userName: user.userName }])
  }),
  requirement(
    "3.4.3",
    "POST `/.search` on users and groups together",
    async ({ send }) => {
      expect((await send("POST", "/.search", { filter: "id pr" })).status).toBe(404)
    },
    false
  ),
  requirement("3.5.1", "PUT replaces a resource", async ({ send }, { user }) => {
    const { status, body } = await send("PUT", `/Users/${user.id}`, { ...user, displayName: "Babs" })
    expect([status, body.displayName, body.name]).toEqual([200, "Babs", user.name])
  }),
  requirement(
    "3.5.2",
    "PATCH adds, replaces and removes, with and without a path",
    async ({ send }, { user }) => {
      const operations = [
        { op: "add", value: { displayName: "B" } },
        { op: "replace", path: "name.givenName", value: "Bab" },
        { op: "remove", path: "name.familyName" }
      ]
      const { status, body } = await send("PATCH", `/Users/${user.id}`, patchOf(...operations))
      expect([status, body.displayName, body.name]).toEqual([200, "B", { givenName: "Bab" }])
    }
  ),
  requirement("3.5.2", "PATCH selects values by a filter", async ({ send }, { user, group }) => {
    const remove = patchOf({ op: "remove", path: `members[value eq "${user.id}"]` })
    expect((await send("PATCH", `/Groups/${group.id}`, remove)).body.members).toEqual([])
  }),
  requirement("3.5.2", "PATCH applies all operations, or none", async ({ send }, { user }) => {
    const operations = [
      { op: "replace", path: "displayName", value: "X" },
      { op: "replace", path: "unknown", value: "X" }
    ]
    const { status, body } = await send("PATCH", `/Users/${user.id}`, patchOf(...operations))
    expect([status, body.scimType]).toEqual([400, "invalidPath"])
    expect((await send("GET", `/Users/${user.id}`)).body.meta.version).toBe(user.meta.version)
  }),
  requirement(
    "3.5.2.1",
    "Adding a value that exists does not change the resource",
    async ({ send }, { user, group }) => {
      const again = patchOf({ op: "add", path: "members", value: [{ value: user.id }] })
      expect((await send("PATCH", `/Groups/${group.id}`, again)).body.meta).toEqual(group.meta)
    }
  ),
  requirement("3.6", "DELETE removes a resource: 204, then 404", async ({ send }, { user, group }) => {
    for (const path of [`/Users/${user.id}`, `/Groups/${group.id}`]) {
      expect((await send("DELETE", path)).status).toBe(204)
      expect([(await send("GET", path)).status, (await send("DELETE", path)).status]).toEqual([404, 404])
    }
  }),
  requirement(
    "3.7",
    "Bulk requests",
    async ({ send }) => {
      expect((await send("POST", "/Bulk", { Operations: [] })).status).toBe(501)
    },
    false
  ),
  requirement("3.9", "`attributes` and `excludedAttributes`", async ({ send }, { user }) => {
    const only = await send("GET", `/Users/${user.id}?attributes=userName,name.givenName`)
    expect(only.body).toEqual({
      schemas: [userSchema],
      id: user.id,
      userName: user.userName,
      name: { givenName: "Barbara" }
    })
    const without = await send("GET", `/Users/${user.id}?excludedAttributes=name.familyName,emails,id`)
    expect([without.body.id, without.body.name, without.body.emails]).toEqual([
      user.id,
      { givenName: "Barbara" },
      undefined
    ])
  }),
  requirement("3.10", "The URN of a schema before an attribute", async (client, { user }) => {
    expect(await filtered(client, `${userSchema}:userName sw "bjensen"`)).toEqual([user.id])
  }),
  requirement(
    "3.11",
    "The alias `/Me`",
    async ({ send }) => {
      expect((await send("GET", "/Me")).status).toBe(501)
    },
    false
  ),
  requirement("3.12", "Errors have a status, a kind and a detail", async ({ send }) => {
    const { body } = await send("PATCH", "/Users/none", patchOf({ op: "remove" }))
    expect(body).toEqual({
      schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
      status: "404",
      detail: "There is no such resource."
    })
  }),
  requirement("3.14", "Weak entity tags: `If-None-Match`", async ({ send }, { user }) => {
    expect(user.meta.version).toMatch(/^W\/"/)
    const unchanged = await send("GET", `/Users/${user.id}`, undefined, {
      "if-none-match": user.meta.version
    })
    expect(unchanged.status).toBe(304)
  }),
  requirement("3.14", "Weak entity tags: `If-Match` of PUT, PATCH and DELETE", async ({ send }, { user }) => {
    const first = { "if-match": user.meta.version }
    const rename = patchOf({ op: "replace", path: "displayName", value: "B" })
    expect((await send("PATCH", `/Users/${user.id}`, rename, first)).status).toBe(200)
    expect((await send("PATCH", `/Users/${user.id}`, rename, first)).status).toBe(412)
    expect((await send("PUT", `/Users/${user.id}`, user, first)).status).toBe(412)
    expect((await send("DELETE", `/Users/${user.id}`, undefined, first)).status).toBe(412)
    expect((await send("DELETE", `/Users/${user.id}`, undefined, { "if-match": "*" })).status).toBe(204)
  }),
  requirement("4", "`ServiceProviderConfig`, `ResourceTypes` and `Schemas`", async ({ send }) => {
    expect((await send("GET", "/ServiceProviderConfig")).body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
      changePassword: { supported: false },
      sort: { supported: true },
      etag: { supported: true }
    })
    const types = (await send("GET", "/ResourceTypes")).body.Resources.map(({ id }) => id)
    expect(types).toEqual(["User", "Group"])
    expect((await send("GET", "/ResourceTypes/User")).body).toMatchObject({
      endpoint: "/Users",
      schema: userSchema
    })
    const schemas = (await send("GET", "/Schemas")).body.Resources.map(({ id }) => id)
    expect(schemas).toEqual([userSchema, groupSchema])
    expect((await send("GET", `/Schemas/${groupSchema}`)).body.id).toBe(groupSchema)
    expect((await send("GET", "/Schemas/unknown")).status).toBe(404)
  }),
  requirement(
    "7643, 3.3",
    "The enterprise extension of users is stored",
    async ({ send }, { user }) => {
      const path = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department"
      const { status, body } = await send(
        "PATCH",
        `/Users/${user.id}`,
        patchOf({ op: "add", path, value: "R&D" })
      )
      expect([status, JSON.stringify(body).includes("R&D")]).toEqual([200, false])
    },
    false
  ),
  requirement(
    "7643, 4.1.1",
    "`active: false` ends the access of a user",
    async ({ send, api, organization }, { user }) => {
      await send("PATCH", `/Users/${user.id}`, patchOf({ op: "replace", path: "active", value: false }))
      expect((await api("GET", `/orgs/${organization}/members/${user.id}`)).body).toMatchObject({
        disabled: true
      })
    }
  ),
  requirement(
    "7643, 4.1.1",
    "Passwords",
    async ({ send }, { user }) => {
      const change = patchOf({ op: "replace", path: "password", value: "a-Secret-1" })
      const { status, body } = await send("PATCH", `/Users/${user.id}`, change)
      expect([status, JSON.stringify(body).includes("a-Secret-1")]).toEqual([200, false])
    },
    false
  ),
  requirement(
    "7643, 4.2",
    "Groups in groups",
    async ({ send }, { group }) => {
      const nested = patchOf({ op: "add", path: "members", value: [{ value: group.id, type: "Group" }] })
      expect((await send("PATCH", `/Groups/${group.id}`, nested)).body).toMatchObject({
        status: "400",
        scimType: "invalidValue"
      })
    },
    false
  )
]
