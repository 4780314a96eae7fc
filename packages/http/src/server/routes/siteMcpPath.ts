/** The end of the path of the MCP server of a site, as the public contract has it. */
export const mcpSuffix = "/~gitbook/mcp"
