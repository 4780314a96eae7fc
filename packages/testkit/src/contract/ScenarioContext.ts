/** The environment of scenarios: a server, two organizations with their users, and a website to import. */
import type { Organization, User } from "@lectern/core"
import { declaredBy } from "./bounds.ts"
import { ContractClient } from "./ContractClient.ts"
import { Coverage } from "./Coverage.ts"
import { parametersOf } from "./checkBounds.ts"
import type { UnauthorizedTokens } from "./checkRejections.ts"
import { endpoints, type OperationId, requiredEndpoints, type SpecifiedId } from "./endpoints.ts"
import { alwaysRejected } from "./exceptions.ts"
import type { Host } from "./Host.ts"
import { type GroupName, optionalOperations } from "./optionalOperations.ts"
import { Person } from "./Person.ts"
import { ServedDocument } from "./ServedDocument.ts"
import { findUndeclared, specifiedRequests } from "./specification.ts"
import { openWebsite, type Website } from "./website.ts"

/** The timeout of `until`, in milliseconds: background jobs must be completed within it. */
const pollTimeoutMs = 20_000

/** The environment of the scenarios of a run. */
export interface ScenarioContext {
  /** The administrator of both organizations. */
  readonly ada: Person
  /** A member of `acme` with the role `edit`. */
  readonly bob: Person
  /** A member of `acme` with the role `read`. */
  readonly rita: Person
  /** An administrator of `other`, who is not a member of `acme`. */
  readonly eve: Person
  /** The organization in which scenarios create resources. */
  readonly acme: Organization
  /** Another organization, with the administrators `ada` and `eve`. */
  readonly other: Organization
  /** A string that is unique to this run, for names: 8 lowercase letters and digits. */
  readonly tag: string
  /** A website on this machine, from which the server imports. */
  readonly website: Website
  /** The host that was passed to the suite. */
  readonly host: Host
  /** Sends requests to the server, and collects deviations and coverage. */
  readonly client: ContractClient
  /** Whether the server serves all optional operations of groups. */
  readonly serves: (groups: ReadonlyArray<GroupName>) => boolean
  /**
   * Sends a request until its result meets a condition, and returns that result. Runs the background jobs of the host
   * before each attempt. Rejects after 20 s.
   */
  readonly until: <A>(request: () => Promise<A>, condition: (result: A) => boolean) => Promise<A>
  /** Stops the website and the server. */
  readonly close: () => Promise<void>
}

/** Whether a server serves all operations. */
const servesAll = (document: ServedDocument, operations: ReadonlyArray<OperationId>): boolean =>
  operations.every((operation) => document.hasOperation(operation))

const servedOptionalOperations = (document: ServedDocument): ReadonlyArray<OperationId> =>
  [...optionalOperations.values()].filter((group) => servesAll(document, group)).flat()

/** Whether a bound belongs to a field, or to a field or an item in it. */
const isBelow = (bound: string, field: string): boolean =>
  bound.startsWith(field) && /^[ .[{]/.test(bound.slice(field.length))

/** Registers the parameters, fields and bounds to cover, as the document of the server declares them. */
const registerExpectations = (document: ServedDocument, coverage: Coverage): void => {
  const operationIds = [...endpoints, ...requiredEndpoints].map(({ operationId }) => operationId)
  for (const operationId of [...operationIds, ...servedOptionalOperations(document)]) {
    const described = document.operation(operationId)
    const query = declaredBy(document.definitions, parametersOf(described, "query"), "query")
    const path = declaredBy(document.definitions, parametersOf(described, "path"), "path")
    const body =
      described.body === undefined
        ? { fields: [], bounds: [] }
        : declaredBy(document.definitions, described.body, "body")
    const isPaged = ["query.page", "query.limit"].every((name) => query.fields.includes(name))
    const { query: specifiedQuery, body: specifiedBody } = specifiedRequests[operationId as SpecifiedId] ?? {}
    const { definitions } = document
    const rejected = alwaysRejected[operationId]?.fields ?? []
    coverage.expect(operationId, {
      undeclared: [
        ...findUndeclared(definitions, parametersOf(described, "query"), specifiedQuery),
        ...findUndeclared(definitions, described.body, specifiedBody),
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

/** Creates the organizations and the users on a server, and starts the website. */
export const createScenarioContext = async (host: Host): Promise<ScenarioContext> => {
  const tag = crypto.randomUUID().slice(0, 8)
  const document = await ServedDocument.fetch(host.url)
  const coverage = new Coverage()
  const client = new ContractClient(host.url, document, coverage)
  registerExpectations(document, coverage)

  const emailOf = (name: string) => `${name}@${tag}.example.com`
  const tokens = await Promise.all(
    ["ada", "bob", "rita", "eve"].map((name) => host.createToken(emailOf(name)))
  )
  const [ada, bob, rita, eve] = tokens as [string, string, string, string]
  const unauthorized: UnauthorizedTokens = { outsider: eve, reader: rita }
  const person = async (name: string, token: string): Promise<Person> => {
    const { value } = await client.send({ operation: "getAuthenticatedUser", params: {}, token })
    const { id } = value as unknown as User
    return new Person(client, unauthorized, { email: emailOf(name), id, token })
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
  for (const [invited, { id }, role] of [
    [people.bob, acme, "edit"],
    [people.rita, acme, "read"],
    [people.eve, other, "admin"]
  ] as const) {
    await client.send({
      operation: "inviteUsersToOrganization",
      params: { organizationId: id },
      token: ada,
      body: { emails: [invited.email], role }
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
    serves: (groups) => groups.every((group) => servesAll(document, optionalOperations.get(group)!)),
    until: async (request, condition) => {
      const deadline = performance.now() + pollTimeoutMs
      for (;;) {
        await host.runJobs?.()
        const result = await request()
        if (condition(result)) return result
        if (performance.now() > deadline) {
          throw new Error(
            `The condition is not met after ${pollTimeoutMs / 1000} s. The last result is: ${JSON.stringify(result)}`
          )
        }
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    close: async () => {
      await website.close()
      await host.close?.()
    }
  }
}
