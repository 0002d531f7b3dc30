import { fileURLToPath } from 'node:url'
import { describeEngineContract } from './engine-contract.ts'
import { findEngine } from './find-engine.ts'

const source = fileURLToPath(new URL('../fixtures/python/app.py', import.meta.url))

await describeEngineContract({
  language: 'python',
  engine: findEngine('debugpy'),
  source,
  prepare: async () => ({ program: source }),
  nested: ["'limits'", "'high'"],
  lacks: [],
  exception: { type: /ValueError/, message: /no such thing/ },
})
