/** Calls that reach other systems in the background, and sign-ins: imports, Git synchronization, uploads and sessions. */
import { Redacted } from "effect"
import { type CallKind, command, query } from "./CallKind.ts"
import { makeTitle } from "./contentKinds.ts"
import { type Choice, pickRecent } from "./KnownResources.ts"

/** The host of websites and repositories. It responds with 404 to every request. */
export const emptyHost = "nothing.example"

/** Imports and uploads depend on the background work before them, which the serial execution does not run. */
const notCompared = { isCompared: false }

const chooseRun = ({ random, known: { organization, importRuns } }: Choice) => {
  const run = pickRecent(random, importRuns)
  return run === undefined ? undefined : { organization, run }
}

/** Chooses a space without Git synchronization: the repository of a space changes when an operation starts in the background. */
const chooseUnsynchronized = ({ random, known }: Choice) =>
  pickRecent(
    random,
    known.spaces.filter((space) => !known.synchronized.includes(space))
  )

const chooseSynchronized = ({ random, known }: Choice) => {
  const space = pickRecent(random, known.synchronized)
  return space === undefined ? undefined : { space }
}

const requestGit = (direction: "import" | "export") =>
  command(
    `GitSync.${direction}Repository`,
    (choice) => {
      const space = chooseUnsynchronized(choice)
      if (space === undefined) return undefined
      // Also if the call fails: a lost reply can have been committed.
      choice.known.synchronized.push(space)
      const input = { url: `https://ada:secret@${emptyHost}/docs.git`, ref: "refs/heads/main" }
      return {
        space,
        input: direction === "import" ? input : { ...input, commitMessage: makeTitle(choice.random) }
      }
    },
    notCompared
  )

/** The kinds of calls on imports, Git synchronization and uploads. */
export const outsideKinds: ReadonlyArray<CallKind> = [
  command(
    "ImportRuns.start",
    ({ random, known }) => {
      const space = pickRecent(random, known.spaces)
      return space === undefined
        ? undefined
        : {
            organization: known.organization,
            input: {
              source: { type: "website", url: `https://${emptyHost}/${random.below(100)}` },
              target: { space }
            }
          }
    },
    {
      ...notCompared,
      learn: (known, result) => {
        known.importRuns.push((result as { readonly id: string }).id)
      }
    }
  ),
  command("ImportRuns.cancel", chooseRun, notCompared),
  requestGit("import"),
  requestGit("export"),
  command(
    "Uploads.create",
    ({ random, known: { organization } }) => ({
      organization,
      input: {
        file: { name: "handbook.md", type: "text/markdown", size: 1 + random.below(1_000) },
        kind: random.pick(["import_file", "customization_font"])
      }
    }),
    notCompared
  ),
  query("ImportRuns.list", ({ known: { organization } }) => ({ organization, input: {} }), notCompared),
  query("GitSync.getInfo", chooseSynchronized, notCompared)
]

const chooseSession = ({ random, known, user }: Choice) => {
  const session = pickRecent(
    random,
    known.sessions.filter((one) => one.user === user)
  )
  return session === undefined ? undefined : { session: session.id }
}

/** The kinds of calls on sessions. Links are created and used by the operator and the server, for no user. */
export const sessionKinds: ReadonlyArray<CallKind> = [
  command("SignIns.createLink", ({ random, known }) => ({ input: { email: random.pick(known.emails) } }), {
    isOperator: true,
    learn: (known, result) => {
      known.links.push(Redacted.value((result as { readonly secret: Redacted.Redacted<string> }).secret))
    }
  }),
  command(
    "SignIns.useLink",
    ({ random, known }) => {
      const secret = pickRecent(random, known.links)
      return secret === undefined ? undefined : { input: { secret, client: { address: "203.0.113.7" } } }
    },
    {
      isOperator: true,
      learn: (known, result) => {
        const { id, user } = result as { readonly id: string; readonly user: string }
        known.sessions.push({ user, id })
      }
    }
  ),
  command("Sessions.revoke", chooseSession),
  command("Sessions.signOutEverywhere", () => ({})),
  query("Sessions.list", () => ({ input: {} }))
]
