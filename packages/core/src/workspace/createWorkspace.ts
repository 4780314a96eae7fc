/** The workspace for hosts that do not use Effect: the same services, with promises. */
import { Context, Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { ApiTokens } from "../access/ApiTokens.ts"
import type { Authenticator } from "../access/Authenticator.ts"
import { CurrentUser } from "../access/CurrentUser.ts"
import { ChangeRequests } from "../features/change-requests/ChangeRequests.ts"
import { Collections } from "../features/collections/Collections.ts"
import { Comments } from "../features/comments/Comments.ts"
import { Content } from "../features/content/Content.ts"
import { ImportReader, type Read } from "../features/conversion/ImportReader.ts"
import { Imports } from "../features/imports/Imports.ts"
import { Installations } from "../features/integrations/Installations.ts"
import { Integrations } from "../features/integrations/Integrations.ts"
import { Links } from "../features/links/Links.ts"
import { OpenApiSpecs } from "../features/openapi-specs/OpenApiSpecs.ts"
import { type ParseSpec, SpecParser } from "../features/openapi-specs/SpecParser.ts"
import { Administration } from "../features/organizations/Administration.ts"
import { Invites } from "../features/organizations/Invites.ts"
import { Members } from "../features/organizations/Members.ts"
import { Organizations } from "../features/organizations/Organizations.ts"
import { Teams } from "../features/organizations/Teams.ts"
import { type MakePdf, PdfMaker } from "../features/pdf/PdfMaker.ts"
import { Pdfs } from "../features/pdf/Pdfs.ts"
import { Permissions } from "../features/permissions/Permissions.ts"
import { SamlProviders } from "../features/saml/SamlProviders.ts"
import { Search } from "../features/search/Search.ts"
import { PublishedSites } from "../features/sites/PublishedSites.ts"
import { ShareLinks } from "../features/sites/ShareLinks.ts"
import { SiteSectionGroups } from "../features/sites/SiteSectionGroups.ts"
import { SiteSections } from "../features/sites/SiteSections.ts"
import { SiteSettings } from "../features/sites/SiteSettings.ts"
import { SiteSpaces } from "../features/sites/SiteSpaces.ts"
import { Sites } from "../features/sites/Sites.ts"
import { Spaces } from "../features/spaces/Spaces.ts"
import { Translations } from "../features/translations/Translations.ts"
import { Users } from "../features/users/Users.ts"
import { type Fetch, Fetcher } from "../kernel/network/Fetcher.ts"
import { PublicUrl } from "../kernel/network/PublicUrl.ts"
import { SigningSecret } from "../kernel/security/Signatures.ts"
import type { RecordsAdapter } from "../kernel/storage/index.ts"
import { UserId } from "../model/users/User.ts"
import { BackgroundWork } from "./BackgroundWork.ts"
import * as Workspace from "./Workspace.ts"

/** A service with promises: each method rejects with the error that its effect fails with. */
export type Promised<Service> = {
  readonly [K in keyof Service]: Service[K] extends (
    ...args: infer Args
  ) => Effect.Effect<infer A, infer _E, infer _R>
    ? (...args: Args) => Promise<A>
    : Service[K] extends Effect.Effect<infer A, infer _E, infer _R>
      ? () => Promise<A>
      : never
}

/** What a workspace offers on behalf of one of its users. */
export interface WorkspaceOf {
  readonly users: Promised<Users["Service"]>
  readonly organizations: Promised<Organizations["Service"]>
  readonly members: Promised<Members["Service"]>
  readonly teams: Promised<Teams["Service"]>
  readonly invites: Promised<Invites["Service"]>
  readonly samlProviders: Promised<SamlProviders["Service"]>
  readonly permissions: Promised<Permissions["Service"]>
  readonly collections: Promised<Collections["Service"]>
  readonly spaces: Promised<Spaces["Service"]>
  readonly content: Promised<Content["Service"]>
  readonly imports: Promised<Imports["Service"]>
  readonly changeRequests: Promised<ChangeRequests["Service"]>
  readonly comments: Promised<Comments["Service"]>
  readonly sites: Promised<Sites["Service"]>
  readonly siteSections: Promised<SiteSections["Service"]>
  readonly siteSectionGroups: Promised<SiteSectionGroups["Service"]>
  readonly siteSpaces: Promised<SiteSpaces["Service"]>
  readonly shareLinks: Promised<ShareLinks["Service"]>
  readonly siteSettings: Promised<SiteSettings["Service"]>
  readonly publishedSites: Promised<PublishedSites["Service"]>
  readonly translations: Promised<Translations["Service"]>
  readonly integrations: Promised<Integrations["Service"]>
  readonly installations: Promised<Installations["Service"]>
  readonly openApiSpecs: Promised<OpenApiSpecs["Service"]>
  readonly search: Promised<Search["Service"]>
  readonly links: Promised<Links["Service"]>
  readonly pdfs: Promised<Pdfs["Service"]>
}

/** The services that a workspace is made of. */
export type Services = Workspace.WorkspaceServices | Workspace.OperatorServices | Authenticator

/** A workspace in a host application. */
export interface EmbeddedWorkspace {
  /** The services on behalf of a user, who is asked for nothing more: the host has done so. */
  readonly as: (user: string) => WorkspaceOf
  /** What an operator does: accounts, organizations, memberships. */
  readonly administration: Promised<Administration["Service"]>
  /** The API tokens, for those who come over HTTP. */
  readonly tokens: Promised<ApiTokens["Service"]>
  /** The workspace's runtime, for what runs in Effect: the HTTP faces take it. */
  readonly runtime: ManagedRuntime.ManagedRuntime<Services, unknown>
  /** What is done in the background: `forever` works until the workspace is disposed of. */
  readonly work: Promised<BackgroundWork["Service"]>
  /** Closes the store. Nothing works after it. */
  readonly dispose: () => Promise<void>
}

/** What a workspace is made from. */
export interface WorkspaceOptions {
  /** The store: `sqlite("docs.db")` of `@lectern/storage-sqlite`, or any other adapter's layer. */
  readonly storage: Layer.Layer<RecordsAdapter, unknown>
  /** The base of every address in `urls`, as in `https://docs.example.com/api`. */
  readonly publicUrl?: string
  /** What reads imports: `importReader()` of `@lectern/converters`. Without it, imports are off. */
  readonly importReader?: Read
  /** What reaches the network, for imports, and for specs that have an address: `nodeFetcher()` of `@lectern/http`; nothing by default. */
  readonly fetcher?: Fetch
  /**
   * What parses the documents of OpenAPI specs: `specParser()` of `@lectern/converters`. Without it, small documents are
   * parsed in this thread, and large ones are refused.
   */
  readonly specParser?: ParseSpec
  /** What renders PDFs: `pdfRenderer()` of `@lectern/converters`. Without it, PDF export is off. */
  readonly pdfMaker?: MakePdf
  /** What addresses that need no token are signed with; by default a secret that the workspace makes and stores. */
  readonly secret?: string
}

/**
 * A workspace in a Node application, without Effect. Nothing is opened before the first call.
 *
 * @example
 * const workspace = createWorkspace({ storage: sqlite("docs.db") })
 * const space = await workspace.as(userId).spaces.create(organization, { title: "Handbook" })
 */
export const createWorkspace = (options: WorkspaceOptions): EmbeddedWorkspace => {
  const live = Workspace.layer.pipe(
    Layer.provide(options.storage),
    Layer.provide(
      options.publicUrl === undefined
        ? Layer.empty
        : Layer.succeed(PublicUrl, options.publicUrl.replace(/\/+$/, ""))
    ),
    Layer.provide(
      options.secret === undefined ? Layer.empty : Layer.succeed(SigningSecret, Redacted.make(options.secret))
    ),
    Layer.provide(
      options.importReader === undefined ? Layer.empty : Layer.succeed(ImportReader, options.importReader)
    ),
    Layer.provide(
      options.specParser === undefined ? Layer.empty : Layer.succeed(SpecParser, options.specParser)
    ),
    // PDFs look their renderer up when they are requested, over HTTP too.
    Layer.provideMerge(Layer.succeed(PdfMaker, options.pdfMaker)),
    Layer.provide(options.fetcher === undefined ? Layer.empty : Layer.succeed(Fetcher, options.fetcher))
  )
  const runtime = ManagedRuntime.make(live)

  /** Every method of a service as a promise: made when it is asked for, none by hand. */
  const promised = <Service extends object>(
    tag: Context.Key<Services, Service>,
    context: Context.Context<never>
  ): Promised<Service> =>
    new Proxy({} as Promised<Service>, {
      get: (_, name) =>
        // A promise for the service itself would otherwise look like one that resolves to it.
        name === "then"
          ? undefined
          : (...args: ReadonlyArray<unknown>) =>
              runtime.runPromise(
                Effect.flatMap(Effect.service(tag), (service) => {
                  const member: unknown = Reflect.get(service, name)
                  const effect = typeof member === "function" ? member(...args) : member
                  return Effect.provideContext(effect as Effect.Effect<unknown, unknown>, context)
                })
              )
    })

  const nobody = Context.empty()
  return {
    as: (user) => {
      const caller = Context.make(CurrentUser, { id: UserId.make(user) }) as Context.Context<never>
      return {
        users: promised(Users, caller),
        organizations: promised(Organizations, caller),
        members: promised(Members, caller),
        teams: promised(Teams, caller),
        invites: promised(Invites, caller),
        samlProviders: promised(SamlProviders, caller),
        permissions: promised(Permissions, caller),
        collections: promised(Collections, caller),
        spaces: promised(Spaces, caller),
        content: promised(Content, caller),
        imports: promised(Imports, caller),
        changeRequests: promised(ChangeRequests, caller),
        comments: promised(Comments, caller),
        sites: promised(Sites, caller),
        siteSections: promised(SiteSections, caller),
        siteSectionGroups: promised(SiteSectionGroups, caller),
        siteSpaces: promised(SiteSpaces, caller),
        shareLinks: promised(ShareLinks, caller),
        siteSettings: promised(SiteSettings, caller),
        publishedSites: promised(PublishedSites, caller),
        translations: promised(Translations, caller),
        integrations: promised(Integrations, caller),
        installations: promised(Installations, caller),
        openApiSpecs: promised(OpenApiSpecs, caller),
        search: promised(Search, caller),
        links: promised(Links, caller),
        pdfs: promised(Pdfs, caller)
      }
    },
    administration: promised(Administration, nobody),
    tokens: promised(ApiTokens, nobody),
    work: promised(BackgroundWork, nobody),
    runtime,
    dispose: () => runtime.dispose()
  }
}
