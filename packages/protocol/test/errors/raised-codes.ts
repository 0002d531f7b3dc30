/** Which codes the sources raise, by reading them: a walk over `packages/`, however deep a package lies. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const CATALOGUE = join('protocol', 'src', 'errors', 'catalogue.ts')
const SKIPPED = new Set(['node_modules', 'dist', 'test', 'testkit', 'generated'])

/** Every TypeScript source of ours except the catalogue itself, and the testkit, which raises nothing for users. */
export function readSources(packagesDirectory: string): string[] {
  const texts: string[] = []
  for (const entry of readdirSync(packagesDirectory, { withFileTypes: true })) {
    const path = join(packagesDirectory, entry.name)
    if (entry.isDirectory()) {
      if (!SKIPPED.has(entry.name)) texts.push(...readSources(path))
    } else if (entry.name.endsWith('.ts') && !path.endsWith(CATALOGUE)) {
      texts.push(readFileSync(path, 'utf8'))
    }
  }
  return texts
}

/**
 * The quoted codes in the first argument of `SwitchboardError(…)` or of a helper that makes one (`create…Error(…)`), or
 * marked `satisfies ErrorCode`. A word like 'timeout' elsewhere says nothing.
 */
export function findRaisedCodes(source: string): Set<string> {
  const found = new Set<string>()
  const raising = /\b\w*Error\(\s*([^,)]*)/g
  for (const [, argument = ''] of source.matchAll(raising)) {
    for (const [, code = ''] of argument.matchAll(/'([a-z_]+)'/g)) found.add(code)
  }
  for (const [, code = ''] of source.matchAll(/'([a-z_]+)' satisfies ErrorCode/g)) found.add(code)
  return found
}
