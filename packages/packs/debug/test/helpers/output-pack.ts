/** The pack's own tools with nothing but a store of output. */

import type { JsonObject } from '@switchboard/protocol'
import { createMemoryLogger } from '@switchboard/telemetry'
import { callPack } from '@switchboard/testkit'
import { createPack, type ToolFunctions } from '@switchboard/toolkit'
import { manifest } from '../../src/generated/manifest.ts'
import { tools } from '../../src/generated/tools.ts'
import { OutputStore, type OutputStoreOptions } from '../../src/output/output-store.ts'
import type { OutputHost } from '../../src/output/select-capture.ts'

export function createOutputPack(options: OutputStoreOptions = {}) {
  const output = new OutputStore(options)
  const requirement = () => undefined
  const host = {
    output,
    requirements: {
      session: requirement,
      paused: requirement,
      vscode: requirement,
      'language-server': requirement,
    },
  }
  const pack = createPack<OutputHost>({
    name: 'debug',
    manifest,
    // Only tools that need nothing but the store are called here.
    tools: tools as unknown as ToolFunctions<OutputHost>,
    host,
    log: createMemoryLogger(),
    strict: true,
  })
  return { output, call: (name: string, args: JsonObject = {}) => callPack({ provider: pack }, name, args) }
}
