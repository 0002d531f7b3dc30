import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile } from './compile.ts'
import { describeEngineContract } from './engine-contract.ts'
import { findEngine } from './find-engine.ts'

const source = fileURLToPath(new URL('../fixtures/rust/app.rs', import.meta.url))

await describeEngineContract({
  language: 'rust',
  engine: findEngine('lldb-dap'),
  source,
  async prepare(folder) {
    const program = join(folder, 'app')
    await compile('rustc', ['-g', '--edition', '2021', '-o', program, source], folder)
    return { program }
  },
  lacks: ['child'],
  exception: { type: /panic/, message: /no such thing/ },
})
