import { fileURLToPath } from 'node:url'
import type { FixtureScript } from './fixture/script.ts'

/** The fixture's entry: TypeScript beside this file when it is itself run from source, else the built one. */
export const FIXTURE_PATH = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './fixture/main.ts' : './fixture/main.js', import.meta.url),
)

/** How to start the fixture. Type stripping still warns on Node 22, and a warning would be in every stderr that is compared. */
export function fixtureCommand(script: FixtureScript = {}): { command: string; args: string[] } {
  const args = ['--disable-warning=ExperimentalWarning', FIXTURE_PATH, '--script', JSON.stringify(script)]
  return { command: process.execPath, args }
}
