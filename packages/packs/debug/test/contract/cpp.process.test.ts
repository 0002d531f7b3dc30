import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile } from './compile.ts'
import { describeEngineContract } from './engine-contract.ts'
import { findEngine } from './find-engine.ts'

const source = fileURLToPath(new URL('../fixtures/cpp/app.cpp', import.meta.url))

await describeEngineContract({
  language: 'cpp',
  engine: findEngine('lldb-dap'),
  source,
  async prepare(folder) {
    const program = join(folder, 'app')
    await compile('g++', ['-g', '-O0', '-pthread', '-o', program, source], folder)
    return { program }
  },
  lacks: ['child'],
  exception: { type: /std::|cpp_throw/, message: /\w/ },
})
