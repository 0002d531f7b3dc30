import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile } from './compile.ts'
import { describeEngineContract } from './engine-contract.ts'
import { findEngine } from './find-engine.ts'

const source = fileURLToPath(new URL('../fixtures/rust/app.rs', import.meta.url))

/** They come with rustup; Debian keeps them in a package that cannot be installed beside lldb 19. */
function hasFormatters(): boolean {
  const root = execFileSync('rustc', ['--print', 'sysroot'], { encoding: 'utf8' }).trim()
  return existsSync(join(root, 'lib', 'rustlib', 'etc', 'lldb_lookup.py'))
}

await describeEngineContract({
  language: 'rust',
  engine: findEngine('lldb-dap'),
  source,
  async prepare(folder) {
    const program = join(folder, 'app')
    await compile('rustc', ['-g', '--edition', '2021', '-o', program, source], folder)
    return { program }
  },
  lacks: ['child', 'exception caught', ...(hasFormatters() ? [] : (['formatters'] as const))],
  exception: { type: /panic/, message: /no such thing/ },
})
