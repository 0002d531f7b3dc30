import { fileURLToPath } from 'node:url'
import { describeEngineContract } from './engine-contract.ts'
import { findEngine } from './find-engine.ts'

const source = fileURLToPath(new URL('../fixtures/ruby/app.rb', import.meta.url))

await describeEngineContract({
  language: 'ruby',
  engine: findEngine('rdbg'),
  source,
  prepare: async () => ({ program: source }),
  nested: [':limits', ':high'],
  lacks: ['child', 'exception uncaught'],
  exception: { type: /ArgumentError/, message: /no such thing/ },
})
