/** The commits of released schemas. */

/**
 * A commit that had each schema, by the number of its last migration. No commit had schema 2 as it is now: migration 2
 * changed before it was released.
 */
export const schemaCommits: Readonly<Record<number, string>> = {
  1: "62e6ba4f",
  3: "6b168ae0",
  4: "765b5434",
  5: "7be8790e",
  6: "06be199e",
  7: "eb226a07",
  8: "df763152",
  9: "706127e9",
  10: "04560186",
  11: "2623393f",
  12: "af3acca7",
  13: "3d6ee8a4",
  14: "19b66f63",
  15: "aed86c9c",
  16: "cc0bc147",
  17: "d3b38412",
  18: "87e8488d",
  19: "208f15d2",
  20: "b4ccc228",
  21: "8ba2c602",
  22: "19ae6fa8",
  23: "6e59f573",
  24: "2741df3b",
  25: "8b6b5209",
  26: "e5d6bd21",
  27: "0020d90b",
  28: "cf95804f",
  29: "59ef4830",
  30: "3220950f",
  31: "bb045001",
  32: "95392590",
  33: "1760a726",
  34: "76302b67",
  35: "fc17f9a0"
}
