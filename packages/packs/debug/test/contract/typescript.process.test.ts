import { fileURLToPath } from 'node:url'
import { describeEngineContract } from './engine-contract.ts'
import { findEngine } from './find-engine.ts'

const source = fileURLToPath(new URL('../fixtures/typescript/app.ts', import.meta.url))

await describeEngineContract({
  language: 'typescript',
  engine: findEngine('node'),
  source,
  // The Node that runs the tests: it strips types, the first one on the path may not.
  prepare: async () => ({ program: source, options: { runtimeExecutable: process.execPath } }),
  lacks: [],
  exception: { type: /RangeError/, message: /no such thing/ },
})
