/**
 * Stories at random over everything that hangs together in a workspace: content, change requests, comments, folders,
 * sites and people. What is refused is refused; nobody says what should come of it, but that it hangs together still.
 */
import { CurrentUser, UserId } from "@lectern/core"
import { Effect } from "effect"
import * as fc from "fast-check"
import type { Furnished } from "../furnished.ts"
import { onContents } from "./contents.ts"
import { onPeople } from "./people.ts"
import type { Picks } from "./picks.ts"
import { onPlaces } from "./places.ts"
import { onSites } from "./sites.ts"

const steps = { ...onContents, ...onPlaces, ...onSites, ...onPeople }

/** A step: what is done, and numbers that pick what it is done to. */
export interface WildStep {
  readonly do: keyof typeof steps
  readonly by: Picks
}

/** What is picked: often one of the first few, so that much happens to the same. */
const picked = fc.oneof(fc.nat(3), fc.nat(1000))

/** A step at random. */
const wildStep: fc.Arbitrary<WildStep> = fc.record({
  do: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...(Object.keys(steps) as Array<WildStep["do"]>)) },
    {
      weight: 2,
      arbitrary: fc.constantFrom<WildStep["do"]>(
        "insert",
        "insert",
        "insert",
        "addSection",
        "addGroup",
        "regroup",
        "removeGroup",
        "move",
        "rename",
        "write",
        "delete",
        "merge",
        "pull",
        "propose",
        "revert"
      )
    }
  ),
  by: fc.tuple(picked, picked, picked, picked)
})

/** A story. */
export const wildStory = (length: number): fc.Arbitrary<ReadonlyArray<WildStep>> =>
  fc.array(wildStep, { maxLength: length, size: "max" })

/** Plays a story, mostly by Ada; answers how many steps were not refused. A defect ends it. */
export const playWildly = Effect.fnUntraced(function* (
  { ada, bob }: Furnished,
  story: ReadonlyArray<WildStep>
) {
  let done = 0
  for (const { do: name, by } of story) {
    const user = UserId.make(by[3] % 5 === 0 ? bob : ada)
    const step = steps[name](by) as Effect.Effect<
      unknown,
      unknown,
      Effect.Services<ReturnType<(typeof steps)[WildStep["do"]]>>
    >
    done += yield* step.pipe(
      Effect.as(1),
      Effect.catch(() => Effect.succeed(0)),
      CurrentUser.provide(user)
    )
  }
  return done
})
