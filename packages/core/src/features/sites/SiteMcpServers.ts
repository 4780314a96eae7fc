/** Operations on the MCP servers that an assistant of a site can use. */

import {
  type AccessError,
  type Authorization,
  type Command,
  Locks,
  Operations,
  type Query,
  withRecentSignIn
} from "@lectern/access"
import { Encryption, Ids, makeLinkBase, readPage, type StorageUnavailable, Where } from "@lectern/kernel"
import { mcpHeaderPlace, type SiteMcpServerRow, siteMcpServers } from "@lectern/kernel/tables"
import { Conflict, NotFound } from "@lectern/model/errors"
import { OrganizationId } from "@lectern/model/organizations"
import { type Page, PageQuery } from "@lectern/model/schema"
import {
  CreateSiteMcpServer,
  SiteId,
  type SiteMcpServer,
  SiteMcpServerId,
  UpdateSiteMcpServer
} from "@lectern/model/sites"
import { Context, Effect, Layer } from "effect"
import type { SiteTarget } from "./SiteEditing.ts"

/** The maximum number of MCP servers of a site. */
const maximumServers = 20

interface OneServer extends SiteTarget {
  readonly siteMcpServer: SiteMcpServerId
}

/**
 * Operations on the MCP servers that an assistant of a site can use, on behalf of the `CurrentUser`. Lectern stores them, and sends no
 * requests to them. All require the role `admin`, because headers can contain credentials, and fail with `NotFound` for a
 * site that the caller cannot see and for a server that it does not have.
 */
export interface SiteMcpServersOperations {
  /** Lists the servers, newest first. */
  readonly list: Query<SiteTarget & { input?: PageQuery }, Page<SiteMcpServer>, AccessError>
  /** Creates a server. Fails with `Conflict` beyond 20 servers. */
  readonly create: Command<SiteTarget & { input: CreateSiteMcpServer }, SiteMcpServer, AccessError | Conflict>
  /** Returns a server with its headers. */
  readonly get: Query<OneServer, SiteMcpServer, AccessError>
  /** Updates the given fields. Headers replace the stored ones as a whole. */
  readonly update: Command<OneServer & { input?: UpdateSiteMcpServer }, SiteMcpServer, AccessError>
  /** Removes a server. */
  readonly remove: Command<OneServer, void, AccessError>
}

const onSite = { organization: OrganizationId, site: SiteId }
const one = { ...onSite, siteMcpServer: SiteMcpServerId }

const isServer = ({ organization, id }: SiteMcpServerRow): Where.Where<SiteMcpServerRow> =>
  Where.and<SiteMcpServerRow>(Where.eq("organization", organization), Where.eq("id", id))

const makeServerAccess = Effect.gen(function* () {
  const { allow } = yield* Operations
  const encryption = yield* Encryption
  const linkBase = yield* makeLinkBase

  const encryptHeaders = Effect.fnUntraced(function* (id: string, headers: Readonly<Record<string, string>>) {
    const encrypted: Array<readonly [string, string]> = []
    for (const [name, value] of Object.entries(headers)) {
      encrypted.push([name, yield* encryption.encrypt(value, mcpHeaderPlace(id, name))])
    }
    return Object.fromEntries(encrypted)
  })

  const present = Effect.fnUntraced(function* (
    row: SiteMcpServerRow
  ): Effect.fn.Return<SiteMcpServer, StorageUnavailable> {
    const headers: Array<readonly [string, string]> = []
    for (const [name, value] of Object.entries(row.headers)) {
      const plain = yield* encryption.decryptOrPlain(value, mcpHeaderPlace(row.id, name))
      if (plain === undefined) {
        return yield* Effect.die(new Error(`No secret decrypts the headers of the MCP server ${row.id}.`))
      }
      headers.push([name, plain])
    }
    return {
      object: "site-mcp-server",
      id: row.id,
      name: row.name,
      url: row.url,
      transport: row.transport,
      headers: Object.fromEntries(headers),
      urls: {
        location: `${yield* linkBase}/v1/orgs/${row.organization}/sites/${row.site}/mcp-servers/${row.id}`
      }
    }
  })

  const allowSite = allow.site("configure")

  const load = allow.loading(allowSite, (records, { organization, siteMcpServer: id }: OneServer) =>
    records.get(siteMcpServers, { organization, id })
  )

  /** Authorizes `site.configure` on an MCP server of the site. */
  const allowServer: Authorization<OneServer, { readonly server: SiteMcpServerRow }, AccessError> = {
    rule: allowSite.rule,
    check: Effect.fnUntraced(function* (target) {
      const [{ grant }, server] = yield* load(target)
      return server?.site === target.site ? { grant, server } : yield* NotFound.of("MCP server")
    })
  }

  return { allowSite, allowServer, encryptHeaders, present }
})

const makeSiteMcpServers = Effect.gen(function* () {
  const { query, command } = yield* Operations
  const ids = yield* Ids
  const { allowSite, present, encryptHeaders, allowServer } = yield* makeServerAccess

  return {
    list: query(
      "SiteMcpServers.list",
      { parameters: { ...onSite, input: PageQuery }, authorize: withRecentSignIn(allowSite) },
      function* ({ site, input }, { records }) {
        return yield* readPage(records, input, {
          table: siteMcpServers,
          list: ["MCP servers of site", site],
          where: Where.eq<SiteMcpServerRow, "site">("site", site),
          orderBy: ["id"],
          direction: "desc",
          present: (rows) => Effect.forEach(rows, present)
        })
      }
    ),

    create: command(
      "SiteMcpServers.create",
      {
        parameters: { ...onSite, input: CreateSiteMcpServer },
        authorize: withRecentSignIn(allowSite),
        locks: Locks.organization
      },
      function* ({ organization, site, input: { name, url, transport = "sse", headers } }, { records }) {
        const count = yield* records.count(siteMcpServers, Where.eq<SiteMcpServerRow, "site">("site", site))
        if (count >= maximumServers) {
          return yield* new Conflict({
            reason: "LimitReached",
            message: `The site has ${maximumServers} MCP servers, the maximum. Remove a server first.`
          })
        }
        const id = SiteMcpServerId.make(yield* ids.next)
        const row = {
          ...{ organization, id, site, name, url, transport },
          headers: yield* encryptHeaders(id, headers)
        }
        yield* records.insert(siteMcpServers, row)
        return yield* present(row)
      }
    ),

    get: query(
      "SiteMcpServers.get",
      { parameters: one, authorize: withRecentSignIn(allowServer) },
      function* (_, { server }) {
        return yield* present(server)
      }
    ),

    update: command(
      "SiteMcpServers.update",
      {
        parameters: { ...one, input: UpdateSiteMcpServer },
        authorize: withRecentSignIn(allowServer),
        locks: Locks.organization
      },
      function* ({ input: { headers, ...given } }, { server, records }) {
        const changes = {
          ...given,
          ...(headers === undefined ? {} : { headers: yield* encryptHeaders(server.id, headers) })
        }
        if (Object.keys(changes).length > 0) yield* records.update(siteMcpServers, isServer(server), changes)
        return yield* present({ ...server, ...changes })
      }
    ),

    remove: command(
      "SiteMcpServers.remove",
      { parameters: one, authorize: allowServer, locks: Locks.organization },
      function* (_, { server, records }) {
        yield* records.remove(siteMcpServers, isServer(server))
      }
    )
  }
})

/** Operations on the MCP servers of a site: see {@link SiteMcpServersOperations}. */
export class SiteMcpServers extends Context.Service<SiteMcpServers, SiteMcpServersOperations>()(
  "@lectern/core/SiteMcpServers"
) {
  static readonly layer: Layer.Layer<SiteMcpServers, never, Operations | Encryption | Ids> = Layer.effect(
    SiteMcpServers,
    makeSiteMcpServers
  )
}
