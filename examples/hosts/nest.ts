/** A NestJS application: a controller calls the services of the workspace, and its API is mounted under a path. */
import "reflect-metadata"
import { createWorkspace, type EmbeddedWorkspace } from "@lectern/core"
import { toNodeListener } from "@lectern/http"
import { sqlite } from "@lectern/storage-sqlite"
import { Controller, Get, Inject, Module, type OnApplicationShutdown, Param } from "@nestjs/common"
import { NestFactory } from "@nestjs/core"

const Workspace = Symbol("Workspace")

@Controller("titles")
class TitlesController {
  readonly #workspace: EmbeddedWorkspace

  constructor(@Inject(Workspace) workspace: EmbeddedWorkspace) {
    this.#workspace = workspace
  }

  @Get(":user/:organization")
  async list(@Param("user") user: string, @Param("organization") organization: string) {
    const { items } = await this.#workspace.as(user).spaces.list({ organization })
    return items.map(({ title }) => title)
  }
}

@Module({
  controllers: [TitlesController],
  providers: [
    {
      provide: Workspace,
      useFactory: () =>
        createWorkspace({ storage: sqlite(":memory:"), publicUrl: "https://acme.example/docs-api" })
    }
  ]
})
class AppModule implements OnApplicationShutdown {
  readonly #workspace: EmbeddedWorkspace

  constructor(@Inject(Workspace) workspace: EmbeddedWorkspace) {
    this.#workspace = workspace
  }

  onApplicationShutdown() {
    return this.#workspace.dispose()
  }
}

/** Creates the application. `app.close()` also closes the workspace. */
export const makeApp = async () => {
  const app = await NestFactory.create(AppModule, { logger: false })
  const workspace = app.get<EmbeddedWorkspace>(Workspace)
  app.use("/docs-api", toNodeListener(workspace))
  return { app, workspace }
}
