import { MemoryStorage } from "@lectern/testkit"
import { storageConformance } from "@lectern/testkit/conformance"

storageConformance("MemoryStorage", (tables) => MemoryStorage.layer(tables))
