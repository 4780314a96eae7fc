import { SiteMcpServersApi } from "@lectern/client"
import { SiteMcpServers } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

export const siteMcpServers = Effect.map(SiteMcpServers, (servers) =>
  implement(SiteMcpServersApi, {
    listSiteMcpServers: servers.list,
    createSiteMcpServer: servers.create,
    getSiteMcpServerById: servers.get,
    updateSiteMcpServerById: servers.update,
    deleteSiteMcpServerById: servers.remove
  })
)
