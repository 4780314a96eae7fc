/** Operations on the scripts that administrators install on sites, as data. */

import {
  type Access,
  type AccessError,
  type Authorization,
  type Caller,
  type Command,
  Locks,
  type Operation,
  Operations,
  type Query,
  SystemGrant
} from "@lectern/access"
import { Ids, makeLinkBase, type Records, readPage, type StorageUnavailable, Where } from "@lectern/kernel"
import {
  isInUse,
  organizations,
  type SiteRow,
  type SiteScriptRow,
  scriptFileOf,
  siteScripts
} from "@lectern/kernel/tables"
import { Conflict, InvalidInput, NotFound } from "@lectern/model/errors"
import { OrganizationId } from "@lectern/model/organizations"
import { type Page, PageQuery } from "@lectern/model/schema"
import {
  CreateSiteScript,
  type ScriptSource,
  type ScriptTemplate,
  SiteId,
  type SiteIntegrationScript,
  type SiteScript,
  SiteScriptId,
  scriptContent,
  scriptProblem,
  scriptTemplateIds,
  scriptTemplates,
  UpdateSiteScript
} from "@lectern/model/sites"
import { Context, Effect, Layer, Schema } from "effect"
import { makeActiveScripts } from "./activeScripts.ts"
import type { SiteTarget } from "./SiteEditing.ts"
import { makeSharedHosts } from "./siteAddresses.ts"

/** The maximum number of scripts of a site. */
const maximumScripts = 20

interface OneScript extends SiteTarget {
  readonly siteScript: SiteScriptId
}

/**
 * Operations on the scripts of a site, on behalf of the `CurrentUser`. Scripts run in the browsers of visitors, so that they require the
 * role `admin`. To create or change an enabled script of a site whose host other sites have requires it on each of them, because all have
 * the same origin. They fail with `NotFound` for a site that the caller cannot see and for a script that it does not have.
 */
export interface SiteScriptsOperations {
  /** Lists the scripts, newest first, with the reasons why pages do not load them. */
  readonly list: Query<SiteTarget & { input?: PageQuery }, Page<SiteScript>, AccessError>
  /** Installs a script. Fails with `InvalidInput` for a missing or invalid value, and with `Conflict` beyond 20 scripts. */
  readonly create: Command<SiteTarget & { input: CreateSiteScript }, SiteScript, AccessError | Conflict>
  /** Returns a script. */
  readonly get: Query<OneScript, SiteScript, AccessError>
  /** Updates the given fields. */
  readonly update: Command<OneScript & { input?: UpdateSiteScript }, SiteScript, AccessError>
  /** Removes a script. */
  readonly remove: Command<OneScript, void, AccessError>
  /** Lists the known services whose scripts can be installed. Requires the role `read`. */
  readonly listTemplates: Query<SiteTarget, { readonly items: ReadonlyArray<ScriptTemplate> }, AccessError>
  /** Lists what pages of the site load. Requires the role `read`. */
  readonly listActive: Query<SiteTarget, ReadonlyArray<SiteIntegrationScript>, AccessError>
  /** Returns the text of a script that pages of a site load as a file, by its name; undefined if it does not exist. */
  readonly getText: Operation<
    SiteTarget & { file: string },
    string | undefined,
    InvalidInput | StorageUnavailable,
    never
  >
  /** Whether a site at a host loads scripts. Such a host serves only pages of sites. */
  readonly servesScripts: Operation<{ host: string }, boolean, InvalidInput | StorageUnavailable, never>
}

const onSite = { organization: OrganizationId, site: SiteId }
const isScriptId = Schema.is(SiteScriptId)

const one = { ...onSite, siteScript: SiteScriptId }

const isScript = ({ organization, id }: SiteScriptRow): Where.Where<SiteScriptRow> =>
  Where.and<SiteScriptRow>(Where.eq("organization", organization), Where.eq("id", id))

const requireValid = (source: ScriptSource): Effect.Effect<void, InvalidInput> => {
  const problem = scriptProblem(source)
  return problem === undefined ? Effect.void : Effect.fail(InvalidInput.at(problem.path, problem.message))
}

const templates: ReadonlyArray<ScriptTemplate> = scriptTemplateIds.map((id) => {
  const { name, categories, fields } = scriptTemplates[id]
  return { id, name, categories, fields }
})

const makeAccess = Effect.gen(function* () {
  const { allow } = yield* Operations
  const linkBase = yield* makeLinkBase
  const { inactiveReason } = yield* makeActiveScripts
  const allowSite = allow.site("configure")

  const load = allow.loading(allowSite, (records, { organization, siteScript: id }: OneScript) =>
    records.get(siteScripts, { organization, id })
  )

  /** Authorizes `site.configure` on a script of the site. */
  const allowScript: Authorization<
    OneScript,
    { readonly caller: Caller; readonly site: SiteRow; readonly script: SiteScriptRow },
    AccessError
  > = {
    rule: allowSite.rule,
    check: Effect.fnUntraced(function* (target) {
      const [{ grant, caller, site }, script] = yield* load(target)
      return script?.site === target.site ? { grant, caller, site, script } : yield* NotFound.of("script")
    })
  }

  const present = Effect.fnUntraced(function* (
    site: Parameters<typeof inactiveReason>[0],
    rows: ReadonlyArray<SiteScriptRow>
  ) {
    const base = yield* linkBase
    const reason = yield* inactiveReason(site)
    return rows.map(({ organization, site: on, ...row }): SiteScript => {
      const inactive = row.enabled ? reason : "The script is disabled."
      return {
        object: "site-script",
        ...row,
        active: inactive === undefined,
        ...(inactive === undefined ? {} : { inactiveReason: inactive }),
        urls: { location: `${base}/v1/orgs/${organization}/sites/${on}/scripts/${row.id}` }
      }
    })
  })

  return { allowSite, allowScript, present }
})

const makeScripts = Effect.gen(function* () {
  const { query, command } = yield* Operations
  const ids = yield* Ids
  const { allowSite, allowScript, present } = yield* makeAccess
  const { requireScripts } = yield* makeSharedHosts

  return {
    list: query(
      "SiteScripts.list",
      { parameters: { ...onSite, input: PageQuery }, authorize: allowSite },
      function* ({ site, input }, { site: row, records }) {
        return yield* readPage(records, input, {
          table: siteScripts,
          list: ["scripts of site", site],
          where: Where.eq<SiteScriptRow, "site">("site", site),
          orderBy: ["id"],
          direction: "desc",
          present: (rows) => present(row, rows)
        })
      }
    ),

    create: command(
      "SiteScripts.create",
      { parameters: { ...onSite, input: CreateSiteScript }, authorize: allowSite, locks: Locks.organization },
      function* ({ organization, site, input }, { caller, site: siteRow, records }) {
        const { name, source, origins = {}, enabled = true } = input
        yield* requireValid(source)
        if (enabled) yield* requireScripts(records, caller, siteRow)
        const count = yield* records.count(siteScripts, Where.eq<SiteScriptRow, "site">("site", site))
        if (count >= maximumScripts) {
          return yield* new Conflict({
            reason: "LimitReached",
            message: `The site has ${maximumScripts} scripts, the maximum. Remove a script first.`
          })
        }
        const {
          categories = source.type === "template"
            ? scriptTemplates[source.template].categories
            : ["analytics"]
        } = input
        const id = SiteScriptId.make(yield* ids.next)
        const row: SiteScriptRow = { organization, id, site, name, source, categories, origins, enabled }
        yield* records.insert(siteScripts, row)
        return (yield* present(siteRow, [row]))[0]!
      }
    ),

    get: query(
      "SiteScripts.get",
      { parameters: one, authorize: allowScript },
      function* (_, { script, site }) {
        return (yield* present(site, [script]))[0]!
      }
    ),

    update: command(
      "SiteScripts.update",
      { parameters: { ...one, input: UpdateSiteScript }, authorize: allowScript, locks: Locks.organization },
      function* ({ input }, { caller, script, site, records }) {
        const after = { ...script, ...input }
        yield* requireValid(after.source)
        if (after.enabled) yield* requireScripts(records, caller, site)
        if (Object.keys(input).length > 0) yield* records.update(siteScripts, isScript(script), input)
        return (yield* present(site, [after]))[0]!
      }
    ),

    remove: command(
      "SiteScripts.remove",
      { parameters: one, authorize: allowScript, locks: Locks.organization },
      function* (_, { script, records }) {
        yield* records.remove(siteScripts, isScript(script))
      }
    )
  }
})

const makeReading = Effect.gen(function* () {
  const { query, allow } = yield* Operations
  const { activeScripts, servesScripts } = yield* makeActiveScripts
  const { grant } = yield* SystemGrant.make("Returns the scripts that pages of published sites load.")
  const anybody = (why: string) => ({
    rule: { kind: "visitor" as const, why },
    check: () => Effect.succeed({ grant })
  })

  return {
    listTemplates: query(
      "SiteScripts.listTemplates",
      { parameters: onSite, authorize: allow.site("view") },
      function* () {
        return yield* Effect.succeed({ items: templates })
      }
    ),

    listActive: query(
      "SiteScripts.listActive",
      { parameters: onSite, authorize: allow.site("view") },
      function* (_, { site, records }) {
        return yield* activeScripts(records, site)
      }
    ),

    getText: query(
      "SiteScripts.getText",
      {
        parameters: { ...onSite, file: Schema.String },
        authorize: anybody("The name of the file contains the digest of the text.")
      },
      function* ({ organization, site, file }, { records }) {
        const id = file.split(".")[1]
        if (!isScriptId(id)) return undefined
        const [owner, row] = yield* records.zipConcurrent(
          records.get(organizations, { id: organization }, ["deletedAt"]),
          records.get(siteScripts, { organization, id })
        )
        if (!isInUse(owner) || row?.site !== site || !row.enabled) return undefined
        const { text } = scriptContent(row.source, row.origins)
        return text !== undefined && scriptFileOf(row, text) === file ? text : undefined
      }
    ),

    servesScripts: query(
      "SiteScripts.servesScripts",
      {
        parameters: { host: Schema.String },
        authorize: anybody("It reveals only whether pages of the host load scripts.")
      },
      function* ({ host }) {
        return yield* servesScripts(host)
      }
    )
  }
})

const makeSiteScripts = Effect.gen(function* () {
  return { ...(yield* makeScripts), ...(yield* makeReading) } satisfies SiteScriptsOperations
})

/** Operations on the scripts of a site: see {@link SiteScriptsOperations}. */
export class SiteScripts extends Context.Service<SiteScripts, SiteScriptsOperations>()(
  "@lectern/core/SiteScripts"
) {
  static readonly layer: Layer.Layer<SiteScripts, never, Access | Operations | Ids | Records> = Layer.effect(
    SiteScripts,
    makeSiteScripts
  )
}
