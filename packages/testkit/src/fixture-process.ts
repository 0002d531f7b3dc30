import { fileURLToPath } from 'node:url'
import type { FixtureScript } from './fixture/script.ts'

const isSource = import.meta.url.endsWith('.ts')

/** The fixture's entry: TypeScript beside this file when it is itself run from source, else the built one. */
export const FIXTURE_PATH = fileURLToPath(
  new URL(isSource ? './fixture/main.ts' : './fixture/main.js', import.meta.url),
)

/** Stripping the types takes three quarters of the start; Node's compile cache keeps the outcome. */
function cacheArguments(): string[] {
  if (!isSource) return []
  // Not below node_modules: a fixture that ends while `npm ci` clears that folder would write into it again.
  const directory = fileURLToPath(new URL('../../../.toolchain/cache/fixture', import.meta.url))
  const code = `import { enableCompileCache } from 'node:module'; enableCompileCache(${JSON.stringify(directory)})`
  return ['--import', `data:text/javascript,${encodeURIComponent(code)}`]
}

/** How to start the fixture. Type stripping still warns on Node 22, and a warning would be in every stderr that is compared. */
export function fixtureCommand(script: FixtureScript = {}): { command: string; args: string[] } {
  const options = ['--disable-warning=ExperimentalWarning', ...cacheArguments()]
  return { command: process.execPath, args: [...options, FIXTURE_PATH, '--script', JSON.stringify(script)] }
}
