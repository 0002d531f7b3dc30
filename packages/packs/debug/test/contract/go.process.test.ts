import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile } from './compile.ts'
import { describeEngineContract } from './engine-contract.ts'
import { findEngine } from './find-engine.ts'

const source = fileURLToPath(new URL('../fixtures/go/app.go', import.meta.url))

await describeEngineContract({
  language: 'go',
  engine: findEngine('delve'),
  source,
  async prepare(folder) {
    const program = join(folder, 'app')
    await compile('go', ['build', '-gcflags=all=-N -l', '-o', program, '.'], dirname(source))
    return { program }
  },
  nested: ['Limits', 'High'],
  lacks: ['child'],
  exception: { type: /panic/, message: /no such thing/ },
})
