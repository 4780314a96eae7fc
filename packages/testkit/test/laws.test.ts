import { MemoryStorage } from "@lectern/testkit"
import { storageLaws } from "@lectern/testkit/laws"

storageLaws("MemoryStorage", (tables) => MemoryStorage.layer(tables))
