/** Examples of the output of commands with `--json`, for the reference of the command. Tests compare their properties. */

const id = "01m83ghra0000gpwgfbdt8nr3djq6g"
const written = { id: "2026-11-23T06-13-05-656Z", folder: "backups", rows: 495, blobs: 21, newBlobs: 21 }
const loaded = { isDryRun: false, rows: 495, blobs: 21, newBlobs: 21, omitted: [] }
const schema = { version: 26, supported: 26, pending: [], rebuilding: [] }
const secretCounts = { table: "webhooks", current: 2, former: 0, unreadable: 0 }

/** A result, by the command without the name of the program. `undefined` properties are absent in some cases. */
export const jsonResults: Readonly<Record<string, object>> = {
  init: {
    isCreated: true,
    organization: id,
    title: "My organization",
    email: "admin@lectern.local",
    token: "lectern_…"
  },
  migrate: schema,
  "migrate status": schema,
  "migrate up": schema,
  "migrate gitbook": {
    folder: "lectern-migration",
    organization: id,
    copied: { collection: 2, space: 4, page: 56, file: 3, site: 2 },
    findings: [
      {
        kind: "missing",
        resource: "space Handbook",
        message: "The token has no permission: the space is private."
      }
    ],
    ids: { space: { AbCdEf: id } }
  },
  "org create": { id },
  "org delete": {
    id,
    deletedAt: "2026-11-23T06:12:40.273Z",
    restorableUntil: "2026-12-23T06:12:40.273Z"
  },
  "org restore": { id },
  "org usage": [{ resource: "spaces", count: 3, maximum: 100 }],
  "org visitor-key": { key: "2TISi2aWNiIqqIpg…" },
  "org list": [{ id, title: "My organization", createdAt: "2026-11-23T06:12:40.273Z" }],
  "user create": { id },
  "user list": [
    {
      id,
      email: "ada@example.com",
      displayName: "Ada Lovelace",
      photoURL: null,
      createdAt: "2026-11-23T06:12:40.273Z"
    }
  ],
  "token create": { id, secret: "lectern_…" },
  "token list": [
    {
      object: "api-token",
      id,
      user: id,
      label: "Command line",
      readOnly: false,
      renewable: false,
      createdAt: "2026-11-23T06:12:40.273Z",
      urls: { location: `http://127.0.0.1:4400/v1/user/tokens/${id}` }
    }
  ],
  "token rotate": { id, secret: "lectern_…" },
  "token revoke": { id },
  "jobs list": [
    { id, kind: "webhook", state: "dead", runAt: "2026-11-23T06:12:40.273Z", attempts: 8, error: "…" }
  ],
  "jobs retry": { id },
  reindex: { pages: 11, spaces: 3 },
  doctor: {
    type: "summary",
    rows: 535,
    damage: 0,
    repaired: 0,
    repairable: 0,
    notices: 0,
    blobs: 21,
    unreached: 0,
    exitCode: 0
  },
  compact: { removedRevisions: 0, deletedBlobs: 2, reencodedBlobs: 0, savedBytes: 0 },
  salvage: {
    tables: [{ table: "users", copied: 5, rejected: 0, isComplete: true, missing: 0 }],
    isHistoryRestored: false
  },
  info: {
    version: "0.1.0",
    node: "24.21.0",
    platform: "linux x64",
    database: "sqlite:./data/lectern.db",
    schema: { version: 26, supported: 26 },
    packages: { "@lectern/converters": true, "@lectern/reader": true },
    settings: { LECTERN_DATABASE_URL: "(secret)" },
    counts: { organizations: 1, users: 4, spaces: 3, changeRequests: 1, sites: 1 },
    backlog: {
      waitingJobs: {},
      deadJobs: {},
      jobAgeMs: 0,
      outboxEvents: 0,
      outboxAgeMs: 0,
      pendingDeliveries: 0,
      deliveryAgeMs: 0
    },
    files: { databaseBytes: 991232, walBytes: 0 }
  },
  audit: {
    object: "audit-record",
    id,
    createdAt: "2026-11-23T06:12:40.273Z",
    operation: "ApiTokens.create",
    outcome: "success",
    actorType: "operator",
    resources: [{ type: "apiToken", id }]
  },
  "secrets status": { isGenerated: false, tables: [secretCounts] },
  "secrets rotate": { tables: [secretCounts] },
  backup: { ...written, deleted: [] },
  "backup list": [{ id: written.id, organization: null, schema: 26, rows: 495, blobs: 21 }],
  restore: loaded,
  copy: loaded,
  export: written,
  import: loaded,
  seed: {
    organization: id,
    siteUrl: `http://127.0.0.1:4400/sites/${id}/docs/`,
    token: "lectern_…"
  }
}
