/** Where scenarios run: a server, an organization with its users, and a website to import. */
import type { Organization, User } from "@lectern/core"
import { declaredBy } from "./bounds.ts"
import { ContractClient } from "./ContractClient.ts"
import { Coverage } from "./Coverage.ts"
import { parametersOf } from "./edges.ts"
import { endpoints, type SpecifiedId } from "./endpoints.ts"
import type { Host } from "./Host.ts"
import { Person } from "./Person.ts"
import type { UnauthorizedTokens } from "./rejections.ts"
import { ServedDocument } from "./ServedDocument.ts"
import { findUndeclared, specifiedRequests } from "./specification.ts"
import { openWebsite, type Website } from "./website.ts"

/** How long something that is done in the background may take, in milliseconds. */
const pollTimeoutMs = 20_000

/** The stage of a run. */
export interface Stage {
  /** Administrates the organization of the scenarios, and the other one. */
  readonly ada: Person
  /** A member who writes: `edit`. */
  readonly bob: Person
  /** A member who may only read. */
  readonly rita: Person
  /** Administrates the other organization, and is not in that of the scenarios. */
  readonly eve: Person
  /** The organization that the scenarios are about. */
  readonly acme: Organization
  /** Another organization, which Ada and Eve administrate. */
  readonly other: Organization
  /** What tells the names of this run from those of others on the same server: letters and digits. */
  readonly tag: string
  readonly website: Website
  readonly host: Host
  readonly client: ContractClient
  /** Asks again until it is so; background work is done meanwhile. */
  readonly until: <A>(ask: () => Promise<A>, isSo: (answer: A) => boolean) => Promise<A>
  readonly close: () => Promise<void>
}

/** Says what there is to check of the operations of the table, by what the server declares. */
const expectAll = (document: ServedDocument, coverage: Coverage): void => {
  for (const { operationId } of endpoints) {
    const described = document.operation(operationId)
    const query = declaredBy(document.definitions, parametersOf(described, "query"), "query")
    const path = declaredBy(document.definitions, parametersOf(described, "path"), "path")
    const body =
      described.body === undefined
        ? { fields: [], bounds: [] }
        : declaredBy(document.definitions, described.body, "body")
    const isPaged = ["query.page", "query.limit"].every((name) => query.fields.includes(name))
    const { query: querySaid, body: bodySaid } = specifiedRequests[operationId as SpecifiedId] ?? {}
    const { definitions } = document
    coverage.expect(operationId, {
      undeclared: [
        ...findUndeclared(definitions, parametersOf(described, "query"), querySaid),
        ...findUndeclared(definitions, described.body, bodySaid)
      ],
      parameters: query.fields.filter((name) => name !== "query.page"),
      fields: body.fields,
      bounds: [
        ...query.bounds,
        ...path.bounds.filter((bound) => / (pattern|maxLength)$/.test(bound)),
        ...body.bounds
      ],
      isList: described.method === "GET" && isPaged
    })
  }
}

/** Sets the stage on a server. */
export const setStage = async (host: Host): Promise<Stage> => {
  const tag = crypto.randomUUID().slice(0, 8)
  const document = await ServedDocument.fetch(host.url)
  const coverage = new Coverage()
  const client = new ContractClient(host.url, document, coverage)
  expectAll(document, coverage)

  const emailOf = (name: string) => `${name}@${tag}.example.com`
  const tokens = await Promise.all(
    ["ada", "bob", "rita", "eve"].map((name) => host.createToken(emailOf(name)))
  )
  const [ada, bob, rita, eve] = tokens as [string, string, string, string]
  const strangers: UnauthorizedTokens = { outsider: eve, reader: rita }
  const person = async (name: string, token: string): Promise<Person> => {
    const { value } = await client.send({ operation: "getAuthenticatedUser", params: {}, token })
    const { id } = value as unknown as User
    return new Person(client, strangers, { email: emailOf(name), id, token })
  }
  const people = {
    ada: await person("ada", ada),
    bob: await person("bob", bob),
    rita: await person("rita", rita),
    eve: await person("eve", eve)
  }
  const organization = async (title: string, admin: Person): Promise<Organization> => {
    const organizationId = await host.createOrganization(title, admin.email)
    const { value } = await client.send({
      operation: "getOrganizationById",
      params: { organizationId },
      token: admin.token
    })
    return value as unknown as Organization
  }
  const acme = await organization(`Acme ${tag}`, people.ada)
  const other = await organization(`Other ${tag}`, people.ada)
  for (const [someone, at, role] of [
    [people.bob, acme, "edit"],
    [people.rita, acme, "read"],
    [people.eve, other, "admin"]
  ] as const) {
    await client.send({
      operation: "inviteUsersToOrganization",
      params: { organizationId: at.id },
      token: ada,
      body: { emails: [someone.email], role }
    })
  }
  const website = await openWebsite(host.websiteHost)
  return {
    ...people,
    acme,
    other,
    tag,
    website,
    host,
    client,
    until: async (ask, isSo) => {
      const deadline = performance.now() + pollTimeoutMs
      for (;;) {
        await host.runJobs?.()
        const answer = await ask()
        if (isSo(answer)) return answer
        if (performance.now() > deadline) throw new Error(`It is still not so: ${JSON.stringify(answer)}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    close: async () => {
      await website.close()
      await host.close?.()
    }
  }
}
