/** The simulated store conforms to `RecordsAdapter`, with transactions that run concurrently. */
import { RecordsAdapter } from "@lectern/core"
import { Layer } from "effect"
import { storageConformance } from "../src/conformance/index.ts"
import { makeSimulatedStorage } from "../src/simulation/SimulatedStorage.ts"

storageConformance("SimulatedStorage", (tables) =>
  Layer.sync(RecordsAdapter, () => makeSimulatedStorage(tables).connect().adapter)
)
