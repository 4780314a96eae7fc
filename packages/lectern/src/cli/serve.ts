/** `lectern serve`: runs the server. In an empty database, it creates the first organization. */
import {
  AuditRetention,
  BackgroundWork,
  BlobCompression,
  CacheSize,
  EventRetention,
  JobConcurrency,
  OrganizationQuotas,
  RevisionRetention,
  SecurityLog,
  type SecurityLogEntry,
  SlowOperationThreshold,
  TokenLifetimes
} from "@lectern/core"
import { serve as listen, nodeFetcher } from "@lectern/http"
import { programAuthorization, reservePort, serveMetrics } from "@lectern/http/server"
import { Console, Effect, Layer, type Option } from "effect"
import { Command } from "effect/cli"
import { displayDatabase } from "../settings/DatabaseUrl.ts"
import { cacheSize, uploadLimit } from "../settings/LimitSettings.ts"
import * as RetentionSettings from "../settings/RetentionSettings.ts"
import {
  ConfigurationError,
  environmentVariable,
  readRequiredSetting,
  readSetting,
  settingFlag
} from "../settings/Setting.ts"
import * as Settings from "../settings/Settings.ts"
import { blobCompression, organizationQuotas } from "../settings/StorageSettings.ts"
import { reportMissingConverters } from "./converters.ts"
import { edgeFlags, purgeWhileServing, readEdge } from "./edge.ts"
import { bootstrapFlags, createFirst, formatFirst } from "./firstOrganization.ts"
import { limitFlags, readLimits } from "./limits.ts"
import { localUrl, readPublicUrl } from "./publicUrl.ts"
import { loadReader, reportMissingReader } from "./reader.ts"
import { releaseStartupMemory } from "./releaseStartupMemory.ts"
import { requireBackupPossible, takeScheduledBackups } from "./scheduledBackups.ts"
import { warnOfGeneratedSecret } from "./secrets.ts"
import { serverLogLayer } from "./serverLog.ts"
import { postgresFlags, readEnvironment, workspaceFlags } from "./settings.ts"
import { createSignInLink } from "./signInLink.ts"
import { readSignInSettings, signInFlags } from "./signInSettings.ts"
import { readSources, sourceFlags } from "./sources.ts"
import { loadStudio } from "./studio.ts"
import { collectRepeatedly, readTelemetry } from "./telemetry.ts"

const dayMs = 24 * 60 * 60 * 1_000

/** Reads the lifetimes of tokens. A default above the maximum is the maximum. */
const readTokenLifetimes = Effect.fnUntraced(function* (flags: {
  readonly tokenLifetimeDays: Option.Option<string>
  readonly maxTokenLifetimeDays: Option.Option<string>
}) {
  const defaultDays = yield* readRequiredSetting(RetentionSettings.tokenLifetimeDays, flags.tokenLifetimeDays)
  const maximumDays = yield* readSetting(RetentionSettings.maxTokenLifetimeDays, flags.maxTokenLifetimeDays)
  return {
    defaultMillis: defaultDays * dayMs,
    maximumMillis: maximumDays === undefined ? undefined : maximumDays * dayMs
  }
})

/** Logs a call that was denied to a caller who is not a member of the organization. */
const writeSecurityLog = (entry: SecurityLogEntry): Effect.Effect<void> =>
  Effect.annotateLogs(Effect.logWarning("denied call"), { ...entry })

export const serve = Command.make(
  "serve",
  {
    ...workspaceFlags,
    ...postgresFlags,
    jobConcurrency: settingFlag(Settings.jobConcurrency),
    cacheSize: settingFlag(cacheSize),
    blobCompression: settingFlag(blobCompression),
    organizationQuotas: settingFlag(organizationQuotas),
    eventRetentionDays: settingFlag(RetentionSettings.eventRetentionDays),
    auditRetentionDays: settingFlag(RetentionSettings.auditRetentionDays),
    revisionRetentionDays: settingFlag(RetentionSettings.revisionRetentionDays),
    ...sourceFlags,
    ...edgeFlags,
    tokenLifetimeDays: settingFlag(RetentionSettings.tokenLifetimeDays),
    maxTokenLifetimeDays: settingFlag(RetentionSettings.maxTokenLifetimeDays),
    host: settingFlag(Settings.host),
    port: settingFlag(Settings.port),
    publicUrl: settingFlag(Settings.publicUrl),
    corsOrigins: settingFlag(Settings.corsOrigins),
    trustedProxies: settingFlag(Settings.trustedProxies),
    publicHosts: settingFlag(Settings.publicHosts),
    uploadLimit: settingFlag(uploadLimit),
    secret: settingFlag(Settings.secret),
    secrets: settingFlag(Settings.secrets),
    fetchAllow: settingFlag(Settings.fetchAllow),
    metricsToken: settingFlag(Settings.metricsToken),
    metricsPort: settingFlag(Settings.metricsPort),
    metricsHost: settingFlag(Settings.metricsHost),
    slowOperationMs: settingFlag(Settings.slowOperationMs),
    backupTo: settingFlag(Settings.backupTo),
    backupIntervalHours: settingFlag(Settings.backupIntervalHours),
    backupKeep: settingFlag(Settings.backupKeep),
    ...signInFlags,
    ...limitFlags,
    ...bootstrapFlags
  },
  Effect.fnUntraced(function* (flags) {
    const host = yield* readRequiredSetting(Settings.host, flags.host)
    const port = yield* readRequiredSetting(Settings.port, flags.port)
    const secrets = {
      secret: yield* readSetting(Settings.secret, flags.secret),
      secrets: yield* readSetting(Settings.secrets, flags.secrets)
    }
    const allow = Settings.parseList(yield* readRequiredSetting(Settings.fetchAllow, flags.fetchAllow))
    const cors = Settings.parseList(yield* readRequiredSetting(Settings.corsOrigins, flags.corsOrigins))
    const jobConcurrency = yield* readRequiredSetting(Settings.jobConcurrency, flags.jobConcurrency)
    const compression = yield* readRequiredSetting(blobCompression, flags.blobCompression)
    const quotas = yield* readRequiredSetting(organizationQuotas, flags.organizationQuotas)
    const cacheMiB = yield* readRequiredSetting(cacheSize, flags.cacheSize)
    const retentionDays = yield* readRequiredSetting(
      RetentionSettings.eventRetentionDays,
      flags.eventRetentionDays
    )
    const auditDays = yield* readRequiredSetting(
      RetentionSettings.auditRetentionDays,
      flags.auditRetentionDays
    )
    const revisionDays = yield* readSetting(
      RetentionSettings.revisionRetentionDays,
      flags.revisionRetentionDays
    )
    const sources = yield* readSources(flags)
    const edge = yield* readEdge(flags)
    const tokenLifetimes = yield* readTokenLifetimes(flags)
    const trustedProxies = yield* readRequiredSetting(Settings.trustedProxies, flags.trustedProxies)
    const publicHosts = Settings.parseList(
      yield* readRequiredSetting(Settings.publicHosts, flags.publicHosts)
    )
    if (publicHosts.length > 0 && typeof trustedProxies === "object" && trustedProxies.length === 0) {
      return yield* new ConfigurationError({
        message: `${environmentVariable(Settings.publicHosts)} requires ${environmentVariable(Settings.trustedProxies)}: any client could choose the host of links otherwise.`
      })
    }
    const metricsToken = yield* readSetting(Settings.metricsToken, flags.metricsToken)
    const metricsPort = yield* readSetting(Settings.metricsPort, flags.metricsPort)
    const metricsHost = yield* readRequiredSetting(Settings.metricsHost, flags.metricsHost)
    const slowOperationMs = yield* readRequiredSetting(Settings.slowOperationMs, flags.slowOperationMs)
    const uploadMegabytes = yield* readRequiredSetting(uploadLimit, flags.uploadLimit)
    // Links in responses and in mails contain the port, also one that the system chooses.
    const reserved = port === 0 ? yield* reservePort(host) : undefined
    const publicUrl = yield* readPublicUrl(flags, reserved?.port)
    const { database, workspace, logging, logFormat } = yield* readEnvironment(flags, {
      publicUrl,
      secrets,
      fetcher: nodeFetcher({ allow }),
      logOutput: "stdout"
    })
    const { drainDelayMs, ...limits } = yield* readLimits(flags, database._tag === "Postgres")
    const backupFolder = yield* readSetting(Settings.backupTo, flags.backupTo)
    const intervalHours = yield* readRequiredSetting(Settings.backupIntervalHours, flags.backupIntervalHours)
    const keep = yield* readRequiredSetting(Settings.backupKeep, flags.backupKeep)
    if (backupFolder !== undefined) yield* requireBackupPossible(database)

    const signInSettings = yield* readSignInSettings(flags, publicUrl)

    const telemetry = yield* readTelemetry
    const options = Layer.mergeAll(
      Layer.succeed(BlobCompression, compression === "on"),
      Layer.succeed(OrganizationQuotas, quotas),
      Layer.succeed(EventRetention, retentionDays * dayMs),
      Layer.succeed(AuditRetention, auditDays * dayMs),
      Layer.succeed(SecurityLog, writeSecurityLog),
      Layer.succeed(RevisionRetention, revisionDays === undefined ? undefined : revisionDays * dayMs),
      sources,
      signInSettings,
      Layer.succeed(TokenLifetimes, tokenLifetimes),
      Layer.succeed(SlowOperationThreshold, slowOperationMs === 0 ? undefined : slowOperationMs)
    )

    yield* Effect.scoped(
      Effect.gen(function* () {
        yield* warnOfGeneratedSecret
        if (telemetry.exportsMetrics) yield* Effect.forkScoped(collectRepeatedly)
        const created = yield* createFirst(flags)
        if (created !== undefined) yield* Console.log(formatFirst(created, publicUrl))
        if (backupFolder !== undefined) {
          const current = secrets.secrets?.[0]?.secret ?? secrets.secret
          const schedule = { folder: backupFolder, intervalHours, keep }
          yield* Effect.forkScoped(
            takeScheduledBackups(database, current === undefined ? [] : [current], schedule)
          )
        }
        yield* Effect.flatMap(BackgroundWork, ({ run }) => run).pipe(
          Effect.provideService(JobConcurrency, jobConcurrency),
          Effect.forkScoped
        )
        const reader = yield* loadReader
        const studio = yield* loadStudio
        const address = yield* listen({
          host,
          port,
          ...(reserved === undefined ? {} : { reserved }),
          cors,
          trustedProxies,
          publicHosts,
          uploadLimit: Math.floor(uploadMegabytes * 1024 * 1024),
          limits,
          drainDelayMs,
          programs: programAuthorization,
          ...(reader === undefined ? {} : { reader }),
          ...(studio === undefined ? {} : { studio }),
          ...(edge.caching === undefined ? {} : { edge: edge.caching }),
          ...(metricsToken === undefined ? {} : { metrics: { token: metricsToken } }),
          logRequests: true
        })
        if (metricsPort !== undefined) {
          yield* serveMetrics({ host: metricsHost, port: metricsPort, token: metricsToken })
        }
        yield* purgeWhileServing(edge)
        const url = port === 0 ? localUrl(host, address.port) : publicUrl
        yield* Console.log(
          `Lectern serves ${displayDatabase(database)} at ${url} (API reference: ${url}/docs). Press Ctrl+C to stop.`
        )
        if (created !== undefined) {
          const link = yield* createSignInLink(created.email, url)
          yield* Console.log(
            `Sign in as ${created.email} in a browser, once and within 15 minutes:\n\n  ${link.url}\n`
          )
        }
        yield* reportMissingConverters
        yield* reportMissingReader
        yield* releaseStartupMemory
        return yield* Effect.never
      })
    ).pipe(
      Effect.provide(workspace.pipe(Layer.provide(options))),
      // The pages for signing in read them too.
      Effect.provide(signInSettings),
      // The reader reads it too.
      Effect.provideService(CacheSize, cacheMiB * 1024 * 1024),
      Effect.provide(telemetry.layer),
      Effect.provide(logging),
      Effect.provide(serverLogLayer(logFormat, telemetry.exportsLogs))
    )
  }, Effect.scoped)
).pipe(
  Command.withShortDescription("Run the server."),
  Command.withDescription(
    "Run the server. In an empty database, it first creates an organization and an administrator with an API token."
  ),
  Command.withExamples([
    { command: "lectern serve", description: "Serve ./data/lectern.db at http://127.0.0.1:4400" },
    {
      command: "lectern serve --database-url postgres://user:password@localhost/lectern --port 8080",
      description: "Serve a PostgreSQL database"
    },
    {
      command: "lectern serve --database-url sqlite:app.db --database-prefix lectern_",
      description: "Store the workspace in a SQLite file that has other tables too"
    }
  ])
)
