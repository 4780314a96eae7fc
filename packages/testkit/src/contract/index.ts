/** The entry point `@lectern/testkit/contract`: a vitest suite for servers of the HTTP API. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Exchange } from "./ContractClient.ts"
import { type Counts, summaryOf } from "./Coverage.ts"
import type { Host } from "./Host.ts"
import type { ContractScenario } from "./Scenario.ts"
import { createScenarioContext, type ScenarioContext } from "./ScenarioContext.ts"
import { audit } from "./scenarios/audit.ts"
import { changeRequests } from "./scenarios/changeRequests.ts"
import { comments } from "./scenarios/comments.ts"
import { changeRequestContent, content } from "./scenarios/content.ts"
import { contentChanges } from "./scenarios/contentChanges.ts"
import { deletedOrganizations } from "./scenarios/deletedOrganizations.ts"
import { exports } from "./scenarios/exports.ts"
import { fonts } from "./scenarios/fonts.ts"
import { git } from "./scenarios/git.ts"
import { glossary } from "./scenarios/glossary.ts"
import { history } from "./scenarios/history.ts"
import { importRuns } from "./scenarios/importRuns.ts"
import { installations } from "./scenarios/installations.ts"
import { integrations, organizationIntegrations } from "./scenarios/integrations.ts"
import { invitations } from "./scenarios/invitations.ts"
import { metaLinks } from "./scenarios/metaLinks.ts"
import { notifications } from "./scenarios/notifications.ts"
import { oidcProviders } from "./scenarios/oidcProviders.ts"
import { openApi, openApiDocuments, translations } from "./scenarios/openApi.ts"
import { organizations } from "./scenarios/organizations.ts"
import { pageImports } from "./scenarios/pageImports.ts"
import { people, samlProviders } from "./scenarios/people.ts"
import { permissions } from "./scenarios/permissions.ts"
import { places } from "./scenarios/places.ts"
import { presence } from "./scenarios/presence.ts"
import { programs } from "./scenarios/programs.ts"
import { published } from "./scenarios/published.ts"
import { replies } from "./scenarios/replies.ts"
import { mergeRules, reviews } from "./scenarios/reviews.ts"
import { changeRequestReading, revisions } from "./scenarios/revisions.ts"
import { sessions } from "./scenarios/sessions.ts"
import { siteAdministration } from "./scenarios/siteAdministration.ts"
import { siteScripts } from "./scenarios/siteScripts.ts"
import { siteSettings } from "./scenarios/siteSettings.ts"
import { siteStructure } from "./scenarios/siteStructure.ts"
import { sites } from "./scenarios/sites.ts"
import { collections, spaces } from "./scenarios/spaces.ts"
import { inviteLinks, organizationSpaces, teams } from "./scenarios/teams.ts"
import { tokens } from "./scenarios/tokens.ts"
import { undoneMerges } from "./scenarios/undoneMerges.ts"
import { uploads } from "./scenarios/uploads.ts"
import { users } from "./scenarios/users.ts"
import { webhooks } from "./scenarios/webhooks.ts"

export type { Exchange, Query, Request } from "./ContractClient.ts"
export { type Counts, summaryOf } from "./Coverage.ts"
export { type Endpoint, endpoints, requiredEndpoints } from "./endpoints.ts"
export { operationsOfBrowsers } from "./exceptions.ts"
export type { Host } from "./Host.ts"
export { contractOperations } from "./optionalOperations.ts"
export { newerContract, type PublicContract, validatePublicResponse } from "./publicContract.ts"
export type { ContractScenario } from "./Scenario.ts"
export type { ScenarioContext } from "./ScenarioContext.ts"

declare module "vitest" {
  interface TaskMeta {
    /** The counts of a run of the contract suite, for reporters. */
    contract?: Counts
  }
}

const testTimeoutMs = 120_000

/** The scenarios in the order in which they run. They do not depend on each other. */
export const contractScenarios: ReadonlyArray<ContractScenario> = [
  organizations,
  people,
  samlProviders,
  collections,
  spaces,
  content,
  changeRequestContent,
  pageImports,
  changeRequests,
  mergeRules,
  reviews,
  comments,
  sites,
  siteStructure,
  metaLinks,
  siteAdministration,
  openApi,
  openApiDocuments,
  translations,
  glossary,
  places,
  deletedOrganizations,
  notifications,
  integrations,
  organizationIntegrations,
  contentChanges,
  users,
  teams,
  inviteLinks,
  organizationSpaces,
  permissions,
  revisions,
  history,
  undoneMerges,
  exports,
  importRuns,
  presence,
  uploads,
  fonts,
  git,
  changeRequestReading,
  replies,
  siteSettings,
  siteScripts,
  published,
  installations,
  invitations,
  oidcProviders,
  programs,
  sessions,
  tokens,
  webhooks,
  audit
]

/** Whether a server serves the optional operations of a scenario. */
const isServed = ({ serves }: ScenarioContext, { requires }: ContractScenario): boolean =>
  requires === undefined || serves(requires)

/** The result of `runContract`. */
export interface ContractResult {
  /** The deviations of the server from the contract, a line each. */
  readonly problems: ReadonlyArray<string>
  /** The parts of the contract that the scenarios did not check, a line each. */
  readonly missing: ReadonlyArray<string>
  /** The numbers of parts that were checked. */
  readonly counts: Counts
}

/**
 * Runs scenarios against a server, without declaring vitest tests. Runs all of them by default, and closes the host
 * afterwards. Calls `onExchange` with every request and its response, including rejected ones. A scenario that fails is
 * one of the returned problems; rejects only if the server cannot be set up.
 *
 * @example
 * const { problems, missing } = await runContract(host)
 */
export const runContract = async (
  host: Host,
  scenarios: ReadonlyArray<ContractScenario> = contractScenarios,
  onExchange: (exchange: Exchange) => void = () => {}
): Promise<ContractResult> => {
  const context = await createScenarioContext(host)
  context.client.onExchange = onExchange
  try {
    for (const { title, run } of scenarios.filter((scenario) => isServed(context, scenario))) {
      await run(context).catch((error: unknown) => context.client.report(title, String(error)))
    }
    const { problems, coverage } = context.client
    return { problems, missing: coverage.missing(), counts: coverage.counts() }
  } finally {
    await context.close()
  }
}

/**
 * Declares vitest tests that a server conforms to the contract: one per scenario. The scenarios create organizations,
 * and call every operation of the endpoint table and the optional operations that the server's document has. The last
 * test fails if an operation, a parameter, a field or a bound was not checked, so an addition to the API document needs
 * a scenario. `open` returns the server; it is called once, and the host is closed after the tests. Each test has a
 * timeout of 120 s.
 *
 * @example
 * serverContract("my server", async () => ({ url, createToken, createOrganization }))
 */
export const serverContract = (name: string, open: () => Host | Promise<Host>): void => {
  describe(`${name} conforms to the contract`, () => {
    let context: ScenarioContext
    beforeAll(async () => {
      context = await createScenarioContext(await open())
    }, testTimeoutMs)
    afterAll(() => context?.close(), testTimeoutMs)
    for (const scenario of contractScenarios) {
      const test = async ({ skip }: { readonly skip: (note: string) => never }) => {
        if (!isServed(context, scenario)) skip("The server does not serve these operations.")
        await scenario.run(context)
        expect(context.client.problems.splice(0)).toEqual([])
      }
      it(scenario.title, test, testTimeoutMs)
    }
    it("covers every operation, parameter, field and bound", ({ task }) => {
      const { coverage } = context.client
      task.meta.contract = coverage.counts()
      console.info(`${name}: ${summaryOf(coverage.counts())}`)
      expect(coverage.missing()).toEqual([])
    })
  })
}
