/**
 * The services of Node that commands use. `@effect/platform-node` has the same layer, with servers, clients and Redis, which the command
 * does not use: 20 MB.
 */
import * as NodeChildProcessSpawner from "@effect/platform-node-shared/NodeChildProcessSpawner"
import * as NodeFileSystem from "@effect/platform-node-shared/NodeFileSystem"
import * as NodePath from "@effect/platform-node-shared/NodePath"
import * as NodeStdio from "@effect/platform-node-shared/NodeStdio"
import * as NodeTerminal from "@effect/platform-node-shared/NodeTerminal"
import { type FileSystem, Layer, type Path, type Stdio, type Terminal } from "effect"
import type { ChildProcessSpawner } from "effect/process"

/** Provides files, paths, processes, and the terminal. */
export const nodeServices: Layer.Layer<
  | ChildProcessSpawner.ChildProcessSpawner
  | FileSystem.FileSystem
  | Path.Path
  | Stdio.Stdio
  | Terminal.Terminal
> = Layer.provideMerge(
  NodeChildProcessSpawner.layer,
  Layer.mergeAll(NodeFileSystem.layer, NodePath.layer, NodeStdio.layer, NodeTerminal.layer)
)
