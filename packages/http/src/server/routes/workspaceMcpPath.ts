/** The path of the MCP server of the workspace, below its URL. */
export const workspaceMcpPath = "/v1/mcp"
