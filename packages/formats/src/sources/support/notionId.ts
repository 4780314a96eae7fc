/** Matches the id of 32 hexadecimal digits at the end of the names that Notion exports. */
export const notionId = / ([0-9a-f]{32})(?=(?:_all)?\.(?:md|html|csv)$|$)/i
