/** A workspace in memory whose operations tests call by name, with the spans and metrics of the calls. */
import {
  CurrentUser,
  type OperationDefinition,
  Operations,
  type RecordsAdapter,
  UserId,
  Workspace
} from "@lectern/core"
import { MemoryStorage } from "@lectern/testkit"
import { Cause, Effect, Exit, Layer, ManagedRuntime, Metric, Option, Tracer } from "effect"

type Parameters = Readonly<Record<string, unknown>>

/** An operation of any service. */
interface AnyOperation {
  (parameters: Parameters): Effect.Effect<unknown, unknown>
  readonly definition: OperationDefinition
}

const isOperation = (value: unknown): value is AnyOperation =>
  typeof value === "function" && "definition" in value && "decoded" in value

/** How a call ended: `success`, or the tag of the error. */
export interface CallResult {
  readonly outcome: string
  readonly value: unknown
}

/** The count of calls in a histogram of durations. */
export interface DurationCount {
  readonly operation: string
  readonly outcome: string
  readonly count: number
}

const resultOf = (exit: Exit.Exit<unknown, unknown>): CallResult => {
  if (Exit.isSuccess(exit)) return { outcome: "success", value: exit.value }
  const error = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
  if (typeof error === "object" && error !== null && "_tag" in error) {
    return { outcome: String(error._tag), value: error }
  }
  throw new Error(Cause.pretty(exit.cause))
}

/** Opens a workspace. Call `close` when done. */
export const openOperations = async (
  storage: Layer.Layer<RecordsAdapter, unknown> = MemoryStorage.layer()
) => {
  const runtime = ManagedRuntime.make(Workspace.layer.pipe(Layer.provide(storage)))
  const context = await runtime.context()
  const operations = new Map<string, AnyOperation>()
  for (const service of context.mapUnsafe.values()) {
    if (typeof service !== "object" || service === null) continue
    for (const member of Object.values(service)) {
      if (isOperation(member)) operations.set(member.definition.name, member)
    }
  }
  const { definitions } = await runtime.runPromise(Operations)
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  const registry: (typeof Metric.MetricRegistry)["Service"] = new Map()

  /** Calls an operation, on behalf of a user unless that is undefined. */
  const call = async (
    user: string | undefined,
    name: string,
    parameters: Parameters
  ): Promise<CallResult> => {
    const operation = operations.get(name)
    if (operation === undefined) throw new Error(`There is no operation ${name}.`)
    const effect = operation(parameters)
    const exit = await runtime.runPromiseExit(
      (user === undefined ? effect : CurrentUser.provide(UserId.make(user))(effect)).pipe(
        Effect.withTracer(tracer),
        Effect.provideService(Metric.MetricRegistry, registry)
      )
    )
    return resultOf(exit)
  }

  return {
    definitions,
    operations,
    call,
    /** Calls an operation that succeeds. Returns its result. */
    succeed: async <A = { readonly id: string }>(
      user: string | undefined,
      name: string,
      parameters: Parameters
    ): Promise<A> => {
      const { outcome, value } = await call(user, name, parameters)
      if (outcome !== "success") throw new Error(`${name} failed with ${outcome}: ${JSON.stringify(value)}`)
      return value as A
    },
    /** All spans so far. */
    spans,
    /** The counts of the histograms of durations. */
    durations: async (): Promise<ReadonlyArray<DurationCount>> => {
      const snapshot = await Effect.runPromise(
        Effect.provideService(Metric.snapshot, Metric.MetricRegistry, registry)
      )
      return snapshot.flatMap((metric) =>
        metric.type === "Histogram" && metric.id === "lectern_operation_duration_ms"
          ? [
              {
                operation: metric.attributes?.operation ?? "",
                outcome: metric.attributes?.outcome ?? "",
                count: metric.state.count
              }
            ]
          : []
      )
    },
    close: () => runtime.dispose()
  }
}

export type OpenOperations = Awaited<ReturnType<typeof openOperations>>

/** Creates a site with one of each thing that it consists of. */
const createSite = async (
  idOf: (name: string, parameters: Parameters) => Promise<string>,
  organization: string
) => {
  const createSpace = () => idOf("Spaces.create", { organization, input: {} })
  const site = await idOf("Sites.create", { organization, input: { title: "Docs" } })
  const at = { organization, site }
  const section = await idOf("SiteSections.add", { ...at, input: { spaceId: await createSpace() } })
  return {
    site,
    section,
    sectionGroup: await idOf("SiteSectionGroups.add", { ...at, input: { title: "Group", sections: [] } }),
    siteSpace: await idOf("SiteSpaces.add", {
      ...at,
      input: { spaceId: await createSpace(), sectionId: section }
    }),
    shareLink: await idOf("ShareLinks.create", { ...at, input: { name: "For friends" } }),
    siteExternalLink: await idOf("SiteExternalLinks.add", {
      ...at,
      input: { title: "Status", url: "https://status.example.com/" }
    }),
    siteMcpServer: await idOf("SiteMcpServers.create", {
      organization,
      site,
      input: { name: "Tickets", url: "https://mcp.example.com/", headers: {} }
    }),
    siteScript: await idOf("SiteScripts.create", {
      ...at,
      input: { name: "Script", source: { type: "url", url: "https://stats.example.com/script.js" } }
    }),
    redirect: await idOf("SiteRedirects.create", {
      ...at,
      input: { source: "/former", destination: { kind: "site-section", siteSectionId: section } }
    })
  }
}

/** Creates one of each thing that operations are about. Returns values of their parameters, by name. */
export const createTargets = async ({ succeed }: OpenOperations) => {
  const createUser = (email: string) =>
    succeed<string>(undefined, "Administration.createUser", { input: { email } })
  const owner = await createUser("owner@example.com")
  const outsider = await createUser("outsider@example.com")
  const organization = await succeed<string>(undefined, "Administration.createOrganization", {
    administrator: owner,
    input: { title: "Acme" }
  })
  const idOf = async (name: string, parameters: Parameters): Promise<string> =>
    (await succeed(owner, name, parameters)).id
  const space = await idOf("Spaces.create", { organization, input: {} })
  const comment = await idOf("Comments.create", {
    target: { space },
    input: { body: { markdown: "Is this so?" } }
  })
  const integration = "tool"
  await succeed(owner, "Integrations.publish", {
    integration,
    input: {
      organization,
      title: "Tool",
      description: "A tool.",
      script: "void 0",
      scopes: [],
      visibility: "private"
    }
  })
  const slug = "pets"
  const text = JSON.stringify({ openapi: "3.1.0", info: { title: "Pets", version: "1" }, paths: {} })
  await succeed(owner, "OpenApiSpecs.create", { organization, input: { slug, source: { text } } })
  const installation = await idOf("Installations.create", { integration, input: { organization } })
  const onSite = await createSite(idOf, organization)
  await succeed(owner, "SpaceInstallations.create", { integration, installation, input: { space } })
  await succeed(owner, "SiteInstallations.create", {
    integration,
    installation,
    input: { siteId: onSite.site }
  })
  const { items } = await succeed<{ items: ReadonlyArray<{ id: string }> }>(owner, "IntegrationEvents.list", {
    integration
  })
  const parameters: Parameters = {
    slug,
    organization,
    user: owner,
    administrator: owner,
    space,
    content: { space },
    target: { space },
    comment,
    integration,
    reply: await idOf("Comments.createReply", {
      target: { space },
      comment,
      input: { body: { markdown: "It is." } }
    }),
    team: await idOf("Teams.create", { organization, input: { title: "Team", members: [] } }),
    collection: await idOf("Collections.create", { organization, input: {} }),
    changeRequest: await idOf("ChangeRequests.create", { space, input: {} }),
    ...onSite,
    invite: await idOf("Invites.create", { organization, input: { role: "read" } }),
    provider: await idOf("SamlProviders.create", { organization, input: { label: "Office" } }),
    oidcProvider: await idOf("OrganizationOidcProviders.create", {
      organization,
      input: { label: "Office" }
    }),
    translation: await idOf("Translations.create", { organization, input: { title: "German" } }),
    installation,
    event: items[0]!.id,
    // Only an upload creates a font.
    font: "nothing",
    file: "nothing",
    host: "docs.example.com",
    token: await idOf("Tokens.create", { input: { label: "Test", organization } }),
    webhook: await idOf("Webhooks.create", { organization, input: { url: "https://example.com/hook" } })
  }
  return { owner, outsider, parameters }
}

const missingFile = {
  space: "nothing",
  hash: "0".repeat(64),
  name: "file.txt",
  contentType: "text/plain",
  viewer: "nobody"
}
const missingPdf = {
  ...{ space: "nothing", revision: "nothing", changeRequest: "", page: "" },
  ...{ only: false, edition: "", name: "Handbook", expires: 0 }
}
const missingArchive = { space: "nothing", revision: "nothing", name: "content.zip", expires: 0 }
/** The parameters of the URL of an export of a site that does not exist. */
const missingSiteArchive = { organization: "nothing", site: "nothing", spaces: "", name: "x", expires: 1 }

/** Values of parameters that name nothing. */
export const missingTargets = ({ name, parameters }: OperationDefinition): Parameters =>
  Object.fromEntries(
    parameters
      .filter((parameter) => parameter !== "input")
      .map((parameter) => {
        if (parameter === "content" || parameter === "target") return [parameter, { space: "nothing" }]
        if (parameter === "pdf") return [parameter, missingPdf]
        if (parameter === "archive") return [parameter, missingArchive]
        if (parameter === "siteArchive") return [parameter, missingSiteArchive]
        if (parameter === "upload") return [parameter, { key: "nothing", expires: 0 }]
        if (parameter === "stored") return [parameter, { hash: "nothing", size: 0, chunks: [] }]
        if (parameter === "domain") return [parameter, "nothing.example"]
        if (parameter === "hash") return [parameter, missingFile.hash]
        return [parameter, name === "Content.download" && parameter === "file" ? missingFile : "nothing"]
      })
  )
