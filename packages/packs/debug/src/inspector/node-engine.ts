/** Node and TypeScript by the inspector that every Node has: no adapter is needed. */
import { extname, join } from 'node:path'
import { OrphanGuard } from '@switchboard/process'
import type { EngineEnvironment } from '../dap/engine-environment.ts'
import { readShebang } from '../dap/engines/first-bytes.ts'
import type { DebugEngine } from '../engine/debug-session.ts'
import { attachNode } from './attach-node.ts'
import { launchNode } from './launch-node.ts'
import { findNode } from './node-command.ts'

const EXTENSIONS = ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.tsx', '.jsx']

export function createNodeEngine({
  guard = new OrphanGuard(),
  cacheFolder,
}: Partial<EngineEnvironment> = {}): DebugEngine {
  const environment = { guard, folder: cacheFolder === undefined ? undefined : join(cacheFolder, 'node') }
  return {
    name: 'node',
    languages: ['node', 'typescript', 'javascript'],
    launchTypes: ['node', 'pwa-node', 'node2', 'node-terminal'],
    accepts: (program) => EXTENSIONS.includes(extname(program).toLowerCase()) || beginsWithNode(program),
    locate: async () => ({ found: true, what: findNode() }),
    start: (request, context) =>
      request.kind === 'launch' ? launchNode(request, context, environment) : attachNode(request, context),
  }
}

function beginsWithNode(program: string): boolean {
  return /^#!.*\b(?:node|tsx)\b/.test(readShebang(program))
}
