/** The operations on the MCP servers of sites. */
import type { SiteMcpServersApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"
import { mcpServer } from "./sceneInputs.ts"

export const siteMcpServers = {
  listSiteMcpServers: { serves: "SiteMcpServers.list", rule: "site.configure" },
  createSiteMcpServer: {
    serves: "SiteMcpServers.create",
    rule: "site.configure",
    repeated: "another",
    body: () => mcpServer
  },
  getSiteMcpServerById: { serves: "SiteMcpServers.get", rule: "site.configure" },
  updateSiteMcpServerById: {
    serves: "SiteMcpServers.update",
    rule: "site.configure",
    // The headers are encrypted with another nonce.
    repeated: "another",
    body: () => ({ headers: { authorization: "Bearer other" } })
  },
  deleteSiteMcpServerById: {
    serves: "SiteMcpServers.remove",
    rule: "site.configure",
    repeated: "404"
  }
} satisfies RowsOf<typeof SiteMcpServersApi>
