/** Calls on spaces and collections. */
import { type CallKind, command, learnId, query } from "./CallKind.ts"
import { makeTitle } from "./contentKinds.ts"
import { type Choice, pickRecent } from "./KnownResources.ts"

const chooseSpace = ({ random, known }: Choice) => {
  const space = pickRecent(random, known.spaces)
  return space === undefined ? undefined : { space }
}

const chooseCollection = ({ random, known }: Choice) => {
  const collection = pickRecent(random, known.collections)
  return collection === undefined ? undefined : { collection }
}

/** Chooses a parent: a collection, or none for the root of the organization. */
const chooseParent = (choice: Choice) => {
  const chosen = choice.random.chance(0.6) ? chooseCollection(choice) : undefined
  return chosen === undefined ? {} : { parent: chosen.collection }
}

const withTitle = <A extends object>({ random }: Choice, target: A | undefined) =>
  target === undefined ? undefined : { ...target, input: { title: makeTitle(random) } }

/** Chooses where to move something: into another parent, or after a sibling. */
const withMove = <A extends object>(choice: Choice, target: A | undefined) => {
  if (target === undefined) return undefined
  const { random, known } = choice
  const sibling = random.chance(0.4) ? pickRecent(random, known.spaces) : undefined
  const parent = random.chance(0.7)
    ? { parent: random.chance(0.3) ? null : (chooseCollection(choice)?.collection ?? null) }
    : {}
  return {
    ...target,
    input: { ...parent, position: sibling === undefined ? {} : { after: { type: "space", space: sibling } } }
  }
}

const inOrganization = ({ known: { organization } }: Choice) => ({ organization, input: {} })

/** The kinds of calls on spaces and collections. */
export const treeKinds: ReadonlyArray<CallKind> = [
  command(
    "Spaces.create",
    (choice) => ({
      organization: choice.known.organization,
      input: { title: makeTitle(choice.random), ...chooseParent(choice) }
    }),
    { learn: learnId(({ spaces }) => spaces) }
  ),
  command("Spaces.update", (choice) => withTitle(choice, chooseSpace(choice))),
  command("Spaces.move", (choice) => withMove(choice, chooseSpace(choice))),
  command("Spaces.remove", (choice) => (choice.known.spaces.length < 2 ? undefined : chooseSpace(choice))),
  command("Spaces.restore", chooseSpace),
  command(
    "Spaces.duplicate",
    (choice) => (choice.known.spaces.length > 12 ? undefined : chooseSpace(choice)),
    {
      learn: learnId(({ spaces }) => spaces)
    }
  ),
  command(
    "Collections.create",
    (choice) => ({
      organization: choice.known.organization,
      input: { title: makeTitle(choice.random), ...chooseParent(choice) }
    }),
    { learn: learnId(({ collections }) => collections) }
  ),
  command("Collections.update", (choice) => withTitle(choice, chooseCollection(choice))),
  command("Collections.move", (choice) => withMove(choice, chooseCollection(choice))),
  command("Collections.remove", (choice) =>
    choice.known.collections.length < 2 ? undefined : chooseCollection(choice)
  ),
  query("Spaces.get", chooseSpace),
  query("Spaces.list", inOrganization),
  query("Spaces.listTrash", ({ known: { organization } }) => ({ organization })),
  query("Collections.list", inOrganization),
  query("Collections.listSpaces", (choice) => {
    const chosen = chooseCollection(choice)
    return chosen === undefined ? undefined : { ...chosen, input: {} }
  })
]
