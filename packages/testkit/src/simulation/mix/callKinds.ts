/** All kinds of calls of a simulation. */
import type { CallKind } from "./CallKind.ts"
import { contentKinds } from "./contentKinds.ts"
import { outsideKinds, sessionKinds } from "./outsideKinds.ts"
import { commentKinds, integrationKinds, memberKinds } from "./peopleKinds.ts"
import { siteKinds } from "./siteKinds.ts"
import { treeKinds } from "./treeKinds.ts"

/** The kinds of calls that users make. */
export const callKinds: ReadonlyArray<CallKind> = [
  ...treeKinds,
  ...contentKinds,
  ...commentKinds,
  ...memberKinds,
  ...integrationKinds,
  ...siteKinds,
  ...outsideKinds,
  ...sessionKinds
]

/** The kinds of commands. */
export const commandKinds: ReadonlyArray<CallKind> = callKinds.filter(({ isQuery }) => !isQuery)

/** The kinds of queries. */
export const queryKinds: ReadonlyArray<CallKind> = callKinds.filter(({ isQuery }) => isQuery)
