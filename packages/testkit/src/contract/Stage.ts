/** Where scenarios run: a server, an organization with its users, and a website to import. */
import type { Organization, User } from "@lectern/core"
import { declaredBy } from "./bounds.ts"
import { ContractClient } from "./ContractClient.ts"
import { Coverage } from "./Coverage.ts"
import { parametersOf } from "./edges.ts"
import { endpoints, type OperationId, requiredEndpoints, type SpecifiedId } from "./endpoints.ts"
import { alwaysRejected } from "./exceptions.ts"
import { type FurtherFeature, further } from "./further.ts"
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
  /** The administrator of the organization of the scenarios, and of the other one. */
  readonly ada: Person
  /** A member who writes: `edit`. */
  readonly bob: Person
  /** A member who may only read. */
  readonly rita: Person
  /** The administrator of the other organization, who is not in that of the scenarios. */
  readonly eve: Person
  /** The organization that the scenarios are about. */
  readonly acme: Organization
  /** Another organization, whose administrators are Ada and Eve. */
  readonly other: Organization
  /** A part of names that is unique to this run: letters and digits. */
  readonly tag: string
  /** A website on this machine, for the server to import. */
  readonly website: Website
  /** The server, and its operator. */
  readonly host: Host
  /** The connection to the server. */
  readonly client: ContractClient
  /** Whether the server serves all operations beyond the specification of a feature. */
  readonly serves: (feature: FurtherFeature) => boolean
  /** Polls until a condition is met, and runs background jobs before each attempt. Throws after 20 s. */
  readonly until: <A>(ask: () => Promise<A>, isSo: (answer: A) => boolean) => Promise<A>
  /** Stops the website and the server. */
  readonly close: () => Promise<void>
}

/** Whether a server serves all operations beyond the specification of a feature. */
const servesFurther = (document: ServedDocument, feature: FurtherFeature): boolean =>
  further[feature].every((operation) => document.hasOperation(operation))

const furtherServedBy = (document: ServedDocument): ReadonlyArray<OperationId> =>
  (Object.keys(further) as ReadonlyArray<FurtherFeature>)
    .filter((feature) => servesFurther(document, feature))
    .flatMap((feature) => further[feature])

/** Whether a bound is of a field, or of a part of it. */
const isBelow = (bound: string, field: string): boolean =>
  bound.startsWith(field) && /^[ .[{]/.test(bound.slice(field.length))

/** Registers the parameters, fields and bounds of each operation, as the server declares them. */
const expectAll = (document: ServedDocument, coverage: Coverage): void => {
  const operationIds = [...endpoints, ...requiredEndpoints].map(({ operationId }) => operationId)
  for (const operationId of [...operationIds, ...furtherServedBy(document)]) {
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
    const rejected = alwaysRejected[operationId]?.fields ?? []
    coverage.expect(operationId, {
      undeclared: [
        ...findUndeclared(definitions, parametersOf(described, "query"), querySaid),
        ...findUndeclared(definitions, described.body, bodySaid),
        ...rejected
          .filter((field) => !body.fields.includes(field))
          .map((field) => `${field} is not declared, so its exception is not needed`)
      ],
      parameters: query.fields.filter((name) => name !== "query.page"),
      fields: body.fields,
      bounds: [
        ...query.bounds,
        ...path.bounds.filter((bound) => / (pattern|maxLength)$/.test(bound)),
        // No valid input has a field that is always rejected.
        ...body.bounds.filter((bound) => !rejected.some((field) => isBelow(bound, field)))
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
    serves: (feature) => servesFurther(document, feature),
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
