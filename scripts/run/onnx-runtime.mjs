// What runs a model of the memory on this machine, for its tests alone: 290 MB that a person installs who wants it, and nobody else.
// It lies in a folder of its own in .toolchain; its install script, which loads what only graphics cards need, is not run.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { installPinned, isPinnedNode } from './toolchain.mjs'

/** The version is that of docs/memory-encoders.md. */
const runtime = {
  name: 'onnxruntime-node',
  version: '1.30.0',
  integrity: 'sha512-twhs1C2C/BFkz1yc5OY0KIU2GUq6DURO7hD4bx5Q2Qy3nAMJwRXW8xU3NVczE29VA9lolLOYepoD8fjTGOfIqw==',
}

/** @param {string} root */
const folderOf = (root) => join(root, '.toolchain', 'onnx')

/** @param {string} root */
export function isOnnxRuntimeMissing(root) {
  const folder = folderOf(root)
  return !existsSync(join(folder, 'node_modules', runtime.name)) || !isPinnedNode(folder, runtime)
}

/** Call it under the set-up lock only. @param {string} root */
export async function installOnnxRuntime(root) {
  await installPinned(root, runtime, {
    why: 'Installing for the tests:',
    folder: folderOf(root),
    platform: process.platform,
  })
}
