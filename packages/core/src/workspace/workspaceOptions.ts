/** The options of `createWorkspace`, and the settings of services that they are. */

import {
  AuditRetention,
  HostSignIn,
  OperationHooks,
  OrganizationQuotas,
  type Plain,
  type Quotas,
  SecurityLog,
  type SecurityLogEntry
} from "@lectern/access"
import {
  type ConvertMarkdown,
  GitPacks,
  ImportLimits,
  type ImportLimitsSettings,
  ImportReader,
  type MakePdf,
  MarkdownEngine,
  type ParseSpec,
  PdfMaker,
  type ProcessGitPack,
  type ReadImport,
  SpecParser
} from "@lectern/formats"
import {
  type AnyFeature,
  CacheSize,
  EventRetention,
  type Fetch,
  Fetcher,
  type InOrder,
  PublicUrl,
  type RecordsAdapter,
  redactSecrets,
  SigningSecret,
  WorkspaceSecrets
} from "@lectern/kernel"
import type { MailToRender, RenderedMail } from "@lectern/model/mail"
import type { OidcProviderSettings } from "@lectern/model/oidc"
import { type Context, Layer, Redacted } from "effect"
import { RevisionRetention } from "../features/content/RevisionRetention.ts"
import { Mailer, type SendMail } from "../features/mail/Mailer.ts"
import { MailTemplates } from "../features/mail/MailTemplates.ts"
import { OidcProviders } from "../features/oidc/OidcProviders.ts"
import { OpenApiPollInterval } from "../features/openapi-specs/SpecProcessing.ts"
import { SessionLifetimes } from "../features/sessions/SessionLifetimes.ts"
import { TokenLifetimes, type TokenLifetimesSettings } from "../features/tokens/TokenLifetimes.ts"
import { UploadLimits, type UploadLimitsSettings } from "../features/uploads/UploadLimits.ts"
import type { HostHooks } from "./hookTypes.ts"
import { type HostAuthenticate, hostHooks, securityLogOf } from "./hostFunctions.ts"
import { hostLogger, type LogEntry } from "./hostLogger.ts"
import { decodeProviders, type SessionDays, sessionLifetimesOf } from "./signInOptions.ts"
import type * as Workspace from "./Workspace.ts"

/** Options of `createWorkspace`. */
export interface WorkspaceOptions<HostFeatures extends ReadonlyArray<AnyFeature> = readonly []> {
  /** The store: `sqlite("docs.db")` of `@lectern/storage-sqlite`, or any other adapter's layer. */
  readonly storage: Layer.Layer<RecordsAdapter, unknown>
  /**
   * Features of the host. Their services are in `workspace.as(user)`, by the names that the features declare. See
   * `Workspace.layerWith` for their tables and errors.
   */
  readonly features?: HostFeatures & InOrder<HostFeatures, Workspace.ProvidedToHosts>
  /** The base of every URL in responses, as in `https://docs.example.com/api`; `http://127.0.0.1:4400` by default. */
  readonly publicUrl?: string
  /**
   * Authenticates HTTP requests by the host's own means: cookies, headers, sessions. It returns the id of a user of the
   * workspace, or undefined; then the API token of the request is checked. It replaces the sign-in of Lectern: its pages and
   * its sessions are off.
   */
  readonly authenticate?: HostAuthenticate
  /**
   * With `authenticate`: the page of the host on which users sign in. Browsers are redirected to it with the parameter `return`,
   * the URL that they requested.
   */
  readonly signInUrl?: string
  /** Turns on e-mail, for sign-in links and invitations: `smtpMailer()` of `@lectern/http/smtp`. */
  readonly mailer?: SendMail
  /** Renders e-mails, instead of Lectern's own wording and design. */
  readonly renderMail?: (mail: MailToRender) => RenderedMail
  /** The providers of OpenID Connect by which people sign in. None by default. */
  readonly oidcProviders?: ReadonlyArray<Plain<OidcProviderSettings>>
  /** How long sessions last, in days: 7 days without a request and at most 30 days by default. */
  readonly sessionDays?: SessionDays
  /** Runs functions of the host before and after commands. */
  readonly hooks?: HostHooks<HostFeatures>
  /** How long events can be replayed, in days; 30 by default. 0 records no events. */
  readonly eventRetentionDays?: number
  /** How long audit records are retained, in days; 365 by default. 0 records nothing. */
  readonly auditRetentionDays?: number
  /** Receives calls that were denied to users who are not members; by default, they are not logged. */
  readonly securityLogger?: (entry: SecurityLogEntry) => void
  /**
   * How long revisions remain, in days. By default all remain. Older ones are removed daily, unless a change request, a
   * comment or another resource refers to them.
   */
  readonly revisionRetentionDays?: number
  /** How often the URLs of OpenAPI specs are polled for changes, in hours; every 6 hours by default. 0 polls none. */
  readonly openApiPollHours?: number
  /** The limits of imports: 10,000 pages and 64 MiB of an archive, and 500 pages of a website by default. */
  readonly importLimits?: ImportLimitsSettings
  /** The limits of uploads to signed URLs: by default 2 GiB of a user in an organization, and 10 GiB of an organization. */
  readonly uploadLimits?: UploadLimitsSettings
  /** How long the API tokens that users create are valid, in days: 90 by default, and without a maximum. */
  readonly tokenLifetimeDays?: { readonly default?: number; readonly maximum?: number }
  /** The sum of the maximum sizes of the caches of content in memory, in MiB; 350 by default. */
  readonly cacheSizeMiB?: number
  /** The maximum numbers of spaces and members of organizations. None by default. */
  readonly quotas?: Quotas
  /** Receives every log entry; by default entries are printed to the console. */
  readonly logger?: (entry: LogEntry) => void
  /**
   * Converts pages that are expensive to parse: `markdownEngine()` of `@lectern/converters`, in worker threads. By default the
   * event loop converts them, for up to a quarter of a second of CPU time, in which other requests wait.
   */
  readonly markdownEngine?: ConvertMarkdown
  /**
   * Turns on imports, and exports of content as archives: `importReader()` of `@lectern/converters`, which parses websites,
   * documents and archives in worker threads. Imports from URLs also require `fetcher`.
   */
  readonly importReader?: ReadImport
  /**
   * Turns on Git synchronization and imports of Git repositories, with `importReader` and `fetcher`: `gitPacks()` of
   * `@lectern/converters`.
   */
  readonly gitPacks?: ProcessGitPack
  /**
   * Turns on requests to other servers: imports from URLs, files by their URLs, Git synchronization, OpenAPI specs by their
   * URLs, and webhooks. `nodeFetcher()` of `@lectern/http` rejects private addresses.
   */
  readonly fetcher?: Fetch
  /**
   * Parses the documents of OpenAPI specs: `specParser()` of `@lectern/converters`. Without it, small documents are
   * parsed on the main thread, and large ones are rejected.
   */
  readonly specParser?: ParseSpec
  /** Turns on exports of PDFs: `pdfRenderer()` of `@lectern/converters`. */
  readonly pdfMaker?: MakePdf
  /** The secret that signs URLs and encrypts stored secrets. By default, the workspace generates and stores one. */
  readonly secret?: string
  /** Secrets to rotate: the first signs and encrypts; the others, and `secret`, verify and decrypt. None by default. */
  readonly secrets?: ReadonlyArray<{ readonly id: string; readonly secret: string }>
}

const provided = <I, S>(tag: Context.Key<I, S>, value: S | undefined): Layer.Layer<never> =>
  value === undefined ? Layer.empty : (Layer.succeed(tag, value) as Layer.Layer<never>)

const hourMs = 60 * 60 * 1_000
const dayMs = 24 * hourMs

const defaultTokenDays = 90

const lifetimesOf = ({
  default: defaultDays = defaultTokenDays,
  maximum
}: NonNullable<WorkspaceOptions["tokenLifetimeDays"]>): TokenLifetimesSettings => ({
  defaultMillis: defaultDays * dayMs,
  maximumMillis: maximum === undefined ? undefined : maximum * dayMs
})

/** Returns the layer of the settings in options. */
export const settingsOf = <HostFeatures extends ReadonlyArray<AnyFeature>>(
  options: WorkspaceOptions<HostFeatures>
) => {
  // Services read these references while they are built, and the HTTP layer reads them per request.
  return Layer.mergeAll(
    provided(PublicUrl, options.publicUrl?.replace(/\/+$/, "")),
    provided(SigningSecret, options.secret === undefined ? undefined : Redacted.make(options.secret)),
    provided(WorkspaceSecrets, redactSecrets(options.secrets)),
    provided(MarkdownEngine, options.markdownEngine),
    provided(ImportReader, options.importReader),
    provided(GitPacks, options.gitPacks),
    provided(SpecParser, options.specParser),
    provided(PdfMaker, options.pdfMaker),
    provided(Fetcher, options.fetcher),
    provided(
      RevisionRetention,
      options.revisionRetentionDays === undefined ? undefined : options.revisionRetentionDays * dayMs
    ),
    provided(
      EventRetention,
      options.eventRetentionDays === undefined ? undefined : options.eventRetentionDays * dayMs
    ),
    provided(Mailer, options.mailer),
    provided(MailTemplates, options.renderMail),
    provided(OidcProviders, decodeProviders(options.oidcProviders)),
    provided(
      SessionLifetimes,
      options.sessionDays === undefined ? undefined : sessionLifetimesOf(options.sessionDays)
    ),
    provided(HostSignIn, options.authenticate === undefined ? undefined : { url: options.signInUrl }),
    provided(OrganizationQuotas, options.quotas),
    provided(ImportLimits, options.importLimits),
    provided(UploadLimits, options.uploadLimits),
    provided(CacheSize, options.cacheSizeMiB === undefined ? undefined : options.cacheSizeMiB * 1024 * 1024),
    provided(
      AuditRetention,
      options.auditRetentionDays === undefined ? undefined : options.auditRetentionDays * dayMs
    ),
    provided(SecurityLog, securityLogOf(options.securityLogger)),
    provided(
      OpenApiPollInterval,
      options.openApiPollHours === undefined ? undefined : options.openApiPollHours * hourMs
    ),
    provided(
      TokenLifetimes,
      options.tokenLifetimeDays === undefined ? undefined : lifetimesOf(options.tokenLifetimeDays)
    ),
    provided(OperationHooks, options.hooks === undefined ? undefined : hostHooks(options.hooks)),
    options.logger === undefined ? Layer.empty : hostLogger(options.logger)
  )
}
