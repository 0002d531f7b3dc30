import { fileURLToPath } from 'node:url'
import { describeEngineContract } from './engine-contract.ts'
import { findEngine } from './find-engine.ts'

const source = fileURLToPath(new URL('../fixtures/node/app.cjs', import.meta.url))

await describeEngineContract({
  language: 'node',
  engine: findEngine('node'),
  source,
  prepare: async () => ({ program: source }),
  lacks: [],
  exception: { type: /RangeError/, message: /no such thing/ },
})
